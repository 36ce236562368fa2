//! Fills the free places in the list of suggestions with the addresses of a street or the streets of a town.

use postduif_schema::{
    AddressRef, HouseNumber, HouseNumberAddition, ListingKey, Street, StreetQuery, StreetRank,
    TownSet, fold, squash, squashed,
};

use super::address_scope::{AddressScope, list_addresses, list_all_addresses};
use super::hit::{FoundPlace, Hit, MatchQuality, TextCoverage};
use super::search::{Search, StepResult};
use crate::search::parse::{Reading, SuffixMatch};
use crate::search::{LookupError, SuggestionFilter, SuggestionKind, count_as_f32};

/// The score of a hit that only fills a free place. It is so low that the hit ranks below every match.
const FILL_SCORE: f32 = -1_000.0;

/// Maximum number of streets that are searched for a number that the found street lacks, and maximum number of their addresses that are
/// listed. This limit applies to streets with a longer name, and again to streets in other towns.
const MAX_IN_OTHER_STREETS: usize = 3;

/// Minimum number of digits that may be a number and its addition together.
const MIN_JOINED_DIGITS: usize = 3;

/// Adds addresses of the found streets and streets of the found town. It does so if the list has free places and no address was
/// found, or if the best hit is a street without the typed house number. If only addresses are wanted and the whole name of a street was
/// typed, its addresses replace the street.
pub(super) fn fill_up(search: &mut Search<'_, '_>, readings: &[Reading]) -> StepResult {
    search.hits.sort_by(Hit::compare);
    let replaces_street = search.hits.first().is_some_and(|hit| {
        hit.missing_number.is_some()
            || search.filter == SuggestionFilter::Address && is_named_street(hit)
    });
    let is_address = |hit: &Hit| matches!(hit.place, FoundPlace::Address(_));
    let is_full = search.hits.len() >= search.limit && search.filter != SuggestionFilter::Address;
    if !replaces_street && (is_full || search.hits.iter().any(is_address)) {
        return Ok(());
    }
    if search.filter == SuggestionFilter::Address && search.is_only_town {
        // `fill_with_addresses` lists the addresses of these streets.
        fill_with_streets(search)?;
    }
    if search.wants_kind(SuggestionKind::Address) {
        fill_with_addresses(search, readings)?;
    }
    if search.wants_kind(SuggestionKind::Street) {
        fill_with_streets(search)?;
    }
    Ok(())
}

/// Whether a hit is a street, and its whole name was typed.
fn is_named_street(hit: &Hit<'_>) -> bool {
    matches!(hit.place, FoundPlace::Street(..))
        && hit.is_certain()
        && hit.quality == MatchQuality::Exact
}

/// A street that was found without an address.
struct StreetToFill<'s> {
    street: Street<'s>,
    scope: AddressScope<'s>,
    score: f32,
    edits: u8,
    coverage: TextCoverage,
    missing_number: Option<HouseNumber>,
}

impl<'s> StreetToFill<'s> {
    fn from_hit(hit: &Hit<'s>, filter: SuggestionFilter) -> Option<Self> {
        let FoundPlace::Street(street, postcode) = &hit.place else {
            return None;
        };
        let keeps_street_score = hit.missing_number.is_some()
            || filter == SuggestionFilter::Address && is_named_street(hit);
        Some(Self {
            street: *street,
            scope: postcode.map_or(AddressScope::Street(*street), AddressScope::Postcode),
            // Addresses get the score of the street if the street lacks the typed number or if they replace the street. Otherwise they
            // rank below every match.
            score: match keeps_street_score {
                true => hit.score,
                false => FILL_SCORE,
            },
            edits: hit.edits,
            coverage: hit.coverage,
            missing_number: hit.missing_number,
        })
    }

