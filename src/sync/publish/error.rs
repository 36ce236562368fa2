//! Defines the errors of publishing to a bucket.

use std::path::PathBuf;

use crate::sync::BucketError;
use postduif_schema::{DataFolderError, ManifestError, OpenGenerationError};

/// Why a generation was not published. A failed attempt does not affect nodes.
#[derive(Debug, thiserror::Error)]
pub enum BucketPublishError {
    /// The data folder serves no generation.
    #[error(
        "{}: nothing is served yet, so there is nothing to publish; build a generation with `postduif index build`",
        path.display()
    )]
    NothingServed {
        /// The data folder.
        path: PathBuf,
    },
    /// The generation is damaged or cannot be read.
    #[error(transparent)]
    Generation(#[from] OpenGenerationError),
    /// The manifest cannot be read.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// The data folder cannot be read.
    #[error(transparent)]
    Data(#[from] DataFolderError),
    /// The generation does not fit the publications in the bucket. The text says why.
    #[error("{0}")]
    Refused(String),
    /// In each attempt, another publisher took the number first.
    #[error(
        "other publishers took the next number in all {attempts} attempts; publish again when they are done"
    )]
    Contended {
        /// The number of attempts.
        attempts: usize,
    },
    /// A request to the bucket failed.
    #[error(transparent)]
    Bucket(#[from] BucketError),
}

impl BucketPublishError {
    /// Whether this generation is refused. If so, retrying does not help.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::NothingServed { .. } | Self::Refused(_) => true,
            Self::Generation(error) => error.is_refusal(),
            Self::Manifest(error) => error.is_refusal(),
            Self::Data(_) | Self::Contended { .. } | Self::Bucket(_) => false,
        }
    }
}
