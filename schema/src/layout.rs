//! Defines the fields of the tantivy index of addresses. No other module defines them.
//!
//! Look-ups use terms (id, postcode, postcode with number, street with number), and the values of an address are read from columns.
//! There are no stored documents. There is no full-text field either, because type-ahead searches names in the index of places.

use tantivy::schema::{FAST, Field, NumericOptions, Schema, SchemaBuilder, TextOptions};

/// Version of the layout. Raise it with every change to the fields or their contents. A generation with another version is refused.
pub const LAYOUT_VERSION: u32 = 4;

/// Handles of the address fields.
#[derive(Debug, Clone, Copy)]
pub struct AddressFields {
    /// [`AddressId`](crate::AddressId) as a number; a term and a column.
    pub id: Field,
    /// [`Postcode::code`](crate::Postcode::code); a term and a column.
    pub postcode: Field,
    /// Postcode and number in one term: the postcode's code times 2¹⁷ plus the number.
    pub postcode_number: Field,
    /// Street and number in one term, see [`StreetKey`](crate::StreetKey); absent if the address has no street.
    pub street_number: Field,
    /// The id of the openbare ruimte; a column, absent for a post-office box.
    pub(crate) street_id: Field,
    /// Number, letter, kind, planned and purposes in one column, see [`packed_values`](crate::packed_values).
    pub(crate) house: Field,
    pub(crate) addition: Field,
    /// Purposes that are not in `house`, as text; absent for nearly every address.
    pub(crate) other_purposes: Field,
    pub(crate) street: Field,
    pub(crate) city: Field,
    pub(crate) municipality: Field,
    pub(crate) province: Field,
    pub(crate) lon_lat: Field,
    pub(crate) rd: Field,
    pub(crate) surface_m2: Field,
    pub(crate) construction_year: Field,
}

/// The schema of the address index, with the handles of its fields.
pub fn address_layout() -> (Schema, AddressFields) {
    let mut schema = Schema::builder();
    // The terms have no field norms, because results are not ranked by text frequency.
    let term = NumericOptions::default().set_indexed();
    let term_and_column = term.clone().set_fast();
    let fields = AddressFields {
        id: schema.add_u64_field("id", term_and_column.clone()),
        postcode: schema.add_u64_field("postcode", term_and_column),
        postcode_number: schema.add_u64_field("postcode_number", term.clone()),
        street_number: schema.add_u64_field("street_number", term),
        street_id: schema.add_u64_field("street_id", FAST),
        house: schema.add_u64_field("house", FAST),
        addition: schema.add_u64_field("addition", FAST),
        other_purposes: add_name(&mut schema, "other_purposes"),
        street: add_name(&mut schema, "street"),
        city: add_name(&mut schema, "city"),
        municipality: add_name(&mut schema, "municipality"),
        province: add_name(&mut schema, "province"),
        lon_lat: schema.add_u64_field("lon_lat", FAST),
        rd: schema.add_u64_field("rd", FAST),
        surface_m2: schema.add_u64_field("surface_m2", FAST),
        construction_year: schema.add_u64_field("construction_year", FAST),
    };
    (schema.build(), fields)
}

/// Adds the field of a name: a column with a dictionary, not searchable.
fn add_name(schema: &mut SchemaBuilder, name: &str) -> Field {
    schema.add_text_field(name, TextOptions::default().set_fast("raw"))
}

/// Postcode and number in one term: the postcode's code times 2¹⁷ plus the number (house numbers are at most 99,999).
pub(crate) fn postcode_number_key(postcode: crate::Postcode, number: crate::HouseNumber) -> u64 {
    u64::from(postcode.code()) << 17 | u64::from(number.get())
}
