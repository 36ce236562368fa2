//! Defines the errors of a build.

use postduif_schema::{IndexError, tantivy_error_message};

use crate::csv_table::CsvTableError;
use crate::extract::ExtractError;
use crate::municipalities::UnknownMunicipality;
use crate::publish::PublishError;
use crate::register::RegisterError;

/// The error of a failed build. `CURRENT` still names the previous generation.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The delivery cannot be read.
    #[error(transparent)]
    Extract(#[from] ExtractError),
    /// A CSV file cannot be read or has an invalid value.
    #[error(transparent)]
    CsvTable(#[from] CsvTableError),
    /// The table of municipalities lacks a municipality.
    #[error(transparent)]
    UnknownMunicipality(#[from] UnknownMunicipality),
    /// The delivery is incomplete, or of another area. The text says why, and the option that accepts it, if there is one.
    #[error("{0}")]
    Refused(String),
    /// The new index differs from the register. The text says how.
    #[error("{0}; nothing is published")]
    IndexMismatch(String),
    /// The new index cannot be read.
    #[error("reading the new index: {0}; nothing is published")]
    ReadBack(#[from] IndexError),
    /// The index cannot be written.
    #[error("writing the address index: {}", tantivy_error_message(.0))]
    Index(tantivy::TantivyError),
    /// The register failed.
    #[error(transparent)]
    Register(#[from] RegisterError),
    /// The data folder cannot be written.
    #[error(transparent)]
    Publish(#[from] PublishError),
}

impl From<tantivy::TantivyError> for BuildError {
    fn from(error: tantivy::TantivyError) -> Self {
        Self::Index(error)
    }
}

impl BuildError {
    /// True if the input is at fault and not the machine, so that trying again does not help.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Extract(error) => error.is_refusal(),
            Self::CsvTable(_) | Self::UnknownMunicipality(_) | Self::Refused(_) => true,
            Self::IndexMismatch(_)
            | Self::ReadBack(_)
            | Self::Index(_)
            | Self::Register(_)
            | Self::Publish(_) => false,
        }
    }
}
