//! Answers `GET /v1/reverse`.

use super::{ADDRESS_BYTES, write_unclosed_address};
use crate::http::error::InvalidParameter;
use crate::http::json_writer::JsonWriter;
use crate::http::parameters;
use crate::http::parameters::ClampedInt;
use crate::http::{ApiError, GetRequest, JsonResponse};
use crate::snapshot::{NearbyAddress, SearchCentre};

/// The radius in metres. Source: contract.md, section GET /v1/reverse.
pub(in crate::http) const RADIUS_M: ClampedInt = ClampedInt {
    default: 1000,
    max: 1000,
};

/// The number of addresses in a response. Source: contract.md, section GET /v1/reverse.
pub(in crate::http) const LIMIT: ClampedInt = ClampedInt {
    default: 10,
    max: 50,
};

/// Finds the addresses nearest to a point, nearest first. The list may be empty.
pub(crate) fn nearest(request: &GetRequest<'_>) -> Result<JsonResponse, ApiError> {
    let params = ReverseParameters::from_request(request)?;
    let found = request
        .snapshot_within_quota()?
        .nearest_addresses(params.centre, params.radius_m, params.limit)?;
    let mut json = JsonWriter::with_capacity(ADDRESS_BYTES * (1 + found.len()));
    params.write_json(&found, &mut json);
    Ok(JsonResponse::from_writer(json))
}

struct ReverseParameters {
    centre: SearchCentre,
    radius_m: u32,
    limit: usize,
}

impl ReverseParameters {
    fn from_request(request: &GetRequest<'_>) -> Result<Self, InvalidParameter> {
        Self::try_from_request(request).ok_or(InvalidParameter::Coordinates)
    }

    fn try_from_request(request: &GetRequest<'_>) -> Option<Self> {
        let degrees = |name| parameters::parse_decimal(&request.query_param(name)?);
        Some(Self {
            centre: SearchCentre::from_degrees(degrees("lon")?, degrees("lat")?)?,
            radius_m: RADIUS_M.parse(request.query_param("radius"))?,
            limit: usize::try_from(LIMIT.parse(request.query_param("limit"))?).ok()?,
        })
    }

    /// Writes the response. `lat` and `lon` are the parsed numbers, and `radius` is the clamped number. Source: contract.md, section GET
    /// /v1/reverse, the primary form.
    fn write_json(&self, found: &[NearbyAddress<'_>], json: &mut JsonWriter) {
        json.raw("{\"data\":");
        json.array(found.iter(), write_with_distance);
        json.raw(",\"meta\":{\"count\":");
        json.number(found.len());
        json.raw(",\"lat\":");
        json.number(self.centre.lat_deg());
        json.raw(",\"lon\":");
        json.number(self.centre.lon_deg());
        json.raw(",\"radius\":");
        json.number(self.radius_m);
        json.raw(",\"unit\":\"meters\"}}");
    }
}

/// Writes the fourteen fields of an address, and its distance in metres to one decimal. Source: contract.md, section
/// V1AddressWithDistance.
fn write_with_distance(json: &mut JsonWriter, nearby: &NearbyAddress<'_>) {
    write_unclosed_address(json, &nearby.address);
    json.raw(",\"distance\":");
    json.number((nearby.distance_m * 10.0).round() / 10.0);
    json.raw("}");
}
