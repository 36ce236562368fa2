//! `GET /v3/lookup/{postcode}/{number}`

use postduif_schema::{HouseNumber, Postcode, Whereabouts};
use serde::Serialize;

use crate::access::Endpoint;
use crate::api::geo_json::GeoJsonPoint;
use crate::api::parameters::house_number;
use crate::api::problem::InvalidParameter;
use crate::api::{Call, GetEndpoint, Problem, Reply};

/// One address at a postcode and number: of several the one that [`PreferenceKey`](postduif_schema::PreferenceKey) puts first.
pub const BY_NUMBER: GetEndpoint = GetEndpoint {
    endpoint: Endpoint::Lookup,
    answer: by_number,
};

/// Parameters that cannot be read, and nothing found.
fn by_number(call: &Call<'_>) -> Result<Reply, Problem> {
    let [postcode, number] = call.path_end();
    let (postcode, number) = parse(&postcode, &number)?;
    let chosen = call.snapshot()?.preferred_at_number(postcode, number)?;
    let chosen = chosen.ok_or(Problem::NotFound)?;
    Ok(Reply::of(&V3Address::of(postcode, number, &chosen)))
}

/// No white space and no addition: v3 takes exactly what its patterns say, and lists all that is wrong.
fn parse(postcode: &str, number: &str) -> Result<(Postcode, HouseNumber), Problem> {
    let postcode = postcode.parse().map_err(|_| InvalidParameter::Postcode);
    match (postcode, house_number(number)) {
        (Ok(postcode), Ok(number)) => Ok((postcode, number)),
        (Err(first), number) => Err(Problem::Invalid {
            first,
            second: number.err(),
        }),
        (Ok(_), Err(first)) => Err(first.into()),
    }
}

/// Source: contract.md, V3Address: seven fields in this order, always.
#[derive(Serialize)]
struct V3Address<'a> {
    postcode: Postcode,
    number: HouseNumber,
    street: &'a str,
    city: &'a str,
    municipality: &'a str,
    province: &'a str,
    location: Option<GeoJsonPoint>,
}

impl<'a> V3Address<'a> {
    fn of(postcode: Postcode, number: HouseNumber, chosen: &Whereabouts<'a>) -> Self {
        Self {
            postcode,
            number,
            street: chosen.street,
            city: chosen.city,
            municipality: chosen.municipality,
            province: chosen.province,
            location: chosen.lon_lat.map(GeoJsonPoint::from),
        }
    }
}
