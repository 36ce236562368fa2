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
use postduif_indexer::Described;

use crate::cli::index::delivery_indexer::{Cause, Trouble};

/// Held while a process watches the folder. Hidden, so it is no delivery.
const LOCK: &str = ".postduif-watch.lock";

/// How long files are given.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// Unchanged for this long, a file is opened.
    pub(super) settle: Duration,
    /// Unchanged for this long, a file that does not open or proves damaged is given up.
    pub(super) give_up: Duration,
    /// Whether the file system's clock may tell how long: for a process that does not live long enough to see it.
    pub(super) by_clock: bool,
}

/// A folder that deliveries are put into.
pub(super) struct Inbox {
    folder: PathBuf,
    patience: Patience,
    seen: HashMap<OsString, Sighting>,
    _lock: File,
}

/// Changes whenever the file does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    kind: FileType,
    device: u64,
    inode: u64,
    bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

struct Sighting {
    stamp: Stamp,
    since: Instant,
    described: Option<Described>,
}

/// A file that is a delivery.
pub(super) struct Whole {
    pub(super) name: OsString,
    pub(super) stamp: Stamp,
    pub(super) described: Described,
}

/// A file that is none, with what it has instead.
pub(super) struct Unfit {
    pub(super) name: OsString,
    pub(super) stamp: Stamp,
    pub(super) error: anyhow::Error,
}

/// What a look at the folder found.
#[derive(Default)]
pub(super) struct Listing {
    /// By name.
    pub(super) whole: Vec<Whole>,
    /// Given up.
    pub(super) unfit: Vec<Unfit>,
    /// They do not open, but may yet.
    pub(super) doubtful: Vec<Unfit>,
    /// They cannot be read, which is not their fault.
    pub(super) unread: Vec<Unfit>,
    /// Folders that are called as a delivery is.
    pub(super) folders: Vec<OsString>,
    /// Files that were changed a moment ago.
    pub(super) settling: usize,
    /// When to look again at the latest.
    pub(super) again: Option<Duration>,
}

impl Inbox {
    /// Watches a folder, alone.
    pub(super) fn open(folder: &Path, patience: Patience) -> anyhow::Result<Self> {
        let failed = |path: &Path, error: io::Error| anyhow!("{}: {error}", path.display());
        fs::read_dir(folder).map_err(|error| failed(folder, error))?;
        let path = folder.join(LOCK);
        let lock = File::create(&path).map_err(|error| failed(&path, error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let folder = folder.display();
                let told = "another postduif index watch is at work on this inbox";
                return Err(anyhow!("{folder}: {told}"));
            }
            Err(TryLockError::Error(error)) => return Err(failed(&path, error)),
        }
        let inbox = Self {
            folder: folder.to_owned(),
            patience,
            seen: HashMap::new(),
            _lock: lock,
        };
        inbox
            .put_back_all()
            .map_err(|error| failed(folder, error))?;
        Ok(inbox)
    }

    pub(super) fn path_of(&self, name: &OsStr) -> PathBuf {
        self.folder.join(name)
    }

    /// Whether the file is still the one that was seen.
    pub(super) fn is_as_seen(&self, name: &OsStr, seen: Stamp) -> bool {
        let found = fs::symlink_metadata(self.path_of(name));
        found.is_ok_and(|found| Stamp::of(&found) == seen)
    }

    /// Which file had a name when the folder was looked at last.
    pub(super) fn stamp_of(&self, name: &OsStr) -> Option<Stamp> {
        self.seen.get(name).map(|sighting| sighting.stamp)
    }

    /// How long a delivery that proves damaged is given to become whole.
    pub(super) fn rest_of(&self, whole: &Whole, now: Instant) -> Duration {
        let since = self
            .seen
            .get(&whole.name)
            .map_or(now, |sighting| sighting.since);
        let watched = now.saturating_duration_since(since);
        self.patience.rest(watched, whole.stamp)
    }

