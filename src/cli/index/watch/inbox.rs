//! What lies in the inbox, and whether it is whole.
//!
//! A file that is being copied must never be taken, nor turned away: it counts when it has been left alone for a while and
//! opens as a delivery. One that does not open may still be on its way, and is given time.
//!
//! A link is never followed: what it leads to could change unseen. It is turned away, as is all else that is no file.

mod staging;

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, FileType, Metadata, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use anyhow::anyhow;
use postduif_indexer::DeliveryHeader;

use crate::cli::index::delivery_indexer::{DeliveryError, DeliveryErrorKind};

/// Held while a process watches the folder. Hidden, so it is no delivery.
const LOCK_NAME: &str = ".postduif-watch.lock";

/// How long files are given.
#[derive(Debug, Clone, Copy)]
pub(super) struct SettleTimes {
    /// Unchanged for this long, a file is opened.
    pub(super) settle: Duration,
    /// Unchanged for this long, a file that does not open or proves damaged is given up.
    pub(super) reject_after: Duration,
    /// Whether the file system's clock may tell how long: for a process that does not live long enough to see it.
    pub(super) use_file_times: bool,
}

/// A folder that deliveries are put into.
pub(super) struct Inbox {
    folder: PathBuf,
    settle_times: SettleTimes,
    files: HashMap<OsString, FileState>,
    _lock: File,
}

/// Changes whenever the file does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InboxFileStamp {
    kind: FileType,
    device: u64,
    inode: u64,
    bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

struct FileState {
    stamp: InboxFileStamp,
    unchanged_since: Instant,
    header: Option<DeliveryHeader>,
}

/// A file that is a delivery.
pub(super) struct ReadyFile {
    pub(super) name: OsString,
    pub(super) stamp: InboxFileStamp,
    pub(super) header: DeliveryHeader,
}

/// A file that is none, with what it has instead.
pub(super) struct RejectedFile {
    pub(super) name: OsString,
    pub(super) stamp: InboxFileStamp,
    pub(super) error: anyhow::Error,
}

/// What a look at the folder found.
#[derive(Default)]
pub(super) struct InboxListing {
    /// By name.
    pub(super) ready: Vec<ReadyFile>,
    /// Given up.
    pub(super) rejected: Vec<RejectedFile>,
    /// They do not open, but may yet.
    pub(super) incomplete: Vec<RejectedFile>,
    /// They cannot be read, which is not their fault.
    pub(super) unreadable: Vec<RejectedFile>,
    /// Folders that are called as a delivery is.
    pub(super) folders: Vec<OsString>,
    /// Files that were changed a moment ago.
    pub(super) settling: usize,
    /// When to look again at the latest.
    pub(super) rescan_in: Option<Duration>,
}

impl Inbox {
    /// Watches a folder, alone.
    pub(super) fn open(folder: &Path, settle_times: SettleTimes) -> anyhow::Result<Self> {
        let failed = |path: &Path, error: io::Error| anyhow!("{}: {error}", path.display());
        fs::read_dir(folder).map_err(|error| failed(folder, error))?;
        let path = folder.join(LOCK_NAME);
        let lock = File::create(&path).map_err(|error| failed(&path, error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let folder = folder.display();
                let message = "another postduif index watch is at work on this inbox";
                return Err(anyhow!("{folder}: {message}"));
            }
            Err(TryLockError::Error(error)) => return Err(failed(&path, error)),
        }
        let inbox = Self {
            folder: folder.to_owned(),
            settle_times,
            files: HashMap::new(),
            _lock: lock,
        };
        inbox
            .put_back_staged()
            .map_err(|error| failed(folder, error))?;
        Ok(inbox)
    }

    pub(super) fn file_path(&self, name: &OsStr) -> PathBuf {
        self.folder.join(name)
    }

    /// Whether the file is still the one that was seen.
    pub(super) fn is_unchanged(&self, name: &OsStr, stamp: InboxFileStamp) -> bool {
        let metadata = fs::symlink_metadata(self.file_path(name));
        metadata.is_ok_and(|found| InboxFileStamp::from_metadata(&found) == stamp)
    }

    /// Which file had a name when the folder was looked at last.
    pub(super) fn stamp(&self, name: &OsStr) -> Option<InboxFileStamp> {
        self.files.get(name).map(|state| state.stamp)
    }

    /// How long a delivery that proves damaged is given to become whole.
    pub(super) fn time_to_reject(&self, ready_file: &ReadyFile, now: Instant) -> Duration {
        let unchanged_since = self
            .files
            .get(&ready_file.name)
            .map_or(now, |state| state.unchanged_since);
        let observed_for = now.saturating_duration_since(unchanged_since);
        self.settle_times
            .time_to_reject(observed_for, ready_file.stamp)
    }

