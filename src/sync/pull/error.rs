//! Why a generation could not be taken, and what that is counted as.

use std::io;
use std::path::PathBuf;

use crate::sync::{BucketError, PublicationNumber};
use postduif_schema::{DataFolderError, GenerationName, ManifestError};

/// What went wrong in a round.
#[derive(Debug, thiserror::Error)]
pub(super) enum PullError {
    /// The bucket, or a file on its way from it.
    #[error(transparent)]
    Bucket(#[from] BucketError),
    /// `CURRENT` or the list of generations.
    #[error(transparent)]
    Store(#[from] DataFolderError),
    /// The manifest on this disk.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A file or folder on this disk.
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error(
        "{}: generation {generation} wants {wanted} bytes more and {free} are free; make room, or lower generations_keep",
        path.display()
    )]
    DiskFull {
        path: PathBuf,
        generation: GenerationName,
        wanted: u64,
        free: u64,
    },
    #[error(
        "{bucket} holds no publication: nothing was published there yet, or the address is another one than the publisher's"
    )]
    NoPublications { bucket: String },
    #[error(
        "{bucket} holds no publication from {taken} on any more, which this node has taken: it was emptied, or is not the bucket that it was; \
         send this node SIGHUP if it shall begin anew with what is there"
    )]
    PublicationsGone {
        bucket: String,
        taken: PublicationNumber,
    },
    #[error(
        "{}: another generation {generation} than publication {publication} holds, and this node serves it; publishers give a name once, so one of both comes \
         from elsewhere: stop the service, delete this folder and start it again, or publish a generation of another name",
        path.display()
    )]
    GenerationConflict {
        path: PathBuf,
        generation: GenerationName,
        publication: PublicationNumber,
    },
    #[error("publication {publication} lists a file that leads out of its folder: {path:?}")]
    PathEscapes {
        publication: PublicationNumber,
        path: String,
    },
    #[error("taking a generation panicked")]
    Panicked,
}

/// Why the last try failed, for as long as it counts.
#[derive(Debug, Clone)]
pub(super) struct PullFailure {
    pub(super) cause: PullFailureCause,
    /// In words.
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

/// What failures are counted by; one that goes on under the same cause is told once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PullFailureCause {
    /// The store is away, slow, silent or refuses.
    Unreachable,
    /// It holds no publication that there should be.
    NoPublications,
    /// A file of the publication is not there.
    Missing,
    /// A manifest or file is not as it was published.
    Corrupt,
    /// This disk: full, broken or not writable.
    Disk,
    /// The name stands for another generation here.
    NameConflict,
    /// A fault of postduif.
    Internal,
}

impl PullFailureCause {
    pub(super) const ALL: [Self; 7] = [
        Self::Unreachable,
        Self::NoPublications,
        Self::Missing,
        Self::Corrupt,
        Self::Disk,
        Self::NameConflict,
        Self::Internal,
    ];

    /// The value of the label.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::Unreachable => "away",
            Self::NoPublications => "empty",
            Self::Missing => "missing",
            Self::Corrupt => "damaged",
            Self::Disk => "disk",
            Self::NameConflict => "name",
            Self::Internal => "fault",
        }
    }

    /// Whether the bucket itself is better looked at less often while it goes on. Waiting longer for the first publication would
    /// serve nobody.
    pub(super) const fn slows_polling(self) -> bool {
        !self.backs_off_publication() && !matches!(self, Self::NoPublications)
    }

    /// Whether it lies with one publication here, and another try may cost a download: the bucket is looked at as ever, and
    /// the publication left alone for a while.
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
            Self::Bucket(BucketError::Io { .. })
            | Self::Store(_)
            | Self::Manifest(_)
            | Self::Io { .. }
            | Self::DiskFull { .. } => PullFailureCause::Disk,
            Self::Bucket(_) => PullFailureCause::Unreachable,
            Self::NoPublications { .. } | Self::PublicationsGone { .. } => {
                PullFailureCause::NoPublications
            }
            Self::GenerationConflict { .. } => PullFailureCause::NameConflict,
            Self::Panicked => PullFailureCause::Internal,
        }
    }

    /// Whether the disk had no room for what came.
    pub(super) fn is_disk_full(&self) -> bool {
        let source = match self {
            Self::Bucket(BucketError::Io { source, .. }) | Self::Io { source, .. } => source,
            Self::Manifest(ManifestError::Io { source, .. }) => source,
            _ => return false,
        };
        matches!(
            source.kind(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
        )
    }
}
