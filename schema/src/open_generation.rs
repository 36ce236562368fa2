//! Opening a generation: nothing in it is used before all of it is as it was published.

use std::path::Path;

use crate::{
    ADDRESSES_DIR, AddressIndex, GenerationName, IndexError, Manifest, ManifestError, PLACES_DIR,
    PlaceIndex, RegisterVersion, VerificationCache,
};

/// One generation, whole and open.
pub struct Generation {
    /// What it holds.
    pub manifest: Manifest,
    /// Its addresses.
    pub addresses: AddressIndex,
    /// Its streets and towns.
    pub places: PlaceIndex,
    /// Its files, as they were read; empty where only some of them were.
    pub verification_cache: VerificationCache,
}

/// A generation that is not fit to be served.
#[derive(Debug, thiserror::Error)]
pub enum OpenGenerationError {
    /// Its manifest, or a file that the manifest lists, is missing or damaged.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// Its files are whole, but the index in them does not open.
    #[error("generation {generation}: {source}")]
    Index {
        /// Which one.
        generation: GenerationName,
        /// Why.
        source: IndexError,
    },
    /// The folder holds another generation than it should.
    #[error("generation {found} where generation {wanted} is expected")]
    NameMismatch {
        /// The one that is wanted.
        wanted: GenerationName,
        /// The one in the manifest.
        found: GenerationName,
    },
    /// It holds another number of addresses than its manifest says.
    #[error("generation {generation} holds {found} addresses, published with {expected}")]
    AddressCountMismatch {
        /// Which one.
        generation: GenerationName,
        /// Addresses in the index.
        found: u64,
        /// Addresses in the manifest.
        expected: u64,
    },
    /// Its addresses are of another state of the register than its manifest says.
    #[error(
        "generation {generation} holds addresses of {}, published as {expected}",
        describe_version(found)
    )]
    RegisterVersionMismatch {
        /// Which one.
        generation: GenerationName,
        /// What the index says of itself, if anything.
        found: Option<RegisterVersion>,
        /// What the manifest says.
        expected: RegisterVersion,
    },
}

fn describe_version(stamp: &Option<RegisterVersion>) -> String {
    stamp.map_or("an unknown stand".to_owned(), |stamp| stamp.to_string())
}

impl Generation {
    /// Opens the generation `wanted` in a folder after reading every file of it: size and SHA-256 as published, the count of
    /// addresses, and the state of the register that they are of. Takes up to a second for the whole country; what was read
    /// stays in the page cache.
    ///
    /// # Errors
    /// Names the file or the number that is not as published.
    pub fn open(folder: &Path, expected: GenerationName) -> Result<Self, OpenGenerationError> {
        Self::open_with_cache(&VerificationCache::default(), folder, expected)
    }

    /// The same without the files that were read for another generation by this process, and not written to since.
    ///
    /// # Errors
    /// Names the file or the number that is not as published.
    pub fn open_with_cache(
        cache: &VerificationCache,
        folder: &Path,
        expected: GenerationName,
    ) -> Result<Self, OpenGenerationError> {
        let manifest = read_manifest(folder, expected)?;
        let verification_cache = manifest.verify_with_cache(cache, folder)?;
        Self::open_indexes(manifest, folder, verification_cache)
    }

    /// The same for one that was just made of `base`, which was opened whole a moment ago: files that are in both are not read
    /// a second time.
    ///
    /// # Errors
    /// Names the file or the number that is not as published.
    pub fn open_incremental(
        base: &Manifest,
        folder: &Path,
        expected: GenerationName,
    ) -> Result<Self, OpenGenerationError> {
        let manifest = read_manifest(folder, expected)?;
        manifest.verify_incremental(base, folder)?;
        Self::open_indexes(manifest, folder, VerificationCache::default())
    }

    fn open_indexes(
        manifest: Manifest,
        folder: &Path,
        verification_cache: VerificationCache,
    ) -> Result<Self, OpenGenerationError> {
        let generation = manifest.generation;
        let unusable = |source| OpenGenerationError::Index { generation, source };
        let addresses = AddressIndex::open(&folder.join(ADDRESSES_DIR)).map_err(unusable)?;
        let places = PlaceIndex::open(&folder.join(PLACES_DIR)).map_err(unusable)?;
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
        Ok(Self {
            manifest,
            addresses,
            places,
            verification_cache,
        })
    }
}

fn read_manifest(folder: &Path, expected: GenerationName) -> Result<Manifest, OpenGenerationError> {
    let manifest = Manifest::read(folder)?;
    if manifest.generation == expected {
        Ok(manifest)
    } else {
        Err(OpenGenerationError::NameMismatch {
            wanted: expected,
            found: manifest.generation,
        })
    }
}
