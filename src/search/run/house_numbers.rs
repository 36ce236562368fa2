//! Finds the addresses with the typed house number in streets and postcodes.

use std::cmp::Reverse;

use postduif_schema::{AddressRef, ListingKey, NumberRangeQuery};

use super::address_scope::{AddressScope, LIST_COST, is_in_scope, list_in_all_towns};
use super::hit::{FoundPlace, Hit, MatchQuality, TextCoverage};
use super::longer_numbers::hits_with_number_prefix;
use super::search::{Search, StepResult, StreetCandidate};
use crate::search::parse::{PostcodeKind, SuffixMatch, TypedNumber, is_roman_numeral};
use crate::search::word_shape::is_letter;
use crate::search::{LookupError, SuggestionFilter, SuggestionKind, count_as_f32};

/// Maximum number of streets that are searched for a number without a suffix, once a street with this number was found. Streets where the
/// typed suffix can only be the town are not counted. A number with a suffix is rare, so all streets are searched for a suffix that was typed
/// without a space.
const MAX_NUMBERED_STREETS: usize = 24;

/// Maximum number of addresses that are read at one house number of a street or postcode. Some house numbers have hundreds.
const MAX_PER_NUMBER: usize = 40;

/// Turns the candidates into hits, the best candidate first. First adds the addresses with the typed house number. Then, if the list
/// has free places, adds addresses with a longer number that begins with the typed digits.
pub(super) fn expand_candidates(search: &mut Search<'_, '_>) -> StepResult {
    let mut candidates = search.take_candidates();
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    let (mut searched_streets, mut partial) = (0, Vec::new());
    let (first_hit, mut is_exact_found) = (search.hits.len(), false);
    let (mut has_number, mut has_whole_number, mut is_name_whole) = (false, false, false);
    for candidate in candidates {
        let number = candidate.reading.number.as_ref();
        let Some(number) = number.filter(|_| search.wants_kind(SuggestionKind::Address)) else {
            push_street_hit(search, candidate, 0.0);
            continue;
        };
        let is_sought = match has_whole_number {
            true => is_searched_everywhere(number),
            false => may_be_in_smaller_street(number, &candidate, has_number),
        };
        let is_enough = searched_streets >= MAX_NUMBERED_STREETS && !is_sought;
        if is_enough || has_enough_better_hits(search, &candidate) {
            continue;
        }
        is_name_whole |= !candidate.name_may_continue;
        let scope = AddressScope::Street(candidate.street);
        let mut hits = hits_at_number(search, scope, number, candidate.score)?;
        if hits.is_empty() && is_town_name(search, &number.suffix) {
            continue;
        }
        searched_streets += 1;
        let postcode = candidate.reading.postcode;
        let postcode_prefix =
            postcode.filter(|range| range.kind == PostcodeKind::PrefixAfterNumber);
        if let Some(prefix) = postcode_prefix {
            hits.retain(|hit| hit.is_in_range(&prefix));
        }
        let found_number = !hits.is_empty();
        has_number |= found_number;
        is_exact_found |= found_number && candidate.quality == MatchQuality::Exact;
        has_whole_number |= hits.iter().any(|hit| hit.coverage == TextCoverage::All);
        push_address_hits(search, &candidate, hits);
        if postcode_prefix.is_none() && (number.may_continue || !found_number) {
            partial.push((candidate, number, found_number));
        }
    }
    for (candidate, number, found_number) in partial {
        let is_exact = candidate.quality == MatchQuality::Exact;
        // A separate word in the suffix may be the beginning of a town. Then an exactly named street without the number is not moved before
        // streets with a longer name.
        let is_suffix_sure = number.word_starts.is_empty();
        let found = expand_partial(search, candidate, number, found_number)?;
        is_exact_found |= is_exact && (found || !is_suffix_sure);
    }
    if !is_exact_found && is_name_whole {
        rank_named_streets_first(&mut search.hits[first_hit..]);
    }
    Ok(())
}

/// Whether all streets are searched for a number: true if its suffix was typed without a space or begins with 0. After a space, letters may
/// be the beginning of a town, and digits the beginning of a postcode, which never begins with 0.
fn is_searched_everywhere(number: &TypedNumber) -> bool {
    let is_apart = !number.word_starts.is_empty();
    !number.suffix.is_empty() && (!is_apart || number.suffix.starts_with('0'))
}

