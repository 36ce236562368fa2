//! Opens and verifies a generation, and answers queries on its addresses.

use std::thread;

use postduif_schema::{
    Address, AddressId, AddressIndex, DataFolder, Generation, GenerationName, HouseNumber,
    LookupDirectory, Manifest, OpenGenerationError, PlaceIndex, Postcode, PostcodeSet, StreetKey,
    VerificationCache,
};
use sha2::{Digest as _, Sha256};

use super::metrics::{SUGGESTION_CACHE_HITS, SUGGESTION_CACHE_MISSES};
use super::spatial::{NearbyAddress, NearestSearch, SearchCentre, SegmentTrees};
use crate::search::{
    self, LookupError, NamedAddressQuery, SearchIndex, SearchSuggestion, SuggestionCache,
    SuggestionFilter,
};
use crate::validation::AddressLookup;

/// An open generation: its addresses and its manifest. Each request uses one snapshot from start to end.
pub struct Snapshot {
    /// `None` for addresses without a generation, such as the sandbox's.
    manifest: Option<Manifest>,
    /// The files that were verified by their checksums, for this snapshot or for a previous one.
    verified: VerificationCache,
    addresses: AddressIndex,
    places: PlaceIndex,
    /// The locations of `addresses`.
    point_trees: SegmentTrees,
    /// See [`etag`](Self::etag).
    etag: Box<str>,
    /// `None` if the cache is off.
    suggestion_cache: Option<SuggestionCache>,
}

impl Snapshot {
    /// Verifies the size and the SHA-256 of every file and also the number of addresses, and then opens the generation. Does not verify a
    /// file again if it was verified for the `previous` snapshot and has not been written since. A segment that `previous` has too keeps
    /// its tree of points and its directory.
    ///
    /// Opening the whole country takes up to a second, and two to four seconds more if all trees must be built. Call this function on a
    /// blocking thread. Verifying also loads the files into the page cache of the operating system.
    ///
    /// # Errors
    /// When a file or the number of addresses differs from the manifest. The error says which.
    pub fn open(
        data: &DataFolder,
        name: GenerationName,
        previous: Option<&Self>,
    ) -> Result<Self, OpenGenerationError> {
        let unknown = VerificationCache::default();
        let known = previous.map_or(&unknown, |previous| &previous.verified);
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
        let places = PlaceIndex::from_stored(&places).map_err(unusable)?;
        let (directory, point_trees) = thread::scope(|scope| {
            let directory = scope.spawn(|| {
                LookupDirectory::read(&addresses, previous.map(|previous| &previous.addresses))
            });
            let point_trees = SegmentTrees::build_reusing(
                &addresses,
                previous.map(|previous| &previous.point_trees),
            );
            (
                directory.join().expect("reading does not panic"),
                point_trees,
            )
        });
        Ok(Self {
            etag: etag_from_checksum(&manifest.checksum),
            manifest: Some(manifest),
            verified,
            point_trees,
            addresses: directory.map_err(unusable)?.attach_to(addresses),
            places,
            suggestion_cache: None,
        })
    }

