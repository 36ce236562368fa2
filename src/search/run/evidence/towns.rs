//! Towns that a run of words may name.

use std::cmp::Reverse;

use postduif_schema::{TownMatchKind, TownRank, fold, squash};

use super::clues::{Clues, NameClue, WordSet};
use crate::search::NameAgreement;
use crate::search::run::search::Search;

/// Towns whose streets are compared.
const MAX_TOWNS: usize = 8;

/// Towns of a municipality, and towns whose name is only begun.
const MAX_TOWNS_OF_NAME: usize = 4;

/// The least letters of the beginning of a town.
const MIN_BEGUN_LETTERS: usize = 2;

/// A town that a run of words may name.
#[derive(Debug, Clone, Copy)]
pub(super) struct TownClue {
    pub(super) town: TownRank,
    pub(super) words: WordSet,
    pub(super) agreement: NameAgreement,
}

/// The towns that the words may name, the likeliest first, then the largest.
pub(super) fn find_towns(search: &mut Search<'_, '_>, clues: &Clues) -> Vec<TownClue> {
    let places = search.index.places;
    let similar = places.similar_towns(&clues.similar, &mut search.budget);
    let mut found: Vec<TownClue> = similar
        .into_iter()
        .map(|similar| {
            let name = &clues.names[similar.text];
            let town = places.towns().get(similar.town);
            let is_same = town.is_some_and(|town| town.forms().any(|form| squash([form]) == name.squashed));
            TownClue {
                town: similar.town,
                words: name.words,
                agreement: NameAgreement::from_edits(similar.edits, is_same),
            }
        })
        .collect();
    for name in &clues.names {
        push_begun_or_area(search, name, &mut found);
    }
    let order = |clue: &TownClue| (clue.agreement, Reverse(clue.words.len()), clue.town);
    found.sort_by_key(order);
    keep_best_towns(&mut found);
    found
}

fn push_begun_or_area(search: &Search<'_, '_>, name: &NameClue, found: &mut Vec<TownClue>) {
    let letters = name.squashed.len();
    if letters < MIN_BEGUN_LETTERS {
        return;
    }
    let towns = search.index.places.towns();
    let hits = towns.search(&name.spelled);
    let begun = hits.iter().filter(|hit| hit.match_kind == TownMatchKind::Prefix && name.is_last);
    let is_whole_area = |town: TownRank| {
        let town = towns.get(town);
        town.is_some_and(|town| squash([&*fold(&town.municipality)]) == name.squashed)
    };
    let area = hits.iter().filter(|hit| hit.match_kind == TownMatchKind::Area && is_whole_area(hit.town));
    let agreement = NameAgreement::Begun(u8::try_from(letters).unwrap_or(u8::MAX));
    let begun = begun.take(MAX_TOWNS_OF_NAME).map(|hit| (hit.town, agreement));
    let area = area.take(2 * MAX_TOWNS_OF_NAME).map(|hit| (hit.town, NameAgreement::Area));
    found.extend(begun.chain(area).map(|(town, agreement)| TownClue {
        town,
        words: name.words,
        agreement,
    }));
}

/// Keeps all clues of the first towns.
fn keep_best_towns(found: &mut Vec<TownClue>) {
    let mut kept: Vec<TownRank> = Vec::new();
    found.retain(|clue| {
        if !kept.contains(&clue.town) && kept.len() < MAX_TOWNS {
            kept.push(clue.town);
        }
        kept.contains(&clue.town)
    });
}
