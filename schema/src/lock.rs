//! Locks a data folder, so that only one process at a time changes the folder.
//!
//! The operating system releases the lock when the process that holds it ends, even in a crash. The lock file names the kind of that
//! process, so that the error for a second process can say what to do.

use std::fmt;
use std::fs::{File, TryLockError};
use std::io::{Read as _, Write as _};
use std::path::PathBuf;

use crate::{DataFolder, FileError};

const LOCK_FILE: &str = "lock";

/// A locked data folder. Dropping this value unlocks the folder.
#[derive(Debug)]
pub struct DataFolderLock {
    file: File,
}

/// Unlocks explicitly. Closing the file is not enough, because a child process has a copy of the descriptor between fork and exec.
/// Source: flock(2).
impl Drop for DataFolderLock {
    fn drop(&mut self) {
        // An error is ignored, because the file is then unlocked when the last copy of its descriptor is closed.
        self.file.unlock().ok();
    }
}

/// The kind of process that locks a data folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockOwner {
    /// A `postduif index` command that builds or deletes generations; it holds the lock while it runs.
    Index,
    /// A service that pulls its generations from a bucket; it holds the lock while it runs.
    Serve,
}

/// Why a data folder cannot be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// The folder or the lock file cannot be created or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another process has locked the folder.
    #[error("{}: {owner}", path.display())]
    Held {
        /// The data folder.
        path: PathBuf,
        /// The kind of the process that holds the lock.
        owner: LockOwner,
    },
}

impl DataFolderLock {
    /// Locks a data folder, and creates it if it does not exist.
    ///
    /// # Errors
    /// If another process has locked it, or it cannot be written.
    pub fn acquire(data: &DataFolder, owner: LockOwner) -> Result<Self, LockError> {
        data.create()?;
        let path = data.path().join(LOCK_FILE);
        let failed = FileError::with_path(&path);
        let mut options = File::options();
        // Do not truncate before locking, because the file may name the process that holds the lock.
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).map_err(&failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut word = String::new();
                // The owner may not have written its kind yet. It is then reported as an index command.
                file.read_to_string(&mut word).map_err(&failed)?;
                let owner = LockOwner::from_str_lossy(word.trim_end());
                let path = data.path().to_owned();
                return Err(LockError::Held { path, owner });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source).into()),
        }
        file.set_len(0).map_err(&failed)?;
        writeln!(file, "{}", owner.as_str()).map_err(&failed)?;
        Ok(Self { file })
    }
}

impl LockOwner {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Serve => "serve",
        }
    }

    fn from_str_lossy(word: &str) -> Self {
        if word == Self::Serve.as_str() {
            Self::Serve
        } else {
            Self::Index
        }
    }
}

impl fmt::Display for LockOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Index => {
                "another postduif index command is at work on this folder; wait until it ends"
            }
            Self::Serve => {
                "a postduif serve pulls its generations from a bucket into this folder (generations_from), so no other process may \
                 change the folder; build and apply in another folder, or stop that service first"
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_second_lock_names_the_owner() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let data = DataFolder::new(folder.path().join("not there yet"));
        for (first, name) in [
            (LockOwner::Serve, "postduif serve"),
            (LockOwner::Index, "postduif index"),
            (LockOwner::Serve, "postduif serve"),
        ] {
            let lock = DataFolderLock::acquire(&data, first).expect("unlocked");
            for second in [LockOwner::Index, LockOwner::Serve] {
                let error = DataFolderLock::acquire(&data, second).expect_err("locked");
                assert!(matches!(error, LockError::Held { owner, .. } if owner == first));
                assert!(error.to_string().contains(name), "{error}");
            }
            drop(lock);
        }
    }
}
