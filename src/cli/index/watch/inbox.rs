//! Locks the inbox folder and tracks the state of every file in it.
//!
//! Names that programs use while they write a file are ignored. Folders in the inbox are ignored too.

mod staging;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use postduif_indexer::DeliveryHeader;
use postduif_schema::FileError;

use super::archive_dir::ArchiveDir;
use super::file_state::{FileState, InboxFile, ReadHeader, SettleTimes};
use super::rejection::RejectionReason;
use super::stamp::InboxFileStamp;
use crate::cli::CommandError;
use crate::cli::index::inbox_layout::is_delivery_name;
use crate::escape::escape_controls;

/// The name of a file that is locked while a process watches the folder. The name is hidden, so that no program takes the file for a
/// delivery.
const LOCK_NAME: &str = ".postduif-watch.lock";

/// The folder in which deliveries appear. Two processes cannot watch the same inbox.
pub(super) struct Inbox {
    folder: PathBuf,
    settle_times: SettleTimes,
    files: BTreeMap<OsString, InboxFile>,
    /// Folders in the inbox that have the name of a delivery. A warning was logged for each of them.
    folders: BTreeSet<OsString>,
    _lock: File,
}

impl Inbox {
    /// Locks the folder, and puts back the files of an interrupted move. Refuses a path that is not a folder. Every other failure, such as
    /// a lock that another process holds, may pass.
    pub(super) fn open(folder: &Path, settle_times: SettleTimes) -> Result<Self, CommandError> {
        let failed = |path: &Path, error: io::Error| {
            let is_refusal = matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            );
            CommandError::new(is_refusal, FileError::with_path(path)(error))
        };
        fs::read_dir(folder).map_err(|error| failed(folder, error))?;
        let path = folder.join(LOCK_NAME);
        let lock = File::create(&path).map_err(|error| failed(&path, error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let folder = folder.display();
                let message = "another postduif index watch uses this inbox";
                return Err(CommandError::Failed(anyhow!("{folder}: {message}")));
            }
            Err(TryLockError::Error(error)) => return Err(failed(&path, error)),
        }
        staging::put_back_all(folder).map_err(|error| failed(folder, error))?;
        Ok(Self {
            folder: folder.to_owned(),
            settle_times,
            files: BTreeMap::new(),
            folders: BTreeSet::new(),
            _lock: lock,
        })
    }

    pub(super) fn file_path(&self, name: &OsStr) -> PathBuf {
        self.folder.join(name)
    }

    /// Lists the folder and brings the state of every file up to date. `describe` opens files that are due.
    pub(super) fn scan(&mut self, now: Instant, describe: ReadHeader<'_>) -> io::Result<()> {
        let (mut stamps, mut folders) = (BTreeMap::new(), BTreeSet::new());
        for entry in fs::read_dir(&self.folder)? {
            let name = entry?.file_name();
            if !is_delivery_name(&name) {
                continue;
            }
            match InboxFileStamp::from_path(&self.file_path(&name)) {
                Ok(stamp) if stamp.kind.is_dir() => {
                    if !self.folders.contains(&name) {
                        let name = display_name(&name);
                        tracing::warn!(name, "ignoring a folder that has the name of a delivery");
                    }
                    folders.insert(name);
                }
                Ok(stamp) => {
                    stamps.insert(name, stamp);
                }
                // The file was deleted after the folder was listed.
                Err(_) => {}
            }
        }
        self.folders = folders;
        self.files.retain(|name, _| stamps.contains_key(name));
        for (name, stamp) in stamps {
            let path = self.folder.join(&name);
            let file = self.files.entry(name);
            let file = file.or_insert_with(|| InboxFile::new(stamp, now));
            file.set_stamp(stamp, now);
            file.update(&path, now, self.settle_times, describe);
        }
        Ok(())
    }

    /// Deliveries that can be applied now or later, sorted by name.
    pub(super) fn candidates(&self) -> impl Iterator<Item = (&OsStr, &InboxFile, &DeliveryHeader)> {
        self.files
            .iter()
            .filter_map(|(name, file)| Some((name.as_os_str(), file, file.candidate_header()?)))
    }

    /// Whether a file has not changed since the last scan.
    pub(super) fn is_unchanged(&self, name: &OsStr) -> bool {
        let stamp = InboxFileStamp::from_path(&self.file_path(name));
        let file = self.files.get(name);
        file.is_some_and(|file| stamp.is_ok_and(|stamp| stamp == file.stamp))
    }

    pub(super) fn set_state(&mut self, name: &OsStr, state: FileState) {
        if let Some(file) = self.files.get_mut(name) {
            file.state = state;
        }
    }

    /// Rejects a damaged delivery, or defers it if a program may still be copying it.
    pub(super) fn reject_or_defer(&mut self, name: &OsStr, error: &anyhow::Error, now: Instant) {
        if let Some(file) = self.files.get_mut(name) {
            let reason = format!("damaged, or still being copied: {error:#}");
            file.state = file.reject_or_defer(now, self.settle_times, reason, || {
                RejectionReason::from_refusal(error)
            });
        }
    }

    /// Moves a file to an archive folder, with a note. Returns `None` if the file was deleted or replaced after the last scan.
    /// The next scan then reads a replacement as a new file.
    pub(super) fn archive(
        &mut self,
        dir: &ArchiveDir,
        name: &OsStr,
        note: &str,
    ) -> io::Result<Option<PathBuf>> {
        let Some(file) = self.files.get(name) else {
            return Ok(None);
        };
        let slot = dir.reserve(name, note.as_bytes())?;
        let archived = match staging::stage(&self.folder, name, file.stamp)? {
            Some(staged) => Some(slot.move_in(&staged).inspect_err(|_| {
                // If this fails too, the next start of the process puts the file back.
                staging::put_back(&self.folder, &staged).ok();
            })?),
            None => {
                let file = display_name(name);
                tracing::warn!(
                    file,
                    "the file was deleted or replaced; a replacement is read as a new delivery"
                );
                None
            }
        };
        self.files.remove(name);
        Ok(archived)
    }

    /// Time until the next deferred file is due; `None` if no file is deferred.
    pub(super) fn time_to_next(&self, now: Instant) -> Option<Duration> {
        let until = |file: &InboxFile| match &file.state {
            FileState::Deferred { until, .. } => Some(until.saturating_duration_since(now)),
            _ => None,
        };
        self.files.values().filter_map(until).min()
    }

    /// Each file with its state, sorted by name.
    pub(super) fn states(&self) -> impl Iterator<Item = (&OsStr, &FileState)> {
        self.files
            .iter()
            .map(|(name, file)| (name.as_os_str(), &file.state))
    }

    /// The rejected files, which are to be moved out of the inbox.
    pub(super) fn rejected(&self) -> Vec<(OsString, RejectionReason)> {
        let rejection = |(name, file): (&OsString, &InboxFile)| match &file.state {
            FileState::Rejected(reason) => Some((name.clone(), reason.clone())),
            _ => None,
        };
        self.files.iter().filter_map(rejection).collect()
    }

    /// The files that stay in the inbox for a reason that was not logged yet, each with that reason. Marks the reasons as logged.
    pub(super) fn take_unlogged_reasons(&mut self) -> impl Iterator<Item = (String, String)> {
        self.files
            .iter_mut()
            .filter_map(|(name, file)| Some((display_name(name), file.take_unlogged_reason()?)))
    }
}

/// The name for messages, in one line and without control characters.
pub(super) fn display_name(name: &OsStr) -> String {
    escape_controls(&name.to_string_lossy()).into_owned()
}

#[cfg(test)]
mod tests;
