//! Errors of the register.

use std::path::{Path, PathBuf};

use super::tables::FORMAT_VERSION;

pub(crate) type RegisterResult<T> = Result<T, RegisterError>;

/// The register cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RegisterError {
    /// The store failed.
    #[error("register {}: {source}", path.display())]
    Database {
        /// The register's file.
        path: PathBuf,
        /// The store's error.
        source: Box<redb::Error>,
    },
    /// Another process has the register open.
    #[error("register {}: another postduif index command has it open; wait for it to end", path.display())]
    Busy {
        /// The register's file.
        path: PathBuf,
    },
    /// A row cannot be decoded.
    #[error("register {}: damaged row {key} in {table}; rebuild it with `postduif index build`", path.display())]
    Damaged {
        /// The register's file.
        path: PathBuf,
        /// The table.
        table: String,
        /// The key.
        key: String,
    },
    /// A postduif with another row format wrote the register.
    #[error(
        "register {}: format {found}, but this postduif reads format {FORMAT_VERSION}; rebuild it with \
         `postduif index build`",
        path.display()
    )]
    UnsupportedFormat {
        /// The register's file.
        path: PathBuf,
        /// Its format version.
        found: u32,
    },
}

pub(super) fn register_error(path: &Path, error: impl Into<redb::Error>) -> RegisterError {
    let path = path.to_owned();
    match error.into() {
        redb::Error::DatabaseAlreadyOpen => RegisterError::Busy { path },
        error => RegisterError::Database {
            path,
            source: Box::new(error),
        },
    }
}
