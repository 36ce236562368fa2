//! Searches streets and towns by name.

use postduif_schema::{
    NameId, Street, StreetQuery, StreetRank, TownHit, TownMatchKind, TownRank, TownSet, squash,
};

use super::hit::{FoundPlace, Hit, MatchQuality, TextCoverage};
use super::search::{MAX_STREETS, Search, StepResult, StreetCandidate};
use crate::search::parse::{Reading, StreetTownSplit, spellings, street_town_splits};
use crate::search::{LookupError, NameMatch, SuggestionFilter, SuggestionKind, match_name};

/// Maximum number of towns that one reading adds as hits.
const MAX_CITIES: usize = 20;

/// Maximum number of words that may name a town, with or without its municipality. `Koudekerk aan den Rijn` with its municipality has seven
/// words.
const MAX_TOWN_WORDS: usize = 7;

/// Maximum number of streets that are searched for a title. Most streets with words that begin with `dr` have no such title.
const MAX_STREETS_BY_TITLE: usize = 400;

/// The cost of searching one split into street and town, in steps of the budget.
const SPLIT_COST: u32 = 60;

/// The cost of comparing one street with the words, in steps of the budget.
const COMPARE_STREET_COST: u32 = 20;

/// The cost of one town that matches the words, in steps of the budget.
const TOWN_HIT_COST: u32 = 6;

/// A name to search, and the towns to search in.
pub(super) struct StreetNameQuery<'r, 'w> {
    pub(super) reading: &'r Reading,
    pub(super) name: &'w [String],
    /// Whether the last word of the name must be a whole word of the street's name.
    pub(super) ends_in_title: bool,
    /// Empty if no town was typed.
    pub(super) towns: &'w [TownHit],
    /// The split that `name` and `towns` come from.
    pub(super) split: StreetTownSplit<'w>,
}

/// Searches streets and towns for the words and the house number of a reading. Ignores the postcode.
pub(super) fn search_by_name<'a>(search: &mut Search<'_, 'a>, reading: &'a Reading) -> StepResult {
    if reading.number.is_none() {
        let hits = search.town_hits(&reading.words);
        let exact = hits.first().filter(|hit| hit.match_kind.is_whole_name());
        search.named_town = search.named_town.or(exact.map(|hit| hit.town));
        search.is_only_town |= exact.is_some() && reading.postcode.is_none();
        if search.wants_kind(SuggestionKind::City) {
            push_cities(search, &hits, reading.words.len());
        }
    }
    if search.filter == SuggestionFilter::City {
        return Ok(());
    }
    for split in street_town_splits(reading) {
        search_split(search, reading, split)?;
    }
    Ok(())
}

fn search_split<'a>(
    search: &mut Search<'_, 'a>,
    reading: &'a Reading,
    split: StreetTownSplit<'a>,
) -> StepResult {
    if split.town.len() > MAX_TOWN_WORDS || !search.budget.spend(SPLIT_COST) {
        return Ok(());
    }
    let hits = search.town_hits(split.town);
    search
        .budget
        .spend(TOWN_HIT_COST * u32::try_from(hits.len()).unwrap_or(u32::MAX));
    if hits.is_empty() != split.town.is_empty() {
        return Ok(());
    }
    let areas = hits.partition_point(|hit| hit.match_kind != TownMatchKind::Area);
    let (by_name, areas) = hits.split_at(areas);
    let mut best_so_far = None;
    for spelling in spellings(split.street) {
        // Fallback spellings have short words, and many names begin with a short word. So they are tried only if no other
        // spelling matches.
        if spelling.is_fallback && best_so_far.is_some() {
            break;
        }
        let name = &spelling.words;
        let query = |towns| StreetNameQuery {
            reading,
            name,
            ends_in_title: spelling.ends_in_title,
            towns,
            split,
        };
        let mut best = None;
        if !by_name.is_empty() || areas.is_empty() {
            best = match_streets(search, &query(by_name))?;
        }
        if best != Some(NameMatch::Exact) && !areas.is_empty() {
            best = best.or(match_streets(search, &query(areas))?);
        }
        best_so_far = best_so_far.or(best);
    }
    Ok(())
}

