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
    /// How many names differ, 0 to 2.
    pub(crate) fn count(self) -> u8 {
        u8::from(self.street) + u8::from(self.city)
    }
}