/// Whether a number that was not found in `MAX_NUMBERED_STREETS` streets is also searched in a smaller street. A suffix that was typed with a
/// space and does not begin with 0 is searched only if all of these hold: it is a letter or a Roman numeral; an earlier street has the number
/// with another suffix (`has_number`); the candidate has exactly the typed name. Without `has_number`, the four digits in `laan 8478 a` would use
/// up the budget. Other such suffixes leave the rest of the budget to other readings.
fn may_be_in_smaller_street(
    number: &TypedNumber,
    candidate: &StreetCandidate<'_, '_>,
    has_number: bool,
) -> bool {
    let suffix = &*number.suffix;
    if number.word_starts.is_empty() || is_searched_everywhere(number) {
        return true;
    }
    let is_unit = is_letter(suffix) || is_roman_numeral(suffix);
    is_unit && has_number && candidate.quality == MatchQuality::Exact
}

/// Moves a street without the typed number before the addresses of other streets, if the whole name of the street was typed and the other
/// names only begin with it. Called if no street with exactly the typed name has the number, and the name is whole. In `12 Dijk`, the user
/// may still be typing the name.
fn rank_named_streets_first(hits: &mut [Hit<'_>]) {
    let is_named = |hit: &Hit<'_>| hit.missing_number.is_some() && hit.explains_words();
    let best = |hits: &[Hit<'_>], is_chosen: &dyn Fn(&Hit<'_>) -> bool| {
        let chosen = hits.iter().filter(|hit| is_chosen(hit));
        chosen.map(|hit| hit.score).max_by(f32::total_cmp)
    };
    let is_address = |hit: &Hit<'_>| matches!(hit.place, FoundPlace::Address(_));
    let (best_named_street_score, best_address_score) =
        (best(hits, &is_named), best(hits, &is_address));
    let (Some(best_named_street_score), Some(best_address_score)) =
        (best_named_street_score, best_address_score)
    else {
        return;
    };
    // One point leaves room for the nearest numbers of the street, which rank below it.
    let points = best_address_score + 1.0 - best_named_street_score;
    for hit in hits.iter_mut().filter(|hit| is_named(hit)) {
        hit.score += points.max(0.0);
    }
}

/// Whether there are so many better hits that hits of this street, or of a worse street, would not be shown.
fn has_enough_better_hits<'s, 'a>(
    search: &Search<'s, 'a>,
    candidate: &StreetCandidate<'s, 'a>,
) -> bool {
    let best = candidate.score + search.weights.number_exact + search.weights.suffix_exact;
    candidate.edits > 0 && search.hits.len() >= search.limit
        || count_hits_without_typo(search, best) >= search.limit
}

/// How many hits without a typo have at least this score.
fn count_hits_without_typo(search: &Search<'_, '_>, score: f32) -> usize {
    let is_before = |hit: &&Hit| hit.edits == 0 && hit.score >= score;
    search.hits.iter().filter(is_before).count()
}

/// Adds the addresses of a street that have a longer house number with the typed digits at its beginning. If the street has no number that
/// fits, adds the street itself and returns `false`.
fn expand_partial<'s, 'a>(
    search: &mut Search<'s, 'a>,
    candidate: StreetCandidate<'s, 'a>,
    number: &'a TypedNumber,
    found_number: bool,
) -> Result<bool, LookupError> {
    let mut hits = Vec::new();
    let score = candidate.score + search.weights.number_prefix;
    if number.may_continue && count_hits_without_typo(search, score) < search.limit {
        let scope = AddressScope::Street(candidate.street);
        hits = hits_with_number_prefix(search, scope, number, candidate.score)?;
    }
    if !found_number && hits.is_empty() {
        push_street_hit(search, candidate, search.weights.number_not_found);
        return Ok(false);
    }
    push_address_hits(search, &candidate, hits);
    Ok(true)
}

fn push_address_hits<'s, 'a>(
    search: &mut Search<'s, 'a>,
    candidate: &StreetCandidate<'s, 'a>,
    hits: Vec<Hit<'s>>,
) {
    let hits = hits.into_iter().map(|hit| Hit {
        edits: candidate.edits,
        quality: candidate.quality.max(hit.quality),
        coverage: candidate
            .coverage
            .max(hit.coverage.with_name_quality(candidate.quality)),
        ..hit
    });
    search.hits.extend(hits);
}

fn push_street_hit<'s, 'a>(
    search: &mut Search<'s, 'a>,
    candidate: StreetCandidate<'s, 'a>,
    extra_points: f32,
) {
    let number = candidate.reading.number.as_ref();
    let without_number = match number {
        Some(number) if number.ends_with_name() => TextCoverage::Partly,
        _ => TextCoverage::Words.with_name_quality(candidate.quality),
    };
    if !search.wants_kind(SuggestionKind::Street) && search.filter != SuggestionFilter::Address {
        return;
    }
    let place = FoundPlace::Street(candidate.street, None);
    let score = candidate.score + extra_points;
    let mut hit = Hit::new(place, score, candidate.quality, candidate.coverage);
    hit.edits = candidate.edits;
    if extra_points < 0.0 {
        hit.quality = MatchQuality::Loose;
        hit.coverage = candidate.coverage.max(without_number);
        hit.missing_number = number.map(|typed| typed.number);
    }
    search.hits.push(hit);
}

/// The addresses at a house number with the typed suffix. If no address has the suffix, all addresses at the number, unless the suffix is
/// the name of a town.
pub(super) fn hits_at_number<'s, 'a>(
    search: &mut Search<'s, 'a>,
    scope: AddressScope<'s>,
    number: &'a TypedNumber,
    base_score: f32,
) -> Result<Vec<Hit<'s>>, LookupError> {
    let query = NumberRangeQuery {
        numbers: number.number..=number.number,
        limit: usize::MAX,
    };
    let mut all = list_in_all_towns(search, scope, &query)?;
    let suffix_match = |found: &AddressRef<'s>| {
        let ListingKey {
            letter, addition, ..
        } = found.listing_key;
        number.match_suffix(letter, addition)
    };
    let fitting = all
        .iter()
        .filter_map(|found| Some((*found, Some(suffix_match(found)?))));
    let mut found = limit_to_scope(search, scope, fitting);
    if found.is_empty() && !is_town_name(search, &number.suffix) {
        search.budget.spend(LIST_COST);
        all.sort_by_cached_key(|found| Reverse(matched_beginning(number, found)));
        found = limit_to_scope(search, scope, all.iter().map(|found| (*found, None)));
    }
    let beside_suffix = match number.ends_with_name() {
        true => TextCoverage::Partly,
        false => TextCoverage::Words,
    };
    let scored = (0..).zip(found).map(|(rank, (address, fit))| {
        let coverage = fit.map_or(beside_suffix, |_| TextCoverage::All);
        let (points, quality) = match fit {
            Some(SuffixMatch::Exact) if !number.suffix.is_empty() => {
                let points = search.weights.number_exact + search.weights.suffix_exact;
                (points, MatchQuality::Exact)
            }
            Some(SuffixMatch::Exact) => (search.weights.number_exact, MatchQuality::Exact),
            Some(SuffixMatch::Equivalent) => {
                (search.weights.number_equivalent, MatchQuality::Prefix)
            }
            Some(SuffixMatch::Prefix) => (search.weights.number_longer, MatchQuality::Prefix),
            None => {
                let beginning = match matched_beginning(number, &address) {
                    0 => 0.0,
                    _ => search.weights.suffix_beginning,
                };
                let points = search.weights.suffix_not_found + beginning;
                (points, MatchQuality::Loose)
            }
        };
        let score = base_score + points + search.weights.per_later_number * count_as_f32(rank);
        Hit::new(FoundPlace::Address(address), score, quality, coverage)
    });
    Ok(scored.collect())
}

