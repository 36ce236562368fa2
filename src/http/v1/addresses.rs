//! Answers `GET /v1/addresses` and `GET /v1/addresses/{bagId}`.

use postduif_schema::{Address, AddressId, HouseNumber};

use crate::http::error::InvalidParameter;
use crate::http::parameters;
use crate::http::parameters::parse_house_number;
use crate::http::{ApiError, GetRequest, JsonResponse};
use crate::validation::HouseNumberSuffix;

/// Lists all addresses of a postcode. The parameters `number`, `letter` and `addition` narrow the list. The list may be empty.
pub(crate) fn list(request: &GetRequest<'_>) -> Result<JsonResponse, ApiError> {
    let postcode = parameters::parse_postcode(request.query_param("postcode"))?;
    let number = parse_number(request)?;
    let (letter, addition) = (
        request.query_param("letter"),
        request.query_param("addition"),
    );
    let addresses = request.snapshot_within_quota()?.addresses();
    let mut found = match number {
        Some(number) => addresses.borrow_by_number(postcode, number)?,
        None => addresses.borrow_by_postcode(postcode)?,
    };
    HouseNumberSuffix::new(letter.as_deref(), addition.as_deref()).retain_matching(&mut found);
    found.sort_unstable_by(Address::cmp_by_listing_key);
    Ok(super::address_list_response(&found))
}

/// The house number, if the client sent one. An empty `number=` is invalid, because a list of the whole postcode would hide the client's
/// mistake. White space around the number is accepted.
fn parse_number(request: &GetRequest<'_>) -> Result<Option<HouseNumber>, InvalidParameter> {
    request
        .query_param("number")
        .map(|text| parse_house_number(text.trim()))
        .transpose()
}

/// Finds the address with this id. An unknown id, or a text that is not an id, is a 404.
pub(crate) fn by_id(request: &GetRequest<'_>) -> Result<JsonResponse, ApiError> {
    let [id] = request.last_path_segments();
    // Checks the quota before parsing the id: a text that is not an id gets a 404, and a quota that is used up must be reported before a
    // 404.
    let snapshot = request.snapshot_within_quota()?;
    let id: AddressId = id.parse().map_err(|_| ApiError::NotFound)?;
    let found = snapshot.address_by_id(id)?.ok_or(ApiError::NotFound)?;
    Ok(super::address_response(&found))
}
