//! The files of a SQLite database: the file itself and those that SQLite writes beside it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What SQLite may have beside a file.
pub(super) const SIDECAR_SUFFIXES: [&str; 3] = ["-wal", "-shm", "-journal"];

pub(super) fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(suffix);
    name.into()
}

/// Whether there is anything in a file: a first start that was cut short leaves one of no length.
pub(super) fn is_non_empty_file(file: &Path) -> bool {
    file.metadata().is_ok_and(|file| file.len() > 0)
}
