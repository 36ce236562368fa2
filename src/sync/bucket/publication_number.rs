//! The number of a publication.

use std::fmt;

/// One publication in a bucket; later ones have higher numbers.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct PublicationNumber(u64);

impl PublicationNumber {
    /// The first in a bucket.
    pub const FIRST: Self = Self(1);

    /// The number, counted from 1.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The one after this.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The one before this; none before the first.
    #[must_use]
    pub const fn previous(self) -> Option<Self> {
        match self.0 {
            0 | 1 => None,
            number => Some(Self(number - 1)),
        }
    }

    /// With all digits that a number can have, so that a bucket lists them in order.
    pub(super) fn file_name(self) -> String {
        format!("{:020}.json", self.0)
    }

    pub(super) fn from_file_name(name: &str) -> Option<Self> {
        let number = name.strip_suffix(".json")?.parse().ok().map(Self)?;
        (number.file_name() == name).then_some(number)
    }
}

impl fmt::Display for PublicationNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_own_spelling_is_a_publication() {
        for number in [PublicationNumber::FIRST, PublicationNumber(u64::MAX)] {
            assert_eq!(
                PublicationNumber::from_file_name(&number.file_name()),
                Some(number)
            );
        }
        for name in [
            "",
            "1.json",
            "00000000000000000001",
            "+0000000000000000001.json",
            "CURRENT",
        ] {
            assert_eq!(PublicationNumber::from_file_name(name), None, "{name:?}");
        }
    }
}
