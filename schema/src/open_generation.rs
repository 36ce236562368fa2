//! Verifies the files of a generation and opens it.

use std::path::Path;

use crate::{
    ADDRESSES_DIR, AddressIndex, GenerationName, IndexError, Manifest, ManifestError, PLACES_DIR,
    RegisterVersion, StoredPlaces, VerificationCache,
};

/// An open, verified generation.
pub struct Generation {
    /// The manifest of the generation.
    pub manifest: Manifest,
    /// The addresses of the generation.
    pub addresses: AddressIndex,
    /// The streets and towns of the generation.
    pub places: StoredPlaces,
    /// The verified files. Opening the next generation does not hash them again.
    pub verification_cache: VerificationCache,
}

/// Why a generation cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum OpenGenerationError {
    /// The manifest, or a file that it lists, is missing or damaged.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// The files are undamaged, but their index does not open.
    #[error("generation {generation}: {source}")]
    Index {
        /// The name of the generation.
        generation: GenerationName,
        /// The error of the index.
        source: IndexError,
    },
    /// The manifest in the folder has another name.
    #[error("generation {found} where generation {expected} is expected")]
    NameMismatch {
        /// The expected name.
        expected: GenerationName,
        /// The name in the manifest.
        found: GenerationName,
    },
    /// The number of addresses in the index differs from the number in the manifest.
    #[error("generation {generation} has {found} addresses, but its manifest says {expected}")]
    AddressCountMismatch {
        /// The name of the generation.
        generation: GenerationName,
        /// Addresses in the index.
        found: u64,
        /// Addresses in the manifest.
        expected: u64,
    },
    /// The index was built from another state of the register than the manifest says.
    #[error(
        "generation {generation} has addresses of {}, but its manifest says {expected}",
        describe_version(found)
    )]
    RegisterVersionMismatch {
        /// The name of the generation.
        generation: GenerationName,
        /// The state in the index; `None` if the index has no state.
        found: Option<RegisterVersion>,
        /// The state in the manifest.
        expected: RegisterVersion,
    },
}

impl OpenGenerationError {
    /// True if the generation is at fault and not the machine, so that trying again does not help.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Manifest(error) => error.is_refusal(),
            // The files are undamaged, so the system failed, for example because too many files are open.
            Self::Index { source, .. } => {
                !matches!(source, IndexError::Tantivy(_) | IndexError::Io(_))
            }
            Self::NameMismatch { .. }
            | Self::AddressCountMismatch { .. }
            | Self::RegisterVersionMismatch { .. } => true,
        }
    }
}

fn describe_version(version: &Option<RegisterVersion>) -> String {
    version.map_or("an unknown stand".to_owned(), |version| version.to_string())
}

impl Generation {
    /// Opens the generation in a folder. The generation must have the name `expected`. Verifies the size and SHA-256 of every file, the
    /// number of addresses and the state of the register. This takes up to a second for the whole country. Afterwards the files are in the
    /// page cache.
    ///
    /// # Errors
    /// Names the file or the number that differs from the manifest.
    pub fn open(folder: &Path, expected: GenerationName) -> Result<Self, OpenGenerationError> {
        Self::open_with_cache(&VerificationCache::default(), folder, expected)
    }

    /// Like [`open`](Self::open), but does not hash files that are in the cache and unchanged.
    ///
    /// # Errors
    /// Names the file or the number that differs from the manifest.
    pub fn open_with_cache(
        cache: &VerificationCache,
        folder: &Path,
        expected: GenerationName,
    ) -> Result<Self, OpenGenerationError> {
        let manifest = Manifest::read(folder)?;
        let generation = manifest.generation;
        if generation != expected {
            return Err(OpenGenerationError::NameMismatch {
                expected,
                found: generation,
            });
        }
        let verification_cache = manifest.verify_with_cache(cache, folder)?;
        let unusable = |source| OpenGenerationError::Index { generation, source };
        let addresses = AddressIndex::open(&folder.join(ADDRESSES_DIR)).map_err(unusable)?;
        let (found, expected) = (addresses.register_version(), manifest.register_version());
        if found != Some(expected) {
            return Err(OpenGenerationError::RegisterVersionMismatch {
                generation,
                found,
                expected,
            });
        }
        let (found, expected) = (addresses.len(), manifest.counts.addresses);
        if found != expected {
            return Err(OpenGenerationError::AddressCountMismatch {
                generation,
                found,
                expected,
            });
        }
        let places = StoredPlaces::open(&folder.join(PLACES_DIR)).map_err(unusable)?;
        Ok(Self {
            manifest,
            addresses,
            places,
            verification_cache,
        })
    }
}
