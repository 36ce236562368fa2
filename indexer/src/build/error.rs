//! Defines the errors of a build.

use postduif_schema::{AddressId, Area, GenerationName, IndexError, tantivy_error_message};

use crate::csv_table::CsvTableError;
use crate::extract::ExtractError;
use crate::municipalities::UnknownMunicipality;
use crate::publish::PublishError;
use crate::register::RegisterError;
use crate::report::format_area;
use crate::sample::SampleError;

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
    /// The delivery has no address at all.
    #[error("{extract}: it has no address (objects read: {objects}); nothing is published")]
    NoAddresses {
        /// The delivery.
        extract: String,
        /// Voorkomens read.
        objects: u64,
    },
    /// Too many references in the delivery are to objects that the delivery does not have.
    #[error(
        "{extract}: {count} references in it are to a nummeraanduiding, street, town, municipality or pand that it does not \
         have{}; the delivery is incomplete, nothing is published",
        example_suffix(example)
    )]
    DanglingReferences {
        /// The delivery.
        extract: String,
        /// How many such references there are.
        count: u64,
        /// A nummeraanduiding that is affected; `None` if only panden are missing.
        example: Option<String>,
    },
    /// Too many nummeraanduidingen in force have no object.
    #[error(
        "{extract}: {count} of its nummeraanduidingen are in force, but none of its objects names them{}; files of objects \
         are missing, nothing is published",
        example_suffix(example)
    )]
    ObjectsMissing {
        /// The delivery.
        extract: String,
        /// How many nummeraanduidingen have no object.
        count: u64,
        /// The id of one of these nummeraanduidingen.
        example: Option<String>,
    },
    /// The delivery is of another area than the served generation.
    #[error(
        "{extract}: a stand of {}, but {replaced} is of {}; nothing is published. If this is right, run `postduif index build` \
         with --replace-area",
        format_area(area),
        format_area(replaced_area)
    )]
    OtherArea {
        /// The delivery.
        extract: String,
        /// The area of the delivery.
        area: Area,
        /// The served generation, or the register if nothing is served.
        replaced: String,
        /// The area of the served generation or register.
        replaced_area: Area,
    },
    /// Too many addresses would be lost because a record of the delivery is invalid.
    #[error(
        "{extract}: {count} addresses in it would be lost{}, because the record of their number, street or town is invalid; \
         nothing is published. `--strict` names the first record; --accept-fewer accepts the loss",
        example_suffix(example)
    )]
    TooManyLost {
        /// The delivery.
        extract: String,
        /// How many addresses would be lost.
        count: u64,
        /// The id of one of these addresses.
        example: Option<String>,
    },
    /// There are far fewer addresses than in the served generation.
    #[error(
        "{found} addresses, but the served generation {generation} has {before}; nothing is published. If this is \
         right, build again with --accept-fewer"
    )]
    TooFewAddresses {
        /// Addresses in the new generation.
        found: u64,
        /// Addresses in the served generation.
        before: u64,
        /// The served generation.
        generation: GenerationName,
    },
    /// The place index counts fewer or more addresses than the address index.
    #[error("the place index has {found} of {expected} addresses; nothing is published")]
    PlacesIncomplete {
        /// Addresses in the place index.
        found: u64,
        /// Addresses in the address index.
        expected: u64,
    },
    /// An address in the index differs from the register.
    #[error("address {id} in the new index differs from the register; nothing is published")]
    ReadBackMismatch {
        /// The address.
        id: AddressId,
    },
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

/// Text that adds an example id to an error; empty if there is no example.
pub(crate) fn example_suffix(example: &Option<String>) -> String {
    example
        .as_ref()
        .map_or(String::new(), |id| format!(", such as {id}"))
}

impl From<tantivy::TantivyError> for BuildError {
    fn from(error: tantivy::TantivyError) -> Self {
        Self::Index(error)
    }
}

impl From<SampleError> for BuildError {
    fn from(error: SampleError) -> Self {
        match error {
            SampleError::Register(error) => Self::Register(error),
            SampleError::Index(error) => Self::ReadBack(error),
        }
    }
}

impl BuildError {
    /// True if the input is at fault and not the machine, so that trying again does not help.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Extract(error) => error.is_refusal(),
            Self::CsvTable(_)
            | Self::UnknownMunicipality(_)
            | Self::NoAddresses { .. }
            | Self::DanglingReferences { .. }
            | Self::ObjectsMissing { .. }
            | Self::TooManyLost { .. }
            | Self::OtherArea { .. }
            | Self::TooFewAddresses { .. } => true,
            Self::PlacesIncomplete { .. }
            | Self::ReadBackMismatch { .. }
            | Self::ReadBack(_)
            | Self::Index(_)
            | Self::Register(_)
            | Self::Publish(_) => false,
        }
    }
}
