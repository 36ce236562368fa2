//! Defines the errors of opening and reading an index.

use crate::corrupt_document::CorruptDocument;
use crate::tantivy_error_message;

/// The error for an index that cannot be opened or read.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// tantivy could not open or read the files of the index.
    #[error("reading the index: {}", tantivy_error_message(.0))]
    Tantivy(tantivy::TantivyError),
    /// A file could not be read.
    #[error("reading the index: {0}")]
    Io(#[from] std::io::Error),
    /// The fields of the index differ from those of this version of postduif.
    #[error(
        "the index has other fields than this version of postduif; rebuild it with `postduif index build`"
    )]
    LayoutMismatch,
    /// The index of places has more than one segment, so its documents are not in the order of rank.
    #[error("the index of places is damaged: it has more than one segment")]
    PlacesNotOneSegment,
    /// A document of the index of places is not a street.
    #[error("the index of places is damaged: document {0} is not a street")]
    NotAStreet(u32),
    /// A handle of another index.
    #[error("the address handle belongs to another index")]
    ForeignHandle,
    /// A document has a value that no address can have.
    #[error("the index is damaged: {0}")]
    Damaged(#[from] CorruptDocument),
}

impl From<tantivy::TantivyError> for IndexError {
    fn from(error: tantivy::TantivyError) -> Self {
        Self::Tantivy(error)
    }
}
