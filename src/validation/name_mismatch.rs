//! Says which of the entered names are wrong.

/// Which of the entered names differ from those of an address.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NameMismatch {
    /// The street differs.
    pub street: bool,
    /// The city differs.
    pub city: bool,
}

impl NameMismatch {
    /// Only the street differs.
    pub(super) const STREET: Self = Self {
        street: true,
        city: false,
    };

    /// Only the city differs.
    pub(super) const CITY: Self = Self {
        street: false,
        city: true,
    };

    /// How many names differ, 0 to 2.
    pub(crate) fn count(self) -> u8 {
        u8::from(self.street) + u8::from(self.city)
    }

    /// The names that differ here or in `other`.
    pub(super) fn union(self, other: Self) -> Self {
        Self {
            street: self.street || other.street,
            city: self.city || other.city,
        }
    }

    /// Whether every name that differs in `other` differs here too.
    pub(super) fn includes(self, other: Self) -> bool {
        self.union(other) == self
    }
}
