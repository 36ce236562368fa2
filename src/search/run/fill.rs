//! Fills the remaining room: the addresses of a street, the streets of a town.

use postduif_schema::{HouseNumber, Postcode, Street};

use super::hit::{FoundPlace, Hit, MatchQuality};
use super::house_numbers::{AddressScope, address_hit, list_addresses};
use super::search::{Search, StepResult};
use crate::search::{SuggestionFilter, SuggestionKind, count_as_f32};

/// The score of a hit that only fills up: it ranks behind every match.
const FILL_SCORE: f32 = -1_000.0;

/// Adds the contents of the found streets or towns if there is room left and no address was found.
pub(super) fn fill_up(search: &mut Search<'_, '_>) -> StepResult {
    let is_address = |hit: &Hit| matches!(hit.place, FoundPlace::Address(_));
    let is_full = search.hits.len() >= search.limit && search.filter != SuggestionFilter::Address;
    if is_full || search.hits.iter().any(is_address) {
        return Ok(());
    }
    search.hits.sort_by(Hit::compare);
    if search.wants_kind(SuggestionKind::Address) {
        fill_with_addresses(search)?;
    }
    if search.wants_kind(SuggestionKind::Street) {
        fill_with_streets(search)?;
    }
    Ok(())
}

fn fill_with_addresses(search: &mut Search<'_, '_>) -> StepResult {
    let is_street = |hit: &Hit| matches!(hit.place, FoundPlace::Street(..));
    if search.filter == SuggestionFilter::All && !search.hits.first().is_some_and(is_street) {
        return Ok(());
    }
    let streets: Vec<(Street<'_>, Option<Postcode>, u8)> = search
        .hits
        .iter()
        .filter_map(|hit| match &hit.place {
            FoundPlace::Street(street, postcode) => Some((*street, *postcode, hit.edits)),
            _ => None,
        })
        .collect();
    let whole = HouseNumber::FIRST..=HouseNumber::LAST;
    let mut left = match search.filter {
        SuggestionFilter::Address => search.limit,
        _ => search.limit.saturating_sub(search.hits.len()),
    };
    for (nth, (street, postcode, edits)) in streets.into_iter().enumerate() {
        if left == 0 || nth > 0 && search.filter != SuggestionFilter::Address {
            break;
        }
        let scope = postcode.map_or(AddressScope::Street(street), AddressScope::Postcode);
        for (rank, address) in (0..).zip(list_addresses(search, scope, whole.clone())?) {
            let score = FILL_SCORE - count_as_f32(nth)
                + search.weights.per_later_number * count_as_f32(rank);
            left = left.saturating_sub(1);
            search.hits.push(Hit {
                edits,
                ..address_hit(address, score, MatchQuality::Prefix)
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
    let numbers = places.streets_in_towns(&towns, search.limit, &mut search.budget)?;
    for (rank, number) in (0..).zip(numbers) {
        let street = search.street(number)?;
        search.hits.push(Hit {
            place: FoundPlace::Street(street, None),
            score: FILL_SCORE - count_as_f32(rank),
            edits: 0,
            quality: MatchQuality::Loose,
        });
    }
    Ok(())
}
