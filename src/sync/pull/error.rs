//! Why a generation could not be taken, and what that is counted as.

use std::io;
use std::path::PathBuf;

use crate::sync::{BucketError, Publication};
use postduif_schema::{GenerationName, ManifestError, StoreError};

/// What went wrong in a round.
#[derive(Debug, thiserror::Error)]
pub(super) enum PullError {
    /// The bucket, or a file on its way from it.
    #[error(transparent)]
    Bucket(#[from] BucketError),
    /// `CURRENT` or the list of generations.
    #[error(transparent)]
    Store(#[from] StoreError),
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
    Full {
        path: PathBuf,
        generation: GenerationName,
        wanted: u64,
        free: u64,
    },
    #[error(
        "{bucket} holds no publication: nothing was published there yet, or the address is another one than the publisher's"
    )]
    Empty { bucket: String },
    #[error(
        "{bucket} holds no publication from {taken} on any more, which this node has taken: it was emptied, or is not the bucket that it was; \
         send this node SIGHUP if it shall begin anew with what is there"
    )]
    Gone { bucket: String, taken: Publication },
    #[error(
        "{}: another generation {generation} than publication {publication} holds, and this node serves it; publishers give a name once, so one of both comes \
         from elsewhere: stop the service, delete this folder and start it again, or publish a generation of another name",
        path.display()
    )]
    OtherGeneration {
        path: PathBuf,
        generation: GenerationName,
        publication: Publication,
    },
    #[error("publication {publication} lists a file that leads out of its folder: {path:?}")]
    LeadsOut {
        publication: Publication,
        path: String,
    },
    #[error("taking a generation panicked")]
    Panicked,
}

/// Why the last try failed, for as long as it counts.
#[derive(Debug, Clone)]
pub(super) struct Failed {
    pub(super) cause: Cause,
    /// In words.
    pub(super) told: String,
}

impl Failed {
    pub(super) fn by(error: &PullError) -> Self {
        Self {
            cause: error.cause(),
            told: error.to_string(),
        }
    }
}

/// What failures are counted by; one that goes on under the same cause is told once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// The store is away, slow, silent or refuses.
    Away,
    /// It holds no publication that there should be.
    Empty,
    /// A file of the publication is not there.
    Missing,
    /// A manifest or file is not as it was published.
    Damaged,
    /// This disk: full, broken or not writable.
    Disk,
    /// The name stands for another generation here.
    Name,
    /// A fault of postduif.
    Fault,
}

impl Cause {
    pub(super) const ALL: [Self; 7] = [
        Self::Away,
        Self::Empty,
        Self::Missing,
        Self::Damaged,
        Self::Disk,
        Self::Name,
        Self::Fault,
    ];

    /// The value of the label.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Away => "away",
            Self::Empty => "empty",
            Self::Missing => "missing",
            Self::Damaged => "damaged",
            Self::Disk => "disk",
            Self::Name => "name",
            Self::Fault => "fault",
        }
    }

    /// Whether the bucket itself is better looked at less often while it goes on. Waiting longer for the first publication would
    /// serve nobody.
    pub(super) const fn stops_looking(self) -> bool {
        !self.rests() && !matches!(self, Self::Empty)
    }

    /// Whether it lies with one publication here, and another try may cost a download: the bucket is looked at as ever, and
    /// the publication left alone for a while.
    pub(super) const fn rests(self) -> bool {
        matches!(self, Self::Missing | Self::Damaged | Self::Disk)
    }
}

impl PullError {
    pub(super) fn cause(&self) -> Cause {
        match self {
            Self::Bucket(error) if error.is_missing() => Cause::Missing,
            Self::Bucket(BucketError::Manifest(_) | BucketError::OtherContent { .. })
            | Self::LeadsOut { .. } => Cause::Damaged,
            Self::Bucket(BucketError::Io { .. })
            | Self::Store(_)
            | Self::Manifest(_)
            | Self::Io { .. }
            | Self::Full { .. } => Cause::Disk,
            Self::Bucket(_) => Cause::Away,
            Self::Empty { .. } | Self::Gone { .. } => Cause::Empty,
            Self::OtherGeneration { .. } => Cause::Name,
            Self::Panicked => Cause::Fault,
        }
    }

    /// Whether the disk had no room for what came.
    pub(super) fn is_full(&self) -> bool {
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
