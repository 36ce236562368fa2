//! What may have been mistyped: one letter from five letters on, two from nine on.
//!
//! Beside a town that is typed right, all its streets are compared with the name. Without one the dictionary of beginnings is
//! walked. A town may be mistyped beside a street that is right; both at once would bring in too much that nobody meant.

use postduif_schema::{
    FuzzyMatcher, MaxEdits, StreetRank, TownHit, TownMatchKind, squash, word_suffixes,
};

use super::streets::StreetMatch;
use super::{LookupError, MAX_STREETS, Search, StepResult};
use crate::search;
use crate::search::{
    NameMatch, Reading, Spelling, StreetTownSplit, SuggestionFilter, SuggestionKind,
};

/// Readings that are tried; the others are far-fetched enough without a mistake.
const MAX_READINGS_WITH_TYPOS: usize = 6;

/// Spellings of a name that are tried.
const MAX_SPELLINGS: usize = 2;

/// Letters from which one may be wrong, and two.
const ONE_EDIT_MIN_LETTERS: usize = 5;
const TWO_EDITS_MIN_LETTERS: usize = 9;

/// Letters that are compared; a longer text is cut.
const MAX_LETTERS: usize = 40;

/// Streets that are compared with a name, of those whose letters tell that they may be meant: one in ten, and the largest town
/// has some six thousand.
const MAX_STREETS_COMPARED: usize = 2_500;

/// The same, of towns of which only the beginning was typed.
const MAX_STREETS_COMPARED_TOWN_PREFIX: usize = 200;

/// Towns that are taken where only the beginning was typed.
const MAX_TOWNS_BY_PREFIX: usize = 12;

/// The cost of comparing one street.
const COMPARE_COST: u32 = 15;

/// Towns beside a name that is typed right.
const MAX_MISTYPED_TOWNS: usize = 6;

/// One way of taking what was typed.
struct TypoAttempt<'a> {
    reading: &'a Reading,
    split: StreetTownSplit<'a>,
    towns: Vec<TownHit>,
    town_evidence: TownEvidence,
}

/// How likely a way is. Likelier ones order first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TownEvidence {
    Exact,
    Prefix,
    /// Only beside a name that is right.
    Mistyped,
    Absent,
}

