//! Finds addresses by the names of their street and town, for validation. The names may have mistakes, and the postcode may differ.

use std::ops::RangeInclusive;

use postduif_schema::{
    Address, HouseNumber, SearchBudget, SimilarStreet, SimilarTexts, Street, StreetKey,
    StreetQuery, StreetRank, TownRank, TownSet, fold, squash, squashed,
};

use super::address_scope::is_in_town;
use super::search::SearchIndex;
use crate::search::parse::{similar_spellings, with_other_types};
use crate::search::{EnteredPostcode, LookupError, PostcodeAgreement, ShortenedCompound};
use postduif_schema::NumberRangeQuery;

/// The budget of one search, in steps.
const NAMED_ADDRESS_STEPS: u32 = 30_000;

/// Maximum number of towns that are searched for one city name.
const MAX_TOWNS: usize = 12;

/// Maximum number of streets of which the addresses are read. The streets with the fewest mistakes in the name are read first.
const MAX_STREETS: usize = 30;

/// Maximum number of streets to compare that have the four digits of the entered postcode.
const MAX_NEAR_STREETS: usize = 400;

/// Maximum number of streets to compare that have the beginning of a shortened name.
const MAX_SHORTENED_STREETS: usize = 100;

/// A name of which only a part was entered counts as a name with this many edits.
const PARTIAL_EDITS: u8 = 1;

/// Maximum number of existing postcodes to try that differ from the entered one in one or two characters. At most 86 differ in one
/// character.
const MAX_NEAR_POSTCODES: usize = 100;

/// The entered fields that the search uses.
pub struct NamedAddressQuery<'a> {
    /// The name of the street.
    pub street: &'a str,
    /// The name of the town.
    pub city: Option<&'a str>,
    /// The entered postcode. Streets near it are compared with the name.
    pub postcode: Option<&'a EnteredPostcode>,
    /// The house number.
    pub number: HouseNumber,
}

/// The addresses at the entered number in streets and towns that have exactly the entered names. Empty if no city was entered.
///
/// # Errors
/// When the index cannot be read.
pub fn find_exactly_named_addresses(
    index: SearchIndex<'_>,
    query: &NamedAddressQuery<'_>,
) -> Result<Vec<Address>, LookupError> {
    let streets = exactly_named_streets(index, query)?;
    read_addresses(index, &streets, query.number..=query.number)
}

/// The address with the house number nearest to the entered one, in the street and town that have exactly the entered names. If two numbers
/// are equally near, the lower one is chosen. `None` if there is no such street, or if no city was entered.
///
/// # Errors
/// When the index cannot be read.
pub fn find_nearest_number(
    index: SearchIndex<'_>,
    query: &NamedAddressQuery<'_>,
) -> Result<Option<Address>, LookupError> {
    let streets = exactly_named_streets(index, query)?;
    let addresses = read_addresses(index, &streets, HouseNumber::FIRST..=HouseNumber::LAST)?;
    let distance = |address: &Address| {
        let difference = address.number.get().abs_diff(query.number.get());
        (difference, address.number)
    };
    let nearest = addresses.into_iter().min_by(|one, other| {
        let by_distance = distance(one).cmp(&distance(other));
        by_distance.then_with(|| one.cmp_by_preference(other))
    });
    Ok(nearest)
}

/// Whether a town has this name.
pub fn has_town(index: SearchIndex<'_>, name: &str) -> bool {
    let name = squashed(name);
    index.places.towns().with_name(&name).next().is_some()
}

/// The streets that have exactly the entered name, in towns that have exactly the entered name. Empty if no city was entered.
fn exactly_named_streets<'s>(
    index: SearchIndex<'s>,
    query: &NamedAddressQuery<'_>,
) -> Result<Vec<Street<'s>>, LookupError> {
    let [street, city] = [query.street, query.city.unwrap_or_default()].map(squashed);
    let towns = index.places.towns().with_name(&city);
    let places = index.places.similar_places();
    let mut found: Vec<StreetRank> = towns
        .flat_map(|town| places.streets_with_name(town, &street))
        .collect();
    found.sort_unstable();
    found.dedup();
    let first = found.into_iter().take(MAX_STREETS);
    let streets = first.map(|rank| index.places.street(rank));
    Ok(streets.collect::<Result<_, _>>()?)
}

