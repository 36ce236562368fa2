//! `GET /v3/lookup/{postcode}/{number}`

use postduif_schema::{AddressSummary, HouseNumber, Postcode};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use crate::http::error::InvalidParameter;
use crate::http::geo_json::GeoJsonPoint;
use crate::http::parameters::parse_house_number;
use crate::http::{ApiError, GetRequest, JsonResponse};

/// Parameters that cannot be read, and nothing found.
#[utoipa::path(
    get,
    path = "/v3/lookup/{postcode}/{number}",
    tag = "v3",
    operation_id = "lookup",
    summary = "The address at a postcode and house number",
    description = "Of several addresses at one number the answer is always the same one: one in use before one that is only \
                   planned, then a home, then the one without letter and addition. A number that exists only with a letter is found too. A \
                   post-office box has the street `Postbus` and no location.",
    params(LookupPath),
    responses((status = 200, description = "The address.", body = V3Address)),
)]
pub(crate) fn by_number(request: &GetRequest<'_>) -> Result<JsonResponse, ApiError> {
    let [postcode, number] = request.last_path_segments();
    let (postcode, number) = parse_path(&postcode, &number)?;
    let summary = request
        .snapshot()?
        .preferred_address_at_number(postcode, number)?;
    let summary = summary.ok_or(ApiError::NotFound)?;
    Ok(JsonResponse::new(&V3Address::new(
        postcode, number, &summary,
    )))
}

/// No white space and no addition: v3 takes exactly what its patterns say, and lists all that is wrong.
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

#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "for the description alone")]
struct LookupPath {
    /// Four digits and two letters, in upper or lower case, without a space.
    #[param(pattern = "^[0-9]{4}[a-zA-Z]{2}$", example = "6545CA")]
    postcode: String,
    /// The house number: digits alone, no letter and no addition.
    #[param(minimum = 1, maximum = 99_999, example = 29)]
    number: u32,
}

/// Source: contract.md, V3Address: seven fields in this order, always.
#[derive(Serialize, ToSchema)]
#[schema(description = "An address. All seven fields are always there, in this order.")]
pub(crate) struct V3Address<'a> {
    /// Upper case, no space.
    #[schema(value_type = String, pattern = "^[0-9]{4}[A-Z]{2}$")]
    postcode: Postcode,
    /// House number.
    #[schema(value_type = u32, minimum = 1, maximum = 99_999)]
    number: HouseNumber,
    /// `Postbus` for a post-office box.
    street: &'a str,
    /// Place name as in the register.
    city: &'a str,
    municipality: &'a str,
    province: &'a str,
    /// Null for a post-office box.
    #[schema(required)]
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
