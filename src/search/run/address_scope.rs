//! Lists the addresses of a street or postcode.

use std::ops::RangeInclusive;

use postduif_schema::{AddressRef, HouseNumber, NumberRangeQuery, Postcode, Street};

use super::search::{Search, SearchIndex};
use crate::search::LookupError;

/// The cost of listing addresses of a street or postcode, in steps of the budget.
pub(super) const LIST_COST: u32 = 200;

/// Where addresses are searched.
#[derive(Clone, Copy)]
pub(super) enum AddressScope<'s> {
    /// In a street, within its town only.
    Street(Street<'s>),
    /// In a postcode.
    Postcode(Postcode),
}

/// The addresses in a range of numbers, in the order of their numbers, without those outside the street's town. For several numbers, reads at
/// most twice as many addresses as the search may return.
pub(super) fn list_addresses<'s>(
    search: &mut Search<'s, '_>,
    scope: AddressScope<'s>,
    numbers: RangeInclusive<HouseNumber>,
) -> Result<Vec<AddressRef<'s>>, LookupError> {
    let limit = match numbers.start() == numbers.end() {
        true => usize::MAX,
        // Twice the limit, because the addresses in another town are dropped below.
        false => 2 * search.limit,
    };
    list_in_scope(search, scope, NumberRangeQuery { numbers, limit })
}

/// Every address in a range of numbers, in the order of their numbers, without those outside the street's town.
pub(super) fn list_all_addresses<'s>(
    search: &mut Search<'s, '_>,
    scope: AddressScope<'s>,
    numbers: RangeInclusive<HouseNumber>,
) -> Result<Vec<AddressRef<'s>>, LookupError> {
    let limit = usize::MAX;
    list_in_scope(search, scope, NumberRangeQuery { numbers, limit })
}

fn list_in_scope<'s>(
    search: &mut Search<'s, '_>,
    scope: AddressScope<'s>,
    query: NumberRangeQuery,
) -> Result<Vec<AddressRef<'s>>, LookupError> {
    let mut found = list_in_all_towns(search, scope, &query)?;
    found.retain(|found| is_in_scope(search, scope, found));
    Ok(found)
}

/// The addresses that a query finds, also those outside the street's town.
pub(super) fn list_in_all_towns<'s>(
    search: &mut Search<'s, '_>,
    scope: AddressScope<'s>,
    query: &NumberRangeQuery,
) -> Result<Vec<AddressRef<'s>>, LookupError> {
    search.budget.spend(LIST_COST);
    let addresses = search.index.addresses;
    Ok(match scope {
        AddressScope::Postcode(postcode) => addresses.query_postcode(postcode, query)?,
        AddressScope::Street(street) => addresses.query_street(street.key, query)?,
    })
}

/// Whether an address is in the town of the searched street. Always true for a searched postcode.
pub(super) fn is_in_scope<'s>(
    search: &Search<'s, '_>,
    scope: AddressScope<'s>,
    found: &AddressRef<'s>,
) -> bool {
    let AddressScope::Street(street) = scope else {
        return true;
    };
    is_in_town(search.index, &street, found)
}

/// Whether an address of a street is in the town that the street was found in.
pub(super) fn is_in_town(
    index: SearchIndex<'_>,
    street: &Street<'_>,
    address: &AddressRef<'_>,
) -> bool {
    if street.in_one_town {
        return true;
    }
    let town = index.places.town_of_street(street);
    town.is_some_and(|town| address.is_in_city(&town.name, &town.municipality))
}
