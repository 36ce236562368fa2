//! Why there is no next generation.

use postduif_schema::{AddressId, IndexError, tantivy_error_message};

use crate::publish::PublishError;

/// A next generation that could not be made. The last one goes on being served.
#[derive(Debug, thiserror::Error)]
pub enum NextGenerationError {
    /// An address that should have been there before lies along a street that the places do not have.
    #[error(
        "address {id} is to leave the index, but lies along no street that the index has; nothing is published, build it \
         anew with `postduif index build`"
    )]
    StreetNotInPlaces {
        /// The address.
        id: AddressId,
    },
    /// Deleting and adding left another number of addresses than it should.
    #[error(
        "{found} addresses are in the index after the changes, {expected} should be; nothing is published, build it anew with \
         `postduif index build`"
    )]
    CountMismatch {
        /// In the index.
        found: u64,
        /// By the changes.
        expected: u64,
    },
    /// Reading the last generation.
    #[error(transparent)]
    ReadBase(#[from] IndexError),
    /// Writing an index.
    #[error("writing the next index: {}", tantivy_error_message(.0))]
    Index(tantivy::TantivyError),
    /// Sharing a file of the last generation.
    #[error(transparent)]
    Publish(#[from] PublishError),
}

impl From<tantivy::TantivyError> for NextGenerationError {
    fn from(error: tantivy::TantivyError) -> Self {
        Self::Index(error)
    }
}
