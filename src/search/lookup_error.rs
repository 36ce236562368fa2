//! The error of every question to an index.

use postduif_schema::IndexError;

/// The index could not be read although its checksums were right.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct LookupError(#[from] IndexError);
