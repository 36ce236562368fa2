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
use super::v1::address::ADDRESS_BYTES;

pub(crate) use super::v1::address::V1Address;

/// The envelope of one object.
#[derive(Serialize)]
struct Envelope<T> {
    data: T,
}

/// An address in its envelope.
fn address_response(address: &Address<&str>) -> JsonResponse {
    let mut json = JsonWriter::with_capacity(ADDRESS_BYTES);
    json.raw("{\"data\":");
    V1Address::from(address).write_json(&mut json);
    json.raw("}");
    JsonResponse::from_writer(json)
}

/// A list of addresses in its envelope.
fn address_list_response(addresses: &[Address<&str>]) -> JsonResponse {
    let mut json = JsonWriter::with_capacity(ADDRESS_BYTES * (1 + addresses.len()));
    json.raw("{\"data\":");
    json.array(addresses.iter(), |json, address| {
        V1Address::from(address).write_json(json)
    });
    json.raw(",\"meta\":{\"count\":");
    json.integer(addresses.len() as u64);
    json.raw("}}");
    JsonResponse::from_writer(json)
}
