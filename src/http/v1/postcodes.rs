//! Answers `GET /v1/postcodes/{postcode}`.

use postduif_schema::Postcode;
use serde::Serialize;

use super::Envelope;
use crate::http::geo_json::GeoJsonPoint;
use crate::http::{ApiError, GetRequest, JsonResponse, parameters};
use crate::snapshot::{HouseNumberRange, PostcodeSummary};

/// Summarises a postcode. A postcode without addresses is a 404.
pub(crate) fn summary(request: &GetRequest<'_>) -> Result<JsonResponse, ApiError> {
    let [postcode] = request.last_path_segments();
    let postcode = parameters::parse_postcode(Some(postcode))?;
    let addresses = request
        .snapshot_within_quota()?
        .addresses()
        .find_by_postcode(postcode)?;
    let summary = PostcodeSummary::from_addresses(&addresses).ok_or(ApiError::NotFound)?;
    Ok(JsonResponse::new(&Envelope {
        data: V1PostcodeSummary::new(postcode, &summary),
    }))
}

/// The summary of a postcode. Source: contract.md, section V1PostcodeSummary, the primary form with `numberRange` and `isPoBox`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct V1PostcodeSummary<'a> {
    /// The postcode in upper case, without a space.
    postcode: Postcode,
    /// The street with most addresses of the postcode.
    street: &'a str,
    city: &'a str,
    municipality: &'a str,
    province: &'a str,
    /// The centre of gravity of the addresses; null for post-office boxes.
    location: Option<GeoJsonPoint>,
    address_count: usize,
    /// The lowest and the highest house number.
    number_range: HouseNumberRange,
    is_po_box: bool,
}

impl<'a> V1PostcodeSummary<'a> {
    fn new(postcode: Postcode, summary: &'a PostcodeSummary) -> Self {
        Self {
            postcode,
            street: &summary.street,
            city: &summary.city,
            municipality: &summary.municipality,
            province: &summary.province,
            location: summary.centre.map(GeoJsonPoint::from),
            address_count: summary.address_count,
            number_range: summary.numbers,
            is_po_box: summary.is_po_box,
        }
    }
}
