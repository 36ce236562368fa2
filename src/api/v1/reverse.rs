//! `GET /v1/reverse`

use postduif_schema::Address;
use serde::Serialize;

use super::V1Address;
use crate::access::Endpoint;
use crate::api::parameters::{self, Capped};
use crate::api::problem::InvalidParameter;
use crate::api::{Call, GetEndpoint, Problem, Reply};
use crate::index::{Centre, Nearby};

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
fn nearest(call: &Call<'_>) -> Result<Reply, Problem> {
    let asked = Asked::read(call)?;
    let found = call
        .snapshot()?
        .nearest(asked.centre, asked.radius_m, asked.limit)?;
    Ok(Reply::of(&Nearest {
        data: found.iter().map(V1AddressWithDistance::from).collect(),
        meta: Meta {
            count: found.len(),
            lat: asked.centre.lat_deg(),
            lon: asked.centre.lon_deg(),
            radius: asked.radius_m,
            unit: "meters",
        },
    }))
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
}

#[derive(Serialize)]
struct Nearest<'a> {
    data: Vec<V1AddressWithDistance<'a>>,
    meta: Meta,
}

/// Source: contract.md, GET /v1/reverse: the primary form. `lat` and `lon` are told as the numbers that were read, `radius`
/// as the one that was used.
#[derive(Serialize)]
struct Meta {
    count: usize,
    lat: f64,
    lon: f64,
    radius: u32,
    unit: &'static str,
}

/// Source: contract.md, V1AddressWithDistance: the fourteen fields and one more.
#[derive(Serialize)]
struct V1AddressWithDistance<'a> {
    #[serde(flatten)]
    address: V1Address<'a>,
    /// Metres, to one decimal.
    distance: f64,
}

impl<'a> From<&'a Nearby> for V1AddressWithDistance<'a> {
    fn from(nearby: &'a Nearby) -> Self {
        let address: &Address = &nearby.address;
        Self {
            address: address.into(),
            distance: (nearby.distance_m * 10.0).round() / 10.0,
        }
    }
}
