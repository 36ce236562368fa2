//! Writes partial files: a file is written under a temporary name in a folder of its own, and renamed when it is complete.
//!
//! The folder also has the files that SQLite writes beside a database. The process that writes a partial file holds a lock on the folder,
//! so other processes recognise the folders of killed processes and remove them.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use postduif_schema::FileError;
use postduif_schema::files::sync_path;
use tempfile::{NamedTempFile, TempDir};

use super::error::BackupError;
use crate::accounts::store::location::parent_dir;

const TEMP_PREFIX: &str = ".accounts-";
const TEMP_SUFFIX: &str = ".part";

/// How many times to try to create a folder. Another process may remove a new folder before it is locked.
const MAX_ATTEMPTS: usize = 10;

/// A file that only its owner can read. Dropping this value removes the file and its folder, unless the file is persisted.
pub(super) struct PartialFile {
    file: NamedTempFile,
    _folder: TempDir,
    /// The open folder. This file descriptor has the lock.
    _lock: File,
}

impl PartialFile {
    /// Creates a partial file beside `file`, and removes the partial files of killed processes.
    pub(super) fn create_beside(file: &Path) -> Result<Self, BackupError> {
        let folder = parent_dir(file);
        remove_abandoned(folder).map_err(FileError::with_path(folder))?;
        let mut created = Self::create_in(folder);
        for _ in 1..MAX_ATTEMPTS {
            if !created.as_ref().is_err_and(is_taken) {
                break;
            }
            created = Self::create_in(folder);
        }
        Ok(created.map_err(FileError::with_path(folder))?)
    }

    fn create_in(folder: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix(TEMP_PREFIX)
            .suffix(TEMP_SUFFIX)
            .tempdir_in(folder)?;
        let lock = File::open(folder.path())?;
        match lock.try_lock_shared() {
            Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
            // On a file system without locks no process can lock the folder, so no process removes it.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        Ok(Self {
            file: NamedTempFile::new_in(folder.path())?,
            _folder: folder,
            _lock: lock,
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
            .map_err(FileError::with_path(to))?;
        match self.file.persist_noclobber(to) {
            Ok(_) => Ok(sync_path(parent_dir(to))?),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(BackupError::AlreadyExists(to.to_owned()))
            }
            Err(error) => Err(FileError::with_path(to)(error.error).into()),
        }
    }

    /// Renames a complete file to `to`, and replaces a file of that name.
    pub(super) fn persist_replacing(self, to: &Path) -> Result<(), BackupError> {
        let placed = self.file.persist(to).map_err(|error| error.error);
        placed.map_err(FileError::with_path(to))?;
        Ok(sync_path(parent_dir(to))?)
    }
}

/// True if the error means that another process has locked or removed the new folder.
fn is_taken(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::NotFound
    )
}

/// Removes partial files in `folder` that no process holds. A partial file that cannot be removed stays, which does no harm.
pub(in crate::accounts::store) fn remove_abandoned(folder: &Path) -> io::Result<()> {
    for entry in folder.read_dir()? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with(TEMP_PREFIX) || !name.ends_with(TEMP_SUFFIX) {
            continue;
        }
        let Ok(partial) = File::open(entry.path()) else {
            continue;
        };
        if partial.try_lock().is_ok() {
            fs::remove_dir_all(entry.path()).ok();
        }
    }
    Ok(())
}