/// How much of the typed suffix is the suffix of an address. See [`TypedNumber::matched_beginning`].
pub(super) fn matched_beginning(number: &TypedNumber, address: &AddressRef<'_>) -> usize {
    let ListingKey {
        letter, addition, ..
    } = address.listing_key;
    number.matched_beginning(letter, addition)
}

/// The first `MAX_PER_NUMBER` addresses at one house number. Those of them that are outside the street's town are dropped.
fn limit_to_scope<'s>(
    search: &Search<'s, '_>,
    scope: AddressScope<'s>,
    found: impl Iterator<Item = (AddressRef<'s>, Option<SuffixMatch>)>,
) -> Vec<(AddressRef<'s>, Option<SuffixMatch>)> {
    let first = found.take(MAX_PER_NUMBER);
    first
        .filter(|(found, _)| is_in_scope(search, scope, found))
        .collect()
}

/// Whether a suffix is the name of a town, as in `Dijk 12 Ede`. In another reading, such a word is the town.
pub(super) fn is_town_name<'a>(search: &mut Search<'_, 'a>, suffix: &'a String) -> bool {
    if suffix.is_empty() {
        return false;
    }
    let hits = search.town_hits(std::slice::from_ref(suffix));
    hits.first()
        .is_some_and(|hit| hit.match_kind.is_whole_name())
}
