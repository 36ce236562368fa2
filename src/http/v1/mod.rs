//! Implements v1, the service's own interface. Responses have an envelope, and errors are `{error: {code, message}}`.

pub mod account;
mod address;
pub mod addresses;
pub mod autocomplete;
pub mod bulk;
pub mod postcodes;
pub mod reverse;
pub mod validate;

use postduif_schema::Address;
use serde::Serialize;

use super::JsonResponse;
use super::json_writer::JsonWriter;

pub(crate) use address::{ADDRESS_BYTES, write_address, write_unclosed_address};

/// The envelope of one object.
#[derive(Serialize)]
struct Envelope<T> {
    data: T,
}

/// An address in its envelope.
fn address_response(address: &Address<&str>) -> JsonResponse {
    let mut json = JsonWriter::with_capacity(ADDRESS_BYTES);
    json.raw("{\"data\":");
    write_address(&mut json, address);
    json.raw("}");
    JsonResponse::from_writer(json)
}

/// A list of addresses in its envelope.
fn address_list_response(addresses: &[Address<&str>]) -> JsonResponse {
    let mut json = JsonWriter::with_capacity(ADDRESS_BYTES * (1 + addresses.len()));
    json.raw("{\"data\":");
    json.array(addresses.iter(), write_address);
    json.raw(",\"meta\":{\"count\":");
    json.number(addresses.len());
    json.raw("}}");
    JsonResponse::from_writer(json)
}
