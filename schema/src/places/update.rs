//! Reads the places of a generation from its index, so that they can be updated to the places of the next generation.
//!
//! The updated places give the same search results as places that are collected from all addresses of the next generation.

use super::builder::{PlacesBuilder, StreetRecord, TownRecord};
use super::index::PlaceIndex;
use super::lookup::SearchBudget;
use super::street::StreetRank;

use crate::{IndexError, Postcode};

/// Reads the places of an index.
///
/// # Errors
/// If the index is damaged.
pub fn load_places(index: &PlaceIndex) -> Result<PlacesBuilder, IndexError> {
    let mut places = PlacesBuilder::default();
    for (_, town) in index.towns().iter() {
        let place = [town.name.clone(), town.municipality.clone()];
        places.towns_by_name.insert(place, places.towns.len());
        places.towns.push(TownRecord {
            name: town.name.clone(),
            municipality: town.municipality.clone(),
            province: town.province.clone(),
            address_count: town.address_count,
        });
    }
    for number in index.street_ranks() {
        load_street(&mut places, index, number)?;
    }
    load_postcodes(&mut places, index)?;
    Ok(places)
}

fn load_street(
    places: &mut PlacesBuilder,
    index: &PlaceIndex,
    StreetRank(document): StreetRank,
) -> Result<(), IndexError> {
    let street = index.street(StreetRank(document))?;
    let town = usize::try_from(street.town.0)
        .ok()
        .filter(|&town| town < places.towns.len());
    let town = town.ok_or(IndexError::NotAStreet(document))?;
    places
        .streets_by_key
        .insert((street.key, town), places.streets.len());
    places.streets.push(StreetRecord {
        key: street.key,
        id: street.key.street_id(),
        name: street.name.into(),
        town,
        address_count: street.address_count,
        postcodes: Vec::new(),
        forms: Some(street.forms.into()),
    });
    Ok(())
}

/// Reads the postcodes of each street, in ascending order.
fn load_postcodes(places: &mut PlacesBuilder, index: &PlaceIndex) -> Result<(), IndexError> {
    let ends = [0, Postcode::COMBINATIONS - 1].map(Postcode::from_code);
    let ends = ends.map(|end| end.expect("both codes are below COMBINATIONS"));
    let postcodes =
        index.streets_by_postcode(ends, usize::MAX, &mut SearchBudget::new(u32::MAX))?;
    let towns = places.towns.len();
    for (postcode, StreetRank(document)) in postcodes {
        let street = usize::try_from(document)
            .ok()
            .and_then(|document| places.streets.get_mut(document.checked_sub(towns)?));
        let street = street.ok_or(IndexError::NotAStreet(document))?;
        street.postcodes.push(postcode);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Address, AddressKind, HouseNumber, PlaceWriter, StreetQuery};

    /// Four addresses of one street, two in each of two towns, and one post-office box.
    fn addresses() -> Vec<Address> {
        let home = |(serial, town): (u32, &str)| {
            let number = HouseNumber::new(serial).expect("a house number");
            let postcode = format!("138{}AB", serial % 3).parse().expect("a postcode");
            let place = [town, "Weesp", "Noord-Holland"].map(Into::into);
            Address {
                street: "'t Hof".into(),
                street_id: "0457300000000001".parse().ok(),
                kind: AddressKind::Verblijfsobject,
                ..Address::new_po_box(postcode, number, place)
            }
        };
        let homes = (1..).zip(["Weesp", "Muiden", "Weesp", "Muiden"]).map(home);
        let boxed = Address {
            street_id: None,
            street: "Postbus".into(),
            kind: AddressKind::Postbus,
            ..home((9, "Weesp"))
        };
        homes.chain([boxed]).collect()
    }

    fn builder_from<'a>(addresses: impl IntoIterator<Item = &'a Address>) -> PlacesBuilder {
        let mut places = PlacesBuilder::default();
        addresses
            .into_iter()
            .for_each(|address| places.add_address(address));
        places
    }

    fn write_index(places: PlacesBuilder, short: Option<&str>) -> PlaceIndex {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let writer = PlaceWriter {
            short_names: &|_| short.map(Into::into),
        };
        writer.write(places, folder.path()).expect("a fresh folder");
        PlaceIndex::open(folder.path()).expect("opens")
    }

    fn contents(index: &PlaceIndex) -> Vec<String> {
        let towns = index.towns().iter().map(|town| format!("{town:?}"));
        let street = |number| format!("{:?}", index.street(number).expect("a street"));
        let ends = ["1000AA", "9999ZZ"].map(|end| end.parse().expect("a postcode"));
        let postcodes = index.streets_by_postcode(ends, 100, &mut SearchBudget::new(10_000));
        let postcodes = format!("{:?}", postcodes.expect("reads"));
        towns
            .chain(index.street_ranks().map(street))
            .chain([postcodes])
            .collect()
    }

    #[test]
    fn the_order_of_addresses_does_not_change_the_places() {
        let mut addresses = addresses();
        let expected = contents(&write_index(builder_from(&addresses), None));
        for _ in 0..addresses.len() {
            addresses.rotate_left(1);
            assert_eq!(
                contents(&write_index(builder_from(&addresses), None)),
                expected
            );
        }
        addresses.reverse();
        assert_eq!(
            contents(&write_index(builder_from(&addresses), None)),
            expected
        );
    }

    #[test]
    fn places_read_from_an_index_are_written_unchanged() {
        let index = write_index(builder_from(&addresses()), Some("Hofje"));
        let read = || load_places(&index).expect("reads");
        assert!(read().is_same_as(&read()));
        assert_eq!(contents(&write_index(read(), None)), contents(&index));
        let query = StreetQuery {
            prefixes: &["hofje"],
            towns: None,
            limit: 10,
        };
        let found = write_index(read(), None).search_streets(&query, &mut SearchBudget::new(1_000));
        assert_eq!(found.expect("reads").len(), 2, "under the short name");
    }

    #[test]
    fn removing_and_adding_the_same_addresses_changes_nothing() {
        let all = addresses();
        let index = write_index(builder_from(&all), None);
        let base = load_places(&index).expect("reads");
        let mut places = base.clone();
        assert!(all.iter().all(|address| places.remove_address(address)));
        assert!(
            !places.remove_address(&all[0]),
            "the address was removed before"
        );
        assert!(!places.is_same_as(&base));
        all.iter()
            .rev()
            .for_each(|address| places.add_address(address));
        assert!(places.is_same_as(&base));
        places.remove_postcode(&all[0]);
        assert!(!places.is_same_as(&base));
    }

    #[test]
    fn a_new_short_name_changes_the_places_only_if_it_changes_the_forms() {
        let index = write_index(builder_from(&addresses()), None);
        let base = load_places(&index).expect("reads");
        let renamed = |short: &'static str| {
            let mut places = base.clone();
            let street = "0457300000000001".parse().expect("an id");
            places.rename_streets(&[street].into(), &|_| Some(short.into()));
            places.is_same_as(&base)
        };
        assert!(renamed("'t Hof"));
        assert!(!renamed("Hofje"));
    }
}
