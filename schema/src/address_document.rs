//! Converts an address to a document of the index. [`columns`](crate::columns) converts a document to an address; a test in that
//! module checks that a converted address reads back unchanged.

use tantivy::TantivyDocument;

use crate::layout::{AddressFields, postcode_number_key};
use crate::packed_values::{HouseAttributes, pack_lon_lat, pack_rd};
use crate::{Address, StreetKey};

/// The document of an address. A field that the address does not have gets no value in the document.
pub fn to_document(address: &Address, fields: &AddressFields) -> TantivyDocument {
    let mut document = TantivyDocument::new();
    let postcode_number = postcode_number_key(address.postcode, address.number);
    for (field, value) in [
        (fields.id, Some(address.id.get())),
        (fields.postcode, Some(address.postcode.code().into())),
        (fields.postcode_number, Some(postcode_number)),
        (
            fields.street_number,
            StreetKey::from_address(address).map(|street| street.house_number_term(address.number)),
        ),
        (fields.street_id, address.street_id.map(|id| id.get())),
        (fields.house, Some(HouseAttributes::from(address).pack())),
        (
            fields.addition,
            address.addition.map(|addition| addition.pack().into()),
        ),
        (
            fields.lon_lat,
            address
                .location
                .map(|location| pack_lon_lat(location.lon_lat)),
        ),
        (
            fields.rd,
            address.location.map(|location| pack_rd(location.rd)),
        ),
        (fields.surface_m2, address.surface_m2.map(u64::from)),
        (
            fields.construction_year,
            address.construction_year.map(u64::from),
        ),
    ] {
        if let Some(value) = value {
            document.add_u64(field, value);
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
    if let Some(purposes) = &address.other_purposes {
        document.add_text(fields.other_purposes, purposes);
    }
    document
}
