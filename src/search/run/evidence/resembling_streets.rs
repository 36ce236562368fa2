//! Finds the streets of a named town that resemble the typed words most, for names that were misheard or remembered wrongly:
//! `zevenhoekstraat` for Zevenhoeksweg, `saussayeweg` for Burgemeester De la Saussaye Briëtweg.

use std::cmp::Reverse;

use postduif_schema::{SimilarText, StreetRank, squash};
use strsim::levenshtein;

use super::clues::NameClue;
use super::street_collector::StreetCollector;
use super::word_set::WordSet;
use crate::search::run::hit::FoundPlace;
use crate::search::run::search::Search;
use crate::search::{LookupError, NameAgreement, PostcodeAgreement, split_type};

/// Minimum similarity of a name to the typed words, in percent.
///
/// Source: measured with 1,500 names of real streets, each with three wrong letters, another type or a missing word, and a number that
/// exists. Of the most similar streets with that number, 77% are above this limit and right, and 6% are above it and wrong.
const MIN_PERCENT: u32 = 50;

/// A street is suggested if it is at most this many percentage points less similar than the best one.
const MAX_DIFFERENCE: u32 = 3;

/// Minimum number of letters of the words.
const MIN_LETTERS: usize = 5;

/// At most one in this many letters of a stem may differ, rounded up, so that `tulpstraat` does not bring the Dorpsstraat.
const MIN_STEM_PART: usize = 2;

/// Maximum number of streets that are searched for the typed house number, and maximum number of streets that resemble one name.
const MAX_STREETS_SEARCHED: usize = 24;

/// Adds the streets of the named towns that resemble the words most and have the typed house number. Does nothing without a number, if the
/// words already name a street, or if an address with the typed postcode was found: then the words may be the name of a person.
pub(super) fn add_resembling_streets<'s>(
    collector: &mut StreetCollector<'_, 's>,
    search: &mut Search<'s, '_>,
) -> Result<(), LookupError> {
    if collector.clues.numbers.is_empty() || has_address_at_postcode(collector, search) {
        return Ok(());
    }
    let towns = collector.certain_towns();
    let mut resembling: Vec<(StreetRank, u32, WordSet)> = Vec::new();
    for name in longest_names(collector) {
        if collector.already_names_street(name.words) {
            return Ok(());
        }
        let Some(text) = SimilarText::new(&name.spelled) else {
            continue;
        };
        let places = search.index.places.similar_places();
        let found = places.resembling_streets(&towns, &text, MIN_PERCENT, &mut search.budget);
        for (street, percent) in found.into_iter().take(MAX_STREETS_SEARCHED) {
            let known = search.street(street)?;
            let is_similar = |form: &str| have_similar_stems(&name.spelled, form);
            if !known.forms().any(is_similar) {
                continue;
            }
            // The same words may be spelled in several ways.
            let mut known = resembling.iter_mut();
            match known.find(|known| (known.0, known.2) == (street, name.words)) {
                Some(known) => known.1 = known.1.max(percent),
                None => resembling.push((street, percent, name.words)),
            }
        }
    }
    resembling.sort_by_key(|(_, percent, _)| Reverse(*percent));
    add_those_with_number(collector, search, resembling)
}

/// Adds the first of these streets, sorted by similarity, that has the typed house number, and those that have it and are nearly as similar.
fn add_those_with_number<'s>(
    collector: &mut StreetCollector<'_, 's>,
    search: &mut Search<'s, '_>,
    resembling: Vec<(StreetRank, u32, WordSet)>,
) -> Result<(), LookupError> {
    let mut best = None;
    for (street, percent, words) in resembling.into_iter().take(MAX_STREETS_SEARCHED) {
        if best.is_some_and(|best| percent + MAX_DIFFERENCE < best) {
            break;
        }
        let street = search.street(street)?;
        if collector.has_typed_number(search, street)? {
            best = best.or(Some(percent));
            let named = (words, NameAgreement::Partial);
            collector.add_clues(search, street, named, PostcodeAgreement::NotGiven);
        }
    }
    Ok(())
}

/// Whether the typed name without its type of street, such as `straat`, is similar to a name or to one of its words. Also true if
/// the types differ: the letters that both names share are then not those of the type.
fn have_similar_stems(typed: &[String], form: &str) -> bool {
    let typed_name = squash(typed.iter().map(String::as_str));
    let name = squash([form]);
    let (Some((typed_stem, typed_kind)), Some((stem, kind))) =
        (split_type(&typed_name), split_type(&name))
    else {
        return true;
    };
    let last_typed = typed.last().and_then(|word| split_type(word));
    let last_typed = last_typed.map_or(typed_stem, |(stem, _)| stem);
    let words = form.split(' ');
    let words = words.map(|word| split_type(word).map_or(word, |(stem, _)| stem));
    let mut known = words.chain([stem]).filter(|word| !word.is_empty());
    typed_kind != kind
        || known.any(|known| {
            [typed_stem, last_typed].into_iter().any(|typed| {
                let longer = typed.len().max(known.len());
                levenshtein(typed, known) <= longer.div_ceil(MIN_STEM_PART)
            })
        })
}

/// Whether an address with the typed postcode was found.
fn has_address_at_postcode(collector: &StreetCollector<'_, '_>, search: &Search<'_, '_>) -> bool {
    let typed = collector
        .clues
        .postcode
        .as_ref()
        .and_then(|clue| clue.parsed);
    let mut places = search.hits.iter().map(|hit| &hit.place);
    places.any(|place| match place {
        FoundPlace::Address(address) => Some(address.listing_key.postcode) == typed,
        _ => false,
    })
}

/// The runs of words that may be the name of a street and are not inside a longer such run.
fn longest_names<'c>(collector: &StreetCollector<'c, '_>) -> Vec<&'c NameClue> {
    let clues = collector.clues;
    let is_name = |name: &&NameClue| {
        name.squashed.len() >= MIN_LETTERS
            && !name.words.overlaps(collector.certain_town_words)
            && !clues
                .numbers
                .iter()
                .any(|(token, _)| name.words.contains(token.position))
    };
    let names: Vec<&NameClue> = clues.names.iter().filter(is_name).collect();
    let is_longest = |name: &&NameClue| {
        let mut longer = names.iter().filter(|other| other.words != name.words);
        !longer.any(|longer| name.words.without(longer.words) == WordSet::default())
    };
    names.iter().copied().filter(is_longest).collect()
}
