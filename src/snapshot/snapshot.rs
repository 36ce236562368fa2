//! One generation, opened: verified, complete, and unchanging for as long as a request holds it.

use std::thread;

use postduif_schema::{
    Address, AddressId, AddressIndex, DataFolder, Generation, GenerationName, HouseNumber,
    Manifest, OpenError, PlaceIndex, Postcode, PostcodeDirectory, PostcodeSet, PostcodeStreets,
    Verified, Whereabouts,
};

use super::spatial::{Centre, Nearby, Search, Trees};
use crate::search::{LookupError, SearchIndex, Suggestion, Wanted};
use crate::validation::AddressBook;

/// The addresses that a request sees from start to end, with their pedigree.
pub struct Snapshot {
    /// None for addresses that come from no generation, as the sandbox's.
    manifest: Option<Manifest>,
    /// The files that were read whole for it, or for a snapshot before it that had them too.
    verified: Verified,
    addresses: AddressIndex,
    places: PlaceIndex,
    /// Of `addresses`; likewise below.
    streets: PostcodeStreets,
    trees: Trees,
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
        before: Option<&Self>,
    ) -> Result<Self, OpenError> {
        let unknown = Verified::default();
        let known = before.map_or(&unknown, |before| &before.verified);
        let Generation {
            manifest,
            addresses,
            places,
            verified,
        } = Generation::open_knowing(known, &data.generation_path(name), name)?;
        let unusable = |source| OpenError::Index {
            generation: name,
            source,
        };
        let streets = before.map(|before| (&before.addresses, &before.streets));
        let (postcodes, trees) = thread::scope(|scope| {
            let postcodes = scope.spawn(|| {
                let directory =
                    PostcodeDirectory::read(&addresses, before.map(|before| &before.addresses))?;
                Ok((directory, PostcodeStreets::read(&addresses, streets)?))
            });
            let trees = Trees::of(&addresses, before.map(|before| &before.trees));
            (postcodes.join().expect("reading does not panic"), trees)
        });
        let (directory, streets) = postcodes.map_err(unusable)?;
        Ok(Self {
            manifest: Some(manifest),
            verified,
            streets,
            trees,
            addresses: addresses.with_directory(directory),
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
            verified: Verified::default(),
            streets: PostcodeStreets::read(&addresses, None)?,
            places: PlaceIndex::in_memory(fixed)?,
            trees: Trees::of(&addresses, None),
            addresses: addresses.with_directory(directory),
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
        self.trees.built()
    }

    /// The address with this id.
    ///
    /// # Errors
    /// When the index cannot be read; likewise below.
    pub fn by_id(&self, id: AddressId) -> Result<Option<Address<&str>>, LookupError> {
        Ok(self.addresses.borrow_by_id(id)?)
    }

    /// Of the addresses at a number the one that v3 chooses.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn preferred_at_number(
        &self,
        postcode: Postcode,
        number: HouseNumber,
    ) -> Result<Option<Whereabouts<'_>>, LookupError> {
        Ok(self.addresses.preferred_at_number(postcode, number)?)
    }

    /// Every address at a number, letters and additions included, in no particular order.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn at_number(
        &self,
        postcode: Postcode,
        number: HouseNumber,
    ) -> Result<Vec<Address<&str>>, LookupError> {
        Ok(self.addresses.borrow_at_number(postcode, number)?)
    }

    /// Every address of a postcode, in no particular order.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn in_postcode(&self, postcode: Postcode) -> Result<Vec<Address>, LookupError> {
        Ok(self.addresses.in_postcode(postcode)?)
    }

    /// Every address of a postcode, in no particular order, to be written at once.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn borrow_in_postcode(
        &self,
        postcode: Postcode,
    ) -> Result<Vec<Address<&str>>, LookupError> {
        Ok(self.addresses.borrow_in_postcode(postcode)?)
    }

    /// What a person may mean who has typed this much, the likeliest first.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn suggest(
        &self,
        typed: &str,
        wanted: Wanted,
        limit: usize,
    ) -> Result<Vec<Suggestion<'_>>, LookupError> {
        let index = SearchIndex {
            addresses: &self.addresses,
            places: &self.places,
        };
        index.suggest(typed, wanted, limit)
    }

    /// The nearest `limit` addresses within `radius_m` metres of a point, nearest first; those at the same distance in listing
    /// order. What has no place, as a post-office box, is near nothing.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn nearest(
        &self,
        centre: Centre,
        radius_m: u32,
        limit: usize,
    ) -> Result<Vec<Nearby>, LookupError> {
        let search = Search {
            addresses: &self.addresses,
            trees: &self.trees,
            centre,
        };
        Ok(search.nearest(radius_m.into(), limit)?)
    }
}

impl AddressBook for Snapshot {
    type Error = LookupError;

    fn postcodes(&self) -> &PostcodeSet {
        self.streets.postcodes()
    }

    fn at_number(
        &self,
        postcode: Postcode,
        number: HouseNumber,
    ) -> Result<Vec<Address>, LookupError> {
        Ok(self.addresses.at_number(postcode, number)?)
    }

    fn numbers_in(&self, postcode: Postcode) -> Result<Vec<HouseNumber>, LookupError> {
        Ok(self.addresses.numbers_in(postcode)?)
    }

    fn streets_in(&self, postcode: Postcode) -> impl Iterator<Item = (&str, &str)> {
        self.streets.of(&self.addresses, postcode)
    }
}
