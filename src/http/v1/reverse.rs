//! `GET /v1/reverse`

use super::address::ADDRESS_BYTES;
use super::{V1Address, schemas};
use crate::accounts::Endpoint;
use crate::http::error::InvalidParameter;
use crate::http::json_writer::Writer;
use crate::http::parameters;
use crate::http::parameters::Capped;
use crate::http::{Call, GetEndpoint, Problem, Reply};
use crate::snapshot::{Centre, Nearby};

/// Metres. Source: contract.md, GET /v1/reverse; likewise below.
const RADIUS_M: Capped = Capped {
    default: 1000,
    max: 1000,
};

/// Addresses.
const LIMIT: Capped = Capped {
    default: 10,
    max: 50,
};

/// The nearest addresses to a point, nearest first.
pub const NEAREST: GetEndpoint = GetEndpoint {
    endpoint: Endpoint::Reverse,
    answer: nearest,
};

/// Parameters that cannot be read. Nothing near is an empty list.
#[utoipa::path(
    get,
    path = "/v1/reverse",
    tag = "v1 zoeken",
    operation_id = "reverse",
    summary = "The nearest addresses to a point",
    description = "In a straight line, over an earth of 6371 km; equal distances by postcode, number, letter and addition. The \
                   first address is not always the right one: a point in a street is near both of its sides.",
    params(schemas::ReverseQuery),
    responses((status = 200, description = "The addresses; there may be none.", body = schemas::NearbyList)),
)]
pub(crate) fn nearest(call: &Call<'_>) -> Result<Reply, Problem> {
    let asked = Asked::read(call)?;
    let found = call
        .snapshot()?
        .nearest(asked.centre, asked.radius_m, asked.limit)?;
    let mut json = Writer::with_capacity(ADDRESS_BYTES * (1 + found.len()));
    asked.write(&found, &mut json);
    Ok(Reply::written(json))
}

struct Asked {
    centre: Centre,
    radius_m: u32,
    limit: usize,
}

impl Asked {
    fn read(call: &Call<'_>) -> Result<Self, InvalidParameter> {
        Self::parse(call).ok_or(InvalidParameter::Coordinates)
    }

    fn parse(call: &Call<'_>) -> Option<Self> {
        let degrees = |name| parameters::decimal(&call.query(name)?);
        Some(Self {
            centre: Centre::from_degrees(degrees("lon")?, degrees("lat")?)?,
            radius_m: RADIUS_M.read(call.query("radius"))?,
            limit: usize::try_from(LIMIT.read(call.query("limit"))?).ok()?,
        })
    }

    /// Source: contract.md, GET /v1/reverse: the primary form. `lat` and `lon` are told as the numbers that were read, `radius`
    /// as the one that was used.
    fn write(&self, found: &[Nearby], json: &mut Writer) {
        json.raw("{\"data\":");
        json.list(found.iter(), write_with_distance);
        json.raw(",\"meta\":{\"count\":");
        json.number(found.len() as u64);
        json.raw(",\"lat\":");
        json.float(self.centre.lat_deg());
        json.raw(",\"lon\":");
        json.float(self.centre.lon_deg());
        json.raw(",\"radius\":");
        json.number(self.radius_m.into());
        json.raw(",\"unit\":\"meters\"}}");
    }
}

/// Source: contract.md, V1AddressWithDistance: the fourteen fields and one more, metres to one decimal.
fn write_with_distance(json: &mut Writer, nearby: &Nearby) {
    V1Address::from(&nearby.address).write_open(json);
    json.raw(",\"distance\":");
    json.float((nearby.distance_m * 10.0).round() / 10.0);
    json.raw("}");
}
