//! Finds streets that a run of words may name: in the named towns, or anywhere.

use postduif_schema::{
    FuzzyMatcher, MaxEdits, SimilarTexts, StreetQuery, StreetRank, TownSet, squash, word_suffixes,
};

use super::clues::Clues;
use super::initials::add_streets_with_initials;
use super::mistyped_surnames::add_streets_with_mistyped_surname;
use super::postcode_streets::{add_postcode, add_streets_near_postcode};
use super::resembling_streets::add_resembling_streets;
use super::shortened_compounds::{add_joined_compounds, add_shortened_compounds};
use super::street_clue::StreetClue;
use super::street_collector::StreetCollector;
use super::towns::TownClue;
use super::word_set::WordSet;
use crate::search::parse::{
    differ_in_type, has_street_type, sound_variants, split_type, with_other_types,
};
use crate::search::run::search::Search;
use crate::search::{LookupError, NameAgreement, NameMatch, PostcodeAgreement, match_name};

/// Maximum number of towns that the words may name without a mistake. If they name more, the first step searches these towns only for exact
/// street names, not for similar ones.
const MAX_NAMED_TOWNS: usize = 8;

/// Minimum number of letters of a name that is looked up with typos and without a town.
const MIN_LETTERS_MISTYPED: usize = 6;

/// Minimum number of letters of words that may be the beginning or a later part of a name.
const MIN_LETTERS_OF_PART: usize = 5;

/// Maximum number of streets that are added for one part of a name.
const MAX_STREETS_OF_PART: usize = 10;

/// Maximum number of names for which other types of street are tried.
const MAX_NAMES_WITH_TYPE: usize = 6;

/// Maximum number of streets that are added for one name with one other type of street.
const MAX_STREETS_OF_TYPE: usize = 10;

/// Maximum number of streets that are added for one mistyped name without a town.
const MAX_MISTYPED_STREETS: usize = 20;

/// The first, cheap step. Searches the typed postcode or, if none was typed, the towns that are named without a mistake. Returns their
/// streets, best first, if one of them explains all words, or is named with its town and a house number. The expensive comparison of all
/// towns with all words is then not needed. Otherwise returns no streets.
pub(super) fn find_streets_of_named_towns<'s>(
    search: &mut Search<'s, '_>,
    clues: &Clues,
    towns: &[TownClue],
) -> Result<Vec<StreetClue<'s>>, LookupError> {
    if towns.is_empty() {
        return Ok(Vec::new());
    }
    let mut collector = StreetCollector::new(clues, towns);
    let whole = clues
        .postcode
        .as_ref()
        .filter(|found| found.entered.has_six_characters());
    let is_enough = match whole {
        Some(postcode) => {
            if let Some(exact) = postcode.parsed {
                add_postcode(&mut collector, search, exact, PostcodeAgreement::Same)?;
            }
            if !collector.has_named_address_for_all_words() {
                // The postcode may be that of a street with a shorter name: `Oude Dorpsweg 7` at the postcode of Dorpsweg.
                let in_towns = collector.certain_towns();
                collector.add_streets_with_exact_name(
                    search,
                    Some(&in_towns),
                    PostcodeAgreement::NotGiven,
                )?;
            }
            collector.has_named_address()
        }
        None => {
            add_streets_of_named_towns(&mut collector, search)?;
            let is_enough = collector.has_street_for_all_words() || collector.has_named_address();
            if is_enough
                && !collector.has_named_street(NameAgreement::SoundsAlike)
                && !collector.has_mistyped_street_with_number(search)?
            {
                add_other_types(&mut collector, search)?;
            }
            is_enough
        }
    };
    Ok(match is_enough {
        true => collector.into_best(),
        false => Vec::new(),
    })
}

/// Adds the streets in the named towns: first those with exactly a typed name, then those with a similar name. Leaves out the similar
/// names if an exact name explains all words, or if more than `MAX_NAMED_TOWNS` towns are named.
fn add_streets_of_named_towns<'s>(
    collector: &mut StreetCollector<'_, 's>,
    search: &mut Search<'s, '_>,
) -> Result<(), LookupError> {
    let in_towns = collector.certain_towns();
    collector.add_streets_with_exact_name(search, Some(&in_towns), PostcodeAgreement::NotGiven)?;
    if collector.towns.len() > MAX_NAMED_TOWNS || collector.has_named_address_for_all_words() {
        return Ok(());
    }
    let exact = collector.words_of_named_address();
    let texts = collector.clues.texts_of(|name| {
        !name.words.overlaps(collector.certain_town_words)
            // Only a longer name is better than the exact name.
            && exact.is_none_or(|exact| exact.without(name.words) == WordSet::default())
    });
    add_streets_of_towns(collector, search, &texts)
}

