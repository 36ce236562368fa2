//! v1: the service's own interface. Answers in an envelope, errors as `{error: {code, message}}`.

mod address;
pub mod addresses;
pub mod autocomplete;
pub mod bulk;
pub mod postcodes;
pub mod reverse;
pub mod schemas;
pub mod validate;

use postduif_schema::Address;
use serde::Serialize;

use super::Reply;
use super::json_writer::Writer;
use super::v1::address::ADDRESS_BYTES;

pub(crate) use super::v1::address::V1Address;

/// The envelope of one object.
#[derive(Serialize)]
struct One<T> {
    data: T,
}

/// An address in its envelope.
fn one(address: &Address<&str>) -> Reply {
    let mut json = Writer::with_capacity(ADDRESS_BYTES);
    json.raw("{\"data\":");
    V1Address::from(address).write(&mut json);
    json.raw("}");
    Reply::written(json)
}

/// A list of addresses in its envelope.
fn list(addresses: &[Address<&str>]) -> Reply {
    let mut json = Writer::with_capacity(ADDRESS_BYTES * (1 + addresses.len()));
    json.raw("{\"data\":");
    json.list(addresses.iter(), |json, address| {
        V1Address::from(address).write(json)
    });
    json.raw(",\"meta\":{\"count\":");
    json.number(addresses.len() as u64);
    json.raw("}}");
    Reply::written(json)
}
