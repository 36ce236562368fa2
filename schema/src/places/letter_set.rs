//! Represents the set of letters and digits that occur in a text as the bits of one number.

/// The first bit of the digits in a [`LetterSet`]. The lower bits are those of the 26 letters.
const FIRST_DIGIT_BIT: u8 = 26;
pub(super) const DIGIT_BITS: u32 = u32::MAX << FIRST_DIGIT_BIT;

/// The set of letters and digits of a text, with a bit for each letter. Most names that do not match a text can be ruled out by
/// comparing their sets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct LetterSet(u32);

impl LetterSet {
    pub(super) fn from_text(text: &str) -> Self {
        Self::from_bytes(text.as_bytes())
    }

    pub(super) fn from_bytes(text: &[u8]) -> Self {
        let bit = |byte: u8| match byte {
            b'a'..=b'z' => 1 << (byte - b'a'),
            // Only six bits remain for the ten digits, so some digits share a bit.
            b'0'..=b'9' => 1 << (FIRST_DIGIT_BIT + byte % 6),
            _ => 0,
        };
        Self(text.iter().fold(0, |letters, &byte| letters | bit(byte)))
    }

    pub(super) fn from_texts<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        Self(texts.fold(0, |letters, text| letters | Self::from_text(text).0))
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The set as a number, with a bit for each letter.
    pub(super) const fn bits(self) -> u32 {
        self.0
    }

    /// Only the digits of the set.
    pub(super) const fn digits(self) -> Self {
        Self(self.0 & DIGIT_BITS)
    }

    /// Whether `other` has all letters of this set.
    pub(super) const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// How many letters of this set are not in `other`.
    pub(super) fn count_missing_from(self, other: Self) -> u32 {
        (self.0 & !other.0).count_ones()
    }
}
