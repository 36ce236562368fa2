//! Represents the positions of each letter in a text as the bits of a number.

/// Number of letters and digits that are distinguished.
const ALPHABET: usize = 36;

/// The index that all other bytes share, so that each of them matches every other. Folded names have such bytes only in rare letters such
/// as ħ.
const OTHER_BYTE: u8 = 36;

/// The index of each byte: a to z, then 0 to 9.
const LETTER_INDEX: [u8; 256] = {
    let mut index = [OTHER_BYTE; 256];
    let mut at = 0;
    while at < OTHER_BYTE {
        let first = if at < 26 { b'a' } else { b'0' - 26 };
        index[(first + at) as usize] = at;
        at += 1;
    }
    index
};

/// Maximum number of positions, because each takes one bit of a 64-bit number.
pub(super) const MAX_POSITIONS: usize = 64;

/// The positions of each letter and digit, and of all other bytes together, in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LetterPositions([u64; ALPHABET + 1]);

impl LetterPositions {
    /// The positions in the first 64 bytes of a text.
    pub(super) fn new(text: &[u8]) -> Self {
        let mut positions = [0; ALPHABET + 1];
        for (position, &byte) in text.iter().enumerate().take(MAX_POSITIONS) {
            positions[letter_index(byte)] |= 1 << position;
        }
        Self(positions)
    }

    /// A bit for each position that has this byte.
    pub(super) fn bits_of(&self, byte: u8) -> u64 {
        self.0[letter_index(byte)]
    }
}

fn letter_index(byte: u8) -> usize {
    usize::from(LETTER_INDEX[usize::from(byte)])
}
