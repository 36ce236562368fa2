//! Represents the positions of each letter in a text as the bits of a number.

/// Number of letters and digits that are distinguished.
const ALPHABET: usize = 36;

/// Maximum number of positions, because each takes one bit of a 64-bit number.
pub(super) const MAX_POSITIONS: usize = 64;

/// The positions of each letter and digit in a text. Other bytes never match; folded names have them only in rare letters such as ħ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LetterPositions([u64; ALPHABET]);

impl LetterPositions {
    /// The positions in the first 64 bytes of a text.
    pub(super) fn new(text: &[u8]) -> Self {
        let mut positions = [0; ALPHABET];
        for (position, byte) in text.iter().enumerate().take(MAX_POSITIONS) {
            if let Some(letter) = letter_index(*byte) {
                positions[letter] |= 1 << position;
            }
        }
        Self(positions)
    }

    /// A bit for each position that has this byte.
    pub(super) fn bits_of(&self, byte: u8) -> u64 {
        letter_index(byte).map_or(0, |letter| self.0[letter])
    }
}

fn letter_index(byte: u8) -> Option<usize> {
    match byte {
        b'a'..=b'z' => Some(usize::from(byte - b'a')),
        b'0'..=b'9' => Some(usize::from(byte - b'0') + 26),
        _ => None,
    }
}
