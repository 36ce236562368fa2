//! Identifies a version of a file in the inbox by its metadata, without opening the file.

use std::fs::{self, FileType};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Metadata that changes whenever the file changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InboxFileStamp {
    pub(super) kind: FileType,
    device: u64,
    inode: u64,
    bytes: u64,
    /// The modification time, in seconds and nanoseconds since 1970.
    pub(super) modified: (i64, i64),
    /// The change time, in seconds and nanoseconds since 1970. Every write updates this time, and the program that copies the
    /// file cannot set it.
    pub(super) changed: (i64, i64),
}

impl InboxFileStamp {
    /// Reads the stamp of a file. For a link, reads the stamp of the link itself.
    pub(super) fn from_path(path: &Path) -> io::Result<Self> {
        let metadata = fs::symlink_metadata(path)?;
        Ok(Self {
            kind: metadata.file_type(),
            device: metadata.dev(),
            inode: metadata.ino(),
            bytes: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }

    /// Whether both stamps are of the same file with the same content. Ignores `changed`, because moving a file changes that time.
    pub(super) fn is_same_file(&self, other: &Self) -> bool {
        let changed = other.changed;
        Self { changed, ..*self } == *other
    }

    /// The kind of an entry that is neither a file nor a folder.
    pub(super) fn special_kind(&self) -> &'static str {
        if self.kind.is_symlink() {
            "a symbolic link"
        } else {
            "a pipe, a socket or a device"
        }
    }
}

/// Time since a timestamp of the file system; 0 if the timestamp is in the future by this machine's clock.
pub(super) fn elapsed_since((seconds, nanoseconds): (i64, i64)) -> Duration {
    let since_epoch = || {
        let (seconds, nanoseconds) = (seconds.try_into().ok()?, nanoseconds.try_into().ok()?);
        Some(Duration::from_secs(seconds) + Duration::from_nanos(nanoseconds))
    };
    since_epoch()
        .and_then(|since| SystemTime::UNIX_EPOCH.checked_add(since))
        .and_then(|since| SystemTime::now().duration_since(since).ok())
        .unwrap_or_default()
}
