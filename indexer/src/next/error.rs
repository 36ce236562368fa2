//! Defines the errors of writing the next generation.

use postduif_schema::{IndexError, tantivy_error_message};

use crate::publish::PublishError;

/// The error for a next generation that cannot be written. The current generation stays published.
#[derive(Debug, thiserror::Error)]
pub enum NextGenerationError {
    /// The index does not fit the changes. The text says why.
    #[error("{0}; nothing is published, rebuild it with `postduif index build`")]
    IndexMismatch(String),
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