/// The addresses at the entered number in streets with a name like the entered street. The streets are in towns with a name like the
/// entered city, or near the entered postcode. If the entered street exists in the entered town, a street with a similar name counts only
/// if it has the entered postcode or ends with the entered name (Grote Kampweg for `kampweg`).
///
/// # Errors
/// When the index cannot be read.
pub fn find_named_addresses(
    index: SearchIndex<'_>,
    query: &NamedAddressQuery<'_>,
) -> Result<Vec<Address>, LookupError> {
    let mut addresses = find_similar_addresses(index, query)?;
    let exact = exactly_named_streets(index, query)?;
    if !exact.is_empty() {
        let end = format!(" {}", fold(query.street));
        addresses.retain(|address| {
            let postcode = PostcodeAgreement::compare(query.postcode, address.postcode);
            let key = StreetKey::from_address(address);
            postcode == PostcodeAgreement::Same
                || exact.iter().any(|street| Some(street.key) == key)
                || format!(" {}", fold(&address.street)).ends_with(&end)
        });
    }
    Ok(addresses)
}

fn find_similar_addresses(
    index: SearchIndex<'_>,
    query: &NamedAddressQuery<'_>,
) -> Result<Vec<Address>, LookupError> {
    let texts = similar_texts(query.street);
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let mut budget = SearchBudget::new(NAMED_ADDRESS_STEPS);
    let mut found = FoundAddresses::default();
    let city = query.city.map(fold).unwrap_or_default();
    let mut towns = towns_named(index, &city, &mut budget);
    found.add_towns(index, &towns, (&texts, query.number), &mut budget)?;
    if !found.has_exact_name() {
        let municipality = index.places.towns().in_municipality(&squash([&*city]));
        let others = municipality.iter().filter(|town| !towns.contains(town));
        let others: Vec<TownRank> = others.take(MAX_TOWNS - towns.len()).copied().collect();
        found.add_towns(index, &others, (&texts, query.number), &mut budget)?;
        towns.extend(others);
    }
    if !towns.is_empty() && !found.has_exact_name() {
        let towns = towns.into_iter().collect();
        let street = fold(query.street);
        let mut partial = streets_of_partial_names(index, &street, &towns, &mut budget)?;
        // In `O. Kerkweg`, the initial is short for a word. So many missing letters do not count as a mistake.
        if let Some((initial, rest)) = street.split_once(' ').filter(|(word, _)| word.len() == 1) {
            let names = streets_of_partial_names(index, rest, &towns, &mut budget)?;
            partial.extend(
                names
                    .into_iter()
                    .filter(|similar| begins_with(index, similar, initial)),
            );
        }
        found
            .addresses
            .extend(addresses_of_streets(index, partial, query.number)?);
    }
    match query.postcode {
        Some(postcode) if found.addresses.is_empty() => {
            let near = near_streets(index, postcode, &texts, &mut budget);
            addresses_of_streets(index, near, query.number)
        }
        _ => Ok(found.addresses),
    }
}

/// The addresses that a search by name found.
#[derive(Default)]
struct FoundAddresses {
    addresses: Vec<Address>,
    /// Whether a street has exactly the entered name.
    has_exact_street: bool,
}

impl FoundAddresses {
    /// Whether an address was found, and also a street with exactly the entered name.
    fn has_exact_name(&self) -> bool {
        self.has_exact_street && !self.addresses.is_empty()
    }

    /// In `towns`, adds the addresses at a number in the streets with a name like one of `texts`.
    fn add_towns(
        &mut self,
        index: SearchIndex<'_>,
        towns: &[TownRank],
        (texts, number): (&SimilarTexts, HouseNumber),
        budget: &mut SearchBudget,
    ) -> Result<(), LookupError> {
        let places = index.places.similar_places();
        let mut streets = Vec::new();
        for &town in towns {
            streets.extend(places.streets_of_town(town, texts, budget));
        }
        self.has_exact_street |= streets.iter().any(|similar| similar.edits == 0);
        self.addresses
            .extend(addresses_of_streets(index, streets, number)?);
        Ok(())
    }
}

/// Streets in `towns` that the entered name names in part: a word of their name begins with it (`kamp` for Grote Kampweg), only the type of
/// street differs (`kampstraat` for Kampweg), or only the beginning and the type were entered (`wilh straat` for Wilhelminastraat).
fn streets_of_partial_names(
    index: SearchIndex<'_>,
    street: &str,
    towns: &TownSet,
    budget: &mut SearchBudget,
) -> Result<Vec<SimilarStreet>, LookupError> {
    let name = squash([street]);
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
    streets.extend(streets_of_shortened_name(index, street, towns, budget)?);
    let similar = |street| SimilarStreet {
        street,
        text: 0,
        edits: PARTIAL_EDITS,
    };
    Ok(streets.into_iter().map(similar).collect())
}

