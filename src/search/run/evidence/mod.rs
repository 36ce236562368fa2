//! Finds the places that agree best with all typed words, for texts that the exact searches explain only in part. Such texts have, for
//! example, two typos, a wrong postcode, the name of a person before the address, or words that match nothing.
//!
//! | file | owns |
//! |---|---|
//! | `clues` | the words, the runs of words that may be a name, the house numbers, the postcode |
//! | `number_clues` | the house numbers in the words |
//! | `towns` | towns that a run of words may name |
//! | `town_place` | which of several named towns is that of the address |
//! | `first_names` | how typed words agree with the first names in a name |
//! | `initials` | streets that have an initial where a first name was typed, or the reverse |
//! | `mistyped_surnames` | streets of which the surname has a wrong letter, and the first names are initials or missing |
//! | `resembling_streets` | streets of a named town that share many pairs of letters with the words |
//! | `shortened_compounds` | streets of which only the beginning and the type were typed |
//! | `street_clue` | a street that agrees with some of the words |
//! | `street_collector` | the streets that were found, each scored by how well it agrees with all words |
//! | `postcode_streets` | streets at the typed postcode, near it, or in its town |
//! | `streets` | streets that a run of words may name: in the named towns, or anywhere |
//! | `word_set` | a set of words of the text |
//! | `addresses` | the addresses of the best streets, each scored by how well the whole text agrees with it |
//!
//! Every name, house number and postcode may add candidates. Words that match nothing lower the score of a candidate, but never
//! remove the candidate.

mod addresses;
mod clues;
mod first_names;
mod initials;
mod mistyped_surnames;
mod number_clues;
mod postcode_clue;
mod postcode_streets;
mod resembling_streets;
mod shortened_compounds;
mod street_clue;
mod street_collector;
mod streets;
mod town_place;
mod towns;
mod word_set;

use self::addresses::push_hits;
use self::clues::Clues;
use self::streets::{find_streets, find_streets_of_named_towns};
use self::towns::{TownClue, find_named_towns, find_towns, find_towns_of_labelled_areas};
use self::word_set::WordSet;
use super::hit::{FoundPlace, Hit, MatchQuality, TextCoverage};
use super::search::{Search, StepResult};
use crate::search::parse::is_district;
use crate::search::{NameAgreement, SuggestionFilter, SuggestionKind, Unexplained};
use postduif_schema::{SearchBudget, TownMatchKind};

/// Maximum number of towns that are added if only a municipality was named.
const MAX_TOWNS_OF_AREA: usize = 5;

/// The step budget for weighing the evidence, separate from that of the exact searches.
const EVIDENCE_STEPS: u32 = 30_000;

/// Adds the places that agree best with all words.
pub(super) fn weigh_evidence(search: &mut Search<'_, '_>, words: &[String]) -> StepResult {
    search.budget = SearchBudget::new(EVIDENCE_STEPS);
    let clues = Clues::from_words(words);
    if search.filter == SuggestionFilter::City {
        let towns = find_towns(search, &clues);
        push_mistyped_towns(search, &clues, &towns);
        let named = find_named_towns(search, &clues);
        let is_longer = |area: &&TownClue| {
            let mut named = named.iter();
            named.all(|town| area.words.without(town.words) != WordSet::default())
        };
        let areas: Vec<TownClue> = towns.iter().filter(is_longer).copied().collect();
        push_towns_of_area(search, &areas);
        push_towns(search, &named, TextCoverage::Partly);
        return Ok(());
    }
    let mut towns = find_named_towns(search, &clues);
    towns.extend(find_towns_of_labelled_areas(search, &clues));
    let mut streets = find_streets_of_named_towns(search, &clues, &towns)?;
    if streets.is_empty() {
        search.budget = SearchBudget::new(EVIDENCE_STEPS);
        towns = find_towns(search, &clues);
        streets = find_streets(search, &clues, &towns)?;
    }
    push_hits(search, &clues, streets)?;
    push_towns_with_district(search, &clues, &towns);
    push_mistyped_towns(search, &clues, &towns);
    if search.hits.is_empty() {
        push_towns_of_area(search, &towns);
    }
    Ok(())
}

