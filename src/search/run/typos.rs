//! What may have been mistyped: one letter from five letters on, two from nine on.
//!
//! Beside a town that is typed right, all its streets are compared with the name. Without one the dictionary of beginnings is
//! walked. A town may be mistyped beside a street that is right; both at once would bring in too much that nobody meant.

use postduif_schema::{Edits, Fit, StreetNumber, TownHit, Typo, squash, word_starts};

use super::streets::Wish;
use super::{LookupError, Outcome, STREETS, Search};
use crate::search;
use crate::search::{NameFit, Reading, Spelling, Split, SuggestionKind, Wanted};

/// Readings that are tried; the others are far-fetched enough without a mistake.
const READINGS: usize = 6;

/// Spellings of a name that are tried.
const SPELLINGS: usize = 2;

/// Letters from which one may be wrong, and two.
const ONE_FROM: usize = 5;
const TWO_FROM: usize = 9;

/// Letters that are compared; a longer text is cut.
const MAX_LETTERS: usize = 40;

/// Streets that are compared with a name, of those whose letters tell that they may be meant: one in ten, and the largest town
/// has some six thousand.
const STREETS_COMPARED: usize = 2_500;

/// The same, of towns of which only the beginning was typed.
const STREETS_COMPARED_BEGUN: usize = 200;

/// Towns that are taken where only the beginning was typed.
const TOWNS_BEGUN: usize = 12;

/// The cost of comparing one street.
const COMPARING: u32 = 15;

/// Towns beside a name that is typed right.
const TOWNS: usize = 6;

/// One way of taking what was typed.
struct Try<'a> {
    reading: &'a Reading,
    split: Split<'a>,
    towns: Vec<TownHit>,
    likely: Likely,
}

/// How likely a way is. Likelier ones order first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likely {
    TownWhole,
    TownBegun,
    /// Only beside a name that is right.
    TownMistyped,
    NoTown,
}