impl<'a> Search<'_, 'a> {
    /// Looks for what the readings may mean if something in them is mistyped, the likeliest ways first: those with a town that
    /// is right. Once one of them has a whole name, no other is looked for.
    pub(super) fn search_with_typos(&mut self, readings: &'a [Reading]) -> StepResult {
        let mut attempts = Vec::new();
        let named = readings.iter().filter(|reading| reading.postcode.is_none());
        for reading in named.take(MAX_READINGS_WITH_TYPOS) {
            if reading.number.is_none() && self.wants_kind(SuggestionKind::City) {
                let hits = self.towns_within_edits(&reading.words);
                self.push_cities(&hits);
            }
            if self.filter != SuggestionFilter::City {
                let splits = search::street_town_splits(reading);
                attempts.extend(
                    splits
                        .into_iter()
                        .map(|split| self.plan_attempt(reading, split)),
                );
            }
        }
        attempts.sort_by_key(|next| (next.town_evidence, next.reading.number.is_none()));
        for attempt in attempts {
            let sure = matches!(
                attempt.town_evidence,
                TownEvidence::Exact | TownEvidence::Mistyped
            );
            if self.run_attempt(&attempt)? && sure {
                break;
            }
        }
        Ok(())
    }

    fn plan_attempt(
        &mut self,
        reading: &'a Reading,
        split: StreetTownSplit<'a>,
    ) -> TypoAttempt<'a> {
        let mut towns = self.town_hits(split.town).to_vec();
        towns.retain(|hit| hit.match_kind != TownMatchKind::Area);
        let town_evidence = match towns.first() {
            Some(hit) if hit.match_kind == TownMatchKind::Exact => TownEvidence::Exact,
            Some(_) => TownEvidence::Prefix,
            None if split.town.is_empty() => TownEvidence::Absent,
            None => TownEvidence::Mistyped,
        };
        TypoAttempt {
            reading,
            split,
            towns,
            town_evidence,
        }
    }

    /// Tries one way, and says whether it found a whole name.
    fn run_attempt(&mut self, attempt: &TypoAttempt<'a>) -> Result<bool, LookupError> {
        let names = search::spellings(attempt.split.street);
        let town_mistyped = attempt.town_evidence == TownEvidence::Mistyped;
        let mistyped_towns = match town_mistyped {
            true => self.mistyped_towns_beside_street(&names, attempt.split.town)?,
            false => Vec::new(),
        };
        let mut found_exact = false;
        for name in names.iter().take(MAX_SPELLINGS) {
            let street_match = |towns| StreetMatch {
                reading: attempt.reading,
                name: &name.words,
                towns,
                split: attempt.split,
            };
            if !town_mistyped {
                found_exact |= self.match_streets_with_typos(&street_match(&attempt.towns))?;
            } else if !mistyped_towns.is_empty() {
                found_exact |=
                    self.match_streets(&street_match(&mistyped_towns))? == Some(NameMatch::Exact);
            }
        }
        Ok(found_exact)
    }

    /// The towns that may be meant beside a name. Comparing all towns is dear, so the name has to be one of a street.
    fn mistyped_towns_beside_street(
        &mut self,
        names: &[Spelling],
        town: &[String],
    ) -> Result<Vec<TownHit>, LookupError> {
        for name in names.iter().take(MAX_SPELLINGS) {
            let whole = squash(name.words.iter().map(String::as_str));
            if !self.streets_beginning_with(&[&whole], &[])?.is_empty() {
                let mut towns = self.towns_within_edits(town);
                towns.truncate(MAX_MISTYPED_TOWNS);
                return Ok(towns);
            }
        }
        Ok(Vec::new())
    }

    /// Looks for names with one mistake; only where none of them is whole, for those with two.
    fn match_streets_with_typos(
        &mut self,
        street_match: &StreetMatch<'a, '_>,
    ) -> Result<bool, LookupError> {
        let Some(typo) = typo_for(street_match.name) else {
            return Ok(false);
        };
        let one_edit = typo.with_one_edit();
        if self.match_streets_within_edits(street_match, &one_edit)? {
            return Ok(true);
        }
        match typo == one_edit {
            true => Ok(false),
            false => self.match_streets_within_edits(street_match, &typo),
        }
    }

    fn match_streets_within_edits(
        &mut self,
        street_match: &StreetMatch<'a, '_>,
        typo: &FuzzyMatcher,
    ) -> Result<bool, LookupError> {
        let mut found_exact = false;
        let is_short =
            street_match.name.iter().map(String::len).sum::<usize>() < ONE_EDIT_MIN_LETTERS;
        for number in self.streets_within_edits(street_match, typo)? {
            if !self.budget.spend(COMPARE_COST) {
                break;
            }
            let forms = self.index.places.street_forms(number);
            if let Some((edits, fit)) = fewest_edits(typo, forms, is_short) {
                found_exact |= fit == NameMatch::Exact;
                let points = self.weights.score_name(fit, &[]);
                let street = self.street(number)?;
                self.add_scored_candidate(street_match, street, points, fit, edits);
            }
        }
        Ok(found_exact)
    }

    fn streets_within_edits(
        &mut self,
        street_match: &StreetMatch<'a, '_>,
        typo: &FuzzyMatcher,
    ) -> Result<Vec<StreetRank>, LookupError> {
        let places = self.index.places;
        let budget = &mut self.budget;
        let Some(best) = street_match.towns.first() else {
            return Ok(places.search_fuzzy(typo, MAX_STREETS, budget)?);
        };
        let (compared, towns) = match best.match_kind {
            TownMatchKind::Exact => (MAX_STREETS_COMPARED, usize::MAX),
            _ => (MAX_STREETS_COMPARED_TOWN_PREFIX, MAX_TOWNS_BY_PREFIX),
        };
        let towns = street_match
            .towns
            .iter()
            .take(towns)
            .map(|hit| hit.town)
            .collect();
        Ok(places.search_fuzzy_in_towns(&towns, typo, compared, budget)?)
    }

    fn towns_within_edits(&mut self, words: &[String]) -> Vec<TownHit> {
        let Some(typo) = typo_for(words) else {
            return Vec::new();
        };
        let towns = self.index.places.towns();
        // Each of the names is compared; they are a hundredth of the streets.
        self.budget.spend(2_000);
        towns.search_fuzzy(&typo)
    }
}

/// What may be mistyped in some words; nothing in short ones.
fn typo_for(words: &[String]) -> Option<FuzzyMatcher> {
    let squashed: String = squash(words.iter().map(String::as_str));
    let squashed: String = squashed.chars().take(MAX_LETTERS).collect();
    let edits = match squashed.chars().count() {
        TWO_EDITS_MIN_LETTERS.. => MaxEdits::Two,
        // A letter may be the one that is missing.
        length if length + 1 >= ONE_EDIT_MIN_LETTERS => MaxEdits::One,
        _ => return None,
    };
    Some(FuzzyMatcher::new(&squashed, edits))
}

/// The fewest mistakes with which a name may be meant, and how it fits then. What is `short` must be all of a name that is
/// long enough.
fn fewest_edits<'f>(
    typo: &FuzzyMatcher,
    forms: impl Iterator<Item = &'f str>,
    is_short: bool,
) -> Option<(u8, NameMatch)> {
    let match_form = |form: &str| {
        if is_short {
            let edits = typo
                .distance(form)
                .filter(|_| form.len() >= ONE_EDIT_MIN_LETTERS)?;
            return Some((edits, NameMatch::Exact));
        }
        let mut starts = word_suffixes(form);
        if let Some(edits) = starts.next().and_then(|form| typo.prefix_distance(form)) {
            let whole = typo.distance(form).map(|edits| (edits, NameMatch::Exact));
            return Some(whole.unwrap_or((edits, NameMatch::Prefix)));
        }
        starts.find_map(|rest| {
            typo.prefix_distance(rest)
                .map(|edits| (edits, NameMatch::InnerPrefix))
        })
    };
    forms.filter_map(match_form).min()
}
