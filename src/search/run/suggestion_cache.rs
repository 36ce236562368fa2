//! Caches the places that earlier searches of the same index suggested. The cache helps because people often type the same
//! beginnings.

use std::sync::Arc;

use metrics::Counter;
use postduif_schema::{AddressHandle, Postcode, StreetRank, TownRank};
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::hit::FoundPlace;
use super::search::{MIN_SUGGESTIONS, SearchIndex};
use super::suggest::{suggest, suggest_places};
use crate::search::parse::typed_words;
use crate::search::{LookupError, SearchSuggestion, SuggestionFilter};

/// Maximum number of bytes of a text for which places are cached. A longer text is usually pasted, and rarely occurs twice.
const MAX_TEXT_BYTES: usize = 48;

/// Estimated bytes that an entry uses in addition to its text and its places: the entry in the cache's table, two pointers with
/// lengths, and the headers of two allocations.
const ENTRY_BYTES: usize = 120;

/// Bytes of a typical entry, for the initial size of the tables.
const TYPICAL_ENTRY_BYTES: usize = 256;

/// Maximum initial capacity of the tables, in entries. The tables can grow later.
const MAX_INITIAL_ENTRIES: usize = 1 << 20;

/// The places of one list of suggestions, in their order.
type CachedPlaces = Arc<[CachedPlace]>;

/// Caches the places of the most frequent texts, up to a number of bytes. A cache belongs to one index and is dropped with that index.
pub struct SuggestionCache {
    /// The places by the words of the text and the filter. Every limit uses the same entry: a smaller limit takes fewer of its places.
    places: Cache<Box<str>, CachedPlaces, ByBytes>,
    hits: Counter,
    misses: Counter,
}

/// Identifies a place, so that it can be read again from the same index.
#[derive(Clone, Copy)]
enum CachedPlace {
    City(TownRank),
    Street(StreetRank, Option<Postcode>),
    Address(AddressHandle),
}

#[derive(Clone)]
struct ByBytes;

impl Weighter<Box<str>, CachedPlaces> for ByBytes {
    fn weight(&self, text: &Box<str>, places: &CachedPlaces) -> u64 {
        let bytes = ENTRY_BYTES + text.len() + size_of_val(&**places);
        bytes as u64
    }
}

impl SuggestionCache {
    /// An empty cache of at most this many bytes. It counts hits and misses in the given counters.
    pub fn new(max_bytes: usize, hits: Counter, misses: Counter) -> Self {
        Self {
            places: Cache::with_weighter(
                (max_bytes / TYPICAL_ENTRY_BYTES).min(MAX_INITIAL_ENTRIES),
                max_bytes as u64,
                ByBytes,
            ),
            hits,
            misses,
        }
    }

    /// Returns the same suggestions as [`suggest`], from the cache if possible. Every call must pass the same `index`.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn suggest<'s>(
        &self,
        index: SearchIndex<'s>,
        typed: &str,
        filter: SuggestionFilter,
        limit: usize,
    ) -> Result<Vec<SearchSuggestion<'s>>, LookupError> {
        let words = typed_words(typed);
        let key = cache_key(&words, filter);
        if limit > MIN_SUGGESTIONS || key.len() > MAX_TEXT_BYTES {
            return suggest(index, typed, filter, limit);
        }
        if let Some(places) = self.places.get(&*key) {
            self.hits.increment(1);
            let suggestions = places.iter().take(limit);
            let suggestions = suggestions.map(|place| place.to_suggestion(index));
            return suggestions.filter_map(Result::transpose).collect();
        }
        self.misses.increment(1);
        let found = suggest_places(index, &words, filter, limit)?;
        let places = found.iter().map(|(place, _)| CachedPlace::new(place));
        self.places.insert(key.into(), places.collect());
        let suggestions = found.into_iter().map(|(_, suggestion)| suggestion);
        Ok(suggestions.take(limit).collect())
    }
}

/// The cache key: the words and the filter as one text.
fn cache_key(words: &[String], filter: SuggestionFilter) -> String {
    let mut key = words.join(" ");
    key.push(match filter {
        SuggestionFilter::All => '*',
        SuggestionFilter::Address => '#',
        SuggestionFilter::Street => '/',
        SuggestionFilter::City => '@',
    });
    key
}

impl CachedPlace {
    fn new(place: &FoundPlace<'_>) -> Self {
        match place {
            FoundPlace::City(town) => Self::City(*town),
            FoundPlace::Street(street, postcode) => Self::Street(street.rank, *postcode),
            FoundPlace::Address(address) => Self::Address(address.handle()),
        }
    }

    fn to_suggestion<'s>(
        self,
        index: SearchIndex<'s>,
    ) -> Result<Option<SearchSuggestion<'s>>, LookupError> {
        let place = match self {
            Self::City(town) => FoundPlace::City(town),
            Self::Street(rank, postcode) => {
                FoundPlace::Street(index.places.street(rank)?, postcode)
            }
            Self::Address(handle) => FoundPlace::Address(index.addresses.resolve(handle)?),
        };
        place.to_suggestion(index.places)
    }
}