impl<'a> Search<'_, 'a> {
    /// Looks for what the readings may mean if something in them is mistyped, the likeliest ways first: those with a town that
    /// is right. Once one of them has a whole name, no other is looked for.
    pub(super) fn mistyped(&mut self, readings: &'a [Reading]) -> Outcome {
        let mut tries = Vec::new();
        let named = readings.iter().filter(|reading| reading.postcode.is_none());
        for reading in named.take(READINGS) {
            if reading.number.is_none() && self.wants(SuggestionKind::City) {
                let hits = self.nearly_towns(&reading.words);
                self.take_cities(&hits);
            }
            if self.wanted != Wanted::City {
                let splits = search::splits(reading);
                tries.extend(splits.into_iter().map(|split| self.attempt(reading, split)));
            }
        }
        tries.sort_by_key(|next| (next.likely, next.reading.number.is_none()));
        for next in tries {
            let sure = matches!(next.likely, Likely::TownWhole | Likely::TownMistyped);
            if self.mistyped_split(&next)? && sure {
                break;
            }
        }
        Ok(())
    }

    fn attempt(&mut self, reading: &'a Reading, split: Split<'a>) -> Try<'a> {
        let mut towns = self.towns(split.town).to_vec();
        towns.retain(|hit| hit.fit != Fit::Area);
        let likely = match towns.first() {
            Some(hit) if hit.fit == Fit::Whole => Likely::TownWhole,
            Some(_) => Likely::TownBegun,
            None if split.town.is_empty() => Likely::NoTown,
            None => Likely::TownMistyped,
        };
        Try {
            reading,
            split,
            towns,
            likely,
        }
    }

    /// Tries one way, and says whether it found a whole name.
    fn mistyped_split(&mut self, next: &Try<'a>) -> Result<bool, LookupError> {
        let names = search::spellings(next.split.name);
        let mistyped = next.likely == Likely::TownMistyped;
        let nearly = match mistyped {
            true => self.nearly_towns_of(&names, next.split.town)?,
            false => Vec::new(),
        };
        let mut whole = false;
        for name in names.iter().take(SPELLINGS) {
            let wish = |towns| Wish {
                reading: next.reading,
                name: &name.words,
                towns,
                split: next.split,
            };
            if !mistyped {
                whole |= self.mistyped_name(&wish(&next.towns))?;
            } else if !nearly.is_empty() {
                whole |= self.wished(&wish(&nearly))? == Some(NameFit::Whole);
            }
        }
        Ok(whole)
    }

    /// The towns that may be meant beside a name. Comparing all towns is dear, so the name has to be one of a street.
    fn nearly_towns_of(
        &mut self,
        names: &[Spelling],
        town: &[String],
    ) -> Result<Vec<TownHit>, LookupError> {
        for name in names.iter().take(SPELLINGS) {
            let whole = squash(name.words.iter().map(String::as_str));
            if !self.begin_with(&[&whole], &[])?.is_empty() {
                let mut towns = self.nearly_towns(town);
                towns.truncate(TOWNS);
                return Ok(towns);
            }
        }
        Ok(Vec::new())
    }

    /// Looks for names with one mistake; only where none of them is whole, for those with two.
    fn mistyped_name(&mut self, wish: &Wish<'a, '_>) -> Result<bool, LookupError> {
        let Some(typo) = typo(wish.name) else {
            return Ok(false);
        };
        let once = typo.once();
        if self.nearly_named(wish, &once)? {
            return Ok(true);
        }
        match typo == once {
            true => Ok(false),
            false => self.nearly_named(wish, &typo),
        }
    }

    fn nearly_named(&mut self, wish: &Wish<'a, '_>, typo: &Typo) -> Result<bool, LookupError> {
        let mut whole = false;
        let short = wish.name.iter().map(String::len).sum::<usize>() < ONE_FROM;
        for number in self.nearly_streets(wish, typo)? {
            if !self.budget.spend(COMPARING) {
                break;
            }
            let forms = self.index.places.forms(number);
            if let Some((edits, fit)) = nearly(typo, forms, short) {
                whole |= fit == NameFit::Whole;
                let points = self.weights.name(fit, &[]);
                let street = self.street(number)?;
                self.consider_in(wish, street, points, fit, edits);
            }
        }
        Ok(whole)
    }

    fn nearly_streets(
        &mut self,
        wish: &Wish<'a, '_>,
        typo: &Typo,
    ) -> Result<Vec<StreetNumber>, LookupError> {
        let places = self.index.places;
        let budget = &mut self.budget;
        let Some(best) = wish.towns.first() else {
            return Ok(places.streets_nearly(typo, STREETS, budget)?);
        };
        let (compared, towns) = match best.fit {
            Fit::Whole => (STREETS_COMPARED, usize::MAX),
            _ => (STREETS_COMPARED_BEGUN, TOWNS_BEGUN),
        };
        let towns = wish.towns.iter().take(towns).map(|hit| hit.town).collect();
        Ok(places.streets_nearly_in(&towns, typo, compared, budget)?)
    }

    fn nearly_towns(&mut self, words: &[String]) -> Vec<TownHit> {
        let Some(typo) = typo(words) else {
            return Vec::new();
        };
        let towns = self.index.places.towns();
        // Each of the names is compared; they are a hundredth of the streets.
        self.budget.spend(2_000);
        towns.nearly_named(&typo)
    }
}

/// What may be mistyped in some words; nothing in short ones.
fn typo(words: &[String]) -> Option<Typo> {
    let squashed: String = squash(words.iter().map(String::as_str));
    let squashed: String = squashed.chars().take(MAX_LETTERS).collect();
    let edits = match squashed.chars().count() {
        TWO_FROM.. => Edits::Two,
        // A letter may be the one that is missing.
        length if length + 1 >= ONE_FROM => Edits::One,
        _ => return None,
    };
    Some(Typo::new(&squashed, edits))
}

/// The fewest mistakes with which a name may be meant, and how it fits then. What is `short` must be all of a name that is
/// long enough.
fn nearly<'f>(
    typo: &Typo,
    forms: impl Iterator<Item = &'f str>,
    short: bool,
) -> Option<(u8, NameFit)> {
    let of_form = |form: &str| {
        if short {
            let edits = typo.is(form).filter(|_| form.len() >= ONE_FROM)?;
            return Some((edits, NameFit::Whole));
        }
        let mut starts = word_starts(form);
        if let Some(edits) = starts.next().and_then(|form| typo.begins(form)) {
            let whole = typo.is(form).map(|edits| (edits, NameFit::Whole));
            return Some(whole.unwrap_or((edits, NameFit::Beginning)));
        }
        starts.find_map(|rest| typo.begins(rest).map(|edits| (edits, NameFit::Inner)))
    };
    forms.filter_map(of_form).min()
}
