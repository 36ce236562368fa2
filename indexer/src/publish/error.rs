//! Defines the errors of writing, publishing and verifying generations.

use std::path::PathBuf;

use postduif_schema::{DataFolderError, FileError, LockError, ManifestError, OpenGenerationError};

/// The error for a data folder that cannot be written, or a generation that fails verification.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// A file or folder cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// `CURRENT` or the list of generations cannot be read or written.
    #[error(transparent)]
    DataFolder(#[from] DataFolderError),
    /// A manifest cannot be written, or a file that it lists cannot be read.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A generation that fails verification.
    #[error(transparent)]
    Open(#[from] OpenGenerationError),
    /// Another process has locked the folder, or locking fails.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// There is no generation of the given name, or no generation to roll back to.
    #[error("{}: {reason}", path.display())]
    NoGeneration {
        /// The data folder.
        path: PathBuf,
        /// What is missing.
        reason: String,
    },
}

impl PublishError {
    /// True if the content of the data folder is at fault and not the machine, so that trying again does not help.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::NoGeneration { .. } => true,
            Self::DataFolder(error) => matches!(error, DataFolderError::InvalidCurrent { .. }),
            Self::Manifest(error) => error.is_refusal(),
            Self::Open(error) => error.is_refusal(),
            Self::File(_) | Self::Lock(_) => false,
        }
    }
}
