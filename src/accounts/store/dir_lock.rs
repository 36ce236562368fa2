//! Locks the folder of a SQLite database. Every program that has the database open holds a shared lock; a program that replaces the file
//! holds an exclusive lock. SQLite's own locks do not help, because they are on the replaced file: a program that waits for such a lock
//! would continue with the old file, which then no longer has its name.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long to wait for another program that is replacing the file. Replacing takes a few renames.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);
const LOCK_RETRY_INTERVAL: Duration = Duration::from_millis(20);

const LOCKED_MESSAGE: &str =
    "another program is replacing the accounts database in this folder; try again";

/// A lock on a folder. If it is not dropped earlier, the operating system releases it when the process ends.
#[derive(Debug)]
pub(super) struct DirLock {
    /// The open folder. This file descriptor has the lock.
    _dir: File,
}

impl DirLock {
    /// Takes a shared lock. Waits while another program has the exclusive lock.
    pub(super) async fn lock_shared(folder: &Path) -> io::Result<Self> {
        let folder = File::open(folder)?;
        let began = Instant::now();
        loop {
            match folder.try_lock_shared() {
                Ok(()) => return Ok(Self { _dir: folder }),
                Err(TryLockError::WouldBlock) if began.elapsed() < LOCK_TIMEOUT => {
                    tokio::time::sleep(LOCK_RETRY_INTERVAL).await;
                }
                Err(TryLockError::WouldBlock) => return Err(io::Error::other(LOCKED_MESSAGE)),
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }

    /// Takes the exclusive lock; `None` if another program has a shared or exclusive lock.
    pub(super) fn try_lock_exclusive(folder: &Path) -> io::Result<Option<Self>> {
        let folder = File::open(folder)?;
        match folder.try_lock() {
            Ok(()) => Ok(Some(Self { _dir: folder })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn a_lock_is_either_shared_or_exclusive() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let shared = [
            DirLock::lock_shared(folder).await.expect("no other lock"),
            DirLock::lock_shared(folder)
                .await
                .expect("the lock is shared"),
        ];
        assert!(
            DirLock::try_lock_exclusive(folder)
                .expect("a folder")
                .is_none()
        );
        drop(shared);
        let alone = DirLock::try_lock_exclusive(folder).expect("a folder");
        assert!(
            alone.is_some()
                && DirLock::try_lock_exclusive(folder)
                    .expect("a folder")
                    .is_none()
        );
        let mut shared = std::pin::pin!(DirLock::lock_shared(folder));
        let waits = shared.as_mut().now_or_never().is_none();
        assert!(waits, "another program has the exclusive lock");
        drop(alone);
        shared.await.expect("the exclusive lock is released");
    }
}