/// The streets that agree best, best first.
pub(super) fn find_streets<'s>(
    search: &mut Search<'s, '_>,
    clues: &Clues,
    towns: &[TownClue],
) -> Result<Vec<StreetClue<'s>>, LookupError> {
    let mut collector = StreetCollector::new(clues, towns);
    add_streets_of_towns(&mut collector, search, clues.similar())?;
    add_streets_near_postcode(&mut collector, search)?;
    let is_town_certain = collector.certain_town_words != WordSet::default();
    match is_town_certain {
        true => add_partly_named_streets(&mut collector, search)?,
        false => {
            collector.add_streets_with_exact_name(search, None, PostcodeAgreement::NotGiven)?
        }
    }
    let found_nothing_without_town = !is_town_certain && collector.found.is_empty();
    add_other_types(&mut collector, search)?;
    add_joined_compounds(&mut collector, search)?;
    if is_town_certain && !collector.has_named_street(NameAgreement::SoundsAlike) {
        // No street of the named town has a typed name, so the town may be wrong.
        collector.add_streets_with_exact_name(search, None, PostcodeAgreement::NotGiven)?;
    }
    if is_town_certain {
        add_resembling_streets(&mut collector, search)?;
    }
    if collector.found.is_empty() {
        add_mistyped_streets(&mut collector, search)?;
    }
    if found_nothing_without_town {
        add_streets_with_initials(&mut collector, search, None)?;
        add_partly_named_streets(&mut collector, search)?;
    }
    Ok(collector.into_best())
}

fn add_streets_of_towns<'s>(
    collector: &mut StreetCollector<'_, 's>,
    search: &mut Search<'s, '_>,
    texts: &SimilarTexts,
) -> Result<(), LookupError> {
    let mut known = Vec::new();
    for clue in collector.towns {
        if known.contains(&clue.town) {
            continue;
        }
        known.push(clue.town);
        let places = search.index.places.similar_places();
        let similar = places.streets_of_town(clue.town, texts, &mut search.budget);
        for found in similar {
            collector.add_similar(search, found, PostcodeAgreement::NotGiven)?;
        }
    }
    let named = collector.towns.iter().filter(|clue| !clue.is_of_area);
    let named: TownSet = named.map(|clue| clue.town).collect();
    if !named.is_empty() {
        add_streets_with_initials(collector, search, Some(&named))?;
    }
    add_shortened_compounds(collector, search)?;
    add_streets_with_mistyped_surname(collector, search)
}

/// Adds streets with the same name but another type of street: in the named towns, or in all towns if no town is named. Skips a name that
/// a found street already has, see [`StreetCollector::has_street_with_words`].
fn add_other_types<'s>(
    collector: &mut StreetCollector<'_, 's>,
    search: &mut Search<'s, '_>,
) -> Result<(), LookupError> {
    let (clues, certain) = (collector.clues, collector.certain_towns());
    let towns = match certain.is_empty() {
        true => collector.towns.iter().map(|clue| clue.town).collect(),
        false => certain,
    };
    let mut names = Vec::new();
    for name in &clues.names {
        if names.len() == MAX_NAMES_WITH_TYPE {
            break;
        }
        if has_street_type(&name.squashed, name.is_last)
            && !name.words.overlaps(collector.certain_town_words)
            && !collector.has_street_with_words(search, name.words, NameAgreement::Mistyped(1))?
        {
            names.push(name);
        }
    }
    let towns = Some(&towns).filter(|towns| !towns.is_empty());
    for name in names {
        let mut found = Vec::new();
        for other in with_other_types(&name.squashed, name.is_last) {
            let query = StreetQuery {
                prefixes: &[&other],
                towns,
                limit: MAX_STREETS_OF_TYPE,
            };
            let places = search.index.places;
            found.extend(places.search_exact_name(&query, &mut search.budget)?);
        }
        if found.is_empty() {
            found = streets_ending_in_other_type(search, &name.squashed, towns)?;
        }
        for street in found {
            let street = search.street(street)?;
            let named = (name.words, NameAgreement::Partial);
            collector.add_clues(search, street, named, PostcodeAgreement::NotGiven);
        }
    }
    Ok(())
}

/// The streets of which the last words differ from a squashed name only in their type: Harm Smeengestraat for `smeengelaan`.
fn streets_ending_in_other_type(
    search: &mut Search<'_, '_>,
    name: &str,
    towns: Option<&TownSet>,
) -> Result<Vec<StreetRank>, LookupError> {
    let Some((stem, _)) = split_type(name).filter(|(stem, _)| stem.len() >= MIN_LETTERS_OF_PART)
    else {
        return Ok(Vec::new());
    };
    let query = StreetQuery {
        prefixes: &[stem],
        towns,
        limit: MAX_STREETS_OF_TYPE,
    };
    let places = search.index.places;
    let mut streets = places.search_streets(&query, &mut search.budget)?;
    let ends_in_other_type = |form: &str| {
        let mut ends = word_suffixes(form).skip(1);
        ends.any(|end| differ_in_type(&squash([end]), name))
    };
    streets.retain(|street| places.street_forms(*street).any(ends_in_other_type));
    Ok(streets)
}

