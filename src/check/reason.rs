//! Defines the fields of an entered address and the mistakes in them that a check reports.

use std::fmt;

/// A field of an entered address.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum FieldName {
    /// The row as a whole.
    Row,
    /// Postcode.
    Postcode,
    /// House number.
    Number,
    /// Letter and addition.
    Addition,
    /// Street.
    Street,
    /// City.
    City,
    /// Country.
    Country,
}

/// The kind of mistake.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Mistake {
    /// The field is empty.
    Missing,
    /// The text does not have the form of the field.
    Malformed,
    /// The register does not have the value.
    NotFound,
    /// The value exists, but the register has another value for this address.
    Different,
    /// The value is right, but the register writes it differently: with other leading zeros, or with a letter before the number of a
    /// unit.
    Spelling,
    /// Two cells of the row disagree about the field.
    Conflicting,
    /// Several addresses fit equally well.
    SeveralFit,
    /// The row has more cells than the table has columns.
    ExtraCells,
}

/// A field and its mistake, written as `postcode:not_found`.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct FieldReason {
    /// The field.
    pub field: FieldName,
    /// The mistake in the field.
    pub mistake: Mistake,
}

/// The reason of a row without a house number.
pub(super) const NUMBER_MISSING: FieldReason = FieldReason {
    field: FieldName::Number,
    mistake: Mistake::Missing,
};

impl FieldReason {
    pub(super) fn new(field: FieldName, mistake: Mistake) -> Self {
        Self { field, mistake }
    }

    pub(super) fn conflicting(field: FieldName) -> Self {
        Self::new(field, Mistake::Conflicting)
    }
}

impl fmt::Display for FieldName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Row => "row",
            Self::Postcode => "postcode",
            Self::Number => "number",
            Self::Addition => "addition",
            Self::Street => "street",
            Self::City => "city",
            Self::Country => "country",
        })
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "missing",
            Self::Malformed => "malformed",
            Self::NotFound => "not_found",
            Self::Different => "different",
            Self::Spelling => "spelling",
            Self::Conflicting => "conflicting",
            Self::SeveralFit => "several_fit",
            Self::ExtraCells => "extra_cells",
        })
    }
}

impl fmt::Display for FieldReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.field, self.mistake)
    }
}