/// Adds every street that matches the name as a candidate, and returns the best match.
pub(super) fn match_streets<'a>(
    search: &mut Search<'_, 'a>,
    query: &StreetNameQuery<'a, '_>,
) -> Result<Option<NameMatch>, LookupError> {
    let found = match query.ends_in_title {
        true => streets_with_title(search, query)?,
        false => streets_with_name(search, query)?,
    };
    // All streets are read before the first is compared, so that the reads from memory can overlap.
    let mut streets = Vec::with_capacity(found.len());
    for rank in found {
        if !search.budget.spend(COMPARE_STREET_COST) {
            break;
        }
        streets.push(search.street(rank)?);
    }
    let mut matched_names: Vec<(NameId, Option<NameMatch>)> = Vec::new();
    let mut best: Option<NameMatch> = None;
    for street in streets {
        let known = matched_names
            .iter()
            .find(|(name, _)| *name == street.name_id);
        let name_match = known.map_or_else(
            || match_name(query.name, street.forms()),
            |(_, name_match)| *name_match,
        );
        if known.is_none() {
            matched_names.push((street.name_id, name_match));
        }
        if let Some(name_match) = name_match {
            best = Some(best.map_or(name_match, |best| best.min(name_match)));
            let score = search.weights.score_name(name_match, query.name);
            add_scored_candidate(search, query, street, score, name_match, 0);
        }
    }
    Ok(best)
}

/// The streets with a name that matches the words of the query, and possibly others.
fn streets_with_name(
    search: &mut Search<'_, '_>,
    query: &StreetNameQuery<'_, '_>,
) -> Result<Vec<StreetRank>, LookupError> {
    let whole = squash(query.name.iter().map(String::as_str));
    let towns = town_set(query.towns);
    let mut found = streets_with_prefixes(search, &[&whole], towns.as_ref(), MAX_STREETS)?;
    if found.len() >= MAX_STREETS {
        let exact = exact_streets(search, &whole, towns.as_ref())?;
        found.extend(exact);
    } else if query.name.len() > 1 {
        let words: Vec<&str> = query.name.iter().map(String::as_str).collect();
        let by_words = streets_with_prefixes(search, &words, towns.as_ref(), MAX_STREETS)?;
        found.extend(by_words);
    }
    Ok(found)
}

/// The streets with words that begin with the words of the query, if the title at the end of the query is a whole word of the name: Dr.
/// Schaepmanstraat for `dr`, but not Dreef.
fn streets_with_title(
    search: &mut Search<'_, '_>,
    query: &StreetNameQuery<'_, '_>,
) -> Result<Vec<StreetRank>, LookupError> {
    let words: Vec<&str> = query.name.iter().map(String::as_str).collect();
    let towns = town_set(query.towns);
    let mut found = streets_with_prefixes(search, &words, towns.as_ref(), MAX_STREETS_BY_TITLE)?;
    let title = words.last().copied();
    found.retain(|street| {
        let mut forms = search.index.places.street_forms(*street);
        forms.any(|form| form.split(' ').any(|word| Some(word) == title))
    });
    found.truncate(MAX_STREETS);
    Ok(found)
}

/// Adds a street as a candidate. Its score is `name_points` plus the points for town, house number, size and typos.
pub(super) fn add_scored_candidate<'s, 'a>(
    search: &mut Search<'s, 'a>,
    query: &StreetNameQuery<'a, '_>,
    street: Street<'s>,
    name_points: f32,
    name_match: NameMatch,
    street_edits: u8,
) {
    let quality = match name_match {
        NameMatch::Exact | NameMatch::WithoutArticle => MatchQuality::Exact,
        NameMatch::Prefix | NameMatch::WordPrefixes | NameMatch::LastWords => MatchQuality::Prefix,
        NameMatch::InnerPrefix | NameMatch::AnyOrder => MatchQuality::Loose,
    };
    let hit = find_town_hit(query.towns, street.town);
    let town = hit.map_or(0.0, |hit| {
        search
            .weights
            .score_town(hit.match_kind, &query.split, name_match)
    });
    let number = query.reading.number.as_ref();
    let number_leads = number.is_some_and(|number| number.is_leading);
    let number = if number_leads {
        search.weights.number_leading
    } else {
        0.0
    };
    let addresses = search
        .index
        .places
        .town_of_street(&street)
        .map(|town| town.address_count);
    let size = search
        .weights
        .score_size(street.address_count, addresses.unwrap_or_default());
    let edits = street_edits + hit.map_or(0, |hit| hit.edits);
    search.add_candidate(StreetCandidate {
        score: name_points + town + number + size + search.weights.per_edit * f32::from(edits),
        reading: query.reading,
        edits,
        quality: match edits {
            0 => quality.max(hit.map_or(MatchQuality::Exact, |hit| town_quality(hit.match_kind))),
            _ => MatchQuality::Loose,
        },
        coverage: coverage_without_postcode(query, hit),
        name_may_continue: number_leads && query.split.town.is_empty(),
        street,
    });
}

