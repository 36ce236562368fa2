//! Who works with a ledger in SQLite. Every program that has one open shares a lock on its folder; who puts another file in
//! its place has that lock alone. SQLite's own locks do not serve for this: they stand on the file that is replaced, and a
//! program that waits for one goes on with the old file under the new one's name.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long an opener waits while a file is put in place: a few renames.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);
const LOCK_RETRY_INTERVAL: Duration = Duration::from_millis(20);

const LOCKED_MESSAGE: &str = "another program is putting accounts in place there";

/// A lock on a folder, which ends with its process at the latest.
#[derive(Debug)]
pub(super) struct DirLock {
    /// The lock is the open folder's.
    _dir: File,
}

impl DirLock {
    /// Waits until nobody has it alone.
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

    /// None while anybody has it.
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
    async fn many_share_and_one_has_it_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let shared = [
            DirLock::lock_shared(folder).await.expect("nobody is there"),
            DirLock::lock_shared(folder).await.expect("others share"),
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
        assert!(waits, "one has it alone");
        drop(alone);
        shared.await.expect("it is free again");
    }
}
