//! Searches the streets and addresses of a typed postcode, or of all postcodes that begin with the typed characters.

use std::cmp::Ordering;

use postduif_schema::{HouseNumber, PlaceIndex, Postcode, Street, StreetRank, TownRank};

use super::address_scope::AddressScope;
use super::hit::{FoundPlace, Hit, MatchQuality, TextCoverage};
use super::house_numbers::{hits_at_number, is_town_name};
use super::longer_numbers::hits_with_number_prefix;
use super::search::{Search, StepResult};
use crate::search::parse::{PostcodeKind, PostcodeRange, Reading, TypedNumber};
use crate::search::word_shape::{begins_with_digit, has_digit};
use crate::search::{
    LookupError, SuggestionFilter, SuggestionKind, begins_any_word, contains_name, count_as_f32,
};

/// Maximum number of pairs of a postcode and a street that are examined. If the text is only the beginning of a postcode, only as many
/// pairs are examined as the search may return.
pub(super) const MAX_PAIRS: usize = 400;

/// The cost of examining one pair of a postcode and a street, in steps of the budget.
const PAIR_COST: u32 = 10;

/// Maximum number of pairs of a postcode and a street that are searched for a house number.
const MAX_NUMBERED_POSTCODES: usize = 20;

/// The steps between a house number and a name that are not next to each other.
const MAX_STEPS: u8 = 2;

/// The part of a street that is in one postcode of the typed range.
struct StreetInPostcode<'s> {
    street: Street<'s>,
    postcode: Postcode,
    range: PostcodeRange,
    coverage: TextCoverage,
    /// Whether the text has the whole name of the street, and its only other words name a town that this postcode is not in. If the postcode
    /// also has the typed house number, the town is the mistake.
    is_other_town_typed: bool,
    /// How much of the text an address explains if its house number begins with the typed digits but is longer.
    longer_number_coverage: TextCoverage,
}

impl StreetInPostcode<'_> {
    /// How much the words and the house number together explain. If the typed postcode is incomplete, a wrong suffix lowers the
    /// result to `Partly`.
    fn explain(&self, number: TextCoverage) -> TextCoverage {
        match number {
            TextCoverage::Words if !self.range.is_whole() => TextCoverage::Partly,
            // Lower than `All`, so that the typed town is still searched. Its addresses come after this one.
            TextCoverage::All if self.is_other_town_typed => TextCoverage::Words,
            number => number.max(self.coverage),
        }
    }
}

/// Searches for a reading with a postcode.
pub(super) fn search_by_postcode<'a>(
    search: &mut Search<'_, 'a>,
    reading: &'a Reading,
    range: PostcodeRange,
) -> StepResult {
    let places = search.index.places;
    let only_postcode = reading.words.is_empty() && reading.number.is_none();
    let limit = if only_postcode && !range.is_whole() {
        search.limit
    } else {
        MAX_PAIRS
    };
    let bounds = [range.first, range.last];
    let pairs = places.streets_by_postcode(bounds, limit, &mut search.budget);
    let evidence = count_evidence(reading);
    let (mut pair_rank, mut seen_cities) = (0, Vec::new());
    let (first_hit, mut named_streets) = (search.hits.len(), Vec::new());
    for &(postcode, rank) in pairs {
        if !search.budget.spend(PAIR_COST) {
            break;
        }
        let matches_street = |word: &&String| begins_street_or_town_word(word, places, rank);
        let unmatched = reading.words.iter().filter(|word| !matches_street(word));
        let unmatched_count = if range.is_whole() {
            unmatched.clone().count()
        } else {
            unmatched.clone().take(1).count()
        };
        if unmatched_count > 0 && !range.is_whole() {
            continue;
        }
        let matched = evidence.saturating_sub(unmatched_count);
        let street = search.street(rank)?;
        let has_street_name = has_name_beside_number(reading, street);
        let weights = &search.weights;
        let is_number_typed = reading.number.is_some()
            || has_street_name && reading.words.iter().any(|word| has_digit(word));
        let score = postcode_points(search, reading, range, is_number_typed)
            + weights.per_word_in_postcode * count_as_f32(matched)
            + weights.per_unmatched_word * count_as_f32(unmatched_count)
            + weights.name_in_postcode * f32::from(u8::from(has_street_name))
            + weights.per_later_number * count_as_f32(pair_rank);
        let coverage = match unmatched_count {
            0 => TextCoverage::All,
            _ => TextCoverage::Partly,
        };
        let is_other_town_typed = unmatched_count > 0
            && has_street_name
            && names_town_elsewhere(search, &unmatched.collect::<Vec<_>>(), pairs)?;
        let place = StreetInPostcode {
            street,
            postcode,
            range,
            coverage,
            is_other_town_typed,
            longer_number_coverage: match has_street_name {
                true => TextCoverage::Words,
                false => TextCoverage::All,
            },
        };
        if !seen_cities.contains(&street.town) {
            seen_cities.push(street.town);
            push_city_of_postcode(search, street.town, reading, range, score);
        }
        let number = reading.number.as_ref();
        match number.filter(|_| search.wants_kind(SuggestionKind::Address)) {
            Some(_) if pair_rank >= MAX_NUMBERED_POSTCODES => {}
            Some(number) => {
                if has_street_name && !range.is_whole() {
                    named_streets.push((street, score));
                }
                let steps = steps_from_name(reading, number, places, rank);
                push_addresses_in_postcode(search, place, (number, steps), score)?;
            }
            None => push_street_in_postcode(search, &place, score, None),
        }
        pair_rank += 1;
    }
    if search.hits.len() == first_hit {
        push_named_streets(search, reading, named_streets);
    }
    Ok(())
}