/// Adds streets of the named towns if words are the beginning or the end of their name: `Vondell` and `Kiestraweg` for Vondellaan and
/// Juffrouw Kiestraweg. If no town is named, searches all towns, but only for the last words of a name, or for a name without its article.
fn add_partly_named_streets<'s>(
    collector: &mut StreetCollector<'_, 's>,
    search: &mut Search<'s, '_>,
) -> Result<(), LookupError> {
    let towns = collector.certain_towns();
    let clues = collector.clues;
    for name in &clues.names {
        // Without a named town, the words after a house number are more likely the beginning of a town's name.
        let may_be_town = || (0..name.words.start()).any(|at| clues.has_number_at(at));
        if name.squashed.len() < MIN_LETTERS_OF_PART
            || name.words.overlaps(collector.certain_town_words)
            || collector.has_longer_name_with(name.words)
            || towns.is_empty() && may_be_town()
        {
            continue;
        }
        let query = StreetQuery {
            prefixes: &[&name.squashed],
            towns: Some(&towns).filter(|towns| !towns.is_empty()),
            limit: MAX_STREETS_OF_PART,
        };
        let places = search.index.places;
        for street in places.search_streets(&query, &mut search.budget)? {
            let street = search.street(street)?;
            let is_part = match match_name(&name.spelled, street.forms()) {
                Some(NameMatch::LastWords | NameMatch::WithoutArticle) => true,
                Some(NameMatch::Exact) | None => false,
                // Without a named town, a match elsewhere in the name is too common.
                Some(_) if towns.is_empty() => false,
                // An unknown next word contradicts the beginning: `Burgemeester Wolf` does not mean Burgemeester Bosweg.
                Some(_) => !has_other_word_at(collector, name.words.end()),
            };
            if is_part {
                let named = (name.words, NameAgreement::Partial);
                collector.add_clues(search, street, named, PostcodeAgreement::NotGiven);
            }
        }
    }
    Ok(())
}

/// Whether the word at this position is neither a house number nor a part of a named town, nor a filler word.
fn has_other_word_at(collector: &StreetCollector<'_, '_>, at: usize) -> bool {
    let clues = collector.clues;
    at < clues.words.len()
        && !clues.has_number_at(at)
        && !clues.fillers.contains(at)
        && !collector.certain_town_words.contains(at)
}

/// Adds streets with a mistyped name. Called only if no street was found.
fn add_mistyped_streets<'s>(
    collector: &mut StreetCollector<'_, 's>,
    search: &mut Search<'s, '_>,
) -> Result<(), LookupError> {
    let mut searched: Vec<(usize, Vec<StreetRank>)> = Vec::new();
    for at in 0..collector.clues.names.len() {
        let name = &collector.clues.names[at].squashed;
        if name.len() < MIN_LETTERS_MISTYPED {
            continue;
        }
        // A name that was already searched may be the beginning of this name. If the list of streets for that beginning is complete, it
        // also has the streets of this name. The filter below drops streets that fit only the beginning.
        let of_beginning = searched.iter().find(|(beginning, found)| {
            let beginning = &collector.clues.names[*beginning].squashed;
            found.len() < MAX_MISTYPED_STREETS && name.starts_with(beginning)
        });
        let found = match of_beginning {
            Some((_, found)) => found.clone(),
            None => {
                let matcher = FuzzyMatcher::new(name, MaxEdits::One);
                let places = search.index.places;
                places.search_fuzzy(&matcher, MAX_MISTYPED_STREETS, &mut search.budget)?
            }
        };
        let alike = match found.is_empty() {
            true => streets_that_sound_alike(collector.clues, search, at)?,
            false => Vec::new(),
        };
        for &street in found.iter().chain(&alike) {
            let places = search.index.places.similar_places();
            let similar = places.texts_of_street(street, collector.clues.similar());
            for similar in similar.into_iter().filter(|similar| similar.text == at) {
                collector.add_similar(search, similar, PostcodeAgreement::NotGiven)?;
            }
        }
        searched.push((at, found));
    }
    Ok(())
}

/// The streets of which the name sounds like a name before a house number, but differs by more than one letter: Herengracht for
/// `herengragt 12 centrum`.
fn streets_that_sound_alike(
    clues: &Clues,
    search: &mut Search<'_, '_>,
    name: usize,
) -> Result<Vec<StreetRank>, LookupError> {
    let name = &clues.names[name];
    let mut found = Vec::new();
    if !clues.has_number_at(name.words.end()) {
        return Ok(found);
    }
    for variant in sound_variants(&name.spelled) {
        let query = StreetQuery {
            prefixes: &[&squash(variant.iter().map(String::as_str))],
            towns: None,
            limit: MAX_MISTYPED_STREETS,
        };
        let places = search.index.places;
        found.extend(places.search_exact_name(&query, &mut search.budget)?);
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}
