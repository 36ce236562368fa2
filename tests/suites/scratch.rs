//! Makes temporary folders in memory for tests that are not about disks. On a busy disk, a single write may take longer than the
//! service waits for its accounts database.

use std::path::Path;
use std::sync::Once;

use tempfile::TempDir;

/// The folder of a file system in memory on Linux. In a container, this file system may have only a few megabytes.
const MEMORY: &str = "/dev/shm";

/// The space that must be free in memory, which is more than the tests of one run need at the same time.
const ENOUGH_BYTES: u64 = 1 << 30;

/// The prefix of the name of every folder. The process id follows it.
const PREFIX: &str = "postduif-test-";

/// A new folder in memory, or on disk if the file system in memory has too little space.
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
            // Ignore an error, because the folder may belong to another user, or another test process may have removed it first.
            std::fs::remove_dir_all(entry.path()).ok();
        }
    }
}
