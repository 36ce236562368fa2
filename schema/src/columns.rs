//! The columns of one segment, opened once, with their dictionaries in memory.
//!
//! Opening a column costs up to 0.4 ms and reading one name through tantivy's dictionary 12 µs, so neither happens per
//! request: names are loaded as shared texts when a generation opens.

use std::sync::Arc;

use tantivy::columnar::Column;
use tantivy::{DocId, SegmentReader};

use crate::{
    Addition, Address, AddressId, AddressKind, BagId, HouseLetter, HouseNumber, Location, LonLat,
    Postcode, Purposes, Rd,
};

/// A value that no address could have been stored with: the index is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("document {document} holds no valid {column}")]
pub struct BadDocument {
    document: DocId,
    column: &'static str,
}

pub(crate) struct AddressColumns {
    id: Column<u64>,
    postcode: Column<u64>,
    street_id: Column<u64>,
    number: Column<u64>,
    letter: Column<u64>,
    addition: Column<u64>,
    street: Names,
    city: Names,
    municipality: Names,
    province: Names,
    lon_e7: Column<i64>,
    lat_e7: Column<i64>,
    rd_x_mm: Column<i64>,
    rd_y_mm: Column<i64>,
    purposes: Column<u64>,
    surface_m2: Column<u64>,
    construction_year: Column<u64>,
    kind: Column<u64>,
    planned: Column<u64>,
}

impl AddressColumns {
    pub(crate) fn open(segment: &SegmentReader) -> tantivy::Result<Self> {
        let unsigned = |name| segment.fast_fields().u64(name);
        let signed = |name| segment.fast_fields().i64(name);
        let names = |name| Names::open(segment, name);
        Ok(Self {
            id: unsigned("id")?,
            postcode: unsigned("postcode")?,
            street_id: unsigned("street_id")?,
            number: unsigned("number")?,
            letter: unsigned("letter")?,
            addition: unsigned("addition")?,
            street: names("street")?,
            city: names("city")?,
            municipality: names("municipality")?,
            province: names("province")?,
            lon_e7: signed("lon_e7")?,
            lat_e7: signed("lat_e7")?,
            rd_x_mm: signed("rd_x_mm")?,
            rd_y_mm: signed("rd_y_mm")?,
            purposes: unsigned("purposes")?,
            surface_m2: unsigned("surface_m2")?,
            construction_year: unsigned("construction_year")?,
            kind: unsigned("kind")?,
            planned: unsigned("planned")?,
        })
    }

    /// The address that a document holds.
    pub(crate) fn read(&self, document: DocId) -> Result<Address, BadDocument> {
        let bad = |column| BadDocument { document, column };
        let small = |column: &Column<u64>| {
            column
                .first(document)
                .and_then(|value| u32::try_from(value).ok())
        };
        Ok(Address {
            id: self
                .id
                .first(document)
                .and_then(AddressId::from_number)
                .ok_or(bad("id"))?,
            postcode: small(&self.postcode)
                .and_then(Postcode::from_code)
                .ok_or(bad("postcode"))?,
            number: small(&self.number)
                .and_then(HouseNumber::new)
                .ok_or(bad("number"))?,
            letter: small(&self.letter)
                .and_then(|ascii| HouseLetter::from_ascii(u8::try_from(ascii).ok()?)),
            addition: small(&self.addition).and_then(Addition::from_packed),
            street_id: self.street_id.first(document).and_then(BagId::from_number),
            street: self.street.read(document).ok_or(bad("street"))?,
            city: self.city.read(document).ok_or(bad("city"))?,
            municipality: self
                .municipality
                .read(document)
                .ok_or(bad("municipality"))?,
            province: self.province.read(document).ok_or(bad("province"))?,
            location: self.location(document),
            purposes: small(&self.purposes)
                .and_then(purposes)
                .ok_or(bad("purposes"))?,
            surface_m2: small(&self.surface_m2),
            construction_year: small(&self.construction_year)
                .and_then(|year| u16::try_from(year).ok()),
            kind: small(&self.kind).and_then(kind).ok_or(bad("kind"))?,
            planned: self.planned.first(document) == Some(1),
        })
    }

    fn location(&self, document: DocId) -> Option<Location> {
        let read = |column: &Column<i64>| {
            column
                .first(document)
                .and_then(|value| i32::try_from(value).ok())
        };
        Some(Location {
            rd: Rd {
                x_mm: read(&self.rd_x_mm)?,
                y_mm: read(&self.rd_y_mm)?,
            },
            lon_lat: LonLat {
                lon_e7: read(&self.lon_e7)?,
                lat_e7: read(&self.lat_e7)?,
            },
        })
    }
}

fn kind(number: u32) -> Option<AddressKind> {
    AddressKind::ALL.get(usize::try_from(number).ok()?).copied()
}

fn purposes(bits: u32) -> Option<Purposes> {
    Purposes::from_bits(u16::try_from(bits).ok()?)
}

/// A column of names with its dictionary in memory.
struct Names {
    ordinals: Column<u64>,
    texts: Vec<Arc<str>>,
}

impl Names {
    fn open(segment: &SegmentReader, name: &str) -> tantivy::Result<Self> {
        let Some(column) = segment.fast_fields().str(name)? else {
            return Ok(Self {
                ordinals: Column::build_empty_column(segment.max_doc()),
                texts: Vec::new(),
            });
        };
        let mut texts = Vec::with_capacity(column.dictionary().num_terms());
        let mut terms = column.dictionary().stream()?;
        while terms.advance() {
            let text = std::str::from_utf8(terms.key()).map_err(|_| {
                tantivy::TantivyError::InternalError(format!(
                    "the dictionary of column {name:?} is not UTF-8"
                ))
            })?;
            texts.push(text.into());
        }
        drop(terms);
        Ok(Self {
            ordinals: column.ords().clone(),
            texts,
        })
    }

    fn read(&self, document: DocId) -> Option<Arc<str>> {
        let ordinal = usize::try_from(self.ordinals.first(document)?).ok()?;
        self.texts.get(ordinal).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AddressIndex, Purpose};

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
            surface_m2: Some(999_998),
            construction_year: Some(1462),
            kind: AddressKind::Verblijfsobject,
            planned: true,
        }
    }

    #[test]
    fn a_document_reads_back_as_the_address_it_was_made_of() {
        let weesp: [Arc<str>; 3] = ["Weesp".into(), "Weesp".into(), "Noord-Holland".into()];
        let postbus = Address::of_box(
            "1380AA".parse().expect("a postcode"),
            HouseNumber::new(7).expect("a number"),
            weesp,
        );
        let berth = Address {
            id: "0424200000017337".parse().expect("an id"),
            letter: None,
            addition: None,
            purposes: Purposes::NONE,
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
        for address in all {
            assert_eq!(index.by_id(address.id).expect("reads"), Some(address));
        }
    }
}
