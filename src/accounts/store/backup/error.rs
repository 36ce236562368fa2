//! Defines why a backup or a restore failed.

use std::io;
use std::path::PathBuf;

use postduif_schema::FileError;

use crate::accounts::store::error::is_damage;

/// Why a backup or a restore failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackupError {
    /// There is no database to copy.
    #[error("there is no accounts database at {}", .0.display())]
    SourceMissing(PathBuf),
    /// The target file exists.
    #[error("{} exists already; nothing is overwritten", .0.display())]
    AlreadyExists(PathBuf),
    /// The file is damaged or not an accounts database.
    #[error("{} cannot be used: {problem}", file.display())]
    InvalidFile {
        /// The file.
        file: PathBuf,
        /// The problem.
        problem: String,
    },
    /// The target has accounts, and replacing them was not requested.
    #[error("{} has {accounts} already; --replace renames that file and restores the backup", file.display())]
    TargetNotEmpty {
        /// The existing database.
        file: PathBuf,
        /// How many accounts the database has, as text.
        accounts: String,
    },
    /// Another program uses the database.
    #[error("{} is in use: stop the service first", .0.display())]
    InUse(PathBuf),
    /// The operating system failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// The database failed.
    #[error("copying the accounts failed")]
    Database(#[from] sqlx::Error),
}

impl BackupError {
    /// True if a retry with the same files cannot help.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        match self {
            // The kind `InvalidInput` means that the file is not a regular file.
            Self::File(error) => error.source.kind() == io::ErrorKind::InvalidInput,
            Self::Database(error) => is_damage(error),
            _ => true,
        }
    }
}