    /// Lists addresses of the street, or of the typed postcode: the lowest numbers, or the numbers nearest to `missing_number`. Addresses
    /// at `missing_number` come first, if they are in another postcode of the street, in a street of the town with a longer name, or in a
    /// street of the same name in another town of the municipality. Then come addresses of which the number and the addition were written
    /// together, and hits in a street with a longer name in another town. Of all these, addresses with the typed suffix come first.
    /// The nearest numbers follow.
    fn list(
        &self,
        search: &mut Search<'s, '_>,
        readings: &[Reading],
    ) -> Result<Vec<AddressRef<'s>>, LookupError> {
        let Some(missing) = self.missing_number else {
            return list_addresses(search, self.scope, HouseNumber::FIRST..=HouseNumber::LAST);
        };
        let mut found = match self.scope {
            AddressScope::Postcode(_) => {
                list_addresses(search, AddressScope::Street(self.street), missing..=missing)?
            }
            AddressScope::Street(street) => {
                let keep_best = |mut found: Vec<AddressRef<'s>>| {
                    found.sort_by_key(|address| !has_typed_suffix(readings, address));
                    found.truncate(MAX_IN_OTHER_STREETS);
                    found
                };
                let mut found = keep_best(list_in_longer_names(search, &street, missing)?);
                found.extend(keep_best(list_in_other_towns(search, &street, missing)?));
                found.extend(list_number_with_addition(search, &street, missing)?);
                let known = hits_in_longer_names(search, &street, missing)?;
                let is_new = |address: &AddressRef<'_>| {
                    let mut listed = found.iter();
                    !listed.any(|listed| listed.listing_key == address.listing_key)
                };
                let known: Vec<_> = known.into_iter().filter(is_new).collect();
                found.extend(known);
                found
            }
        };
        found.sort_by_key(|address| !has_typed_suffix(readings, address));
        found.extend(self.list_nearest(search, missing)?);
        found.truncate(search.limit);
        Ok(found)
    }

    /// The addresses of the street, or of the typed postcode, with the numbers nearest to the typed one, nearest first.
    fn list_nearest(
        &self,
        search: &mut Search<'s, '_>,
        missing: HouseNumber,
    ) -> Result<Vec<AddressRef<'s>>, LookupError> {
        let end = |number: u32| HouseNumber::new(number.clamp(1, HouseNumber::MAX));
        for reach in (2..).map(|doublings| 1_u32 << doublings) {
            let first = end(missing.get().saturating_sub(reach)).unwrap_or(HouseNumber::FIRST);
            let last = end(missing.get() + reach).unwrap_or(HouseNumber::LAST);
            let mut found = list_all_addresses(search, self.scope, first..=last)?;
            if found.len() >= search.limit || reach > HouseNumber::MAX {
                found.sort_by_key(|found| found.listing_key.number.get().abs_diff(missing.get()));
                found.truncate(search.limit);
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }
}

/// Whether an address has the typed number and suffix.
fn has_typed_suffix(readings: &[Reading], address: &AddressRef<'_>) -> bool {
    let ListingKey {
        number,
        letter,
        addition,
        ..
    } = address.listing_key;
    let typed = readings
        .iter()
        .filter_map(|reading| reading.number.as_ref());
    let with_suffix = typed.filter(|typed| typed.number == number && !typed.suffix.is_empty());
    with_suffix
        .filter_map(|typed| typed.match_suffix(letter, addition))
        .any(|fit| fit != SuffixMatch::Prefix)
}

/// Addresses of a street with a number and an addition that are the digits of `joined` when written together: 1-148 for `1148`.
fn list_number_with_addition<'s>(
    search: &mut Search<'s, '_>,
    street: &Street<'s>,
    joined: HouseNumber,
) -> Result<Vec<AddressRef<'s>>, LookupError> {
    let digits = joined.to_string();
    let mut found = Vec::new();
    if digits.len() < MIN_JOINED_DIGITS {
        return Ok(found);
    }
    for (number, addition) in (1..digits.len()).map(|at| digits.split_at(at)) {
        let Ok(number) = number.parse::<HouseNumber>() else {
            continue;
        };
        let scope = AddressScope::Street(*street);
        let mut addresses = list_addresses(search, scope, number..=number)?;
        addresses.retain(|address| {
            let key = &address.listing_key;
            let known = key.addition.as_ref().map(HouseNumberAddition::as_str);
            key.letter.is_none() && known == Some(addition)
        });
        found.extend(addresses);
    }
    Ok(found)
}

/// Addresses at a house number in streets of the same town with a longer name, such as Verlengde Stationsweg for Stationsweg. Searches
/// only the largest streets with words that begin with the words of the name, and keeps those that contain all words of
/// the name in their order.
fn list_in_longer_names<'s>(
    search: &mut Search<'s, '_>,
    street: &Street<'s>,
    number: HouseNumber,
) -> Result<Vec<AddressRef<'s>>, LookupError> {
    let name = street.forms().next().unwrap_or_default();
    let prefixes: Vec<&str> = name.split(' ').collect();
    let query = StreetQuery {
        prefixes: &prefixes,
        towns: Some(&std::iter::once(street.town).collect()),
        limit: search.limit,
    };
    let places = search.index.places;
    let mut streets = places.search_streets(&query, &mut search.budget)?;
    streets.retain(|other| {
        let mut forms = places.street_forms(*other);
        *other != street.rank && forms.any(|form| has_words_in_order(form, name))
    });
    list_at_number(search, streets, number)
}

