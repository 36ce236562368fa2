//! One generation, opened: verified, complete, and unchanging for as long as a request holds it.

use std::thread;

use postduif_schema::{
    Address, AddressId, AddressIndex, AddressSummary, DataFolder, Generation, GenerationName,
    HouseNumber, Manifest, OpenGenerationError, PlaceIndex, Postcode, PostcodeDirectory,
    PostcodeSet, PostcodeStreets, VerificationCache,
};

use super::spatial::{NearbyAddress, NearestSearch, SearchCentre, SegmentTrees};
use crate::search::{self, LookupError, SearchIndex, SearchSuggestion, SuggestionFilter};
use crate::validation::AddressLookup;

/// The addresses that a request sees from start to end, with their pedigree.
pub struct Snapshot {
    /// None for addresses that come from no generation, as the sandbox's.
    manifest: Option<Manifest>,
    /// The files that were read whole for it, or for a snapshot before it that had them too.
    verified: VerificationCache,
    addresses: AddressIndex,
    places: PlaceIndex,
    /// Of `addresses`; likewise below.
    postcode_streets: PostcodeStreets,
    point_trees: SegmentTrees,
}

impl Snapshot {
    /// Opens a generation after reading every file of it: size and SHA-256 as published, and the count of addresses. Files
    /// that are those of the snapshot `before`, and were not written to since they were read for it, are not read again. Trees
    /// of points and streets of postcodes are taken over from it where it holds the same segments.
    ///
    /// Takes up to a second for the whole country, and two to four more when all its trees have to be built, so it belongs
    /// on a blocking thread. What was read stays in the page cache: verifying is warming.
    ///
    /// # Errors
    /// Names the file or the number that is not as published.
    pub fn open(
        data: &DataFolder,
        name: GenerationName,
        previous: Option<&Self>,
    ) -> Result<Self, OpenGenerationError> {
        let unknown = VerificationCache::default();
        let known = previous.map_or(&unknown, |before| &before.verified);
        let Generation {
            manifest,
            addresses,
            places,
            verification_cache: verified,
        } = Generation::open_with_cache(known, &data.generation_path(name), name)?;
        let unusable = |source| OpenGenerationError::Index {
            generation: name,
            source,
        };
        let streets = previous.map(|before| (&before.addresses, &before.postcode_streets));
        let (postcodes, point_trees) = thread::scope(|scope| {
            let postcodes = scope.spawn(|| {
                let directory =
                    PostcodeDirectory::read(&addresses, previous.map(|before| &before.addresses))?;
                Ok((directory, PostcodeStreets::read(&addresses, streets)?))
            });
            let point_trees =
                SegmentTrees::build_reusing(&addresses, previous.map(|before| &before.point_trees));
            (
                postcodes.join().expect("reading does not panic"),
                point_trees,
            )
        });
        let (directory, postcode_streets) = postcodes.map_err(unusable)?;
        Ok(Self {
            manifest: Some(manifest),
            verified,
            postcode_streets,
            point_trees,
            addresses: addresses.with_postcode_directory(directory),
            places,
        })
    }

    /// Makes a snapshot of a few fixed addresses, in memory.
    ///
    /// # Errors
    /// When the index cannot be made, which for a small set it can.
    pub fn in_memory<'a>(
        fixed: impl IntoIterator<Item = &'a Address> + Clone,
    ) -> Result<Self, LookupError> {
        let addresses = AddressIndex::in_memory(fixed.clone())?;
        let directory = PostcodeDirectory::read(&addresses, None)?;
        Ok(Self {
            manifest: None,
            verified: VerificationCache::default(),
            postcode_streets: PostcodeStreets::read(&addresses, None)?,
            places: PlaceIndex::in_memory(fixed)?,
            point_trees: SegmentTrees::build_reusing(&addresses, None),
            addresses: addresses.with_postcode_directory(directory),
        })
    }

    /// What generation this is; none when it comes from none.
    #[must_use]
    pub fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }

    /// How many addresses it holds.
    #[must_use]
    pub fn address_count(&self) -> u64 {
        self.addresses.len()
    }

    /// How many of its trees of points were built when it was opened; the others came from the snapshot before it.
    #[must_use]
    pub fn trees_built(&self) -> usize {
        self.point_trees.built_count()
    }

    /// The address with this id.
    ///
    /// # Errors
    /// When the index cannot be read; likewise below.
    pub fn address_by_id(&self, id: AddressId) -> Result<Option<Address<&str>>, LookupError> {
        Ok(self.addresses.borrow_by_id(id)?)
    }

    /// Of the addresses at a number the one that v3 chooses.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn preferred_address_at_number(
        &self,
        postcode: Postcode,
        number: HouseNumber,
    ) -> Result<Option<AddressSummary<'_>>, LookupError> {
        Ok(self.addresses.find_preferred(postcode, number)?)
    }

    /// Every address at a number, letters and additions included, in no particular order.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn borrow_at_number(
        &self,
        postcode: Postcode,
        number: HouseNumber,
    ) -> Result<Vec<Address<&str>>, LookupError> {
        Ok(self.addresses.borrow_by_number(postcode, number)?)
    }

    /// Every address of a postcode, in no particular order.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn addresses_in_postcode(&self, postcode: Postcode) -> Result<Vec<Address>, LookupError> {
        Ok(self.addresses.find_by_postcode(postcode)?)
    }

    /// Every address of a postcode, in no particular order, to be written at once.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn borrow_in_postcode(
        &self,
        postcode: Postcode,
    ) -> Result<Vec<Address<&str>>, LookupError> {
        Ok(self.addresses.borrow_by_postcode(postcode)?)
    }

    /// What a person may mean who has typed this much, the likeliest first.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn suggest(
        &self,
        typed: &str,
        wanted: SuggestionFilter,
        limit: usize,
    ) -> Result<Vec<SearchSuggestion<'_>>, LookupError> {
        let index = SearchIndex {
            addresses: &self.addresses,
            places: &self.places,
        };
        search::suggest(index, typed, wanted, limit)
    }

    /// The nearest `limit` addresses within `radius_m` metres of a point, nearest first; those at the same distance in listing
    /// order. What has no place, as a post-office box, is near nothing.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn nearest_addresses(
        &self,
        centre: SearchCentre,
        radius_m: u32,
        limit: usize,
    ) -> Result<Vec<NearbyAddress>, LookupError> {
        let search = NearestSearch {
            addresses: &self.addresses,
            trees: &self.point_trees,
            centre,
        };
        Ok(search.nearest(radius_m.into(), limit)?)
    }
}

impl AddressLookup for Snapshot {
    type Error = LookupError;

    fn postcodes(&self) -> &PostcodeSet {
        self.postcode_streets.postcodes()
    }

    fn addresses_at_number(
        &self,
        postcode: Postcode,
        number: HouseNumber,
    ) -> Result<Vec<Address>, LookupError> {
        Ok(self.addresses.find_by_number(postcode, number)?)
    }

    fn house_numbers_in(&self, postcode: Postcode) -> Result<Vec<HouseNumber>, LookupError> {
        Ok(self.addresses.house_numbers_in_postcode(postcode)?)
    }

    fn streets_in_postcode(&self, postcode: Postcode) -> impl Iterator<Item = (&str, &str)> {
        self.postcode_streets
            .streets_in_postcode(&self.addresses, postcode)
    }
}
