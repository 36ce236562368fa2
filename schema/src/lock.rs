//! Who may change a data folder: one process at a time, for as long as it keeps the lock.
//!
//! The system gives the lock back when its holder ends, however it ends. The file says what kind of holder it is, so that who
//! is turned away can be told what to do; nothing else is read from it.

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::DataFolder;

const LOCK_FILE: &str = "lock";

/// The right to change a data folder.
#[derive(Debug)]
pub struct DataFolderLock {
    file: File,
}

/// Given back in so many words: closing would leave it with a process that another thread is just starting, until its program
/// runs. Source: flock(2).
impl Drop for DataFolderLock {
    fn drop(&mut self) {
        // Where that fails it is closed all the same.
        self.file.unlock().ok();
    }
}

/// What changes a data folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockOwner {
    /// A command that makes or deletes generations, while it is at work.
    Index,
    /// A service that takes its generations from elsewhere, for as long as it runs.
    Serve,
}

/// A data folder that cannot be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// The folder or the file cannot be made or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Somebody else has it.
    #[error("{}: {owner}", path.display())]
    Held {
        /// The data folder.
        path: PathBuf,
        /// What has it.
        owner: LockOwner,
    },
}

impl DataFolder {
    /// Takes the right to change the folder, and makes the folder when it is not there.
    ///
    /// # Errors
    /// When another process has it, or the folder cannot be written.
    pub fn lock(&self, owner: LockOwner) -> Result<DataFolderLock, LockError> {
        create_dir_synced(self.path())?;
        let path = self.path().join(LOCK_FILE);
        let failed = |source| LockError::Io {
            path: path.clone(),
            source,
        };
        let mut options = File::options();
        // What its holder wrote is left alone until the lock is had.
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut word = String::new();
                // Between taking the lock and saying so its holder is a command like any other.
                file.read_to_string(&mut word).map_err(failed)?;
                let owner = LockOwner::from_str_lossy(word.trim_end());
                let path = self.path().to_owned();
                return Err(LockError::Held { path, owner });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        file.set_len(0).map_err(failed)?;
        writeln!(file, "{}", owner.as_str()).map_err(failed)?;
        Ok(DataFolderLock { file })
    }
}

/// Makes the data folder and brings its own name to disk, which the first generation's safety rests on.
fn create_dir_synced(path: &Path) -> Result<(), LockError> {
    if path.is_dir() {
        return Ok(());
    }
    let make = || {
        fs::create_dir_all(path)?;
        match std::path::absolute(path)?.parent() {
            Some(parent) => File::open(parent)?.sync_all(),
            None => Ok(()),
        }
    };
    make().map_err(|source| LockError::Io {
        path: path.to_owned(),
        source,
    })
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
                "another postduif index command is at work on this folder; wait for it to end"
            }
            Self::Serve => {
                "a postduif serve takes its generations into this folder from elsewhere (generations_from), and nobody else \
                 may change it; build and apply in a folder of their own, or stop that service first"
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_second_is_told_what_the_first_is() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let data = DataFolder::new(folder.path().join("not there yet"));
        for (first, told) in [
            (LockOwner::Serve, "postduif serve"),
            (LockOwner::Index, "postduif index"),
            (LockOwner::Serve, "postduif serve"),
        ] {
            let lock = data.lock(first).expect("free");
            for second in [LockOwner::Index, LockOwner::Serve] {
                let error = data.lock(second).expect_err("held");
                assert!(matches!(error, LockError::Held { owner, .. } if owner == first));
                assert!(error.to_string().contains(told), "{error}");
            }
            drop(lock);
        }
    }
}
