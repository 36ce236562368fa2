//! Streets and towns by what they are called.

use std::rc::Rc;

use postduif_schema::{
    Street, StreetQuery, StreetRank, TownHit, TownMatchKind, TownRank, TownSet, squash,
};

use super::{FoundPlace, Hit, MAX_STREETS, MatchQuality, Search, StepResult, StreetCandidate};
use crate::search;
use crate::search::{NameMatch, Reading, StreetTownSplit, SuggestionKind};

/// Towns that are shown of one question at most.
const MAX_CITIES: usize = 20;

/// Words of a town with what tells it apart; `Koudekerk aan den Rijn` with its municipality has seven.
pub(super) const MAX_TOWN_WORDS: usize = 7;

/// The cost of one way of parting words, and of one street that is compared with them.
const SPLIT_COST: u32 = 60;
const COMPARE_STREET_COST: u32 = 20;

/// The cost of one town that fits.
const TOWN_HIT_COST: u32 = 6;

/// A street's name as it is looked for, and the towns that it may lie in.
pub(super) struct StreetMatch<'r, 'w> {
    pub(super) reading: &'r Reading,
    pub(super) name: &'w [String],
    /// Empty when no town was typed.
    pub(super) towns: &'w [TownHit],
    /// How the words were parted.
    pub(super) split: StreetTownSplit<'w>,
}

impl<'s, 'a> Search<'s, 'a> {
    /// Looks for what a reading without a postcode names.
    pub(super) fn search_by_name(&mut self, reading: &'a Reading) -> StepResult {
        if reading.number.is_none() {
            let hits = self.town_hits(&reading.words);
            let exact = hits
                .first()
                .filter(|hit| hit.match_kind == TownMatchKind::Exact);
            self.named_town = self.named_town.or(exact.map(|hit| hit.town));
            if self.wants_kind(SuggestionKind::City) {
                self.push_cities(&hits);
            }
        }
        if self.filter == search::SuggestionFilter::City {
            return Ok(());
        }
        for split in search::street_town_splits(reading) {
            self.search_split(reading, split)?;
        }
        Ok(())
    }

    fn search_split(&mut self, reading: &'a Reading, split: StreetTownSplit<'a>) -> StepResult {
        if split.town.len() > MAX_TOWN_WORDS || !self.budget.spend(SPLIT_COST) {
            return Ok(());
        }
        let hits = self.town_hits(split.town);
        self.budget
            .spend(TOWN_HIT_COST * u32::try_from(hits.len()).unwrap_or(u32::MAX));
        if hits.is_empty() != split.town.is_empty() {
            return Ok(());
        }
        let areas = hits.partition_point(|hit| hit.match_kind != TownMatchKind::Area);
        let (by_name, areas) = hits.split_at(areas);
        let mut best_so_far = None;
        for spelling in search::spellings(split.street) {
            // What is shortened may begin anything.
            if spelling.is_fallback && best_so_far.is_some() {
                break;
            }
            let name = &spelling.words;
            let street_match = |towns| StreetMatch {
                reading,
                name,
                towns,
                split,
            };
            let mut best = None;
            if !by_name.is_empty() || areas.is_empty() {
                best = self.match_streets(&street_match(by_name))?;
            }
            if best != Some(NameMatch::Exact) && !areas.is_empty() {
                best = best.or(self.match_streets(&street_match(areas))?);
            }
            best_so_far = best_so_far.or(best);
        }
        Ok(())
    }

    /// Considers every street that fits a wish, and says how the best of them does.
    pub(super) fn match_streets(
        &mut self,
        street_match: &StreetMatch<'a, '_>,
    ) -> Result<Option<NameMatch>, super::LookupError> {
        let whole = squash(street_match.name.iter().map(String::as_str));
        let mut found = self.streets_beginning_with(&[&whole], street_match.towns)?;
        if found.len() >= MAX_STREETS {
            let called = self.exact_streets(&whole, street_match.towns)?;
            found.extend(called);
        } else if street_match.name.len() > 1 {
            let words: Vec<&str> = street_match.name.iter().map(String::as_str).collect();
            found.extend(self.streets_beginning_with(&words, street_match.towns)?);
        }
        let mut best: Option<NameMatch> = None;
        for number in found {
            if !self.budget.spend(COMPARE_STREET_COST) {
                break;
            }
            let street = self.street(number)?;
            if let Some(fit) = search::match_name(street_match.name, street.forms()) {
                best = Some(best.map_or(fit, |best| best.min(fit)));
                let score = self.weights.score_name(fit, street_match.name);
                self.add_scored_candidate(street_match, street, score, fit, 0);
            }
        }
        Ok(best)
    }

