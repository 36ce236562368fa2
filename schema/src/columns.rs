//! Reads addresses from the columns of one segment. A generation opens all columns once, because opening a column takes up to
//! 0.4 ms.

use std::sync::Arc;

use tantivy::columnar::Column;
use tantivy::{DocId, SegmentReader};

use crate::address_names::{AddressNames, NameOrdinals};
use crate::corrupt_document::CorruptDocument;
use crate::name_column::{NameColumn, read_value};
use crate::packed_values::{HouseAttributes, unpack_lon_lat, unpack_rd};
use crate::{
    Address, AddressId, AddressSummary, HouseNumber, HouseNumberAddition, ListingKey, Location,
    LonLat, Postcode, PreferenceKey, StreetKey,
};

pub(crate) struct AddressColumns {
    id: Column<u64>,
    postcode: Column<u64>,
    house: Column<u64>,
    addition: Column<u64>,
    other_purposes: NameColumn,
    pub(crate) names: AddressNames,
    lon_lat: Column<u64>,
    rd: Column<u64>,
    surface_m2: Column<u64>,
    construction_year: Column<u64>,
}

impl AddressColumns {
    pub(crate) fn open(segment: &SegmentReader) -> tantivy::Result<Self> {
        let numbers = |name| segment.fast_fields().u64(name);
        Ok(Self {
            id: numbers("id")?,
            postcode: numbers("postcode")?,
            house: numbers("house")?,
            addition: numbers("addition")?,
            other_purposes: NameColumn::open(segment, "other_purposes")?,
            names: AddressNames::open(segment)?,
            lon_lat: numbers("lon_lat")?,
            rd: numbers("rd")?,
            surface_m2: numbers("surface_m2")?,
            construction_year: numbers("construction_year")?,
        })
    }

    /// Reads the address of a document. The names are shared with the dictionaries.
    pub(crate) fn read(&self, document: DocId) -> Result<Address, CorruptDocument> {
        self.read_with(document, Arc::clone)
    }

    /// Reads the address of a document. The names are borrowed from the dictionaries.
    pub(crate) fn read_borrowed(&self, document: DocId) -> Result<Address<&str>, CorruptDocument> {
        self.read_with(document, |name| name)
    }

    fn read_with<'a, Text>(
        &'a self,
        document: DocId,
        convert: fn(&'a Arc<str>) -> Text,
    ) -> Result<Address<Text>, CorruptDocument> {
        let house = self.house_attributes(document)?;
        let names = self.names.ordinals(document)?;
        let [street, city, municipality, province] = self.names.texts(names).map(convert);
        Ok(Address {
            id: self.id(document)?,
            postcode: self.postcode(document)?,
            number: house.number,
            letter: house.letter,
            addition: self.addition(document),
            street_id: names.street_id,
            street,
            city,
            municipality,
            province,
            location: self.location(document),
            purposes: house.purposes,
            other_purposes: match house.has_other_purposes {
                true => Some(convert(self.other_purposes(document)?)),
                false => None,
            },
            surface_m2: read_u32(&self.surface_m2, document),
            construction_year: read_u32(&self.construction_year, document)
                .and_then(|year| u16::try_from(year).ok()),
            kind: house.kind,
            planned: house.planned,
        })
    }

    fn other_purposes(&self, document: DocId) -> Result<&Arc<str>, CorruptDocument> {
        self.other_purposes.get(document).ok_or(CorruptDocument {
            document,
            column: "other_purposes",
        })
    }

    /// Reads only the house number.
    pub(crate) fn number(&self, document: DocId) -> Result<HouseNumber, CorruptDocument> {
        Ok(self.house_attributes(document)?.number)
    }

    /// Whether the address of a document is in this city of this municipality.
    pub(crate) fn is_in_city(&self, document: DocId, city: &str, municipality: &str) -> bool {
        let names = self.names.ordinals(document);
        let texts = names.map(|names| self.names.texts(names).map(|name| &**name));
        texts.is_ok_and(|[_, known_city, known_municipality, _]| {
            (known_city, known_municipality) == (city, municipality)
        })
    }

    /// Reads only the street key; `None` for an address without a street.
    pub(crate) fn street_key(&self, document: DocId) -> Result<Option<StreetKey>, CorruptDocument> {
        let found = self.street_and_number(document, self.names.ordinals(document)?)?;
        Ok(found.map(|(street, _)| street))
    }

    /// Reads only the street key and the house number; `None` for an address without a street. `names` are the names of the document.
    pub(crate) fn street_and_number(
        &self,
        document: DocId,
        names: NameOrdinals,
    ) -> Result<Option<(StreetKey, HouseNumber)>, CorruptDocument> {
        let house = self.house_attributes(document)?;
        let street = self.names.street_key(house.kind, names);
        Ok(street.map(|street| (street, house.number)))
    }

    /// Reads the key by which lists sort the address of a document.
    pub(crate) fn listing_key(&self, document: DocId) -> Result<ListingKey, CorruptDocument> {
        let house = self.house_attributes(document)?;
        Ok(ListingKey {
            postcode: self.postcode(document)?,
            number: house.number,
            letter: house.letter,
            addition: self.addition(document),
            id: self.id(document)?,
        })
    }

