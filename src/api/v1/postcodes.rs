//! `GET /v1/postcodes/{postcode}`

use postduif_schema::Postcode;
use serde::Serialize;

use super::One;
use crate::access::Endpoint;
use crate::api::geo_json::GeoJsonPoint;
use crate::api::{Call, GetEndpoint, Problem, Reply, parameters};
use crate::query::PostcodeSummary;

/// A postcode in one line.
pub const SUMMARY: GetEndpoint = GetEndpoint {
    endpoint: Endpoint::Postcodes,
    answer: summary,
};

/// A postcode that cannot be read, and one that has no addresses.
fn summary(call: &Call<'_>) -> Result<Reply, Problem> {
    let [postcode] = call.path_end();
    let postcode = parameters::postcode(Some(postcode))?;
    let addresses = call.snapshot()?.in_postcode(postcode)?;
    let summary = PostcodeSummary::of(&addresses).ok_or(Problem::NotFound)?;
    Ok(Reply::of(&One {
        data: V1PostcodeSummary::of(postcode, &summary),
    }))
}

/// Source: contract.md, V1PostcodeSummary: the primary form, with `numberRange` and `isPoBox`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct V1PostcodeSummary<'a> {
    postcode: Postcode,
    street: &'a str,
    city: &'a str,
    municipality: &'a str,
    province: &'a str,
    location: Option<GeoJsonPoint>,
    address_count: usize,
    number_range: V1NumberRange,
    is_po_box: bool,
}

#[derive(Serialize)]
struct V1NumberRange {
    min: u32,
    max: u32,
}

impl<'a> V1PostcodeSummary<'a> {
    fn of(postcode: Postcode, summary: &'a PostcodeSummary) -> Self {
        Self {
            postcode,
            street: &summary.street,
            city: &summary.city,
            municipality: &summary.municipality,
            province: &summary.province,
            location: summary.centre.map(GeoJsonPoint::from),
            address_count: summary.address_count,
            number_range: V1NumberRange {
                min: summary.numbers.min,
                max: summary.numbers.max,
            },
            is_po_box: summary.is_po_box,
        }
    }
}
