//! Finds the addresses with a house number that is longer than the typed digits and begins with them.

use std::ops::RangeInclusive;

use postduif_schema::HouseNumber;

use super::address_scope::{AddressScope, LIST_COST, list_addresses};
use super::hit::{FoundPlace, Hit, MatchQuality, TextCoverage};
use super::search::Search;
use crate::search::parse::TypedNumber;
use crate::search::{LookupError, count_as_f32};

/// The addresses with a house number that is longer than the typed digits and begins with them.
pub(super) fn hits_with_number_prefix<'s, 'a>(
    search: &mut Search<'s, 'a>,
    scope: AddressScope<'s>,
    number: &'a TypedNumber,
    base_score: f32,
) -> Result<Vec<Hit<'s>>, LookupError> {
    let mut hits = Vec::new();
    let longer = LongerNumbers::new(number.number.get());
    if !has_longer_numbers(search, scope, number.number.get())? {
        // Spends the budget that listing the longer numbers would cost, so that the other hits do not depend on how many
        // numbers this street has.
        for _ in longer {
            search.budget.spend(LIST_COST);
        }
        return Ok(hits);
    }
    for range in longer {
        if hits.len() >= search.limit {
            break;
        }
        for address in list_addresses(search, scope, range)? {
            let rank = count_as_f32(hits.len());
            let score =
                base_score + search.weights.number_prefix + search.weights.per_later_number * rank;
            let place = FoundPlace::Address(address);
            hits.push(Hit::new(
                place,
                score,
                MatchQuality::Prefix,
                TextCoverage::All,
            ));
        }
    }
    Ok(hits)
}

/// Whether house numbers that are longer and begin with the digits may exist. Most streets have no numbers that high.
fn has_longer_numbers<'s>(
    search: &Search<'s, '_>,
    scope: AddressScope<'s>,
    digits: u32,
) -> Result<bool, LookupError> {
    let Some(first) = LongerNumbers::new(digits)
        .next()
        .map(|range| *range.start())
    else {
        return Ok(false);
    };
    let addresses = search.index.addresses;
    Ok(match scope {
        AddressScope::Postcode(postcode) => {
            addresses.postcode_has_number_at_or_above(postcode, first)?
        }
        AddressScope::Street(street) => {
            addresses.street_has_number_at_or_above(street.key, first)?
        }
    })
}

/// The ranges of numbers that begin with some digits and are longer. For 12, the ranges are 120 to 129 and 1200 to 1299.
struct LongerNumbers {
    digits: u32,
    width: u32,
}

impl LongerNumbers {
    fn new(digits: u32) -> Self {
        Self { digits, width: 1 }
    }
}

impl Iterator for LongerNumbers {
    type Item = RangeInclusive<HouseNumber>;

    fn next(&mut self) -> Option<Self::Item> {
        (self.digits, self.width) = (self.digits * 10, self.width * 10);
        let last = (self.digits + self.width - 1).min(HouseNumber::MAX);
        Some(HouseNumber::new(self.digits)?..=HouseNumber::new(last)?)
    }
}
