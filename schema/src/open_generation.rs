//! Opening a generation: nothing in it is used before all of it is as it was published.

use std::path::Path;

use crate::{
    ADDRESSES, AddressIndex, GenerationName, IndexError, Manifest, ManifestError, PLACES,
    PlaceIndex, Stamp, Verified,
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
    pub verified: Verified,
}

/// A generation that is not fit to be served.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
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
    OtherName {
        /// The one that is wanted.
        wanted: GenerationName,
        /// The one in the manifest.
        found: GenerationName,
    },
    /// It holds another number of addresses than its manifest says.
    #[error("generation {generation} holds {found} addresses, published with {expected}")]
    OtherCount {
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
        told(found)
    )]
    OtherStamp {
        /// Which one.
        generation: GenerationName,
        /// What the index says of itself, if anything.
        found: Option<Stamp>,
        /// What the manifest says.
        expected: Stamp,
    },
}

fn told(stamp: &Option<Stamp>) -> String {
    stamp.map_or("an unknown stand".to_owned(), |stamp| stamp.to_string())
}

impl Generation {
    /// Opens the generation `wanted` in a folder after reading every file of it: size and SHA-256 as published, the count of
    /// addresses, and the state of the register that they are of. Takes up to a second for the whole country; what was read
    /// stays in the page cache.
    ///
    /// # Errors
    /// Names the file or the number that is not as published.
    pub fn open(folder: &Path, wanted: GenerationName) -> Result<Self, OpenError> {
        Self::open_knowing(&Verified::default(), folder, wanted)
    }

    /// The same without the files that were read for another generation by this process, and not written to since.
    ///
    /// # Errors
    /// Names the file or the number that is not as published.
    pub fn open_knowing(
        known: &Verified,
        folder: &Path,
        wanted: GenerationName,
    ) -> Result<Self, OpenError> {
        let manifest = read_manifest(folder, wanted)?;
        let verified = manifest.verify_knowing(known, folder)?;
        Self::of(manifest, folder, verified)
    }

    /// The same for one that was just made of `base`, which was opened whole a moment ago: files that are in both are not read
    /// a second time.
    ///
    /// # Errors
    /// Names the file or the number that is not as published.
    pub fn open_over(
        base: &Manifest,
        folder: &Path,
        wanted: GenerationName,
    ) -> Result<Self, OpenError> {
        let manifest = read_manifest(folder, wanted)?;
        manifest.verify_over(base, folder)?;
        Self::of(manifest, folder, Verified::default())
    }

    fn of(manifest: Manifest, folder: &Path, verified: Verified) -> Result<Self, OpenError> {
        let generation = manifest.generation;
        let unusable = |source| OpenError::Index { generation, source };
        let addresses = AddressIndex::open(&folder.join(ADDRESSES)).map_err(unusable)?;
        let places = PlaceIndex::open(&folder.join(PLACES)).map_err(unusable)?;
        let (found, expected) = (addresses.stamp(), manifest.stamp());
        if found != Some(expected) {
            return Err(OpenError::OtherStamp {
                generation,
                found,
                expected,
            });
        }
        let (found, expected) = (addresses.len(), manifest.counts.addresses);
        if found != expected {
            return Err(OpenError::OtherCount {
                generation,
                found,
                expected,
            });
        }
        Ok(Self {
            manifest,
            addresses,
            places,
            verified,
        })
    }
}

fn read_manifest(folder: &Path, wanted: GenerationName) -> Result<Manifest, OpenError> {
    let manifest = Manifest::read(folder)?;
    if manifest.generation == wanted {
        Ok(manifest)
    } else {
        Err(OpenError::OtherName {
            wanted,
            found: manifest.generation,
        })
    }
}
