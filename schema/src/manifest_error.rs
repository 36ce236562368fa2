//! Defines the error for a manifest that cannot be used, and for a listed file that is missing or damaged.

use std::io;
use std::path::PathBuf;

use crate::{FileError, LAYOUT_VERSION};

/// The error for a manifest, or another file of a generation, that is missing or damaged. The message names the file.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The manifest cannot be parsed, or was changed after it was written.
    #[error("{}: damaged manifest: {reason}", path.display())]
    Damaged {
        /// The manifest.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The manifest was written by a postduif with another layout.
    #[error(
        "{}: layout {found}, but this postduif reads layout {LAYOUT_VERSION}; rebuild it with `postduif index build`",
        path.display()
    )]
    LayoutMismatch {
        /// The manifest.
        path: PathBuf,
        /// The layout version in the manifest.
        found: u32,
    },
    /// A file differs from its entry in the manifest.
    #[error("{}: damaged: {reason}", path.display())]
    ContentMismatch {
        /// The file.
        path: PathBuf,
        /// The sizes or checksums found and expected.
        reason: String,
    },
}

impl ManifestError {
    /// True if the generation is at fault and not the machine, so that trying again does not help. A missing file counts as a fault of
    /// the generation.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::File(error) => error.source.kind() == io::ErrorKind::NotFound,
            Self::Damaged { .. } | Self::LayoutMismatch { .. } | Self::ContentMismatch { .. } => {
                true
            }
        }
    }
}