    /// Considers a street whose name has these points, in one of the wish's towns.
    pub(super) fn add_scored_candidate(
        &mut self,
        street_match: &StreetMatch<'a, '_>,
        street: Street<'s>,
        name_points: f32,
        fit: NameMatch,
        street_edits: u8,
    ) {
        let quality = match fit {
            NameMatch::Exact => MatchQuality::Exact,
            NameMatch::WithoutArticle
            | NameMatch::Prefix
            | NameMatch::WordPrefixes
            | NameMatch::LastWords => MatchQuality::Prefix,
            NameMatch::InnerPrefix | NameMatch::AnyOrder => MatchQuality::Loose,
        };
        let hit = find_town_hit(street_match.towns, street.town);
        let town = hit.map_or(0.0, |hit| {
            self.weights
                .score_town(hit.match_kind, &street_match.split, fit)
        });
        let number = street_match.reading.number.as_ref();
        let number_leads = number.is_some_and(|number| number.is_leading);
        let number = if number_leads {
            self.weights.number_leading
        } else {
            0.0
        };
        let addresses = self
            .index
            .places
            .town_of_street(&street)
            .map(|town| town.address_count);
        let size = self
            .weights
            .score_size(street.address_count, addresses.unwrap_or_default());
        let edits = street_edits + hit.map_or(0, |hit| hit.edits);
        self.add_candidate(StreetCandidate {
            score: name_points + town + number + size + self.weights.per_edit * f32::from(edits),
            reading: street_match.reading,
            edits,
            quality: match edits {
                0 => {
                    quality.max(hit.map_or(MatchQuality::Exact, |hit| town_quality(hit.match_kind)))
                }
                _ => MatchQuality::Loose,
            },
            street,
        });
    }

    pub(super) fn streets_beginning_with(
        &mut self,
        beginnings: &[&str],
        towns: &[TownHit],
    ) -> Result<Vec<StreetRank>, super::LookupError> {
        let set = town_set(towns);
        let query = StreetQuery {
            prefixes: beginnings,
            towns: set.as_ref(),
            limit: MAX_STREETS,
        };
        Ok(self.index.places.search_streets(&query, &mut self.budget)?)
    }

    fn exact_streets(
        &mut self,
        name: &str,
        towns: &[TownHit],
    ) -> Result<Vec<StreetRank>, super::LookupError> {
        let set = town_set(towns);
        let query = StreetQuery {
            prefixes: &[name],
            towns: set.as_ref(),
            limit: MAX_STREETS,
        };
        Ok(self
            .index
            .places
            .search_exact_name(&query, &mut self.budget)?)
    }

    pub(super) fn town_hits(&mut self, words: &'a [String]) -> Rc<[TownHit]> {
        let known = self
            .town_hits_cache
            .iter()
            .find(|(known, _)| *known == words);
        if let Some((_, hits)) = known {
            return hits.clone();
        }
        let hits: Rc<[TownHit]> = self.index.places.towns().search(words).into();
        self.town_hits_cache.push((words, hits.clone()));
        hits
    }

    pub(super) fn push_cities(&mut self, hits: &[TownHit]) {
        let towns = self.index.places.towns();
        let by_name = hits
            .iter()
            .filter(|hit| hit.match_kind != TownMatchKind::Area)
            .take(MAX_CITIES);
        for hit in by_name {
            let addresses = towns.get(hit.town).map_or(0, |town| town.address_count);
            let edits = self.weights.per_edit * f32::from(hit.edits);
            self.hits.push(Hit {
                place: FoundPlace::City(hit.town),
                score: self.weights.score_city(hit.match_kind, addresses) + edits,
                edits: hit.edits,
                quality: match hit.edits {
                    0 => town_quality(hit.match_kind),
                    _ => MatchQuality::Loose,
                },
            });
        }
    }
}

fn town_quality(fit: TownMatchKind) -> MatchQuality {
    match fit {
        TownMatchKind::Exact => MatchQuality::Exact,
        TownMatchKind::Prefix => MatchQuality::Prefix,
        TownMatchKind::InnerWord | TownMatchKind::Area => MatchQuality::Loose,
    }
}

/// What is said of a town among hits, the best first: each run of equally good ones is in the order of the towns.
fn find_town_hit(mut hits: &[TownHit], town: TownRank) -> Option<&TownHit> {
    while let Some(first) = hits.first() {
        let alike = |hit: &TownHit| (hit.edits, hit.match_kind) == (first.edits, first.match_kind);
        let (run, rest) = hits.split_at(hits.partition_point(alike));
        if let Ok(at) = run.binary_search_by_key(&town, |hit| hit.town) {
            return run.get(at);
        }
        hits = rest;
    }
    None
}

/// The towns of some hits; none when no town was typed.
fn town_set(hits: &[TownHit]) -> Option<TownSet> {
    (!hits.is_empty()).then(|| hits.iter().map(|hit| hit.town).collect())
}
