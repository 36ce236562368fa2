//! Addresses by the names of their street and town, for validation: at any postcode, with mistakes in the names.

use postduif_schema::{
    Address, HouseNumber, SearchBudget, SimilarStreet, SimilarText, SimilarTexts, Street,
    StreetQuery, TownMatchKind, TownRank, TownSet, fold, squash,
};

use super::house_numbers::is_in_town;
use super::search::SearchIndex;
use crate::search::{EnteredPostcode, LookupError, spellings, with_other_types};
use postduif_schema::NumberRangeQuery;

/// Steps of one search.
const BUDGET_STEPS: u32 = 30_000;

/// Towns of a name.
const MAX_TOWNS: usize = 12;

/// Streets whose addresses are read, those with the fewest mistakes first.
const MAX_STREETS: usize = 30;

/// Streets of the four digits of a postcode that are compared.
const MAX_NEAR_STREETS: usize = 400;

/// A partial name counts as so many mistakes.
const PARTIAL_EDITS: u8 = 1;

/// Postcodes with another character that are tried.
const MAX_NEAR_POSTCODES: usize = 60;

/// Spellings of a name.
const MAX_SPELLINGS: usize = 4;

/// What was entered.
pub struct NamedAddressQuery<'a> {
    /// The name of the street.
    pub street: &'a str,
    /// The name of the town.
    pub city: Option<&'a str>,
    /// Streets near it are compared too.
    pub postcode: Option<&'a EnteredPostcode>,
    /// The house number.
    pub number: HouseNumber,
}

/// The addresses at a number in streets with a similar name, in towns with a similar name or near the postcode.
///
/// # Errors
/// When the index cannot be read.
pub fn find_named_addresses(
    index: SearchIndex<'_>,
    query: &NamedAddressQuery<'_>,
) -> Result<Vec<Address>, LookupError> {
    let texts = similar_texts(query.street);
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let mut budget = SearchBudget::new(BUDGET_STEPS);
    let mut found = Vec::new();
    let towns = query
        .city
        .map_or_else(Vec::new, |city| towns_named(index, city, &mut budget));
    for &town in &towns {
        found.extend(
            index
                .places
                .similar()
                .streets_of_town(town, &texts, &mut budget),
        );
    }
    let has_exact_name = found.iter().any(|similar| similar.edits == 0);
    let mut addresses = addresses_of_streets(index, found, query.number)?;
    if !towns.is_empty() && (!has_exact_name || addresses.is_empty()) {
        let towns = towns.into_iter().collect();
        let partial = streets_of_partial_names(index, query.street, &towns, &mut budget)?;
        addresses.extend(addresses_of_streets(index, partial, query.number)?);
    }
    match query.postcode {
        Some(postcode) if addresses.is_empty() => {
            let near = near_streets(index, postcode, &texts, &mut budget)?;
            addresses_of_streets(index, near, query.number)
        }
        _ => Ok(addresses),
    }
}

/// The streets of some towns that have the name with another type of street, or behind other words.
fn streets_of_partial_names(
    index: SearchIndex<'_>,
    street: &str,
    towns: &TownSet,
    budget: &mut SearchBudget,
) -> Result<Vec<SimilarStreet>, LookupError> {
    let name = squash([&*fold(street)]);
    let of_beginning = StreetQuery {
        prefixes: &[&name],
        towns: Some(towns),
        limit: MAX_STREETS,
    };
    let mut streets = index.places.search_streets(&of_beginning, budget)?;
    for other in with_other_types(&name, false) {
        let whole = StreetQuery {
            prefixes: &[&other],
            ..of_beginning
        };
        streets.extend(index.places.search_exact_name(&whole, budget)?);
    }
    let similar = |street| SimilarStreet {
        street,
        text: 0,
        edits: PARTIAL_EDITS,
    };
    Ok(streets.into_iter().map(similar).collect())
}

/// The addresses at a number in the streets with the fewest mistakes.
fn addresses_of_streets(
    index: SearchIndex<'_>,
    mut streets: Vec<SimilarStreet>,
    number: HouseNumber,
) -> Result<Vec<Address>, LookupError> {
    streets.sort_by_key(|similar| (similar.edits, similar.street));
    streets.dedup_by_key(|similar| similar.street);
    let mut addresses = Vec::new();
    for similar in streets.into_iter().take(MAX_STREETS) {
        push_addresses(
            index,
            index.places.street(similar.street)?,
            number,
            &mut addresses,
        )?;
    }
    Ok(addresses)
}

/// A name as entered and with its abbreviations written out.
fn similar_texts(name: &str) -> SimilarTexts {
    let folded = fold(name);
    let words: Vec<String> = folded
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    if words.is_empty() {
        return SimilarTexts::default();
    }
    let spelled = spellings(&words).into_iter().take(MAX_SPELLINGS);
    SimilarTexts::new(
        spelled
            .filter_map(|spelling| Some((0, SimilarText::new(&spelling.words)?)))
            .collect(),
    )
}

fn towns_named(index: SearchIndex<'_>, city: &str, budget: &mut SearchBudget) -> Vec<TownRank> {
    let folded = fold(city);
    let words: Vec<&str> = folded.split(' ').filter(|word| !word.is_empty()).collect();
    let towns = index.places.towns();
    let hits = towns.search(&words);
    let exact = hits
        .iter()
        .filter(|hit| hit.match_kind == TownMatchKind::Exact)
        .map(|hit| hit.town);
    let mut named: Vec<TownRank> = exact.collect();
    if named.is_empty() {
        let mut similar = index.places.similar().towns(&similar_texts(city), budget);
        similar.sort_by_key(|similar| (similar.edits, similar.town));
        named.extend(similar.iter().map(|similar| similar.town));
    }
    named.extend(towns.in_municipality(&squash(words)));
    named.truncate(MAX_TOWNS);
    named
}

fn near_streets(
    index: SearchIndex<'_>,
    postcode: &EnteredPostcode,
    texts: &SimilarTexts,
    budget: &mut SearchBudget,
) -> Result<Vec<SimilarStreet>, LookupError> {
    let mut found = Vec::new();
    let near = postcode
        .candidates(index.postcodes)
        .into_iter()
        .take(MAX_NEAR_POSTCODES);
    let near = near.map(|candidate| [candidate.postcode; 2]);
    for range in postcode.same_digits().into_iter().chain(near) {
        for (_, street) in index
            .places
            .streets_by_postcode(range, MAX_NEAR_STREETS, budget)?
        {
            found.extend(index.places.similar().texts_of_street(street, texts));
        }
    }
    Ok(found)
}

fn push_addresses(
    index: SearchIndex<'_>,
    street: Street<'_>,
    number: HouseNumber,
    addresses: &mut Vec<Address>,
) -> Result<(), LookupError> {
    let query = NumberRangeQuery {
        numbers: number..=number,
        limit: usize::MAX,
    };
    for address in index.addresses.query_street(street.key, &query)? {
        if is_in_town(index, &street, &address) {
            addresses.push(address.read()?);
        }
    }
    Ok(())
}
