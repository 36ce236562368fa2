//! Manages the fetch folder, which holds a lock, the state between runs, and files that are not complete yet.
//!
//! The folder is in the inbox. Both are on the same file system, so a complete file can be renamed into the inbox. Writes in the
//! folder cause no events in the inbox, so the watcher does not scan the inbox after each write.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use postduif_schema::FileError;
use postduif_schema::files::rename_synced;
use serde::{Deserialize, Serialize};

use super::error::FetchError;
use super::http_client::parse_http_date;

const DIR_NAME: &str = ".postduif-fetch";
const STATE_NAME: &str = "state.json";
const PART_SUFFIX: &str = ".part";

/// The fetch folder of an inbox, locked by this process.
pub(super) struct FetchDir {
    inbox: PathBuf,
    folder: PathBuf,
    _lock: File,
}

/// The state that a run saves for the next run. It contains no password, no cookie and no query of a URL.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct FetchState {
    /// Whether the last run that succeeded fetched mutations besides the extract. `None` if no run has succeeded yet.
    pub(super) is_daily: Option<bool>,
    /// Unix time in seconds of the last run that succeeded; `None` if no run has succeeded yet.
    pub(super) last_success: Option<i64>,
    /// Unix time in seconds of the first run that failed since then; `None` if the last run succeeded.
    pub(super) failing_since: Option<i64>,
    /// The extract that an earlier run downloaded or found too old.
    pub(super) extract: Option<KnownExtract>,
    /// The versions of unfinished files, by the name of the file.
    pub(super) parts: BTreeMap<String, FileVersion>,
}

/// An extract that was downloaded, or that was not downloaded because it is not newer than the register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KnownExtract {
    pub(super) version: FileVersion,
    /// The name of the extract in the inbox; `None` if it was not downloaded.
    pub(super) name: Option<String>,
    /// The stand of the extract. For an extract that was not downloaded, the day by which the run found that the extract is not newer
    /// than the register.
    pub(super) stand: Date,
}

/// Identifies a version of a file on a server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileVersion {
    /// The URL of the file, without its query.
    pub(super) url: String,
    pub(super) etag: Option<String>,
    pub(super) last_modified: Option<String>,
    /// The size of the whole file, not only of the part that was downloaded; `None` if the server did not send it.
    pub(super) bytes: Option<u64>,
}

impl FileVersion {
    /// The value of `If-Range`, with which a server checks that the version is still the same before it sends the rest of the file.
    /// `None` if only the whole file can be requested.
    ///
    /// Source: RFC 9110, section 13.1.5. A weak entity tag cannot be used.
    pub(super) fn range_validator(&self) -> Option<&str> {
        let is_strong = |etag: &&str| !etag.starts_with("W/");
        let etag = self.etag.as_deref();
        if etag.is_some() {
            return etag.filter(is_strong);
        }
        self.last_modified.as_deref()
    }

    /// The day in UTC on which the file on the server was last modified; `None` if the server did not send a readable time.
    pub(super) fn modified_on(&self) -> Option<Date> {
        let at = parse_http_date(self.last_modified.as_deref()?)?;
        Some(at.to_zoned(TimeZone::UTC).date())
    }

    /// The day on which the file was last modified; `None` if it is not known or is later than `day`.
    pub(super) fn modified_on_or_before(&self, day: Option<Date>) -> Option<Date> {
        self.modified_on().filter(|modified| Some(*modified) <= day)
    }
}

impl FetchState {
    /// Records the outcome of a run that ended at `now`, in Unix seconds. A failed run keeps the recorded mode,
    /// because the service still has the data of the last successful run.
    pub(super) fn record_outcome(&mut self, is_success: bool, is_daily: bool, now: i64) {
        if is_success {
            self.is_daily = Some(is_daily);
            self.last_success = Some(now);
            self.failing_since = None;
        } else {
            self.failing_since.get_or_insert(now);
        }
    }

    /// Reads the state of an inbox without locking it. Returns the default before the first run.
    pub(super) fn read(inbox: &Path) -> Result<Self, FetchError> {
        let path = inbox.join(DIR_NAME).join(STATE_NAME);
        match fs::read(&path) {
            Ok(text) => Ok(serde_json::from_slice(&text)
                .map_err(|error| FileError::with_path(&path)(error.into()))?),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(FileError::with_path(&path)(error).into()),
        }
    }

    /// Like [`read`](Self::read), but returns the default if the state cannot be read. Without the state, at worst a file is
    /// downloaded again.
    pub(super) fn read_or_default(inbox: &Path) -> Self {
        Self::read(inbox).unwrap_or_else(|error| {
            tracing::warn!(%error, "cannot read the state of earlier fetches; starting without it");
            Self::default()
        })
    }
}

