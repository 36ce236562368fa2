//! Defines the number of a publication and the name of its manifest in a bucket.

use std::fmt;

/// The number of a publication; later publications have higher numbers.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct PublicationNumber(u64);

impl PublicationNumber {
    /// The first publication of a bucket.
    pub const FIRST: Self = Self(1);

    /// The number, counted from 1.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The next number. For the highest possible number, returns that number.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The previous number; `None` for the first number.
    pub const fn previous(self) -> Option<Self> {
        match self.0 {
            0 | 1 => None,
            number => Some(Self(number - 1)),
        }
    }

    /// The name of the publication's manifest. A bucket lists objects in the order of their names. The number has leading zeros, so
    /// that this is also the order of the numbers.
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
    fn only_names_with_all_leading_zeros_are_publications() {
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
