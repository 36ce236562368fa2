//! Reads the places of a generation from its files, without preparing them for searches.

use std::path::Path;

use tantivy::{DocId, Index, SegmentReader};

use super::builder::{PlacesBuilder, StreetRecord, TownRecord};
use super::layout::{PlaceFields, place_layout};
use super::place_columns::{PlaceColumns, count_addresses, read_towns};
use super::postcode_table::PostcodeTable;
use super::street::StreetRank;
use crate::IndexError;
use crate::index::open_searcher;
use crate::read_only_directory::ReadOnlyDirectory;

/// The streets and towns in the files of a generation. [`PlaceIndex::from_stored`](super::PlaceIndex::from_stored) prepares them for
/// searches, which takes half a second for the country.
pub struct StoredPlaces {
    pub(super) segment: SegmentReader,
    pub(super) fields: PlaceFields,
}

impl StoredPlaces {
    /// Opens the files in a folder that no process writes to. The file system may be read-only.
    ///
    /// # Errors
    /// If a file is missing or damaged, or the fields differ from those of this version.
    pub fn open(folder: &Path) -> Result<Self, IndexError> {
        Self::from_index(&Index::open(ReadOnlyDirectory::open(folder)?)?)
    }

    pub(super) fn from_index(index: &Index) -> Result<Self, IndexError> {
        let (schema, fields) = place_layout();
        let searcher = open_searcher(index, &schema)?;
        let [segment] = searcher.segment_readers() else {
            return Err(IndexError::PlacesNotOneSegment);
        };
        let segment = segment.clone();
        Ok(Self { segment, fields })
    }

    /// Number of addresses in all towns.
    ///
    /// # Errors
    /// If the files are damaged.
    pub fn address_count(&self) -> Result<u64, IndexError> {
        Ok(count_addresses(&self.segment)?)
    }

    /// Reads the places, so that they can be updated to the places of the next generation. The updated places give the same search results
    /// as places that are collected from all addresses of the next generation.
    ///
    /// # Errors
    /// If the files are damaged.
    pub fn to_builder(&self) -> Result<PlacesBuilder, IndexError> {
        let mut places = PlacesBuilder::default();
        for town in read_towns(&self.segment)? {
            let place = [town.name.clone(), town.municipality.clone()];
            places.towns_by_name.insert(place, places.towns.len());
            places.towns.push(TownRecord {
                name: town.name,
                municipality: town.municipality,
                province: town.province,
                address_count: town.address_count,
            });
        }
        let columns = PlaceColumns::open(&self.segment)?;
        for document in (0..self.segment.max_doc()).skip(places.towns.len()) {
            let street = read_street(&columns, document, places.towns.len());
            let street = street.ok_or(IndexError::NotAStreet(document))?;
            let key = (street.key, street.town);
            places.streets_by_key.insert(key, places.streets.len());
            places.streets.push(street);
        }
        self.read_postcodes(&mut places)?;
        Ok(places)
    }

    /// Reads the postcodes of each street, in ascending order.
    fn read_postcodes(&self, places: &mut PlacesBuilder) -> Result<(), IndexError> {
        let postcodes = PostcodeTable::read(&*self.segment.inverted_index(self.fields.postcode)?)?;
        let towns = places.towns.len();
        for &(postcode, StreetRank(document)) in postcodes.pairs() {
            let street = usize::try_from(document)
                .ok()
                .and_then(|document| places.streets.get_mut(document.checked_sub(towns)?));
            let street = street.ok_or(IndexError::NotAStreet(document))?;
            street.postcodes.push(postcode);
        }
        Ok(())
    }
}

/// The street in a document, without its postcodes. `None` if the document is not a street, or its town is not one of the first
/// `town_count` places.
fn read_street(columns: &PlaceColumns, document: DocId, town_count: usize) -> Option<StreetRecord> {
    let street = columns.street(document)?;
    let town = usize::try_from(street.town.0).ok()?;
    (town < town_count).then_some(StreetRecord {
        key: street.key,
        id: street.key.street_id(),
        name: columns.names.get(document)?.clone(),
        town,
        address_count: street.address_count.into(),
        postcodes: Vec::new(),
        forms: Some(columns.forms.get(document)?.clone()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Address, AddressKind, HouseNumber, PlaceIndex, PlaceWriter, SearchBudget, StreetQuery,
    };

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

    fn write_index(places: PlacesBuilder, short: Option<&str>) -> StoredPlaces {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let writer = PlaceWriter {
            short_names: &|_| short.map(Into::into),
        };
        writer.write(places, folder.path()).expect("a fresh folder");
        StoredPlaces::open(folder.path()).expect("opens")
    }

    fn contents(stored: &StoredPlaces) -> Vec<String> {
        let index = PlaceIndex::from_stored(stored).expect("reads");
        let towns = index.towns().iter().map(|town| format!("{town:?}"));
        let documents = 0..stored.segment.max_doc();
        let streets = documents.filter_map(|document| index.street(StreetRank(document)).ok());
        let ends = ["1000AA", "9999ZZ"].map(|end| end.parse().expect("a postcode"));
        let postcodes = index.streets_by_postcode(ends, 100, &mut SearchBudget::new(10_000));
        let postcodes = format!("{postcodes:?}");
        towns
            .chain(streets.map(|street| format!("{street:?}")))
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
        let read = || index.to_builder().expect("reads");
        assert!(read().is_same_as(&read()));
        assert_eq!(contents(&write_index(read(), None)), contents(&index));
        let query = StreetQuery {
            prefixes: &["hofje"],
            towns: None,
            limit: 10,
        };
        let written = PlaceIndex::from_stored(&write_index(read(), None)).expect("reads");
        let found = written.search_streets(&query, &mut SearchBudget::new(1_000));
        assert_eq!(found.expect("reads").len(), 2, "under the short name");
    }

    #[test]
    fn removing_and_adding_the_same_addresses_changes_nothing() {
        let all = addresses();
        let index = write_index(builder_from(&all), None);
        let base = index.to_builder().expect("reads");
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
        let base = index.to_builder().expect("reads");
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
