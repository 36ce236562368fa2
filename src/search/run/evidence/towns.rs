//! Finds towns that a run of words may name.

use postduif_schema::{Town, TownRank, squash};

use super::clues::{Clues, NameClue};
use super::word_set::WordSet;
use crate::search::NameAgreement;
use crate::search::run::search::Search;

/// Maximum number of named towns that are kept. The search compares their streets with the words.
const MAX_TOWNS: usize = 8;

/// Maximum number of towns that are kept for one name if only the beginning of the town was typed.
const MAX_PREFIX_TOWNS: usize = 4;

/// Maximum number of towns that are kept because their municipality was named. The largest are kept.
const MAX_TOWNS_OF_AREA: usize = 40;

/// Towns more than this many points behind the best are dropped.
const MAX_POINTS_BEHIND: f32 = 20.0;

/// Minimum number of letters of the beginning of a town's name.
const MIN_TOWN_PREFIX_LETTERS: u8 = 2;

/// A town that a run of words may name.
#[derive(Debug, Clone, Copy)]
pub(super) struct TownClue {
    pub(super) town: TownRank,
    pub(super) words: WordSet,
    pub(super) agreement: NameAgreement,
    /// Whether the words name the municipality of the town.
    pub(super) is_of_area: bool,
}

/// The towns that the words name without a mistake.
pub(super) fn find_named_towns(search: &Search<'_, '_>, clues: &Clues) -> Vec<TownClue> {
    let towns = search.index.places.towns();
    let labelled = labelled_areas(search, clues);
    let names = clues.names.iter();
    let names = names.filter(|name| !name.words.overlaps(labelled));
    let named = names.flat_map(|name| {
        towns.with_name(&name.squashed).map(|town| TownClue {
            town,
            words: name.words,
            agreement: NameAgreement::Same,
            is_of_area: false,
        })
    });
    named.collect()
}

/// The towns that the words may name, the likeliest first. Of equally likely towns, the largest comes first.
pub(super) fn find_towns(search: &mut Search<'_, '_>, clues: &Clues) -> Vec<TownClue> {
    let places = search.index.places;
    let similar = places
        .similar_places()
        .towns(clues.similar(), &mut search.budget);
    let labelled = labelled_areas(search, clues);
    let mut found: Vec<TownClue> = similar
        .into_iter()
        .filter(|similar| !clues.names[similar.text].words.overlaps(labelled))
        .map(|similar| {
            let name = &clues.names[similar.text];
            let forms = places
                .towns()
                .get(similar.town)
                .into_iter()
                .flat_map(Town::forms);
            let forms: Vec<&str> = forms.collect();
            let is_beginning = name.is_last
                && similar.edits > 0
                && forms
                    .iter()
                    .any(|form| squash([*form]).starts_with(&name.squashed));
            TownClue {
                town: similar.town,
                words: name.words,
                agreement: match is_beginning {
                    // The name of the town is not mistyped, only not yet complete.
                    true => NameAgreement::Prefix(count_letters(name)),
                    false => name.agreement(similar.edits, forms.into_iter()),
                },
                is_of_area: false,
            }
        })
        .collect();
    for name in &clues.names {
        push_prefix_and_area_towns(search, name, &mut found);
    }
    let points = |clue: &TownClue| {
        let explained = clues.count_letters(clue.words);
        search.weights.score_town_name(clue.agreement)
            - search.weights.per_unexplained_letter * explained
    };
    found.sort_by(|a, b| {
        points(b)
            .total_cmp(&points(a))
            .then_with(|| a.town.cmp(&b.town))
    });
    let best = found.first().map_or(0.0, points);
    found.retain(|clue| points(clue) >= best - MAX_POINTS_BEHIND);
    keep_best_towns(&mut found);
    found
}

/// The largest towns of the municipalities that the words name after `gemeente`.
pub(super) fn find_towns_of_labelled_areas(
    search: &Search<'_, '_>,
    clues: &Clues,
) -> Vec<TownClue> {
    let labelled = clues.names.iter().filter(|name| name.is_labelled_area);
    labelled
        .flat_map(|name| towns_of_area(search, name, NameAgreement::Same))
        .collect()
}

fn towns_of_area(
    search: &Search<'_, '_>,
    name: &NameClue,
    agreement: NameAgreement,
) -> Vec<TownClue> {
    let towns = search.index.places.towns().in_municipality(&name.squashed);
    let largest = towns.iter().take(MAX_TOWNS_OF_AREA);
    let clues = largest.map(|&town| TownClue {
        town,
        words: name.words,
        agreement,
        is_of_area: true,
    });
    clues.collect()
}

/// The words that name a municipality after `gemeente`. These words do not count as the name of a town.
fn labelled_areas(search: &Search<'_, '_>, clues: &Clues) -> WordSet {
    let towns = search.index.places.towns();
    let is_area = |name: &&NameClue| {
        name.is_labelled_area && !towns.in_municipality(&name.squashed).is_empty()
    };
    let areas = clues.names.iter().filter(is_area);
    areas.fold(WordSet::default(), |words, name| words.union(name.words))
}

fn count_letters(name: &NameClue) -> u8 {
    u8::try_from(name.squashed.len()).unwrap_or(u8::MAX)
}

fn push_prefix_and_area_towns(search: &Search<'_, '_>, name: &NameClue, found: &mut Vec<TownClue>) {
    let towns = search.index.places.towns();
    let area_agreement = match name.is_labelled_area {
        true => NameAgreement::Same,
        false => NameAgreement::Area,
    };
    found.extend(towns_of_area(search, name, area_agreement));
    let letters = count_letters(name);
    if name.is_last && letters >= MIN_TOWN_PREFIX_LETTERS {
        let hits = towns.search(&name.spelled);
        let by_prefix = hits.iter().filter(|hit| hit.match_kind.is_prefix());
        let by_prefix = by_prefix.take(MAX_PREFIX_TOWNS);
        found.extend(by_prefix.map(|hit| TownClue {
            town: hit.town,
            words: name.words,
            agreement: NameAgreement::Prefix(letters),
            is_of_area: false,
        }));
    }
}

/// Keeps all clues of the first `MAX_TOWNS` towns that were named themselves, and of the first `MAX_TOWNS_OF_AREA` towns of which the
/// municipality was named.
fn keep_best_towns(found: &mut Vec<TownClue>) {
    let (mut kept, mut in_areas): (Vec<TownRank>, Vec<TownRank>) = (Vec::new(), Vec::new());
    found.retain(|clue| {
        let (known, most) = match clue.is_of_area {
            true => (&mut in_areas, MAX_TOWNS_OF_AREA),
            false => (&mut kept, MAX_TOWNS),
        };
        if !known.contains(&clue.town) && known.len() < most {
            known.push(clue.town);
        }
        known.contains(&clue.town)
    });
}
