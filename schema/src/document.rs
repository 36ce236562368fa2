//! Address → document of the index. [`columns`](crate::columns) reads it back; a test there holds the two together.

use tantivy::TantivyDocument;

use crate::layout::{AddressFields, number_key};
use crate::{Address, AddressKind};

/// The document of an address. What is absent in the address has no value in the document.
#[must_use]
pub fn to_document(address: &Address, fields: &AddressFields) -> TantivyDocument {
    let mut document = TantivyDocument::new();
    let mut number = |field, value: u64| document.add_u64(field, value);
    number(fields.id, address.id.get());
    number(fields.postcode, address.postcode.code().into());
    number(
        fields.postcode_number,
        number_key(address.postcode, address.number),
    );
    number(fields.number, address.number.get().into());
    number(fields.purposes, address.purposes.bits().into());
    number(fields.kind, kind_number(address.kind));
    number(fields.planned, address.planned.into());
    for (field, value) in [
        (fields.street_id, address.street_id.map(|id| id.get())),
        (
            fields.letter,
            address.letter.map(|letter| letter.ascii().into()),
        ),
        (
            fields.addition,
            address.addition.map(|addition| addition.packed().into()),
        ),
        (fields.surface_m2, address.surface_m2.map(u64::from)),
        (
            fields.construction_year,
            address.construction_year.map(u64::from),
        ),
    ] {
        if let Some(value) = value {
            number(field, value);
        }
    }
    for (field, name) in [
        (fields.street, &address.street),
        (fields.city, &address.city),
        (fields.municipality, &address.municipality),
        (fields.province, &address.province),
    ] {
        document.add_text(field, name);
    }
    if let Some(location) = address.location {
        document.add_i64(fields.lon_e7, location.lon_lat.lon_e7.into());
        document.add_i64(fields.lat_e7, location.lon_lat.lat_e7.into());
        document.add_i64(fields.rd_x_mm, location.rd.x_mm.into());
        document.add_i64(fields.rd_y_mm, location.rd.y_mm.into());
    }
    document
}

fn kind_number(kind: AddressKind) -> u64 {
    match kind {
        AddressKind::Verblijfsobject => 0,
        AddressKind::Ligplaats => 1,
        AddressKind::Standplaats => 2,
        AddressKind::Postbus => 3,
    }
}
