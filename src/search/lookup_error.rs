//! Defines the error of a search or lookup.

use postduif_schema::IndexError;

/// The index cannot be read although its checksums are correct.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct LookupError(#[from] IndexError);
