//! Searches with typos. A typed name may have one wrong letter if the name has five letters or more, and two if it has nine or more.
//!
//! If the town was typed correctly, the name is compared with all streets of the town. Without a town, the search walks the
//! dictionary of prefixes. A mistyped town is searched only if the street was typed correctly, because typos in both would match too
//! many other places.

use std::sync::Arc;

use postduif_schema::{
    FuzzyMatcher, MaxEdits, StreetRank, TownHit, TownMatchKind, squash, word_suffixes,
};

use super::search::{MAX_STREETS, Search, StepResult};
use super::streets::{
    StreetNameQuery, add_scored_candidate, match_streets, push_cities, streets_with_prefixes,
};
use crate::search::parse::{
    Reading, Spelling, StreetTownSplit, sound_variants, spellings, street_town_splits,
};
use crate::search::{LookupError, NameMatch, SuggestionFilter, SuggestionKind};

/// Maximum number of readings that are tried. Later readings are unlikely even without a typo.
const MAX_READINGS_WITH_TYPOS: usize = 6;

/// Maximum number of spellings of a name that are tried.
const MAX_SPELLINGS: usize = 2;

/// Minimum number of letters of a name that may have one wrong letter.
const ONE_EDIT_MIN_LETTERS: usize = 5;

/// Minimum number of letters of a name that may have two wrong letters.
const TWO_EDITS_MIN_LETTERS: usize = 9;

/// Maximum number of letters that are compared. Later letters are ignored.
const MAX_LETTERS: usize = 40;

/// Maximum number of streets that are compared with a name. A filter by letters first drops about nine in ten streets. The largest
/// town has about 6,000 streets.
const MAX_STREETS_COMPARED: usize = 2_500;

/// Maximum number of streets that are compared if only the beginning of the town was typed.
const MAX_STREETS_COMPARED_TOWN_PREFIX: usize = 200;

/// Maximum number of towns that are searched if only the beginning of the town was typed.
const MAX_TOWNS_BY_PREFIX: usize = 12;

/// The cost of comparing one street, in steps of the budget.
const COMPARE_COST: u32 = 15;

/// The cost of comparing the names of all towns, in steps of the budget. There are about a hundred times fewer towns than streets.
const COMPARE_TOWNS_COST: u32 = 2_000;

/// Maximum number of mistyped towns that are searched for a correctly typed street.
const MAX_MISTYPED_TOWNS: usize = 6;

/// One way to split a reading into street and town, to be searched with typos.
struct TypoAttempt<'a> {
    reading: &'a Reading,
    split: StreetTownSplit<'a>,
    towns: Vec<TownHit>,
    town_evidence: TownEvidence,
}

/// How well the town of an attempt matches. A likelier case sorts before a less likely one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TownEvidence {
    Exact,
    Prefix,
    /// The town is mistyped. It is searched only if the street was typed correctly.
    Mistyped,
    Absent,
}

/// Searches for the readings with typos. Attempts with a correct town are the likeliest and come first. Stops after the first attempt that
/// finds a whole street name, if the whole name of the town was typed too, correctly or not.
pub(super) fn search_with_typos<'a>(
    search: &mut Search<'_, 'a>,
    readings: &'a [Reading],
) -> StepResult {
    let mut attempts = Vec::new();
    let named = readings.iter().filter(|reading| reading.postcode.is_none());
    for reading in named.take(MAX_READINGS_WITH_TYPOS) {
        if reading.number.is_none() && search.wants_kind(SuggestionKind::City) {
            let hits = towns_within_edits(search, &reading.words);
            push_cities(search, &hits, reading.words.len());
        }
        if search.filter != SuggestionFilter::City {
            let splits = street_town_splits(reading);
            attempts.extend(
                splits
                    .into_iter()
                    .map(|split| plan_attempt(search, reading, split)),
            );
        }
    }
    attempts.sort_by_key(|next| (next.town_evidence, next.reading.number.is_none()));
    for attempt in attempts {
        let sure = matches!(
            attempt.town_evidence,
            TownEvidence::Exact | TownEvidence::Mistyped
        );
        if run_attempt(search, &attempt)? && sure {
            break;
        }
    }
    Ok(())
}

fn plan_attempt<'a>(
    search: &mut Search<'_, 'a>,
    reading: &'a Reading,
    split: StreetTownSplit<'a>,
) -> TypoAttempt<'a> {
    let mut towns = search.town_hits(split.town).to_vec();
    towns.retain(|hit| hit.match_kind != TownMatchKind::Area);
    let town_evidence = match towns.first() {
        Some(hit) if hit.match_kind.is_whole_name() => TownEvidence::Exact,
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

/// Runs one attempt. Returns whether it found a whole street name, not only the beginning of one.
fn run_attempt<'a>(
    search: &mut Search<'_, 'a>,
    attempt: &TypoAttempt<'a>,
) -> Result<bool, LookupError> {
    let names = spellings(attempt.split.street);
    if match_sound_variants(search, attempt)? {
        return Ok(false);
    }
    let town_mistyped = attempt.town_evidence == TownEvidence::Mistyped;
    let mistyped_towns = match town_mistyped {
        true => mistyped_towns_beside_street(search, &names, attempt.split.town)?,
        false => Arc::default(),
    };
    let mistyped_towns = &mistyped_towns[..mistyped_towns.len().min(MAX_MISTYPED_TOWNS)];
    let mut found_exact = false;
    for name in names.iter().take(MAX_SPELLINGS) {
        let street_match = |towns| StreetNameQuery {
            reading: attempt.reading,
            name: &name.words,
            ends_in_title: false,
            towns,
            split: attempt.split,
        };
        if !town_mistyped {
            found_exact |= match_streets_with_typos(search, &street_match(&attempt.towns))?;
        } else if !mistyped_towns.is_empty() {
            found_exact |=
                match_streets(search, &street_match(mistyped_towns))? == Some(NameMatch::Exact);
        }
    }
    Ok(found_exact)
}

