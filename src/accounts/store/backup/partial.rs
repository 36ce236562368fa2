//! Partial files: written under a temporary name, and renamed when they are complete.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::NamedTempFile;

use super::error::BackupError;
use super::files::{SIDECAR_SUFFIXES, with_suffix};
use crate::accounts::store::location::parent_dir;

const TEMP_PREFIX: &str = ".accounts-";
const TEMP_SUFFIX: &str = ".part";

/// A partial file without a write for this long is stale: its process was killed.
const STALE_AFTER: Duration = Duration::from_secs(3600);

/// A file that is readable by its owner only. Dropping it removes it and the files of SQLite next to it, unless it is persisted.
pub(super) struct PartialFile {
    file: NamedTempFile,
    _sidecars: SidecarFiles,
}

/// Files that SQLite may leave next to a database: it cannot always remove those of a damaged one.
struct SidecarFiles(PathBuf);

impl Drop for SidecarFiles {
    fn drop(&mut self) {
        for tail in SIDECAR_SUFFIXES {
            // Usually there is none.
            fs::remove_file(with_suffix(&self.0, tail)).ok();
        }
    }
}

impl PartialFile {
    /// Creates one in the folder of `file`, and removes stale ones.
    pub(super) fn create_beside(file: &Path) -> Result<Self, BackupError> {
        let folder = parent_dir(file);
        remove_stale(folder, SystemTime::now()).map_err(BackupError::io_error(folder))?;
        let made = tempfile::Builder::new()
            .prefix(TEMP_PREFIX)
            .suffix(TEMP_SUFFIX)
            .tempfile_in(folder);
        let file = made.map_err(BackupError::io_error(folder))?;
        Ok(Self {
            _sidecars: SidecarFiles(file.path().to_owned()),
            file,
        })
    }

    pub(super) fn path(&self) -> &Path {
        self.file.path()
    }

    pub(super) fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Renames a complete file to `to`, which must not exist.
    pub(super) fn persist_new(self, to: &Path) -> Result<(), BackupError> {
        self.file
            .as_file()
            .sync_all()
            .map_err(BackupError::io_error(to))?;
        match self.file.persist_noclobber(to) {
            Ok(_) => sync_dir(parent_dir(to)),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(BackupError::AlreadyExists(to.to_owned()))
            }
            Err(error) => Err(BackupError::io_error(to)(error.error)),
        }
    }

    /// Renames a complete file to `to`, and replaces a file of that name.
    pub(super) fn persist_replacing(self, to: &Path) -> Result<(), BackupError> {
        let placed = self.file.persist(to).map_err(|error| error.error);
        placed.map_err(BackupError::io_error(to))?;
        sync_dir(parent_dir(to))
    }
}

fn sync_dir(folder: &Path) -> Result<(), BackupError> {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(BackupError::io_error(folder))
}

fn remove_stale(folder: &Path, now: SystemTime) -> io::Result<()> {
    for entry in folder.read_dir()? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with(TEMP_PREFIX) || !name.contains(TEMP_SUFFIX) {
            continue;
        }
        // Another process may remove it at the same time; a file that stays does no harm.
        let written = entry.metadata().and_then(|data| data.modified());
        let rested = written.map(|written| now.duration_since(written).unwrap_or_default());
        if rested.is_ok_and(|rested| rested > STALE_AFTER) {
            fs::remove_file(entry.path()).ok();
        }
    }
    Ok(())
}