/// The streets in `towns` of which the entered name is the beginning and the type: Wilhelminastraat for `wilh straat`.
fn streets_of_shortened_name(
    index: SearchIndex<'_>,
    street: &str,
    towns: &TownSet,
    budget: &mut SearchBudget,
) -> Result<Vec<StreetRank>, LookupError> {
    let words: Vec<String> = street.split(' ').map(str::to_owned).collect();
    let Some(shortened) = ShortenedCompound::from_words(&words) else {
        return Ok(Vec::new());
    };
    let query = StreetQuery {
        prefixes: &[shortened.beginning],
        towns: Some(towns),
        limit: MAX_SHORTENED_STREETS,
    };
    let mut streets = index.places.search_streets(&query, budget)?;
    streets.retain(|street| {
        let mut forms = index.places.street_forms(*street);
        forms.any(|form| shortened.agreement(form).is_some())
    });
    Ok(streets)
}

/// Whether one of the spellings of a street's name begins with `text`, which is folded.
fn begins_with(index: SearchIndex<'_>, similar: &SimilarStreet, text: &str) -> bool {
    let mut forms = index.places.street_forms(similar.street);
    forms.any(|form| form.starts_with(text))
}

/// The addresses at a number in the `MAX_STREETS` streets with the fewest mistakes.
fn addresses_of_streets(
    index: SearchIndex<'_>,
    mut streets: Vec<SimilarStreet>,
    number: HouseNumber,
) -> Result<Vec<Address>, LookupError> {
    streets.sort_by_key(|similar| (similar.edits, similar.street));
    streets.dedup_by_key(|similar| similar.street);
    let first = streets.iter().take(MAX_STREETS);
    let streets = first.map(|similar| index.places.street(similar.street));
    let streets: Vec<Street<'_>> = streets.collect::<Result<_, _>>()?;
    read_addresses(index, &streets, number..=number)
}

/// The spellings of a name that are compared with the register: as entered, with abbreviations written out, and with letters for misread
/// digits.
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
    let spellings = similar_spellings(&words).into_iter();
    SimilarTexts::new(spellings.map(|text| (0, text)).collect())
}

/// The towns with this folded name. If no town has this name, the towns with a similar name.
fn towns_named(index: SearchIndex<'_>, city: &str, budget: &mut SearchBudget) -> Vec<TownRank> {
    let words: Vec<&str> = city.split(' ').filter(|word| !word.is_empty()).collect();
    let hits = index.places.towns().search(&words);
    let exact = hits.iter().filter(|hit| hit.match_kind.is_whole_name());
    let mut named: Vec<TownRank> = exact.map(|hit| hit.town).collect();
    if named.is_empty() {
        let mut similar = index
            .places
            .similar_places()
            .towns(&similar_texts(city), budget);
        similar.sort_by_key(|similar| (similar.edits, similar.town));
        named.extend(similar.iter().map(|similar| similar.town));
    }
    named.truncate(MAX_TOWNS);
    named
}

fn near_streets(
    index: SearchIndex<'_>,
    postcode: &EnteredPostcode,
    texts: &SimilarTexts,
    budget: &mut SearchBudget,
) -> Vec<SimilarStreet> {
    let mut found = Vec::new();
    let near = postcode
        .candidates(index.places.postcodes())
        .take(MAX_NEAR_POSTCODES);
    let near = near.map(|candidate| [candidate.postcode; 2]);
    for range in postcode.same_digits().into_iter().chain(near) {
        for &(_, street) in index
            .places
            .streets_by_postcode(range, MAX_NEAR_STREETS, budget)
        {
            found.extend(index.places.similar_places().texts_of_street(street, texts));
        }
    }
    found
}

/// The addresses in a range of numbers in some streets, without those outside the town of a street.
pub(super) fn read_addresses(
    index: SearchIndex<'_>,
    streets: &[Street<'_>],
    numbers: RangeInclusive<HouseNumber>,
) -> Result<Vec<Address>, LookupError> {
    let query = NumberRangeQuery {
        numbers,
        limit: usize::MAX,
    };
    let mut addresses = Vec::new();
    for street in streets {
        for address in index.addresses.query_street(street.key, &query)? {
            if is_in_town(index, street, &address) {
                addresses.push(address.read()?);
            }
        }
    }
    Ok(addresses)
}
