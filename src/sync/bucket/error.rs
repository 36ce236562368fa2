//! Defines the errors of a bucket.

use super::PublicationNumber;
use super::store_error::{lacks_headers, store_error_message};
use postduif_schema::{FileError, LAYOUT_VERSION, ManifestError};

/// An error of a bucket: a failed request or damaged content.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BucketError {
    /// The settings of the store are invalid, or the folder does not exist.
    #[error("{url}: {reason}")]
    Unusable {
        /// URL of the bucket.
        url: String,
        /// The mistake in the settings or the problem with the folder.
        reason: String,
    },
    /// The store refuses the request or cannot be reached.
    #[error("{url}: {operation} failed: {}", store_error_message(cause))]
    Store {
        /// The operation: reading, writing and so on.
        operation: &'static str,
        /// URL of the object.
        url: String,
        /// The error of the store. `source` does not return it, because the whole text of the store is too long to show; the message
        /// above has a short form of the text.
        cause: Box<object_store::Error>,
    },
    /// The store does not answer in time.
    #[error(
        "{url}: {operation} had no answer within {seconds} s; is the store up, and can it be reached from this machine?"
    )]
    Timeout {
        /// The operation: reading, writing and so on.
        operation: &'static str,
        /// URL of the object.
        url: String,
        /// The time limit in seconds.
        seconds: u64,
    },
    /// The publication has a layout that this postduif cannot read.
    #[error(
        "publication {publication} has layout {found}, and this postduif reads layout {LAYOUT_VERSION}"
    )]
    LayoutMismatch {
        /// The number of the publication.
        publication: PublicationNumber,
        /// The layout version of the publication.
        found: u32,
    },
    /// The manifest is damaged.
    #[error(transparent)]
    Manifest(ManifestError),
    /// A file in the bucket or a local file to upload differs from its entry in the manifest.
    #[error("{location}: damaged: {reason}")]
    ContentMismatch {
        /// URL or path of the file.
        location: String,
        /// The difference: the found and the expected size, or the found and the expected checksum.
        reason: String,
    },
    /// A local file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl BucketError {
    pub(super) fn from_store(
        operation: &'static str,
        url: String,
        cause: object_store::Error,
    ) -> Self {
        Self::Store {
            operation,
            url,
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

    /// Whether the requested object does not exist.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Store { cause, .. } if matches!(**cause, object_store::Error::NotFound { .. }))
    }

    /// Whether the store refuses the credentials for the request.
    pub(super) fn is_access_denied(&self) -> bool {
        use object_store::Error::{PermissionDenied, Unauthenticated};
        matches!(self, Self::Store { cause, .. } if matches!(**cause, PermissionDenied { .. } | Unauthenticated { .. }))
    }

    /// Whether the answer lacks a header that every store sends with an object.
    pub(super) fn lacks_headers(&self) -> bool {
        matches!(self, Self::Store { cause, .. } if lacks_headers(cause))
    }

    /// Whether the object already exists. For a manifest, this means that the number of the publication is taken.
    pub fn is_already_exists(&self) -> bool {
        matches!(self, Self::Store { cause, .. } if matches!(**cause, object_store::Error::AlreadyExists { .. }))
    }
}