    /// Looks at every file; `describe` opens those that are new and have settled.
    pub(super) fn scan(
        &mut self,
        now: Instant,
        describe: &dyn Fn(&Path) -> Result<DeliveryHeader, DeliveryError>,
    ) -> io::Result<InboxListing> {
        let (mut found, mut listing) = (HashMap::new(), InboxListing::default());
        for entry in fs::read_dir(&self.folder)? {
            let name = entry?.file_name();
            if !is_delivery_name(&name) {
                continue;
            }
            // A file that is gone by now was moved by whoever put it here.
            match fs::symlink_metadata(self.file_path(&name)) {
                Ok(metadata) if metadata.is_dir() => listing.folders.push(name),
                Ok(metadata) => {
                    found.insert(name, InboxFileStamp::from_metadata(&metadata));
                }
                Err(_) => {}
            }
        }
        self.files.retain(|name, _| found.contains_key(name));
        let mut names: Vec<_> = found.into_iter().collect();
        names.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        for (name, stamp) in names {
            self.classify(name, stamp, now, describe, &mut listing);
        }
        Ok(listing)
    }

    fn classify(
        &mut self,
        name: OsString,
        stamp: InboxFileStamp,
        now: Instant,
        describe: &dyn Fn(&Path) -> Result<DeliveryHeader, DeliveryError>,
        listing: &mut InboxListing,
    ) {
        let path = self.file_path(&name);
        let fresh = || FileState {
            stamp,
            unchanged_since: now,
            header: None,
        };
        let state = self.files.entry(name.clone()).or_insert_with(fresh);
        if state.stamp != stamp {
            *state = fresh();
        }
        let observed_for = now.saturating_duration_since(state.unchanged_since);
        // One that was written before and then renamed into the folder has settled already.
        let unchanged_for = observed_for.max(elapsed_since(stamp.modified));
        if unchanged_for < self.settle_times.settle {
            listing.settling += 1;
            listing.rescan_within(self.settle_times.settle - unchanged_for);
            return;
        }
        if !stamp.kind.is_file() {
            let error = stamp.not_a_file_error();
            return listing.rejected.push(RejectedFile { name, stamp, error });
        }
        if state.header.is_none() {
            match describe(&path) {
                Ok(described) => state.header = Some(described),
                Err(delivery_error) => {
                    let time_left = self.settle_times.time_to_reject(observed_for, stamp);
                    let DeliveryError { kind: cause, error } = delivery_error;
                    return listing.add_unopened(
                        RejectedFile { name, stamp, error },
                        cause,
                        time_left,
                    );
                }
            }
        }
        if let Some(described) = state.header.clone() {
            listing.ready.push(ReadyFile {
                name,
                stamp,
                header: described,
            });
        }
    }
}

impl InboxListing {
    fn rescan_within(&mut self, after: Duration) {
        self.rescan_in = Some(self.rescan_in.map_or(after, |again| again.min(after)));
    }

    /// A file that does not open and has `rest` left to do so.
    fn add_unopened(&mut self, file: RejectedFile, kind: DeliveryErrorKind, time_left: Duration) {
        if matches!(
            kind,
            DeliveryErrorKind::Transient | DeliveryErrorKind::Settings
        ) {
            self.unreadable.push(file);
        } else if time_left.is_zero() {
            self.rejected.push(file);
        } else {
            self.rescan_within(time_left);
            self.incomplete.push(file);
        }
    }
}

impl SettleTimes {
    /// What is left of the time for a file that was watched for so long without a change.
    fn time_to_reject(&self, observed_for: Duration, stamp: InboxFileStamp) -> Duration {
        self.reject_after
            .saturating_sub(observed_for.max(self.file_age(stamp)))
    }

    /// How long a file was left alone by the file system's clock, where that may tell.
    fn file_age(&self, stamp: InboxFileStamp) -> Duration {
        if self.use_file_times {
            elapsed_since(stamp.modified.max(stamp.changed))
        } else {
            Duration::ZERO
        }
    }
}

/// How long ago a time of the file system was; nothing where its clock and this machine's disagree.
fn elapsed_since((seconds, nanoseconds): (i64, i64)) -> Duration {
    let since_epoch = || {
        let (seconds, nanoseconds) = (seconds.try_into().ok()?, nanoseconds.try_into().ok()?);
        Some(Duration::from_secs(seconds) + Duration::from_nanos(nanoseconds))
    };
    since_epoch()
        .and_then(|since| SystemTime::UNIX_EPOCH.checked_add(since))
        .and_then(|since| SystemTime::now().duration_since(since).ok())
        .unwrap_or_default()
}

impl InboxFileStamp {
    /// The time of change goes with every write and cannot be set by the program that copies.
    fn from_metadata(metadata: &Metadata) -> Self {
        Self {
            kind: metadata.file_type(),
            device: metadata.dev(),
            inode: metadata.ino(),
            bytes: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// Whether it is the same file with the same content, wherever it was moved: that changes the time of change.
    pub(super) fn is_same_file(&self, other: &Self) -> bool {
        let changed = other.changed;
        Self { changed, ..*self } == *other
    }

    fn not_a_file_error(&self) -> anyhow::Error {
        let kind = if self.kind.is_symlink() {
            "a symbolic link"
        } else {
            "a pipe, a socket or a device"
        };
        anyhow!("{kind}, not a file; put the delivery itself into the inbox")
    }
}

/// `.zip`, but nothing that programs call a file while they write it.
fn is_delivery_name(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_lowercase();
    name.ends_with(".zip") && !name.starts_with(['.', '~'])
}

#[cfg(test)]
mod tests;
