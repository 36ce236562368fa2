//! Names the files of a SQLite database: the file itself and the files that SQLite writes beside it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Suffixes of the files that SQLite writes next to a database.
pub(super) const SIDECAR_SUFFIXES: [&str; 3] = ["-wal", "-shm", "-journal"];

pub(in crate::accounts::store) fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(suffix);
    name.into()
}

/// True if a file has content. An empty file is left by a first start that was interrupted, and is not a database.
pub(super) fn is_non_empty_file(file: &Path) -> bool {
    file.metadata().is_ok_and(|file| file.len() > 0)
}
