//! Defines the errors of publishing to a bucket.

use std::path::PathBuf;

use crate::sync::{BucketError, PublicationNumber};
use postduif_schema::{
    DataFolderError, GenerationName, LAYOUT_VERSION, ManifestError, OpenGenerationError,
};

/// Why a generation was not published. A failed attempt does not affect nodes.
#[derive(Debug, thiserror::Error)]
pub enum BucketPublishError {
    /// The data folder serves no generation.
    #[error(
        "{}: nothing is served yet, so there is nothing to publish; build a generation with `postduif index build`",
        path.display()
    )]
    NothingServed {
        /// The data folder.
        path: PathBuf,
    },
    /// The generation is damaged or cannot be read.
    #[error(transparent)]
    Generation(#[from] OpenGenerationError),
    /// The manifest cannot be read.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// The data folder cannot be read.
    #[error(transparent)]
    Data(#[from] DataFolderError),
    /// The newest publication has a later state of the register.
    #[error(
        "generation {generation} has an earlier state than {newest}, which is publication {publication}; nothing is published. \
         To make nodes go back to the earlier state, as after `postduif index rollback`, publish with --accept-older"
    )]
    Older {
        /// The generation that is served here.
        generation: GenerationName,
        /// The newest publication.
        publication: PublicationNumber,
        /// The generation of that publication.
        newest: GenerationName,
    },
    /// The newest publication covers another area.
    #[error(
        "publication {publication} covers another area than the generation that is served here; nothing is published. Publish each \
                 area to a separate bucket or prefix"
    )]
    AreaMismatch {
        /// The newest publication.
        publication: PublicationNumber,
    },
    /// A newer postduif made the newest publication.
    #[error(
        "publication {publication} has layout {found}, but this postduif makes the older layout {LAYOUT_VERSION}; nothing is \
         published. Install the newer postduif here and build again, or publish with --accept-older to make nodes go back"
    )]
    NewerLayout {
        /// The newest publication.
        publication: PublicationNumber,
        /// The layout version of that publication.
        found: u32,
    },
    /// Another generation was published with the same name.
    #[error(
        "publication {publication} is another generation with the same name, {generation}; nothing is published. Build again, so that \
                 the new generation gets the next name"
    )]
    NameTaken {
        /// The name of both generations.
        generation: GenerationName,
        /// The publication of the other generation.
        publication: PublicationNumber,
    },
    /// The highest possible number is taken.
    #[error(
        "publication {highest} has the highest possible number, so no publication can follow it; nothing is published. postduif \
         never reaches that number: list it with `postduif index publications`, and delete its manifest from the bucket"
    )]
    NumbersExhausted {
        /// The highest possible number.
        highest: PublicationNumber,
    },
    /// In each attempt, another publisher took the number first.
    #[error(
        "other publishers took the next number in all {attempts} attempts; publish again when they are done"
    )]
    Contended {
        /// The number of attempts.
        attempts: usize,
    },
    /// A request to the bucket failed.
    #[error(transparent)]
    Bucket(#[from] BucketError),
}

impl BucketPublishError {
    /// Whether this generation is refused. If so, retrying does not help.
    #[must_use]
    pub const fn is_refusal(&self) -> bool {
        match self {
            Self::NothingServed { .. }
            | Self::Older { .. }
            | Self::AreaMismatch { .. }
            | Self::NewerLayout { .. }
            | Self::NumbersExhausted { .. }
            | Self::NameTaken { .. } => true,
            Self::Generation(_)
            | Self::Manifest(_)
            | Self::Data(_)
            | Self::Contended { .. }
            | Self::Bucket(_) => false,
        }
    }
}
