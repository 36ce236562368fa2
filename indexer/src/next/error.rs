//! Defines the errors of writing the next generation.

use postduif_schema::{AddressId, IndexError, tantivy_error_message};

use crate::publish::PublishError;

/// The error for a next generation that cannot be written. The current generation stays published.
#[derive(Debug, thiserror::Error)]
pub enum NextGenerationError {
    /// An address to remove is on a street that the places do not have.
    #[error(
        "address {id} is to be removed, but the index does not have its street; nothing is published, rebuild it with \
         `postduif index build`"
    )]
    StreetNotInPlaces {
        /// The address.
        id: AddressId,
    },
    /// The index does not have the expected number of addresses.
    #[error(
        "the index has {found} addresses after the changes, expected {expected}; nothing is published, rebuild it with \
         `postduif index build`"
    )]
    CountMismatch {
        /// Addresses in the index.
        found: u64,
        /// The number of addresses in the previous generation, updated by the changes.
        expected: u64,
    },
    /// The previous generation cannot be read.
    #[error(transparent)]
    ReadBase(#[from] IndexError),
    /// The index cannot be written.
    #[error("writing the next index: {}", tantivy_error_message(.0))]
    Index(tantivy::TantivyError),
    /// A file of the previous generation cannot be shared.
    #[error(transparent)]
    Publish(#[from] PublishError),
}

impl From<tantivy::TantivyError> for NextGenerationError {
    fn from(error: tantivy::TantivyError) -> Self {
        Self::Index(error)
    }
}
