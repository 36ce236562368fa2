//! Defines the parts of an address that a column can hold.

postduif_schema::named_enum! {
    /// The part of an address that a column holds, with its name in `--columns` and in messages.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum ColumnRole {
        /// Postcode, or its digits if another column has its letters.
        Postcode = "postcode",
        /// House number, with or without letter and addition.
        Number = "number",
        Letter = "letter",
        Addition = "addition",
        /// Street, with or without house number.
        Street = "street",
        City = "city",
        /// Street and house number, or the whole address.
        Line = "line",
        /// The second line of an address, which may hold the house number or its addition.
        Line2 = "line2",
        Country = "country",
        /// The letters of the postcode.
        PostcodeLetters = "postcode_letters",
    }
}

/// The column of each role, in the order of [`ColumnRole::ALL`]. `None` if no column has the role.
pub(super) type FoundColumns = [Option<usize>; ColumnRole::ALL.len()];