/// Searches for names that sound like the typed name, if no town was typed, or only the beginning of one. If the whole name of a town was
/// typed, a later step compares all streets of the town by sound. Returns whether a whole name was found or, if the house number was not
/// typed yet, a name that matches in any way.
fn match_sound_variants<'a>(
    search: &mut Search<'_, 'a>,
    attempt: &TypoAttempt<'a>,
) -> Result<bool, LookupError> {
    let letters: usize = attempt.split.street.iter().map(String::len).sum();
    let is_town_whole = matches!(
        attempt.town_evidence,
        TownEvidence::Exact | TownEvidence::Mistyped
    );
    if is_town_whole || letters < ONE_EDIT_MIN_LETTERS {
        return Ok(false);
    }
    let mut is_found = false;
    for name in sound_variants(attempt.split.street) {
        let query = StreetNameQuery {
            reading: attempt.reading,
            name: &name,
            ends_in_title: false,
            towns: &attempt.towns,
            split: attempt.split,
        };
        let best = match_streets(search, &query)?;
        is_found |= match attempt.reading.number {
            Some(_) => matches!(best, Some(NameMatch::Exact | NameMatch::WithoutArticle)),
            None => best.is_some(),
        };
    }
    Ok(is_found)
}

/// The towns that a mistyped name may mean. Comparing all towns is expensive, so none are compared unless some street begins with the
/// typed street name.
fn mistyped_towns_beside_street<'a>(
    search: &mut Search<'_, 'a>,
    names: &[Spelling],
    town: &'a [String],
) -> Result<Arc<[TownHit]>, LookupError> {
    for name in names.iter().take(MAX_SPELLINGS) {
        let whole = squash(name.words.iter().map(String::as_str));
        if !streets_with_prefixes(search, &[&whole], None, MAX_STREETS)?.is_empty() {
            return Ok(towns_within_edits(search, town));
        }
    }
    Ok(Arc::default())
}

/// Searches for names with one typo. If no whole name is found, searches for names with two typos. Returns whether a whole name was
/// found.
fn match_streets_with_typos<'a>(
    search: &mut Search<'_, 'a>,
    street_match: &StreetNameQuery<'a, '_>,
) -> Result<bool, LookupError> {
    let Some(typo) = typo_for(street_match.name) else {
        return Ok(false);
    };
    let one_edit = typo.with_one_edit();
    if match_streets_within_edits(search, street_match, &one_edit)? {
        return Ok(true);
    }
    match typo == one_edit {
        true => Ok(false),
        false => match_streets_within_edits(search, street_match, &typo),
    }
}

fn match_streets_within_edits<'a>(
    search: &mut Search<'_, 'a>,
    street_match: &StreetNameQuery<'a, '_>,
    typo: &FuzzyMatcher,
) -> Result<bool, LookupError> {
    let mut found_exact = false;
    let is_short = street_match.name.iter().map(String::len).sum::<usize>() < ONE_EDIT_MIN_LETTERS;
    for rank in streets_within_edits(search, street_match, typo)? {
        if !search.budget.spend(COMPARE_COST) {
            break;
        }
        let forms = search.index.places.street_forms(rank);
        if let Some((edits, name_match)) = fewest_edits(typo, forms, is_short) {
            found_exact |= name_match == NameMatch::Exact;
            let points = search.weights.score_name(name_match, &[]);
            let street = search.street(rank)?;
            add_scored_candidate(search, street_match, street, points, name_match, edits);
        }
    }
    Ok(found_exact)
}

fn streets_within_edits<'a>(
    search: &mut Search<'_, 'a>,
    street_match: &StreetNameQuery<'a, '_>,
    typo: &FuzzyMatcher,
) -> Result<Vec<StreetRank>, LookupError> {
    let places = search.index.places;
    let budget = &mut search.budget;
    let Some(best) = street_match.towns.first() else {
        return Ok(places.search_fuzzy(typo, MAX_STREETS, budget)?);
    };
    let (compared, towns) = match best.match_kind {
        TownMatchKind::Exact | TownMatchKind::ExactWithBegunArea => {
            (MAX_STREETS_COMPARED, usize::MAX)
        }
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

fn towns_within_edits<'a>(search: &mut Search<'_, 'a>, words: &'a [String]) -> Arc<[TownHit]> {
    let Some(typo) = typo_for(words) else {
        return Arc::default();
    };
    search.budget.spend(COMPARE_TOWNS_COST);
    search.mistyped_town_hits(words, &typo)
}

/// The matcher for words with typos; `None` if the words are too short.
fn typo_for(words: &[String]) -> Option<FuzzyMatcher> {
    let squashed: String = squash(words.iter().map(String::as_str));
    let squashed: String = squashed.chars().take(MAX_LETTERS).collect();
    let edits = match squashed.chars().count() {
        TWO_EDITS_MIN_LETTERS.. => MaxEdits::Two,
        // A name with one letter less may be tried too, because the typo may be a missing letter.
        length if length + 1 >= ONE_EDIT_MIN_LETTERS => MaxEdits::One,
        _ => return None,
    };
    Some(FuzzyMatcher::new(&squashed, edits))
}

/// The fewest edits that turn the typed words into a name, and how the words then match the name. If `is_short`, the words must match
/// a whole name of at least `ONE_EDIT_MIN_LETTERS` letters.
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
