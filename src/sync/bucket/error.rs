//! What can go wrong with a bucket. Names the place in it.

use std::io;
use std::path::PathBuf;

use super::PublicationNumber;
use super::store_error::{is_unsupported, store_error_message};
use postduif_schema::{LAYOUT_VERSION, ManifestError};

/// A bucket that does not do what it was asked, or holds something else than it should.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BucketError {
    /// The settings of a store do not make sense, or a folder is not there.
    #[error("{url}: {reason}")]
    Unusable {
        /// Where it would be.
        url: String,
        /// What is wrong.
        reason: String,
    },
    /// The store refused or could not be reached.
    #[error("{place}: {doing} failed: {}", store_error_message(cause))]
    Store {
        /// What was being done.
        doing: &'static str,
        /// To which object.
        place: String,
        /// What the store says. No source of this error: in its own words it is too long to be shown.
        cause: Box<object_store::Error>,
    },
    /// The store stays silent.
    #[error(
        "{place}: {doing} had no answer within {seconds} s; is the store up, and can it be reached from this machine?"
    )]
    Timeout {
        /// What was being done.
        doing: &'static str,
        /// To which object.
        place: String,
        /// For how long, in seconds.
        seconds: u64,
    },
    /// Made by a postduif with another layout.
    #[error(
        "publication {publication} has layout {found}, and this postduif reads layout {LAYOUT_VERSION}"
    )]
    LayoutMismatch {
        /// Which one.
        publication: PublicationNumber,
        /// Its layout version.
        found: u32,
    },
    /// A manifest that is damaged.
    #[error(transparent)]
    Manifest(ManifestError),
    /// A file in the bucket, or on its way there, is not as it was published.
    #[error("{place}: damaged: {reason}")]
    ContentMismatch {
        /// The file.
        place: String,
        /// Sizes or checksums, found and expected.
        reason: String,
    },
    /// A file on this machine.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl BucketError {
    pub(super) fn from_store(
        doing: &'static str,
        place: String,
        cause: object_store::Error,
    ) -> Self {
        Self::Store {
            doing,
            place,
            cause: Box::new(cause),
        }
    }

    pub(super) fn from_manifest(publication: PublicationNumber, error: ManifestError) -> Self {
        match error {
            ManifestError::LayoutMismatch { found, .. } => {
                Self::LayoutMismatch { publication, found }
            }
            error => Self::Manifest(error),
        }
    }

    /// Whether the object that was asked for is not there.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Store { cause, .. } if matches!(**cause, object_store::Error::NotFound { .. }))
    }

    /// Whether the number of a publication was taken already.
    #[must_use]
    pub fn is_already_exists(&self) -> bool {
        matches!(self, Self::Store { cause, .. } if matches!(**cause, object_store::Error::AlreadyExists { .. }))
    }

    /// Whether the store does not know what it was asked to do.
    #[must_use]
    pub fn is_unsupported(&self) -> bool {
        matches!(self, Self::Store { cause, .. } if is_unsupported(cause))
    }
}
