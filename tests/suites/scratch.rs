//! Temporary folders in memory, for tests that are not about disks: on a busy disk a single write may take longer than the
//! service waits for its accounts database.

use std::path::Path;
use std::sync::Once;

use tempfile::TempDir;

/// The folder of the file system that Linux keeps in memory. In a container it may have only a few megabytes.
const MEMORY: &str = "/dev/shm";

/// The room that must be free in memory: more than the tests of one run need at the same time.
const ENOUGH_BYTES: u64 = 1 << 30;

/// The start of every folder's name; the process id follows.
const PREFIX: &str = "postduif-test-";

/// A new folder in memory, or on the disk if the file system in memory has too little room.
pub(crate) fn folder() -> TempDir {
    static LEFTOVERS: Once = Once::new();
    LEFTOVERS.call_once(remove_leftovers);
    let prefix = format!("{PREFIX}{}-", std::process::id());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix);
    let enough = rustix::fs::statvfs(MEMORY)
        .is_ok_and(|space| space.f_bavail.saturating_mul(space.f_frsize) >= ENOUGH_BYTES);
    let folder = if enough {
        builder.tempdir_in(MEMORY)
    } else {
        builder.tempdir()
    };
    folder.expect("a temporary folder")
}

/// Removes the folders that killed test processes left in memory.
fn remove_leftovers() {
    for entry in std::fs::read_dir(MEMORY).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let of_test = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        let process = of_test.and_then(|rest| rest.split('-').next());
        if process.is_some_and(|process| !Path::new("/proc").join(process).exists()) {
            // An error is ignored: the folder may belong to another user, or another test process may remove it first.
            std::fs::remove_dir_all(entry.path()).ok();
        }
    }
}