    /// Reads the key that orders the address of a document among the addresses with the same postcode and number.
    pub(crate) fn preference_key(&self, document: DocId) -> Result<PreferenceKey, CorruptDocument> {
        let house = self.house_attributes(document)?;
        let (addition, id) = (self.addition(document), self.id(document)?);
        Ok(PreferenceKey::new(&house, addition, id))
    }

    /// Reads the street, place names and location of a document's address.
    pub(crate) fn summary<'a>(
        &'a self,
        document: DocId,
    ) -> Result<AddressSummary<'a>, CorruptDocument> {
        let names = self.names.texts(self.names.ordinals(document)?);
        let [street, city, municipality, province] = names.map(|name| &**name);
        Ok(AddressSummary {
            street,
            city,
            municipality,
            province,
            lon_lat: self.lon_lat(document),
        })
    }

    /// Reads only the location.
    pub(crate) fn lon_lat(&self, document: DocId) -> Option<LonLat> {
        read_value(&self.lon_lat, document).map(unpack_lon_lat)
    }

    /// Reads only the id.
    pub(crate) fn id(&self, document: DocId) -> Result<AddressId, CorruptDocument> {
        let id = read_value(&self.id, document).and_then(AddressId::from_number);
        id.ok_or(CorruptDocument {
            document,
            column: "id",
        })
    }

    /// Reads only the postcode.
    pub(crate) fn postcode(&self, document: DocId) -> Result<Postcode, CorruptDocument> {
        let postcode = read_u32(&self.postcode, document).and_then(Postcode::from_code);
        postcode.ok_or(CorruptDocument {
            document,
            column: "postcode",
        })
    }

    fn house_attributes(&self, document: DocId) -> Result<HouseAttributes, CorruptDocument> {
        let house = read_value(&self.house, document).and_then(HouseAttributes::unpack);
        house.ok_or(CorruptDocument {
            document,
            column: "house",
        })
    }

    fn addition(&self, document: DocId) -> Option<HouseNumberAddition> {
        read_u32(&self.addition, document).and_then(HouseNumberAddition::from_packed)
    }

    fn location(&self, document: DocId) -> Option<Location> {
        Some(Location {
            rd: unpack_rd(read_value(&self.rd, document)?),
            lon_lat: self.lon_lat(document)?,
        })
    }
}

/// The value of a document; `None` if the document has no value, or the value does not fit 32 bits.
fn read_u32(column: &Column<u64>, document: DocId) -> Option<u32> {
    read_value(column, document).and_then(|value| u32::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AddressIndex, AddressKind, HouseLetter, Purpose, PurposeSet, Rd};

    fn full() -> Address {
        Address {
            id: "0424200000017336".parse().expect("an id"),
            postcode: "1398PN".parse().expect("a postcode"),
            number: HouseNumber::new(99_999).expect("a number"),
            letter: HouseLetter::from_ascii(b'z'),
            addition: "TM25".parse().ok(),
            street_id: "0424300000000108".parse().ok(),
            street: "Daniël Stalpertstraat".into(),
            city: "'s-Gravenhage".into(),
            municipality: "Weesp".into(),
            province: "Fryslân".into(),
            location: Some(Location {
                rd: Rd {
                    x_mm: 131_009_001,
                    y_mm: 482_405_999,
                },
                lon_lat: LonLat {
                    lon_e7: 50_406_789,
                    lat_e7: 523_276_543,
                },
            }),
            purposes: [Purpose::Woonfunctie, Purpose::OverigeGebruiksfunctie]
                .into_iter()
                .collect(),
            other_purposes: None,
            surface_m2: Some(999_998),
            construction_year: Some(1462),
            kind: AddressKind::Verblijfsobject,
            planned: true,
        }
    }

    #[test]
    fn a_document_reads_back_as_its_address() {
        let weesp: [Arc<str>; 3] = ["Weesp".into(), "Weesp".into(), "Noord-Holland".into()];
        let postbus = Address::new_po_box(
            "1380AA".parse().expect("a postcode"),
            HouseNumber::new(7).expect("a number"),
            weesp,
        );
        let berth = Address {
            id: "0424200000017337".parse().expect("an id"),
            letter: None,
            addition: None,
            purposes: PurposeSet::EMPTY,
            other_purposes: None,
            surface_m2: None,
            construction_year: None,
            kind: AddressKind::Ligplaats,
            planned: false,
            ..full()
        };
        let pitch = Address {
            id: "0424200000017338".parse().expect("an id"),
            kind: AddressKind::Standplaats,
            ..berth.clone()
        };
        let all = [full(), berth, pitch, postbus];
        let index = AddressIndex::in_memory(&all).expect("an index of four");
        let segment = &index.segments()[0];
        for (document, address) in (0..).zip(&all) {
            assert_eq!(
                segment.listing_key(document).expect("reads"),
                address.listing_key()
            );
        }
        let places: Vec<u32> = segment.locations().map(|(document, _)| document).collect();
        assert_eq!(places, [0, 1, 2], "a box has no location");
        for address in all {
            assert_eq!(index.get_by_id(address.id).expect("reads"), Some(address));
        }
    }
}