/// Adds the streets of which the whole name was typed together with four digits of their postcode. Called if no address in a postcode with
/// these digits has the house number. The streets are hits nevertheless, because the digits outweigh the number.
fn push_named_streets<'s>(
    search: &mut Search<'s, '_>,
    reading: &Reading,
    streets: Vec<(Street<'s>, f32)>,
) {
    let mut pushed = Vec::new();
    for (street, score) in streets {
        if pushed.contains(&street.rank) {
            continue;
        }
        pushed.push(street.rank);
        let place = FoundPlace::Street(street, None);
        let score = score + search.weights.number_not_found;
        search.hits.push(Hit {
            missing_number: reading.number.as_ref().map(|number| number.number),
            ..Hit::new(place, score, MatchQuality::Loose, TextCoverage::Words)
        });
    }
}

/// Adds the addresses of a street at a house number in a postcode. If no address in a complete postcode has the number, adds the
/// street instead.
fn push_addresses_in_postcode<'s, 'a>(
    search: &mut Search<'s, 'a>,
    place: StreetInPostcode<'s>,
    (number, steps_from_name): (&'a TypedNumber, u8),
    score: f32,
) -> StepResult {
    let scope = AddressScope::Postcode(place.postcode);
    let mut hits = hits_at_number(search, scope, number, score)?;
    if number.may_continue && place.range.is_whole() {
        let longer = hits_with_number_prefix(search, scope, number, score)?;
        // These hits cover at most as much of the text as the street. They cover less if the street may have the typed number in another
        // postcode. A later variant of `TextCoverage` explains less, so `max` chooses it.
        hits.extend(longer.into_iter().map(|hit| Hit {
            coverage: place.longer_number_coverage.max(place.coverage),
            ..hit
        }));
    }
    // The suffix is the name of a town, and another reading uses it as the town.
    if hits.is_empty() && is_town_name(search, &number.suffix) {
        return Ok(());
    }
    if hits.is_empty() && place.range.is_whole() {
        let score = score + search.weights.number_not_found;
        push_street_in_postcode(search, &place, score, Some(number.number));
        return Ok(());
    }
    // Several streets of the postcode may have the number. Only the addresses of this street get its score.
    for hit in hits {
        if let FoundPlace::Address(address) = &hit.place
            && address.street_key()? == Some(place.street.key)
        {
            let coverage = place.explain(hit.coverage);
            let weight = match coverage.cmp(&place.coverage) {
                Ordering::Greater => search.weights.other_suffix_in_digits,
                Ordering::Equal => 0.0,
                Ordering::Less => search.weights.street_in_postcode_of_other_town,
            };
            let nearer = f32::from(MAX_STEPS - steps_from_name);
            let nearness = -search.weights.per_step_apart * nearer;
            search.hits.push(Hit {
                score: hit.score + weight + nearness,
                coverage,
                quality: match place.coverage {
                    TextCoverage::Partly => MatchQuality::Loose,
                    _ => hit.quality,
                },
                ..hit
            });
        }
    }
    Ok(())
}

/// How far the house number is from a word of the street's name: 0 directly after it, 1 directly before it, `MAX_STEPS` elsewhere.
fn steps_from_name(
    reading: &Reading,
    number: &TypedNumber,
    places: &PlaceIndex,
    street: StreetRank,
) -> u8 {
    let is_name = |word: &String| begins_any_word(word, places.street_forms(street));
    let end = match number.is_leading {
        true => 0,
        false => reading.words.len(),
    };
    let (before, after) = reading.words.split_at(reading.split_at.unwrap_or(end));
    if before.last().is_some_and(is_name) {
        0
    } else if after.first().is_some_and(is_name) {
        1
    } else {
        MAX_STEPS
    }
}

/// Points for the typed postcode. `is_number_typed` says whether the text has a house number, or a number in the whole name of the street.
fn postcode_points(
    search: &Search<'_, '_>,
    reading: &Reading,
    range: PostcodeRange,
    is_number_typed: bool,
) -> f32 {
    match range.kind {
        PostcodeKind::Whole => {
            let steps = f32::from(reading.steps_from_postcode);
            search.weights.postcode_whole + search.weights.per_step_apart * steps
        }
        PostcodeKind::LeadingPrefix if range.has_letter() => {
            search.weights.postcode_leading_digits + search.weights.postcode_letter
        }
        PostcodeKind::LeadingPrefix => search.weights.postcode_leading_digits,
        PostcodeKind::LaterPrefix if is_number_typed => search.weights.postcode_digits_with_number,
        PostcodeKind::LaterPrefix | PostcodeKind::PrefixAfterNumber => {
            search.weights.postcode_later_digits
        }
    }
}

fn push_street_in_postcode<'s>(
    search: &mut Search<'s, '_>,
    place: &StreetInPostcode<'s>,
    score: f32,
    missing_number: Option<HouseNumber>,
) {
    if search.filter != SuggestionFilter::City {
        let coverage = match missing_number {
            Some(_) => place.coverage.max(TextCoverage::Words),
            None => place.coverage,
        };
        let street = FoundPlace::Street(place.street, Some(place.postcode));
        search.hits.push(Hit {
            missing_number,
            ..Hit::new(street, score, range_quality(place.range), coverage)
        });
    }
}

