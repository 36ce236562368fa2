//! Streets and towns by what they are called.

use std::rc::Rc;

use postduif_schema::{
    Fit, Street, StreetNumber, StreetQuery, TownHit, TownNumber, TownSet, squash,
};

use super::{Candidate, Close, Find, Outcome, Place, STREETS, Search};
use crate::search;
use crate::search::{NameFit, Reading, Split, SuggestionKind};

/// Towns that are shown of one question at most.
const CITIES: usize = 20;

/// Words of a town with what tells it apart; `Koudekerk aan den Rijn` with its municipality has seven.
pub(super) const TOWN_WORDS: usize = 7;

/// The cost of one way of parting words, and of one street that is compared with them.
const SPLIT_COST: u32 = 60;
const STREET_COST: u32 = 20;

/// The cost of one town that fits.
const HIT_COST: u32 = 6;

/// A street's name as it is looked for, and the towns that it may lie in.
pub(super) struct Wish<'r, 'w> {
    pub(super) reading: &'r Reading,
    pub(super) name: &'w [String],
    /// Empty when no town was typed.
    pub(super) towns: &'w [TownHit],
    /// How the words were parted.
    pub(super) split: Split<'w>,
}

impl<'s, 'a> Search<'s, 'a> {
    /// Looks for what a reading without a postcode names.
    pub(super) fn named(&mut self, reading: &'a Reading) -> Outcome {
        if reading.number.is_none() {
            let hits = self.towns(&reading.words);
            let whole = hits.first().filter(|hit| hit.fit == Fit::Whole);
            self.town = self.town.or(whole.map(|hit| hit.town));
            if self.wants(SuggestionKind::City) {
                self.take_cities(&hits);
            }
        }
        if self.wanted == search::Wanted::City {
            return Ok(());
        }
        for split in search::splits(reading) {
            self.split(reading, split)?;
        }
        Ok(())
    }

    fn split(&mut self, reading: &'a Reading, split: Split<'a>) -> Outcome {
        if split.town.len() > TOWN_WORDS || !self.budget.spend(SPLIT_COST) {
            return Ok(());
        }
        let hits = self.towns(split.town);
        self.budget
            .spend(HIT_COST * u32::try_from(hits.len()).unwrap_or(u32::MAX));
        if hits.is_empty() != split.town.is_empty() {
            return Ok(());
        }
        let areas = hits.partition_point(|hit| hit.fit != Fit::Area);
        let (named, areas) = hits.split_at(areas);
        let mut known = None;
        for spelling in search::spellings(split.name) {
            // What is shortened may begin anything.
            if spelling.unlikely && known.is_some() {
                break;
            }
            let name = &spelling.words;
            let wish = |towns| Wish {
                reading,
                name,
                towns,
                split,
            };
            let mut best = None;
            if !named.is_empty() || areas.is_empty() {
                best = self.wished(&wish(named))?;
            }
            if best != Some(NameFit::Whole) && !areas.is_empty() {
                best = best.or(self.wished(&wish(areas))?);
            }
            known = known.or(best);
        }
        Ok(())
    }

    /// Considers every street that fits a wish, and says how the best of them does.
    pub(super) fn wished(
        &mut self,
        wish: &Wish<'a, '_>,
    ) -> Result<Option<NameFit>, super::LookupError> {
        let whole = squash(wish.name.iter().map(String::as_str));
        let mut found = self.begin_with(&[&whole], wish.towns)?;
        if found.len() >= STREETS {
            let called = self.called(&whole, wish.towns)?;
            found.extend(called);
        } else if wish.name.len() > 1 {
            let words: Vec<&str> = wish.name.iter().map(String::as_str).collect();
            found.extend(self.begin_with(&words, wish.towns)?);
        }
        let mut best: Option<NameFit> = None;
        for number in found {
            if !self.budget.spend(STREET_COST) {
                break;
            }
            let street = self.street(number)?;
            if let Some(fit) = search::name_fit(wish.name, street.forms()) {
                best = Some(best.map_or(fit, |best| best.min(fit)));
                let score = self.weights.name(fit, wish.name);
                self.consider_in(wish, street, score, fit, 0);
            }
        }
        Ok(best)
    }

