//! Holds the state of one search: the indexes that the search reads, its budget, its candidates and its hits.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use postduif_schema::{
    AddressIndex, FuzzyMatcher, PlaceIndex, SearchBudget, Street, StreetRank, TownHit, TownRank,
};
use rustc_hash::FxHashMap;

use super::hit::{FoundPlace, Hit, MatchQuality, TextCoverage};
use crate::search::parse::Reading;
use crate::search::{LookupError, SearchSuggestion, SuggestionFilter, SuggestionKind, Weights};

/// The budget of one exact search, in steps of about ten nanoseconds each. It begins again for rewritten words and for each other reading
/// of the house number.
pub(super) const EXACT_STEPS: u32 = 34_000;

pub(super) type SuggestedPlace<'s> = (FoundPlace<'s>, SearchSuggestion<'s>);

/// Maximum number of streets that one query returns.
pub(super) const MAX_STREETS: usize = 40;

/// Minimum number of suggestions that every search looks for, even if the caller wants fewer and gets only the first of them. A search
/// that looked for fewer would stop earlier, and its first suggestions could differ.
pub(super) const MIN_SUGGESTIONS: usize = 10;

/// The parts of a generation that a search reads.
#[derive(Clone, Copy)]
pub struct SearchIndex<'s> {
    /// Every address.
    pub addresses: &'s AddressIndex,
    /// Every street, town and postcode.
    pub places: &'s PlaceIndex,
}

/// One search in progress. `'s` is the lifetime of the index, `'a` that of the readings of the typed text.
pub(super) struct Search<'s, 'a> {
    pub(super) index: SearchIndex<'s>,
    pub(super) filter: SuggestionFilter,
    pub(super) limit: usize,
    pub(super) weights: &'a Weights,
    pub(super) budget: SearchBudget,
    /// The towns that words may name. Cached because many readings look up the same words.
    town_hits_cache: TownHitsCache<'a>,
    /// The towns that mistyped words may name.
    mistyped_town_hits_cache: TownHitsCache<'a>,
    /// The town of which the streets fill the list: the largest one with exactly the typed words, apart from a postcode, as its name. If no
    /// street and no address was found, the largest one that the text names.
    pub(super) named_town: Option<TownRank>,
    /// Whether the text is only the name of a town.
    pub(super) is_only_town: bool,
    /// Streets that match and are not yet turned into hits.
    candidates: Vec<StreetCandidate<'s, 'a>>,
    /// The position of each candidate in `candidates`, by its street and its reading, so that a known street is found without a scan.
    candidate_indexes: FxHashMap<(StreetRank, *const Reading), usize>,
    pub(super) hits: Vec<Hit<'s>>,
    /// Whether an address was found for which both the street and the town were typed.
    pub(super) has_named_address: bool,
}

/// A street that matches a reading.
pub(super) struct StreetCandidate<'s, 'a> {
    pub(super) street: Street<'s>,
    pub(super) reading: &'a Reading,
    pub(super) score: f32,
    /// The number of letters that were mistyped if the user means this street.
    pub(super) edits: u8,
    pub(super) quality: MatchQuality,
    pub(super) coverage: TextCoverage,
    /// Whether the name is at the end of the text, after the house number, so that it may not be whole yet.
    pub(super) name_may_continue: bool,
}

/// The towns found for each run of words that was already searched.
type TownHitsCache<'a> = Vec<(&'a [String], Arc<[TownHit]>)>;

/// The result of one step of a search. The step adds its hits to the search.
pub(super) type StepResult = Result<(), LookupError>;

impl<'s, 'a> Search<'s, 'a> {
    pub(super) fn new(index: SearchIndex<'s>, filter: SuggestionFilter, limit: usize) -> Self {
        Self {
            index,
            filter,
            limit: limit.max(MIN_SUGGESTIONS),
            weights: &Weights::DEFAULT,
            budget: SearchBudget::new(EXACT_STEPS),
            town_hits_cache: Vec::new(),
            mistyped_town_hits_cache: Vec::new(),
            named_town: None,
            is_only_town: false,
            candidates: Vec::new(),
            candidate_indexes: FxHashMap::default(),
            hits: Vec::new(),
            has_named_address: false,
        }
    }

