//! Why a generation was not published to a bucket.

use std::path::PathBuf;

use crate::sync::{BucketError, PublicationNumber};
use postduif_schema::{
    DataFolderError, GenerationName, LAYOUT_VERSION, ManifestError, OpenGenerationError,
};

/// A generation that was not published. Nodes see nothing of it.
#[derive(Debug, thiserror::Error)]
pub enum BucketPublishError {
    /// There is nothing to publish.
    #[error(
        "{}: nothing is served yet, so there is nothing to publish; make a generation with `postduif index build`",
        path.display()
    )]
    NothingServed {
        /// The data folder.
        path: PathBuf,
    },
    /// The generation is not sound, or the data folder cannot be read.
    #[error(transparent)]
    Generation(#[from] OpenGenerationError),
    /// The manifest cannot be read.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// The data folder cannot be read.
    #[error(transparent)]
    Data(#[from] DataFolderError),
    /// What is published is of a later state.
    #[error(
        "generation {generation} is of an earlier state than {newest}, which is published as {publication}; nothing is published. \
         If nodes shall go back to it, as after `postduif index rollback`, publish it with --accept-older"
    )]
    Older {
        /// The one that is served here.
        generation: GenerationName,
        /// The newest publication.
        publication: PublicationNumber,
        /// Its generation.
        newest: GenerationName,
    },
    /// What is published covers another part of the country.
    #[error(
        "publication {publication} covers another area than the generation that is served here; nothing is published. Publish to a \
         bucket or prefix of its own"
    )]
    AreaMismatch {
        /// The newest publication.
        publication: PublicationNumber,
    },
    /// What is published was made by a newer postduif.
    #[error(
        "publication {publication} has layout {found}, and this postduif makes the older layout {LAYOUT_VERSION}; nothing is \
         published. Install the newer postduif here and build again, or publish with --accept-older if nodes shall go back"
    )]
    NewerLayout {
        /// The newest publication.
        publication: PublicationNumber,
        /// Its layout version.
        found: u32,
    },
    /// The name is taken by something else.
    #[error(
        "publication {publication} is another generation of the same name, {generation}; nothing is published. Build again: the next \
         one gets the next number"
    )]
    NameTaken {
        /// The name.
        generation: GenerationName,
        /// Who has it.
        publication: PublicationNumber,
    },
    /// Something stands under the last number.
    #[error(
        "publication {highest} has the highest number there is, so none can come after it; nothing is published. No postduif \
         counts that far: see what it is with `postduif index publications`, and take its manifest out of the bucket"
    )]
    NumbersExhausted {
        /// That number.
        highest: PublicationNumber,
    },
    /// Others were faster each time.
    #[error(
        "other publishers were faster {tries} times in a row; publish again when they are done"
    )]
    Contended {
        /// How often.
        tries: usize,
    },
    /// The bucket.
    #[error(transparent)]
    Bucket(#[from] BucketError),
}

impl BucketPublishError {
    /// Whether it must not be published as it is: trying again will not help.
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
