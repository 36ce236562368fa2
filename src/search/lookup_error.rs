//! The error of every read of an index.

use postduif_schema::IndexError;

/// The index cannot be read although its checksums are correct.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct LookupError(#[from] IndexError);
