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
    AddressIndex, Budget, PlaceIndex, Street, StreetNumber, TownHit, TownNumber,
};

use super::run::hits::{Close, Find, Place};
use crate::search::{
    Intent, LookupError, Reading, Suggestion, SuggestionKind, TypedPostcode, Wanted, Weights,
};

/// Steps of one search, some ten nanoseconds each.
const BUDGET: u32 = 34_000;

/// Streets that one question brings at most.
const STREETS: usize = 40;

/// Suggestions that are looked for at least, so that who asks for fewer gets the first of them: how many there is room for
/// decides what else is looked for.
const SUGGESTIONS: usize = 10;

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
        wanted: Wanted,
        limit: usize,
    ) -> Result<Vec<Suggestion<'s>>, LookupError> {
        let intent = Intent::of(typed);
        let mut search = Search {
            index: self,
            wanted,
            limit: limit.max(SUGGESTIONS),
            weights: &Weights::USED,
            budget: Budget::of(BUDGET),
            towns_named: Vec::new(),
            town: None,
            candidates: Vec::new(),
            finds: Vec::new(),
        };
        search.run(&intent.readings)?;
        let mut found = search.suggestions()?;
        found.truncate(limit);
        Ok(found)
    }
}

/// One search under way, through a snapshot for the readings of a text.
struct Search<'s, 'a> {
    index: SearchIndex<'s>,
    wanted: Wanted,
    limit: usize,
    weights: &'a Weights,
    budget: Budget,
    /// The towns that words may mean; readings ask for the same ones again and again.
    towns_named: Vec<(&'a [String], Rc<[TownHit]>)>,
    /// The largest town that bears the name that was typed, and nothing else was.
    town: Option<TownNumber>,
    /// Streets that fit, not yet expanded.
    candidates: Vec<Candidate<'s, 'a>>,
    finds: Vec<Find<'s>>,
}

/// A street that fits a reading.
struct Candidate<'s, 'a> {
    street: Street<'s>,
    reading: &'a Reading,
    score: f32,
    /// Letters that must have been mistyped.
    edits: u8,
    close: Close,
}

type Outcome = Result<(), LookupError>;

impl<'s, 'a> Search<'s, 'a> {
    fn run(&mut self, readings: &'a [Reading]) -> Outcome {
        // Nobody types a postcode that is there and means something else.
        self.take(readings, &|typed| typed == Some(TypedPostcode::Whole))?;
        if self.finds.is_empty() {
            self.take(readings, &|typed| typed == Some(TypedPostcode::Leading))?;
            self.take(readings, &|typed| typed.is_none())?;
            self.expand()?;
            // A postcode that is not there may be a slip; what stands around it is looked for without it.
            if self.is_in_doubt() {
                let lost =
                    |reading: &&Reading| reading.postcode.is_some_and(|range| range.is_whole());
                for reading in readings.iter().filter(lost) {
                    self.named(reading)?;
                }
                self.expand()?;
            }
            // Four digits elsewhere are a postcode only where they are nothing else.
            if self.is_in_doubt() {
                self.take(readings, &|typed| typed == Some(TypedPostcode::Elsewhere))?;
            }
            if self.is_in_doubt() {
                self.take(readings, &|typed| typed == Some(TypedPostcode::Begun))?;
                self.expand()?;
            }
            if self.is_in_doubt() && self.finds.len() < self.limit {
                self.mistyped(readings)?;
                self.expand()?;
            }
        }
        self.fill_up()
    }

    /// Looks for what the chosen readings mean.
    fn take(
        &mut self,
        readings: &'a [Reading],
        chosen: &dyn Fn(Option<TypedPostcode>) -> bool,
    ) -> Outcome {
        for reading in readings {
            if !chosen(reading.postcode.map(|range| range.typed)) {
                continue;
            }
            match reading.postcode {
                Some(range) if range.typed != TypedPostcode::Begun => {
                    self.at_postcode(reading, range)?;
                }
                _ => self.named(reading)?,
            }
        }
        Ok(())
    }

    /// Whether nothing was found that begins as typed.
    fn is_in_doubt(&self) -> bool {
        self.finds.iter().all(|find| find.close == Close::Loose)
    }

    /// Takes a street that fits, once for each reading, with its best score.
    fn consider(&mut self, candidate: Candidate<'s, 'a>) {
        let same = |other: &&mut Candidate<'s, 'a>| {
            other.street.number == candidate.street.number
                && std::ptr::eq(other.reading, candidate.reading)
        };
        match self.candidates.iter_mut().find(same) {
            Some(known) if known.score >= candidate.score => {}
            Some(known) => *known = candidate,
            None => self.candidates.push(candidate),
        }
    }

    fn street(&self, number: StreetNumber) -> Result<Street<'s>, LookupError> {
        Ok(self.index.places.street(number)?)
    }

    fn wants(&self, kind: SuggestionKind) -> bool {
        self.wanted.takes(kind)
    }
}
