//! `GET /v1/addresses` and `GET /v1/addresses/{bagId}`

use postduif_schema::{Address, AddressId, HouseNumber};

use crate::http::error::InvalidParameter;
use crate::http::parameters;
use crate::http::parameters::parse_house_number;
use crate::http::{ApiError, GetRequest, JsonResponse};
use crate::validation::HouseNumberSuffix;

/// Parameters that cannot be read. Nothing found is an empty list.
pub(crate) fn list(request: &GetRequest<'_>) -> Result<JsonResponse, ApiError> {
    let postcode = parameters::parse_postcode(request.query_param("postcode"))?;
    let number = parse_number(request)?;
    let (letter, addition) = (
        request.query_param("letter"),
        request.query_param("addition"),
    );
    let mut found = match number {
        Some(number) => request.snapshot()?.borrow_at_number(postcode, number)?,
        None => request.snapshot()?.borrow_in_postcode(postcode)?,
    };
    HouseNumberSuffix::new(letter.as_deref(), addition.as_deref()).retain_matching(&mut found);
    found.sort_unstable_by(Address::cmp_by_listing_key);
    Ok(super::address_list_response(&found))
}

/// A number that was sent must be one, with white space around it at most: an empty `number=` is a mistake, because
/// answering it with the whole postcode would hide that the number got lost.
fn parse_number(request: &GetRequest<'_>) -> Result<Option<HouseNumber>, InvalidParameter> {
    request
        .query_param("number")
        .map(|text| parse_house_number(text.trim()))
        .transpose()
}

/// Nothing found; a text that is no id names nothing.
pub(crate) fn by_id(request: &GetRequest<'_>) -> Result<JsonResponse, ApiError> {
    let [id] = request.last_path_segments();
    // A text that is no id is not found, like an id of nothing: it is no mistake in a parameter, so the bundle comes first.
    let snapshot = request.snapshot()?;
    let id: AddressId = id.parse().map_err(|_| ApiError::NotFound)?;
    let found = snapshot.address_by_id(id)?.ok_or(ApiError::NotFound)?;
    Ok(super::address_response(&found))
}