impl FetchDir {
    /// Creates and locks the folder.
    pub(super) fn open(inbox: &Path) -> Result<Self, FetchError> {
        // Do not use `create_dir_all`, so that a wrong path of the inbox is an error.
        let folder = inbox.join(DIR_NAME);
        if let Err(error) = fs::create_dir(&folder)
            && error.kind() != ErrorKind::AlreadyExists
        {
            return Err(FileError::with_path(inbox)(error).into());
        }
        let path = folder.join("lock");
        let lock = File::create(&path).map_err(FileError::with_path(&path))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self {
                inbox: inbox.to_owned(),
                folder,
                _lock: lock,
            }),
            Err(TryLockError::WouldBlock) => Err(FetchError::CannotStart(format!(
                "{}: another postduif fetches into this inbox; try again when it is done",
                inbox.display()
            ))),
            Err(TryLockError::Error(error)) => Err(FileError::with_path(&path)(error).into()),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.folder
    }

    pub(super) fn part_path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}{PART_SUFFIX}"))
    }

    /// Replaces the state. After a crash, the file has either the old or the new state.
    pub(super) fn write_state(&self, state: &FetchState) -> Result<(), FetchError> {
        let (path, new) = (self.folder.join(STATE_NAME), self.folder.join("state.new"));
        let write = || {
            let mut file = File::create(&new)?;
            file.write_all(&serde_json::to_vec_pretty(state)?)?;
            file.sync_all()?;
            fs::rename(&new, &path)
        };
        Ok(write().map_err(FileError::with_path(&path))?)
    }

    /// Moves a complete file into the inbox. Fails if the inbox already has a file of this name.
    pub(super) fn move_to_inbox(&self, part_name: &str, name: &str) -> Result<(), FetchError> {
        let (part, path) = (self.part_path(part_name), self.inbox.join(name));
        if path.symlink_metadata().is_ok() {
            return Err(FileError::with_path(&path)(ErrorKind::AlreadyExists.into()).into());
        }
        Ok(rename_synced(&part, &path)?)
    }

    /// Deletes all unfinished files except those named in `wanted`, and forgets their versions.
    pub(super) fn delete_other_parts(
        &self,
        state: &mut FetchState,
        wanted: &[&str],
    ) -> Result<(), FetchError> {
        state
            .parts
            .retain(|name, _| wanted.contains(&name.as_str()));
        let io_error = || FileError::with_path(&self.folder);
        for entry in fs::read_dir(&self.folder).map_err(io_error())? {
            let entry = entry.map_err(io_error())?;
            let name = entry.file_name();
            let part = name
                .to_str()
                .and_then(|name| name.strip_suffix(PART_SUFFIX));
            if part.is_some_and(|part| !wanted.contains(&part)) {
                fs::remove_file(entry.path()).map_err(io_error())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(etag: Option<&str>, last_modified: Option<&str>) -> FileVersion {
        FileVersion {
            url: "https://example.org/".into(),
            etag: etag.map(Into::into),
            last_modified: last_modified.map(Into::into),
            bytes: None,
        }
    }

    #[test]
    fn the_state_round_trips_and_a_damaged_state_is_ignored() {
        let inbox = tempfile::tempdir().expect("a temporary folder");
        assert_eq!(
            FetchState::read_or_default(inbox.path()),
            FetchState::default()
        );
        let folder = FetchDir::open(inbox.path()).expect("writable");
        let state = FetchState {
            is_daily: Some(true),
            last_success: Some(1),
            failing_since: Some(2),
            extract: Some(KnownExtract {
                version: version(Some("\"a\""), None),
                name: None,
                stand: jiff::civil::date(2026, 1, 8),
            }),
            parts: [("a.zip".to_owned(), version(None, None))].into(),
        };
        folder.write_state(&state).expect("writable");
        assert_eq!(FetchState::read(inbox.path()).expect("written"), state);
        fs::write(inbox.path().join(".postduif-fetch/state.json"), "{").expect("writable");
        assert!(FetchState::read(inbox.path()).is_err());
        assert_eq!(
            FetchState::read_or_default(inbox.path()),
            FetchState::default()
        );
    }

    #[test]
    fn two_processes_cannot_fetch_into_one_inbox() {
        let inbox = tempfile::tempdir().expect("a temporary folder");
        let first = FetchDir::open(inbox.path()).expect("writable");
        let second = FetchDir::open(inbox.path())
            .err()
            .expect("the folder is locked");
        assert!(second.to_string().contains("another postduif"), "{second}");
        drop(first);
        assert!(FetchDir::open(inbox.path()).is_ok());
        assert!(FetchDir::open(&inbox.path().join("missing")).is_err());
    }

    #[test]
    fn moving_a_file_into_the_inbox_replaces_no_file() {
        let inbox = tempfile::tempdir().expect("a temporary folder");
        let folder = FetchDir::open(inbox.path()).expect("writable");
        fs::write(folder.part_path("a.zip"), "new").expect("writable");
        fs::write(inbox.path().join("a.zip"), "old").expect("writable");
        assert!(folder.move_to_inbox("a.zip", "a.zip").is_err());
        let kept = fs::read_to_string(inbox.path().join("a.zip"));
        assert_eq!(kept.expect("a file"), "old");
    }

    #[test]
    fn a_download_is_resumed_only_with_a_strong_validator() {
        let date = "Sat, 10 Jan 2026 06:00:00 GMT";
        assert_eq!(
            version(Some("\"a\""), Some(date)).range_validator(),
            Some("\"a\"")
        );
        assert_eq!(version(Some("W/\"a\""), Some(date)).range_validator(), None);
        assert_eq!(version(None, Some(date)).range_validator(), Some(date));
        assert_eq!(version(None, None).range_validator(), None);
        let day = version(None, Some(date)).modified_on();
        assert_eq!(day, Some(jiff::civil::date(2026, 1, 10)));
    }
}
