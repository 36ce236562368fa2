//! Defines the error for a document with an invalid column value.

use tantivy::DocId;

/// The error for a document with a column value that no address can have. The index is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("document {document} has no valid {column}")]
pub struct CorruptDocument {
    pub(crate) document: DocId,
    pub(crate) column: &'static str,
}
