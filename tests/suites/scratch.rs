//! Temporary folders in memory, for tests that are not about disks: on a busy disk a single write may take longer than the
//! service waits for its accounts database.

use tempfile::TempDir;

/// The file system that Linux keeps in memory. A container may have a few megabytes of it only.
const MEMORY: &str = "/dev/shm";

/// More than all tests that run at once put there.
const ENOUGH_BYTES: u64 = 1 << 30;

/// A new folder in memory, or on the disk if the machine has too little memory for it.
pub(crate) fn folder() -> TempDir {
    let enough = rustix::fs::statvfs(MEMORY)
        .is_ok_and(|space| space.f_bavail.saturating_mul(space.f_frsize) >= ENOUGH_BYTES);
    let folder = if enough {
        tempfile::tempdir_in(MEMORY)
    } else {
        tempfile::tempdir()
    };
    folder.expect("a temporary folder")
}
