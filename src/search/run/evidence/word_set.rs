//! Defines a set of words of the typed text.

/// A set of words of the text. Bit `n` is the word at position `n`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct WordSet(u32);

impl WordSet {
    pub(super) fn from_range(range: std::ops::Range<usize>) -> Self {
        Self(range.fold(0, |set, at| set | 1 << at))
    }

    /// The set of the words for which the flag is true. `flags` has one flag for each word.
    pub(super) fn from_flags(flags: impl Iterator<Item = bool>) -> Self {
        let flags = flags.enumerate().filter(|(_, is_in)| *is_in);
        Self(flags.fold(0, |set, (at, _)| set | 1 << at))
    }

    pub(super) fn overlaps(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) fn contains(self, at: usize) -> bool {
        self.0 >> at & 1 == 1
    }

    /// The position of the first word in the set; 32 if the set is empty.
    pub(super) fn start(self) -> usize {
        usize::try_from(self.0.trailing_zeros()).unwrap_or_default()
    }

    /// The position after the last word in the set; 0 if the set is empty.
    pub(super) fn end(self) -> usize {
        usize::try_from(u32::BITS - self.0.leading_zeros()).unwrap_or_default()
    }
}