    /// Whether the whole text is explained as typed: a hit is certain, or the text is the name of a town, even if no town is wanted.
    pub(super) fn is_explained(&self) -> bool {
        self.is_only_town || self.hits.iter().any(Hit::is_certain)
    }

    pub(super) fn street(&self, rank: StreetRank) -> Result<Street<'s>, LookupError> {
        Ok(self.index.places.street(rank)?)
    }

    pub(super) fn wants_kind(&self, kind: SuggestionKind) -> bool {
        self.filter.includes(kind)
    }

    /// Whether no hit is better than [`MatchQuality::Loose`].
    pub(super) fn has_only_loose_hits(&self) -> bool {
        self.hits
            .iter()
            .all(|hit| hit.quality == MatchQuality::Loose)
    }

    pub(super) fn town_hits(&mut self, words: &'a [String]) -> Arc<[TownHit]> {
        let towns = self.index.places.towns();
        get_or_search(&mut self.town_hits_cache, words, || towns.search(words))
    }

    /// The towns with a name that begins with these words, with as many typos as the matcher allows.
    pub(super) fn mistyped_town_hits(
        &mut self,
        words: &'a [String],
        matcher: &FuzzyMatcher,
    ) -> Arc<[TownHit]> {
        let towns = self.index.places.towns();
        let cache = &mut self.mistyped_town_hits_cache;
        get_or_search(cache, words, || towns.search_fuzzy(matcher).into())
    }

    /// Adds a street that matches. If the street matches the same reading in several ways, only the best score is kept.
    pub(super) fn add_candidate(&mut self, candidate: StreetCandidate<'s, 'a>) {
        let key = (candidate.street.rank, std::ptr::from_ref(candidate.reading));
        match self.candidate_indexes.entry(key) {
            Entry::Occupied(known) => {
                let known = &mut self.candidates[*known.get()];
                if known.score < candidate.score {
                    *known = candidate;
                }
            }
            Entry::Vacant(free) => {
                free.insert(self.candidates.len());
                self.candidates.push(candidate);
            }
        }
    }

    pub(super) fn take_candidates(&mut self) -> Vec<StreetCandidate<'s, 'a>> {
        self.candidate_indexes.clear();
        std::mem::take(&mut self.candidates)
    }

    /// The best hits as suggestions. A suggestion that looks the same as a better one is left out.
    pub(super) fn into_suggestions(mut self) -> Result<Vec<SuggestedPlace<'s>>, LookupError> {
        let mut hits = std::mem::take(&mut self.hits);
        hits.sort_by(Hit::compare);
        hits.retain(|hit| self.wants_kind(hit.place.kind()));
        let mut suggested: Vec<SuggestedPlace<'s>> = Vec::with_capacity(self.limit);
        for Hit { place, .. } in hits {
            if suggested.len() == self.limit {
                break;
            }
            let Some(next) = place.to_suggestion(self.index.places)? else {
                continue;
            };
            if !suggested
                .iter()
                .any(|(_, known)| is_same_suggestion(known, &next))
            {
                suggested.push((place, next));
            }
        }
        Ok(suggested)
    }
}

fn get_or_search<'a>(
    cache: &mut TownHitsCache<'a>,
    words: &'a [String],
    search: impl FnOnce() -> Arc<[TownHit]>,
) -> Arc<[TownHit]> {
    if let Some((_, hits)) = cache.iter().find(|(known, _)| *known == words) {
        return hits.clone();
    }
    let hits = search();
    cache.push((words, hits.clone()));
    hits
}

/// Whether two suggestions are the same: addresses with the same id, or other suggestions with the same label.
fn is_same_suggestion(one: &SearchSuggestion<'_>, other: &SearchSuggestion<'_>) -> bool {
    one.id == other.id && (one.id.is_some() || one.label() == other.label())
}
