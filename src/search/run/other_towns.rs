//! Finds addresses in streets with exactly the entered name outside the entered town, for validation. People who live between two villages
//! often enter the name of the other one.

use postduif_schema::{
    Address, HouseNumber, Location, NumberRangeQuery, SearchBudget, Street, StreetQuery, TownRank,
    TownSet, squashed,
};

use super::named_addresses::{NamedAddressQuery, read_addresses};
use super::search::SearchIndex;
use crate::search::LookupError;

/// The budget of one search, in steps. It is enough for the most frequent street name.
const OTHER_TOWN_STEPS: u32 = 30_000;

/// Maximum distance between an address and an address of the entered town.
///
/// Assumption: people do not confuse towns that are farther apart.
const MAX_DISTANCE_M: f64 = 12_000.0;

/// Finds the addresses at the entered number in streets with exactly the entered name, outside the entered town. If no town was entered,
/// finds the addresses of all towns. Empty if the entered town does not exist.
///
/// An address in the municipality of the entered town is always found. An address in another municipality is found if it is near the
/// entered town, or if no other street in the country has the name. If the entered town has a street with the name too, an address in
/// another municipality must also be in the only street outside the municipality that has the number.
///
/// # Errors
/// When the index cannot be read.
pub fn find_in_other_towns(
    index: SearchIndex<'_>,
    query: &NamedAddressQuery<'_>,
) -> Result<Vec<Address>, LookupError> {
    let [street, city] = [query.street, query.city.unwrap_or_default()].map(squashed);
    let entered: Vec<TownRank> = index.places.towns().with_name(&city).collect();
    if street.is_empty() || entered.is_empty() && query.city.is_some() {
        return Ok(Vec::new());
    }
    let named = StreetQuery {
        prefixes: &[&street],
        towns: None,
        limit: usize::MAX,
    };
    let mut budget = SearchBudget::new(OTHER_TOWN_STEPS);
    let ranks = index.places.search_exact_name(&named, &mut budget)?;
    let streets = ranks.into_iter().map(|rank| index.places.street(rank));
    let mut others: Vec<Street<'_>> = streets.collect::<Result<_, _>>()?;
    let all_streets = others.len();
    others.retain(|street| !entered.contains(&street.town));
    let is_in_entered_town = others.len() < all_streets;
    let (in_municipality, elsewhere): (Vec<Street<'_>>, _) = others
        .iter()
        .partition(|street| is_in_same_municipality(index, &entered, street.town));
    let mut found = read_addresses(index, &in_municipality, query.number..=query.number)?;
    let mut elsewhere = read_addresses(index, &elsewhere, query.number..=query.number)?;
    let is_in_one_street = elsewhere
        .windows(2)
        .all(|pair| pair[0].street_id == pair[1].street_id);
    let is_known_by_name = !is_in_entered_town && (entered.is_empty() || others.len() == 1);
    if is_in_entered_town && !is_in_one_street {
        return Ok(found);
    }
    if !is_known_by_name {
        let locations = locate_towns(index, &entered)?;
        elsewhere.retain(|address| is_near(address, &locations));
    }
    found.extend(elsewhere);
    Ok(found)
}

fn is_in_same_municipality(index: SearchIndex<'_>, entered: &[TownRank], town: TownRank) -> bool {
    let municipality = |town| {
        index
            .places
            .towns()
            .get(town)
            .map(|town| &town.municipality)
    };
    let mut entered = entered.iter();
    entered.any(|&other| municipality(other) == municipality(town))
}

/// The location of one address of the street with the most addresses in each town.
fn locate_towns(index: SearchIndex<'_>, towns: &[TownRank]) -> Result<Vec<Location>, LookupError> {
    let mut budget = SearchBudget::new(OTHER_TOWN_STEPS);
    let first = NumberRangeQuery {
        numbers: HouseNumber::FIRST..=HouseNumber::LAST,
        limit: 1,
    };
    let mut locations = Vec::new();
    for &town in towns {
        let town: TownSet = [town].into_iter().collect();
        for rank in index.places.streets_in_towns(&town, 1, &mut budget)? {
            let street = index.places.street(rank)?;
            for address in index.addresses.query_street(street.key, &first)? {
                locations.extend(address.read()?.location);
            }
        }
    }
    Ok(locations)
}

fn is_near(address: &Address, locations: &[Location]) -> bool {
    let Some(location) = address.location else {
        return false;
    };
    let distance_m = |other: &Location| {
        let (x_m, y_m) = (
            location.rd.x_m() - other.rd.x_m(),
            location.rd.y_m() - other.rd.y_m(),
        );
        x_m.hypot(y_m)
    };
    locations
        .iter()
        .any(|other| distance_m(other) <= MAX_DISTANCE_M)
}