/// Adds the town of a postcode if the filter asks for towns only and no house number was typed. With another filter, the suggestion
/// of a street or address already names the town.
fn push_city_of_postcode(
    search: &mut Search<'_, '_>,
    town: TownRank,
    reading: &Reading,
    range: PostcodeRange,
    score: f32,
) {
    if search.filter == SuggestionFilter::City && reading.number.is_none() {
        let (place, quality) = (FoundPlace::City(town), range_quality(range));
        let hit = Hit::new(place, score, quality, TextCoverage::All);
        search.hits.push(hit);
    }
}

fn range_quality(range: PostcodeRange) -> MatchQuality {
    if range.is_whole() {
        MatchQuality::Exact
    } else {
        MatchQuality::Prefix
    }
}

/// Counts the words of a reading and the suffix of its house number. Does not count a word that repeats another word or is its
/// beginning. So the b of `Beeklaan 7 b` counts as a house letter, not as the beginning of Beeklaan.
fn count_evidence(reading: &Reading) -> usize {
    let words = &reading.words;
    let is_new_word = |(at, word): &(usize, &String)| {
        let mut others = words.iter().enumerate().filter(|(other, _)| other != at);
        !others.any(|(other, text)| text.starts_with(*word) && (text != *word || other < *at))
    };
    let number = reading.number.as_ref();
    let has_suffix = number.is_some_and(|number| !number.suffix.is_empty());
    words.iter().enumerate().filter(is_new_word).count() + usize::from(has_suffix)
}

/// Whether words are the whole name of a town that no street of `pairs` is in. `pairs` are the postcode with each of its streets.
fn names_town_elsewhere(
    search: &Search<'_, '_>,
    words: &[&String],
    pairs: &[(Postcode, StreetRank)],
) -> Result<bool, LookupError> {
    let hits = search.index.places.towns().search(words);
    let named = hits.partition_point(|hit| hit.match_kind.is_whole_name());
    for (_, street) in pairs {
        let town = search.street(*street)?.town;
        if hits[..named].iter().any(|hit| hit.town == town) {
            return Ok(false);
        }
    }
    Ok(named > 0)
}

/// Whether the words contain the whole name of a street. The house number may be inside the name (`vaart 99 nz`), but not before a number of
/// the name: in `botter 14 32`, the street is Botter 14, and not Botter 32.
fn has_name_beside_number(reading: &Reading, street: Street<'_>) -> bool {
    let end = reading.split_at.unwrap_or(reading.words.len());
    let (before, after) = reading.words.split_at(end);
    let is_number_next = after.first().is_some_and(|word| begins_with_digit(word));
    let parts = match is_number_next {
        true => [before, after],
        false => [&*reading.words, &[]],
    };
    let mut parts = parts.into_iter();
    parts.any(|words| contains_name(words, street.forms()))
}

/// Whether some word in the name of a street or of its town begins with `word`.
fn begins_street_or_town_word(word: &String, places: &PlaceIndex, street: StreetRank) -> bool {
    places.has_letters(street, word) && begins_any_word(word, places.street_forms(street))
        || begins_any_word(word, places.town_forms_of_street(street))
}