/// Adds the towns that the words name without a mistake. Called only if the search found no street and no address. A later step fills the
/// list with the streets of the largest of these towns.
pub(super) fn push_named_towns(search: &mut Search<'_, '_>, words: &[String]) {
    let towns = find_named_towns(search, &Clues::from_words(words));
    search.named_town = towns.iter().map(|clue| clue.town).min();
    // The towns come before the streets that fill the list.
    push_towns(search, &towns, TextCoverage::Words);
}

/// Adds the towns of the clues as hits. Skips a town if its name is only a part of a longer town name in the text: `2e Valthermond` does
/// not also name Valthermond.
fn push_towns(search: &mut Search<'_, '_>, clues: &[TownClue], coverage: TextCoverage) {
    for clue in clues.iter().filter(|clue| !is_in_longer_name(clue, clues)) {
        let hit = town_hit(search, clue, TownMatchKind::Exact, coverage);
        search.hits.push(hit);
    }
}

/// Whether the name of a town is only a part of a longer town name in the text.
fn is_in_longer_name(clue: &TownClue, clues: &[TownClue]) -> bool {
    let rest = |longer: &TownClue| clue.words.without(longer.words);
    let mut others = clues.iter().filter(|other| other.words != clue.words);
    others.any(|longer| rest(longer) == WordSet::default())
}

/// Adds the towns of a text that has only the name of a town and its district: `assen centrum`.
fn push_towns_with_district(search: &mut Search<'_, '_>, clues: &Clues, towns: &[TownClue]) {
    if !search.wants_kind(SuggestionKind::City) {
        return;
    }
    let is_rest_district = |clue: &TownClue| {
        let mut words = clues.words.iter().enumerate();
        words.all(|(at, word)| clue.words.contains(at) || is_district(word))
    };
    let is_named = |clue: &&TownClue| clue.agreement == NameAgreement::Same && !clue.is_of_area;
    let named: Vec<TownClue> = towns.iter().filter(is_named).copied().collect();
    let meant = named
        .iter()
        .filter(|clue| is_rest_district(clue) && !is_in_longer_name(clue, &named));
    for clue in meant {
        let hit = town_hit(search, clue, TownMatchKind::Exact, TextCoverage::Words);
        search.hits.push(hit);
    }
}

/// Adds the towns of which the whole text is a mistyped name.
fn push_mistyped_towns(search: &mut Search<'_, '_>, clues: &Clues, towns: &[TownClue]) {
    if !search.wants_kind(SuggestionKind::City) {
        return;
    }
    let is_mistyped = |name| {
        matches!(
            name,
            NameAgreement::SoundsAlike | NameAgreement::Mistyped(_)
        )
    };
    let whole = towns.iter().filter(|clue| {
        is_mistyped(clue.agreement) && clues.unexplained(clue.words) == Unexplained::default()
    });
    for clue in whole {
        let weights = search.weights;
        let mistakes = weights.score_town_name(clue.agreement) - weights.town_exact;
        let mut hit = town_hit(search, clue, TownMatchKind::Exact, TextCoverage::Partly);
        hit.score += mistakes;
        hit.edits = clue.agreement.mistake_count();
        // The text may also be the beginning of another mistyped name. The hit keeps `TextCoverage::Partly`, so that a later step searches for
        // that name.
        search.hits.push(hit);
    }
}

/// Adds the largest towns of a municipality. Called only if the search has no other hits.
fn push_towns_of_area(search: &mut Search<'_, '_>, clues: &[TownClue]) {
    let areas = clues.iter().filter(|clue| clue.is_of_area);
    for clue in areas.take(MAX_TOWNS_OF_AREA) {
        let hit = town_hit(search, clue, TownMatchKind::Area, TextCoverage::Partly);
        search.hits.push(hit);
    }
}

fn town_hit<'s>(
    search: &Search<'s, '_>,
    clue: &TownClue,
    match_kind: TownMatchKind,
    coverage: TextCoverage,
) -> Hit<'s> {
    let town = search.index.places.towns().get(clue.town);
    let addresses = town.map_or(0, |town| town.address_count);
    let score = search.weights.score_city(match_kind, 1, addresses);
    Hit::new(
        FoundPlace::City(clue.town),
        score,
        MatchQuality::Loose,
        coverage,
    )
}