/// How much of the text a street explains if it was found without the postcode. If a whole postcode was typed, the street explains the text
/// only if its town and a word with letters for its name were typed too: in `1234AB 20 Ede`, the 20 is a house number and not the beginning
/// of a street's name.
fn coverage_without_postcode(
    query: &StreetNameQuery<'_, '_>,
    town: Option<&TownHit>,
) -> TextCoverage {
    let has_postcode = query.reading.postcode.is_some_and(|range| range.is_whole());
    let has_town = town.is_some_and(|hit| hit.match_kind.is_whole_name());
    let is_letter = |byte: u8| byte.is_ascii_alphabetic();
    let has_name = query
        .split
        .street
        .iter()
        .any(|word| word.bytes().any(is_letter));
    match has_postcode && !(has_town && has_name) {
        true => TextCoverage::Partly,
        false => TextCoverage::All,
    }
}

/// The streets with a name of which some word begins with each of `prefixes`. At most `limit` of them: those with many addresses and in large
/// towns come first.
pub(super) fn streets_with_prefixes(
    search: &mut Search<'_, '_>,
    prefixes: &[&str],
    towns: Option<&TownSet>,
    limit: usize,
) -> Result<Vec<StreetRank>, LookupError> {
    let query = StreetQuery {
        prefixes,
        towns,
        limit,
    };
    Ok(search
        .index
        .places
        .search_streets(&query, &mut search.budget)?)
}

fn exact_streets(
    search: &mut Search<'_, '_>,
    name: &str,
    towns: Option<&TownSet>,
) -> Result<Vec<StreetRank>, LookupError> {
    let query = StreetQuery {
        prefixes: &[name],
        towns,
        limit: MAX_STREETS,
    };
    Ok(search
        .index
        .places
        .search_exact_name(&query, &mut search.budget)?)
}

/// Adds the towns of `hits`. `words` is the number of typed words of their names.
pub(super) fn push_cities(search: &mut Search<'_, '_>, hits: &[TownHit], words: usize) {
    let towns = search.index.places.towns();
    let by_name = hits
        .iter()
        .filter(|hit| hit.match_kind != TownMatchKind::Area)
        .take(MAX_CITIES);
    for hit in by_name {
        let addresses = towns.get(hit.town).map_or(0, |town| town.address_count);
        let mistakes = search.weights.per_edit * f32::from(hit.edits);
        let score = search.weights.score_city(hit.match_kind, words, addresses) + mistakes;
        let quality = match hit.edits {
            0 => town_quality(hit.match_kind),
            _ => MatchQuality::Loose,
        };
        search.hits.push(Hit {
            edits: hit.edits,
            ..Hit::new(
                FoundPlace::City(hit.town),
                score,
                quality,
                TextCoverage::All,
            )
        });
    }
}

fn town_quality(match_kind: TownMatchKind) -> MatchQuality {
    match match_kind {
        TownMatchKind::Exact | TownMatchKind::ExactWithBegunArea => MatchQuality::Exact,
        TownMatchKind::Prefix | TownMatchKind::VillagePrefix => MatchQuality::Prefix,
        TownMatchKind::InnerWord | TownMatchKind::Area => MatchQuality::Loose,
    }
}

/// Finds the hit of a town. The hits must be sorted by quality, and hits of the same quality by town.
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

/// The towns of the hits, or `None` if no town was typed.
fn town_set(hits: &[TownHit]) -> Option<TownSet> {
    (!hits.is_empty()).then(|| hits.iter().map(|hit| hit.town).collect())
}
