//! Defines the errors of pulling a generation, and the causes by which they are counted.

use crate::sync::{BucketError, PublicationNumber};
use postduif_schema::{DataFolderError, FileError, ManifestError};
use tokio::task::JoinError;

/// Why a poll failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum PullError {
    /// A request to the bucket failed, or a file in the bucket is damaged.
    #[error(transparent)]
    Bucket(#[from] BucketError),
    /// `CURRENT` or the folder of generations cannot be read or written.
    #[error(transparent)]
    DataFolder(#[from] DataFolderError),
    /// A manifest on the local disk cannot be read or written.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A file or a folder on the local disk cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{0}")]
    DiskFull(String),
    /// The bucket has no publications, or lost those that this node pulled. The text says which of the two.
    #[error("{0}")]
    NoPublications(String),
    /// Another local generation has the name of the publication's generation.
    #[error("{0}")]
    GenerationConflict(String),
    #[error("publication {publication} lists a file that leads out of its folder: {path:?}")]
    PathEscapes {
        publication: PublicationNumber,
        path: String,
    },
    #[error("pulling a generation panicked; this is a bug in postduif")]
    Panicked,
    #[error("the pull was cancelled, because the process is stopping")]
    Cancelled,
}

impl From<JoinError> for PullError {
    fn from(error: JoinError) -> Self {
        if error.is_cancelled() {
            Self::Cancelled
        } else {
            Self::Panicked
        }
    }
}

/// The cause and the message of a failed attempt.
#[derive(Debug, Clone)]
pub(super) struct PullFailure {
    pub(super) cause: PullFailureCause,
    /// The text of the error.
    pub(super) message: String,
}

impl PullFailure {
    pub(super) fn from_error(error: &PullError) -> Self {
        Self {
            cause: error.cause(),
            message: error.to_string(),
        }
    }
}

postduif_schema::named_enum! {
    /// The cause by which failures are counted, with the value of the label `cause` in the metrics. Consecutive failures with the same cause are logged once.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum PullFailureCause {
        /// The store cannot be reached, is too slow or refuses the request.
        Unreachable = "unreachable",
        /// The bucket has no publications, or no longer has the publication that this node pulled.
        NoPublications = "empty",
        /// A file of the publication is missing.
        Missing = "missing",
        /// The manifest in the bucket is damaged or has an unsafe path, or a file differs from its entry in the manifest.
        Corrupt = "corrupt",
        /// The local disk is full, broken or not writable.
        Disk = "disk",
        /// Another local generation has the same name.
        NameConflict = "name_conflict",
        /// A bug in postduif.
        Internal = "internal",
    }
}

impl PullFailureCause {
    /// Whether to poll the bucket less often while failures with this cause continue. `false` for an empty bucket, because its first
    /// publication should be served soon. Also `false` if only the retries of one publication are delayed.
    pub(super) const fn slows_polling(self) -> bool {
        !self.backs_off_publication() && !matches!(self, Self::NoPublications)
    }

    /// Whether to retry only the failed publication less often, and to go on polling the bucket at the same interval. `true` if each
    /// attempt may cost a download.
    pub(super) const fn backs_off_publication(self) -> bool {
        matches!(self, Self::Missing | Self::Corrupt | Self::Disk)
    }
}

impl PullError {
    pub(super) fn cause(&self) -> PullFailureCause {
        match self {
            Self::Bucket(error) if error.is_not_found() => PullFailureCause::Missing,
            Self::Bucket(BucketError::Manifest(_) | BucketError::ContentMismatch { .. })
            | Self::PathEscapes { .. } => PullFailureCause::Corrupt,
            Self::Bucket(BucketError::File(_))
            | Self::DataFolder(_)
            | Self::Manifest(_)
            | Self::File(_)
            | Self::DiskFull(_) => PullFailureCause::Disk,
            Self::Bucket(_) => PullFailureCause::Unreachable,
            Self::NoPublications(_) => PullFailureCause::NoPublications,
            Self::GenerationConflict(_) => PullFailureCause::NameConflict,
            Self::Panicked | Self::Cancelled => PullFailureCause::Internal,
        }
    }

    /// Whether a write failed because the local disk is full.
    pub(super) fn is_disk_full(&self) -> bool {
        match self {
            Self::Bucket(BucketError::File(error))
            | Self::File(error)
            | Self::Manifest(ManifestError::File(error)) => error.is_disk_full(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn cancelled_work_is_not_reported_as_a_panic() {
        let task = tokio::spawn(std::future::pending::<()>());
        task.abort();
        let error = PullError::from(task.await.expect_err("the task was cancelled"));
        assert!(error.to_string().contains("cancelled"), "{error}");
        let task = tokio::spawn(async { assert!(tokio::task::try_id().is_none(), "a bug") });
        let error = PullError::from(task.await.expect_err("the task panicked"));
        assert!(error.to_string().contains("panicked"), "{error}");
    }
}
