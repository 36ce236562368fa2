//! Why a backup or a restore failed.

use std::io;
use std::path::{Path, PathBuf};

/// Why a copy was not made or not put in place.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackupError {
    /// There is nothing to copy.
    #[error("no accounts in {}", .0.display())]
    SourceMissing(PathBuf),
    /// Something has the name already.
    #[error("{} is there already; nothing is overwritten", .0.display())]
    AlreadyExists(PathBuf),
    /// The file is no ledger, or a damaged one.
    #[error("{} cannot be used: {problem}", file.display())]
    InvalidFile {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// There are accounts that would be lost from sight.
    #[error("{} holds {accounts} already; --replace puts it aside", file.display())]
    TargetNotEmpty {
        /// The ledger that is there.
        file: PathBuf,
        /// How many accounts it has, in words.
        accounts: String,
    },
    /// Somebody works with the ledger.
    #[error("{} is in use: stop the service first", .0.display())]
    InUse(PathBuf),
    /// The operating system did not do it.
    #[error("{}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// The database did not do it.
    #[error("copying the accounts failed")]
    Database(#[from] sqlx::Error),
}

impl BackupError {
    /// Whether trying again is of no use.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        !matches!(self, Self::Io { .. } | Self::Database(_))
    }

    /// Makes an I/O error of `file`.
    pub(super) fn io_error(file: &Path) -> impl FnOnce(io::Error) -> Self {
        let file = file.to_owned();
        |source| Self::Io { file, source }
    }
}
