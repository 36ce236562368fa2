//! Defines the parts of an address that a column can hold.

/// The part of an address that a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnRole {
    /// Postcode, or its digits if another column has its letters.
    Postcode,
    /// House number, with or without letter and addition.
    Number,
    /// House letter.
    Letter,
    /// Addition.
    Addition,
    /// Street, with or without house number.
    Street,
    /// City.
    City,
    /// Street and house number, or the whole address.
    Line,
    /// The second line of an address, which may hold the house number or its addition.
    Line2,
    /// Country.
    Country,
    /// The letters of the postcode.
    PostcodeLetters,
}

/// The column of each role, in the order of [`ColumnRole::ALL`]. `None` if no column has the role.
pub(super) type FoundColumns = [Option<usize>; ColumnRole::ALL.len()];

impl ColumnRole {
    /// All roles.
    pub const ALL: [Self; 10] = [
        Self::Postcode,
        Self::Number,
        Self::Letter,
        Self::Addition,
        Self::Street,
        Self::City,
        Self::Line,
        Self::Line2,
        Self::Country,
        Self::PostcodeLetters,
    ];

    /// The name of the role in `--columns` and in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Postcode => "postcode",
            Self::Number => "number",
            Self::Letter => "letter",
            Self::Addition => "addition",
            Self::Street => "street",
            Self::City => "city",
            Self::Line => "line",
            Self::Line2 => "line2",
            Self::Country => "country",
            Self::PostcodeLetters => "postcode_letters",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}
