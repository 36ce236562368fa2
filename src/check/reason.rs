//! Defines the fields of an entered address and the mistakes in them that a check reports.

use std::fmt;

postduif_schema::named_enum! {
    /// A field of an entered address.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum FieldName {
        /// The row as a whole.
        Row = "row",
        Postcode = "postcode",
        /// House number.
        Number = "number",
        /// Letter and addition.
        Addition = "addition",
        Street = "street",
        City = "city",
        Country = "country",
    }
}

postduif_schema::named_enum! {
    /// The kind of mistake.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Mistake {
        /// The field is empty.
        Missing = "missing",
        /// The text does not have the form of the field.
        Malformed = "malformed",
        /// The register does not have the value.
        NotFound = "not_found",
        /// The value exists, but the register has another value for this address.
        Different = "different",
        /// The value is right, but the register writes it differently: with other leading zeros, or with a letter before the number of a
        /// unit.
        Spelling = "spelling",
        /// Two cells of the row disagree about the field.
        Conflicting = "conflicting",
        /// Several addresses fit equally well.
        SeveralFit = "several_fit",
        /// The row has more cells than the table has columns.
        ExtraCells = "extra_cells",
    }
}

/// A field and its mistake, written as `postcode:not_found`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldReason {
    /// The field.
    pub field: FieldName,
    /// The mistake in the field.
    pub mistake: Mistake,
}

impl FieldReason {
    /// The reason of a row without a house number.
    pub(super) const NUMBER_MISSING: Self = Self::new(FieldName::Number, Mistake::Missing);
    pub(super) const NUMBER_MALFORMED: Self = Self::new(FieldName::Number, Mistake::Malformed);
    pub(super) const ADDITION_MALFORMED: Self = Self::new(FieldName::Addition, Mistake::Malformed);

    pub(super) const fn new(field: FieldName, mistake: Mistake) -> Self {
        Self { field, mistake }
    }

    pub(super) fn conflicting(field: FieldName) -> Self {
        Self::new(field, Mistake::Conflicting)
    }
}

impl fmt::Display for FieldReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.field, self.mistake)
    }
}