/// The best hits at a house number in streets with a longer name than this street, in any town.
fn hits_in_longer_names<'s>(
    search: &Search<'s, '_>,
    street: &Street<'s>,
    number: HouseNumber,
) -> Result<Vec<AddressRef<'s>>, LookupError> {
    let name = street.forms().next().unwrap_or_default();
    let mut found = Vec::new();
    for hit in search.hits.iter().filter(|hit| hit.is_certain()) {
        if found.len() == MAX_IN_OTHER_STREETS {
            break;
        }
        if let FoundPlace::Address(address) = hit.place
            && address.listing_key.number == number
        {
            let longer = fold(address.street_and_city()?.0);
            if longer != name && has_words_in_order(&longer, name) {
                found.push(address);
            }
        }
    }
    Ok(found)
}

/// Whether a name contains these words as whole words, in this order: `burg j g janssenweg` contains `burg janssenweg`.
fn has_words_in_order(name: &str, words: &str) -> bool {
    let mut rest = name.split(' ');
    words.split(' ').all(|word| rest.any(|known| known == word))
}

/// Addresses at a house number in streets of the same name in other towns of the municipality. A street often continues in the next
/// village, so the typed town may be the wrong one of the two.
fn list_in_other_towns<'s>(
    search: &mut Search<'s, '_>,
    street: &Street<'s>,
    number: HouseNumber,
) -> Result<Vec<AddressRef<'s>>, LookupError> {
    let places = search.index.places;
    let municipality = places
        .town_of_street(street)
        .map(|town| &*town.municipality);
    let municipality = squashed(municipality.unwrap_or_default());
    let towns = places.towns().in_municipality(&municipality).iter();
    let towns: TownSet = towns.copied().filter(|town| *town != street.town).collect();
    let name = squash(street.forms().take(1));
    let query = StreetQuery {
        prefixes: &[&name],
        towns: Some(&towns),
        limit: MAX_IN_OTHER_STREETS,
    };
    let streets = places.search_exact_name(&query, &mut search.budget)?;
    list_at_number(search, streets, number)
}

/// The addresses at a house number in the first of these streets.
fn list_at_number<'s>(
    search: &mut Search<'s, '_>,
    streets: Vec<StreetRank>,
    number: HouseNumber,
) -> Result<Vec<AddressRef<'s>>, LookupError> {
    let mut found = Vec::new();
    for rank in streets.into_iter().take(MAX_IN_OTHER_STREETS) {
        let scope = AddressScope::Street(search.street(rank)?);
        found.extend(list_addresses(search, scope, number..=number)?);
    }
    Ok(found)
}

fn fill_with_addresses(search: &mut Search<'_, '_>, readings: &[Reading]) -> StepResult {
    let is_street = |hit: &Hit| matches!(hit.place, FoundPlace::Street(..));
    if search.filter == SuggestionFilter::All && !search.hits.first().is_some_and(is_street) {
        return Ok(());
    }
    let streets: Vec<StreetToFill<'_>> = search
        .hits
        .iter()
        .filter_map(|hit| StreetToFill::from_hit(hit, search.filter))
        .collect();
    let lacks_number = streets
        .first()
        .is_some_and(|street| street.missing_number.is_some());
    let mut left = match search.filter {
        SuggestionFilter::Address => search.limit,
        _ if streets.iter().any(|street| street.missing_number.is_some()) => search.limit,
        _ => search.limit.saturating_sub(search.hits.len()),
    };
    for (nth, street) in streets.into_iter().enumerate() {
        if left == 0 || nth > 0 && (lacks_number || search.filter != SuggestionFilter::Address) {
            break;
        }
        for (rank, address) in (0..).zip(street.list(search, readings)?) {
            let score = street.score - count_as_f32(nth)
                + search.weights.per_later_number * count_as_f32(rank);
            left = left.saturating_sub(1);
            let place = FoundPlace::Address(address);
            search.hits.push(Hit {
                edits: street.edits,
                ..Hit::new(place, score, MatchQuality::Prefix, street.coverage)
            });
        }
    }
    Ok(())
}

fn fill_with_streets(search: &mut Search<'_, '_>) -> StepResult {
    let Some(town) = search.named_town else {
        return Ok(());
    };
    let towns = std::iter::once(town).collect();
    let places = search.index.places;
    let ranks = places.streets_in_towns(&towns, search.limit, &mut search.budget)?;
    for (position, rank) in (0..).zip(ranks) {
        let place = FoundPlace::Street(search.street(rank)?, None);
        let score = FILL_SCORE - count_as_f32(position);
        let hit = Hit::new(place, score, MatchQuality::Loose, TextCoverage::All);
        search.hits.push(hit);
    }
    Ok(())
}
