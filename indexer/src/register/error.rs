//! Defines the errors of the register.

use std::io;
use std::path::{Path, PathBuf};

use super::tables::FORMAT_VERSION;

pub(crate) type RegisterResult<T> = Result<T, RegisterError>;

/// The error for a register that cannot be read or written.
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
    /// The content of a page or row differs from what was written.
    #[error(
        "register {}: damaged: {place}. No delivery can be applied to it; the served addresses are not affected. Build it again \
         from the newest extract with `postduif index build --extract`",
        path.display()
    )]
    Damaged {
        /// The register's file.
        path: PathBuf,
        /// The row, the table, or the store's message about the page.
        place: String,
    },
    /// A postduif with another row format wrote the register.
    #[error(
        "register {}: format {found}, but this postduif reads format {FORMAT_VERSION}; build it again with \
         `postduif index build --extract`",
        path.display()
    )]
    UnsupportedFormat {
        /// The register's file.
        path: PathBuf,
        /// The format version of the register.
        found: u32,
    },
}

impl RegisterError {
    /// True if the register itself is at fault and has to be built again.
    #[must_use]
    pub fn is_unusable(&self) -> bool {
        match self {
            Self::Damaged { .. } | Self::UnsupportedFormat { .. } => true,
            Self::Database { .. } | Self::Busy { .. } => false,
        }
    }

    /// Returns a function that makes an error of the register at `path` from an error of the store.
    pub(super) fn from_store_error<E: Into<redb::Error>>(path: &Path) -> impl FnOnce(E) -> Self {
        let path = path.to_owned();
        |error| match error.into() {
            redb::Error::DatabaseAlreadyOpen => Self::Busy { path },
            redb::Error::Corrupted(place) => Self::Damaged { path, place },
            redb::Error::Io(error) if has_wrong_content(&error) => {
                let place = error.to_string();
                Self::Damaged { path, place }
            }
            error @ (redb::Error::UpgradeRequired(_)
            | redb::Error::TableDoesNotExist(_)
            | redb::Error::TableIsMultimap(_)
            | redb::Error::TableIsNotMultimap(_)
            | redb::Error::TableTypeMismatch { .. }
            | redb::Error::TypeDefinitionChanged { .. }) => {
                let place = error.to_string();
                Self::Damaged { path, place }
            }
            error => Self::Database {
                path,
                source: Box::new(error),
            },
        }
    }
}

/// Whether the error means that the file can be read, but its content is not a store or is truncated.
fn has_wrong_content(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof
    )
}