    /// Builds a snapshot of a few fixed addresses in memory.
    ///
    /// # Errors
    /// When the index cannot be built, which does not happen for a small set.
    pub fn in_memory<'a>(
        fixed: impl IntoIterator<Item = &'a Address> + Clone,
    ) -> Result<Self, LookupError> {
        let addresses = AddressIndex::in_memory(fixed.clone())?;
        let directory = LookupDirectory::read(&addresses, None)?;
        Ok(Self {
            etag: etag_of_addresses(fixed.clone().into_iter()),
            manifest: None,
            verified: VerificationCache::default(),
            places: PlaceIndex::in_memory(fixed)?,
            point_trees: SegmentTrees::build_reusing(&addresses, None),
            addresses: directory.attach_to(addresses),
            suggestion_cache: None,
        })
    }

    /// Caches suggested places in at most `max_bytes` of memory; 0 turns the cache off.
    #[must_use]
    pub fn with_suggestion_cache(self, max_bytes: usize) -> Self {
        let cache = || {
            let hits = SUGGESTION_CACHE_HITS.counter();
            SuggestionCache::new(max_bytes, hits, SUGGESTION_CACHE_MISSES.counter())
        };
        Self {
            suggestion_cache: (max_bytes > 0).then(cache),
            ..self
        }
    }

    /// The manifest of the generation; `None` for fixed addresses.
    pub fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }

    /// The HTTP entity tag of every look-up in this snapshot. Nodes that serve the same generation send the same tag; another generation
    /// has another tag. The tag is weak, which means that it promises the same addresses but not the same bytes: a newer version of the
    /// program may format the addresses differently, and a proxy may compress the response.
    pub fn etag(&self) -> &str {
        &self.etag
    }

    /// The number of addresses.
    pub fn address_count(&self) -> u64 {
        self.addresses.len()
    }

    /// How many trees of points were built when the snapshot was opened. The other trees come from the previous snapshot.
    pub fn trees_built(&self) -> usize {
        self.point_trees.built_count()
    }

    /// The address with this id.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn address_by_id(&self, id: AddressId) -> Result<Option<Address<&str>>, LookupError> {
        Ok(self.addresses.borrow_by_id(id)?)
    }

    /// The index of the addresses.
    pub fn addresses(&self) -> &AddressIndex {
        &self.addresses
    }

    /// Suggests what the typed text may mean, the likeliest first.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn suggest(
        &self,
        typed: &str,
        filter: SuggestionFilter,
        limit: usize,
    ) -> Result<Vec<SearchSuggestion<'_>>, LookupError> {
        match &self.suggestion_cache {
            Some(cache) => cache.suggest(self.search_index(), typed, filter, limit),
            None => search::suggest(self.search_index(), typed, filter, limit),
        }
    }

    /// The address with the house number nearest to the entered one, see [`search::find_nearest_number`].
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn nearest_number(
        &self,
        query: &NamedAddressQuery<'_>,
    ) -> Result<Option<Address>, LookupError> {
        search::find_nearest_number(self.search_index(), query)
    }

    /// Whether a town has this name.
    #[must_use]
    pub fn has_town(&self, name: &str) -> bool {
        search::has_town(self.search_index(), name)
    }

    fn search_index(&self) -> SearchIndex<'_> {
        SearchIndex {
            addresses: &self.addresses,
            places: &self.places,
        }
    }

    /// The nearest `limit` addresses within `radius_m` metres of a point, sorted by distance. Addresses at the same distance are sorted by
    /// postcode, house number, letter and addition. An address without a location, such as a post-office box, is never returned.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn nearest_addresses(
        &self,
        centre: SearchCentre,
        radius_m: u32,
        limit: usize,
    ) -> Result<Vec<NearbyAddress<'_>>, LookupError> {
        let search = NearestSearch {
            addresses: &self.addresses,
            trees: &self.point_trees,
            centre,
        };
        Ok(search.nearest(radius_m.into(), limit)?)
    }
}

/// How many hexadecimal digits of the checksum are in an entity tag. With 64 bits, two generations do not get the same tag by
/// chance.
const ETAG_DIGITS: usize = 16;

fn etag_from_checksum(hex_digits: &str) -> Box<str> {
    let digits = hex_digits.get(..ETAG_DIGITS).unwrap_or(hex_digits);
    format!("W/\"{digits}\"").into()
}

/// The entity tag of addresses without a manifest: a hash of their `Debug` output, which has every field.
fn etag_of_addresses<'a>(addresses: impl Iterator<Item = &'a Address>) -> Box<str> {
    let mut digest = Sha256::new();
    for address in addresses {
        digest.update(format!("{address:?}\n"));
    }
    etag_from_checksum(&hex::encode(digest.finalize()))
}

/// Maximum number of addresses that a search by text returns to validation. Less likely addresses are left out.
const MAX_BY_TEXT: usize = 10;

impl AddressLookup for Snapshot {
    type Error = LookupError;

    fn postcodes(&self) -> &PostcodeSet {
        self.places.postcodes()
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

    fn addresses_by_exact_name(
        &self,
        query: &NamedAddressQuery<'_>,
    ) -> Result<Vec<Address>, LookupError> {
        search::find_exactly_named_addresses(self.search_index(), query)
    }

    fn addresses_by_name(
        &self,
        query: &NamedAddressQuery<'_>,
    ) -> Result<Vec<Address>, LookupError> {
        search::find_named_addresses(self.search_index(), query)
    }

    fn addresses_in_other_cities(
        &self,
        query: &NamedAddressQuery<'_>,
    ) -> Result<Vec<Address>, LookupError> {
        search::find_in_other_towns(self.search_index(), query)
    }

    fn addresses_by_text(&self, text: &str) -> Result<Vec<Address>, LookupError> {
        let filter = SuggestionFilter::Address;
        let found = search::suggest(self.search_index(), text, filter, MAX_BY_TEXT)?;
        let mut addresses = Vec::with_capacity(found.len());
        for id in found.iter().filter_map(|suggestion| suggestion.id) {
            addresses.extend(self.addresses.get_by_id(id)?);
        }
        Ok(addresses)
    }

    // If the index is damaged, no form is visited, and only the register's own spelling counts.
    fn for_each_street_form(&self, address: &Address, visit: &mut dyn FnMut(&str)) {
        let key = StreetKey::from_address(address);
        let streets = self.places.streets_in_postcode(address.postcode);
        for street in streets.filter(|street| Some(street.key) == key) {
            street.forms().for_each(&mut *visit);
        }
    }

    fn streets_in_postcode(&self, postcode: Postcode) -> impl Iterator<Item = (&str, &str)> {
        let streets = self.places.streets_in_postcode(postcode);
        streets
            .filter_map(|street| Some((street.name, &*self.places.town_of_street(&street)?.name)))
    }
}
