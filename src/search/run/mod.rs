//! Type-ahead: runs the readings of what was typed against the places of a snapshot and puts the finds in order.
//!
//! Every reading is asked for streets and towns by the beginnings of their words; a street with a house number is then
//! expanded into addresses. What was mistyped is looked for only when that found too little, and stands behind it. A budget
//! bounds the whole: the heaviest places are found first, so what it cuts off is what would stand last.

mod expand;
mod hits;
mod house_numbers;
mod postcodes;
mod streets;
mod typos;

use std::rc::Rc;

use postduif_schema::{
    AddressIndex, PlaceIndex, SearchBudget, Street, StreetRank, TownHit, TownRank,
};

use super::run::hits::{FoundPlace, Hit, MatchQuality};
use crate::search::{
    Intent, LookupError, PostcodeKind, Reading, SearchSuggestion, SuggestionFilter, SuggestionKind,
    Weights,
};

/// Steps of one search, some ten nanoseconds each.
const BUDGET_STEPS: u32 = 34_000;

/// Streets that one question brings at most.
const MAX_STREETS: usize = 40;

/// Suggestions that are looked for at least, so that who asks for fewer gets the first of them: how many there is room for
/// decides what else is looked for.
const MIN_SUGGESTIONS: usize = 10;

/// The two indexes of a generation that a search reads.
#[derive(Clone, Copy)]
pub struct SearchIndex<'s> {
    /// Every address.
    pub addresses: &'s AddressIndex,
    /// Every street, town and postcode.
    pub places: &'s PlaceIndex,
}

impl<'s> SearchIndex<'s> {
    /// What a person may mean who has typed this much, the likeliest first.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn suggest(
        self,
        typed: &str,
        filter: SuggestionFilter,
        limit: usize,
    ) -> Result<Vec<SearchSuggestion<'s>>, LookupError> {
        let intent = Intent::parse(typed);
        let mut search = Search {
            index: self,
            filter,
            limit: limit.max(MIN_SUGGESTIONS),
            weights: &Weights::DEFAULT,
            budget: SearchBudget::new(BUDGET_STEPS),
            town_hits_cache: Vec::new(),
            named_town: None,
            candidates: Vec::new(),
            hits: Vec::new(),
        };
        search.run_all_readings(&intent.readings)?;
        let mut found = search.into_suggestions()?;
        found.truncate(limit);
        Ok(found)
    }
}

/// One search under way, through a snapshot for the readings of a text.
struct Search<'s, 'a> {
    index: SearchIndex<'s>,
    filter: SuggestionFilter,
    limit: usize,
    weights: &'a Weights,
    budget: SearchBudget,
    /// The towns that words may mean; readings ask for the same ones again and again.
    town_hits_cache: Vec<(&'a [String], Rc<[TownHit]>)>,
    /// The largest town that bears the name that was typed, and nothing else was.
    named_town: Option<TownRank>,
    /// Streets that fit, not yet expanded.
    candidates: Vec<StreetCandidate<'s, 'a>>,
    hits: Vec<Hit<'s>>,
}

/// A street that fits a reading.
struct StreetCandidate<'s, 'a> {
    street: Street<'s>,
    reading: &'a Reading,
    score: f32,
    /// Letters that must have been mistyped.
    edits: u8,
    quality: MatchQuality,
}

type StepResult = Result<(), LookupError>;

impl<'s, 'a> Search<'s, 'a> {
    fn run_all_readings(&mut self, readings: &'a [Reading]) -> StepResult {
        // Nobody types a postcode that is there and means something else.
        self.run_readings(readings, &|kind| kind == Some(PostcodeKind::Whole))?;
        if self.hits.is_empty() {
            self.run_readings(readings, &|kind| kind == Some(PostcodeKind::LeadingPrefix))?;
            self.run_readings(readings, &|kind| kind.is_none())?;
            self.expand_candidates()?;
            // A postcode that is not there may be a slip; what stands around it is looked for without it.
            if self.has_only_loose_hits() {
                let has_whole_postcode =
                    |reading: &&Reading| reading.postcode.is_some_and(|range| range.is_whole());
                for reading in readings.iter().filter(has_whole_postcode) {
                    self.search_by_name(reading)?;
                }
                self.expand_candidates()?;
            }
            // Four digits elsewhere are a postcode only where they are nothing else.
            if self.has_only_loose_hits() {
                self.run_readings(readings, &|kind| kind == Some(PostcodeKind::LaterPrefix))?;
            }
            if self.has_only_loose_hits() {
                self.run_readings(readings, &|kind| {
                    kind == Some(PostcodeKind::PrefixAfterNumber)
                })?;
                self.expand_candidates()?;
            }
            if self.has_only_loose_hits() && self.hits.len() < self.limit {
                self.search_with_typos(readings)?;
                self.expand_candidates()?;
            }
        }
        self.fill_up()
    }

    /// Looks for what the chosen readings mean.
    fn run_readings(
        &mut self,
        readings: &'a [Reading],
        is_chosen: &dyn Fn(Option<PostcodeKind>) -> bool,
    ) -> StepResult {
        for reading in readings {
            if !is_chosen(reading.postcode.map(|range| range.kind)) {
                continue;
            }
            match reading.postcode {
                Some(range) if range.kind != PostcodeKind::PrefixAfterNumber => {
                    self.search_by_postcode(reading, range)?;
                }
                _ => self.search_by_name(reading)?,
            }
        }
        Ok(())
    }

    /// Whether nothing was found that begins as typed.
    fn has_only_loose_hits(&self) -> bool {
        self.hits
            .iter()
            .all(|find| find.quality == MatchQuality::Loose)
    }

    /// Takes a street that fits, once for each reading, with its best score.
    fn add_candidate(&mut self, candidate: StreetCandidate<'s, 'a>) {
        let same = |other: &&mut StreetCandidate<'s, 'a>| {
            other.street.rank == candidate.street.rank
                && std::ptr::eq(other.reading, candidate.reading)
        };
        match self.candidates.iter_mut().find(same) {
            Some(known) if known.score >= candidate.score => {}
            Some(known) => *known = candidate,
            None => self.candidates.push(candidate),
        }
    }

    fn street(&self, number: StreetRank) -> Result<Street<'s>, LookupError> {
        Ok(self.index.places.street(number)?)
    }

    fn wants_kind(&self, kind: SuggestionKind) -> bool {
        self.filter.includes(kind)
    }
}
