//! Why a build did not come to publishing.

use postduif_schema::{AddressId, GenerationName, IndexError, tantivy_error_message};

use crate::csv_table::CsvTableError;
use crate::extract::ExtractError;
use crate::municipalities::UnknownMunicipality;
use crate::publish::PublishError;
use crate::register::RegisterError;

/// A build that did not come to publishing. What was served goes on being served.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The delivery.
    #[error(transparent)]
    Extract(#[from] ExtractError),
    /// A CSV file.
    #[error(transparent)]
    CsvTable(#[from] CsvTableError),
    /// A municipality without a name.
    #[error(transparent)]
    UnknownMunicipality(#[from] UnknownMunicipality),
    /// The delivery makes no address at all.
    #[error("{extract}: not one address in it (objects read: {objects}); nothing is published")]
    NoAddresses {
        /// The delivery.
        extract: String,
        /// Voorkomens read.
        objects: u64,
    },
    /// Too much in the delivery refers to what it does not hold.
    #[error(
        "{extract}: {count} references in it lead to a nummeraanduiding, street, town, municipality or pand that it does not \
         hold{}; the delivery is not whole, nothing is published",
        example_suffix(example)
    )]
    DanglingReferences {
        /// The delivery.
        extract: String,
        /// How many.
        count: u64,
        /// A nummeraanduiding that is concerned, if it is not panden alone that are missing.
        example: Option<String>,
    },
    /// Objects are missing that nummeraanduidingen in force must have.
    #[error(
        "{extract}: {count} of its nummeraanduidingen are in force, but no object that it holds names them{}; files of objects \
         are missing, nothing is published",
        example_suffix(example)
    )]
    ObjectsMissing {
        /// The delivery.
        extract: String,
        /// How many.
        count: u64,
        /// One of them.
        example: Option<String>,
    },
    /// Far fewer addresses than are served now.
    #[error(
        "{found} addresses, where generation {generation}, which is served, has {before}; nothing is published. If this is \
         right, build again with --accept-fewer"
    )]
    TooFewAddresses {
        /// In the new generation.
        found: u64,
        /// In the one that is served.
        before: u64,
        /// The one that is served.
        generation: GenerationName,
    },
    /// The places that were written do not stand for all addresses that were written.
    #[error("the index of places stands for {found} of {expected} addresses; nothing is published")]
    PlacesIncomplete {
        /// Addresses along the streets of the index.
        found: u64,
        /// Addresses that were written.
        expected: u64,
    },
    /// What was written reads back as something else.
    #[error(
        "address {id} reads back from the index other than the register gives it; nothing is published"
    )]
    ReadBackMismatch {
        /// The address.
        id: AddressId,
    },
    /// What was written does not read back.
    #[error("reading back what was written: {0}; nothing is published")]
    ReadBack(#[from] IndexError),
    /// Writing the index.
    #[error("writing the address index: {}", tantivy_error_message(.0))]
    Index(tantivy::TantivyError),
    /// Writing the register.
    #[error(transparent)]
    Register(#[from] RegisterError),
    /// Writing to the data folder.
    #[error(transparent)]
    Publish(#[from] PublishError),
}

fn example_suffix(example: &Option<String>) -> String {
    example
        .as_ref()
        .map_or(String::new(), |id| format!(", such as {id}"))
}

impl From<tantivy::TantivyError> for BuildError {
    fn from(error: tantivy::TantivyError) -> Self {
        Self::Index(error)
    }
}

impl BuildError {
    /// Whether what was given is at fault, not the machine: trying again will not help.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Extract(error) => error.is_refusal(),
            Self::CsvTable(_)
            | Self::UnknownMunicipality(_)
            | Self::NoAddresses { .. }
            | Self::DanglingReferences { .. }
            | Self::ObjectsMissing { .. }
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
