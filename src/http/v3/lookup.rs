//! Answers `GET /v3/lookup/{postcode}/{number}`.

use postduif_schema::{AddressSummary, HouseNumber, Postcode};
use serde::Serialize;

use crate::http::error::InvalidParameter;
use crate::http::geo_json::GeoJsonPoint;
use crate::http::parameters::parse_house_number;
use crate::http::{ApiError, GetRequest, JsonResponse};

/// Finds one address at a postcode and number. If there are several, [`PreferenceKey`](postduif_schema::PreferenceKey) decides which is
/// returned.
pub(crate) fn by_number(request: &GetRequest<'_>) -> Result<JsonResponse, ApiError> {
    let [postcode, number] = request.last_path_segments();
    let (postcode, number) = parse_path(&postcode, &number)?;
    let summary = request
        .snapshot_within_quota()?
        .addresses()
        .find_preferred(postcode, number)?;
    let summary = summary.ok_or(ApiError::NotFound)?;
    Ok(JsonResponse::new(&V3Address::new(
        postcode, number, &summary,
    )))
}

/// Parses the path. Accepts exactly the patterns of v3, without white space or addition, and reports every invalid parameter.
fn parse_path(postcode: &str, number: &str) -> Result<(Postcode, HouseNumber), ApiError> {
    let postcode = postcode.parse().map_err(|_| InvalidParameter::Postcode);
    match (postcode, parse_house_number(number)) {
        (Ok(postcode), Ok(number)) => Ok((postcode, number)),
        (Err(first), number) => Err(ApiError::InvalidParameters {
            first,
            second: number.err(),
        }),
        (Ok(_), Err(first)) => Err(first.into()),
    }
}

/// An address in v3. It always has these seven fields, in this order. Source: contract.md, section V3Address.
#[derive(Serialize)]
pub(crate) struct V3Address<'a> {
    /// The postcode in upper case, without a space.
    postcode: Postcode,
    number: HouseNumber,
    /// The name of the street; `Postbus` for a post-office box.
    street: &'a str,
    /// The name of the place (woonplaats), spelled as in the register.
    city: &'a str,
    municipality: &'a str,
    province: &'a str,
    /// The centre of the object; null for a post-office box.
    location: Option<GeoJsonPoint>,
}

impl<'a> V3Address<'a> {
    fn new(postcode: Postcode, number: HouseNumber, summary: &AddressSummary<'a>) -> Self {
        Self {
            postcode,
            number,
            street: summary.street,
            city: summary.city,
            municipality: summary.municipality,
            province: summary.province,
            location: summary.lon_lat.map(GeoJsonPoint::from),
        }
    }
}