    /// Considers a street whose name has these points, in one of the wish's towns.
    pub(super) fn consider_in(
        &mut self,
        wish: &Wish<'a, '_>,
        street: Street<'s>,
        name: f32,
        fit: NameFit,
        edits: u8,
    ) {
        let close = match fit {
            NameFit::Whole => Close::Whole,
            NameFit::NoArticle | NameFit::Beginning | NameFit::Initials | NameFit::Ending => {
                Close::Beginning
            }
            NameFit::Inner | NameFit::Scattered => Close::Loose,
        };
        let hit = hit_in(wish.towns, street.town);
        let town = hit.map_or(0.0, |hit| self.weights.town(hit.fit, &wish.split, fit));
        let number = wish.reading.number.as_ref();
        let leads = number.is_some_and(|number| number.leading);
        let number = if leads {
            self.weights.number_leading
        } else {
            0.0
        };
        let addresses = self.index.places.town(&street).map(|town| town.addresses);
        let size = self
            .weights
            .size(street.addresses, addresses.unwrap_or_default());
        let edits = edits + hit.map_or(0, |hit| hit.edits);
        self.consider(Candidate {
            score: name + town + number + size + self.weights.edit * f32::from(edits),
            reading: wish.reading,
            edits,
            close: match edits {
                0 => close.max(hit.map_or(Close::Whole, |hit| close_to_town(hit.fit))),
                _ => Close::Loose,
            },
            street,
        });
    }

    pub(super) fn begin_with(
        &mut self,
        beginnings: &[&str],
        towns: &[TownHit],
    ) -> Result<Vec<StreetNumber>, super::LookupError> {
        let set = set(towns);
        let query = StreetQuery {
            beginnings,
            towns: set.as_ref(),
            limit: STREETS,
        };
        Ok(self.index.places.streets(&query, &mut self.budget)?)
    }

    fn called(
        &mut self,
        name: &str,
        towns: &[TownHit],
    ) -> Result<Vec<StreetNumber>, super::LookupError> {
        let set = set(towns);
        let query = StreetQuery {
            beginnings: &[name],
            towns: set.as_ref(),
            limit: STREETS,
        };
        Ok(self.index.places.streets_called(&query, &mut self.budget)?)
    }

    pub(super) fn towns(&mut self, words: &'a [String]) -> Rc<[TownHit]> {
        let known = self.towns_named.iter().find(|(known, _)| *known == words);
        if let Some((_, hits)) = known {
            return hits.clone();
        }
        let hits: Rc<[TownHit]> = self.index.places.towns().named(words).into();
        self.towns_named.push((words, hits.clone()));
        hits
    }

    pub(super) fn take_cities(&mut self, hits: &[TownHit]) {
        let towns = self.index.places.towns();
        let named = hits.iter().filter(|hit| hit.fit != Fit::Area).take(CITIES);
        for hit in named {
            let addresses = towns.get(hit.town).map_or(0, |town| town.addresses);
            let edits = self.weights.edit * f32::from(hit.edits);
            self.finds.push(Find {
                place: Place::City(hit.town),
                score: self.weights.city(hit.fit, addresses) + edits,
                edits: hit.edits,
                close: match hit.edits {
                    0 => close_to_town(hit.fit),
                    _ => Close::Loose,
                },
            });
        }
    }
}

fn close_to_town(fit: Fit) -> Close {
    match fit {
        Fit::Whole => Close::Whole,
        Fit::Beginning => Close::Beginning,
        Fit::Inner | Fit::Area => Close::Loose,
    }
}

/// What is said of a town among hits, the best first: each run of equally good ones is in the order of the towns.
fn hit_in(mut hits: &[TownHit], town: TownNumber) -> Option<&TownHit> {
    while let Some(first) = hits.first() {
        let alike = |hit: &TownHit| (hit.edits, hit.fit) == (first.edits, first.fit);
        let (run, rest) = hits.split_at(hits.partition_point(alike));
        if let Ok(at) = run.binary_search_by_key(&town, |hit| hit.town) {
            return run.get(at);
        }
        hits = rest;
    }
    None
}

/// The towns of some hits; none when no town was typed.
fn set(hits: &[TownHit]) -> Option<TownSet> {
    (!hits.is_empty()).then(|| hits.iter().map(|hit| hit.town).collect())
}