    /// Looks at every file; `describe` opens those that are new and have settled.
    pub(super) fn look(
        &mut self,
        now: Instant,
        describe: &dyn Fn(&Path) -> Result<Described, Trouble>,
    ) -> io::Result<Listing> {
        let (mut found, mut listing) = (HashMap::new(), Listing::default());
        for entry in fs::read_dir(&self.folder)? {
            let name = entry?.file_name();
            if !is_delivery_name(&name) {
                continue;
            }
            // A file that is gone by now was moved by whoever put it here.
            match fs::symlink_metadata(self.path_of(&name)) {
                Ok(metadata) if metadata.is_dir() => listing.folders.push(name),
                Ok(metadata) => {
                    found.insert(name, Stamp::of(&metadata));
                }
                Err(_) => {}
            }
        }
        self.seen.retain(|name, _| found.contains_key(name));
        let mut names: Vec<_> = found.into_iter().collect();
        names.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        for (name, stamp) in names {
            self.judge(name, stamp, now, describe, &mut listing);
        }
        Ok(listing)
    }

    fn judge(
        &mut self,
        name: OsString,
        stamp: Stamp,
        now: Instant,
        describe: &dyn Fn(&Path) -> Result<Described, Trouble>,
        listing: &mut Listing,
    ) {
        let path = self.path_of(&name);
        let fresh = || Sighting {
            stamp,
            since: now,
            described: None,
        };
        let sighting = self.seen.entry(name.clone()).or_insert_with(fresh);
        if sighting.stamp != stamp {
            *sighting = fresh();
        }
        let watched = now.saturating_duration_since(sighting.since);
        // One that was written before and then renamed into the folder has settled already.
        let left_alone = watched.max(ago(stamp.modified));
        if left_alone < self.patience.settle {
            listing.settling += 1;
            listing.look_again(self.patience.settle - left_alone);
            return;
        }
        if !stamp.kind.is_file() {
            let error = stamp.no_file();
            return listing.unfit.push(Unfit { name, stamp, error });
        }
        if sighting.described.is_none() {
            match describe(&path) {
                Ok(described) => sighting.described = Some(described),
                Err(trouble) => {
                    let rest = self.patience.rest(watched, stamp);
                    let Trouble { cause, error } = trouble;
                    return listing.add_unfit(Unfit { name, stamp, error }, cause, rest);
                }
            }
        }
        if let Some(described) = sighting.described.clone() {
            listing.whole.push(Whole {
                name,
                stamp,
                described,
            });
        }
    }
}

impl Listing {
    fn look_again(&mut self, after: Duration) {
        self.again = Some(self.again.map_or(after, |again| again.min(after)));
    }

    /// A file that does not open and has `rest` left to do so.
    fn add_unfit(&mut self, unfit: Unfit, cause: Cause, rest: Duration) {
        if matches!(cause, Cause::Machine | Cause::Settings) {
            self.unread.push(unfit);
        } else if rest.is_zero() {
            self.unfit.push(unfit);
        } else {
            self.look_again(rest);
            self.doubtful.push(unfit);
        }
    }
}

impl Patience {
    /// What is left of the time for a file that was watched for so long without a change.
    fn rest(&self, watched: Duration, stamp: Stamp) -> Duration {
        self.give_up.saturating_sub(watched.max(self.age(stamp)))
    }

    /// How long a file was left alone by the file system's clock, where that may tell.
    fn age(&self, stamp: Stamp) -> Duration {
        if self.by_clock {
            ago(stamp.modified.max(stamp.changed))
        } else {
            Duration::ZERO
        }
    }
}

/// How long ago a time of the file system was; nothing where its clock and this machine's disagree.
fn ago((seconds, nanoseconds): (i64, i64)) -> Duration {
    let since_epoch = || {
        let (seconds, nanoseconds) = (seconds.try_into().ok()?, nanoseconds.try_into().ok()?);
        Some(Duration::from_secs(seconds) + Duration::from_nanos(nanoseconds))
    };
    since_epoch()
        .and_then(|since| SystemTime::UNIX_EPOCH.checked_add(since))
        .and_then(|since| SystemTime::now().duration_since(since).ok())
        .unwrap_or_default()
}

impl Stamp {
    /// The time of change goes with every write and cannot be set by the program that copies.
    fn of(metadata: &Metadata) -> Self {
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
    pub(super) fn is_of_same_file(&self, other: &Self) -> bool {
        let changed = other.changed;
        Self { changed, ..*self } == *other
    }

    fn no_file(&self) -> anyhow::Error {
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
