//! `POST /v1/validate`

use postduif_schema::Address;
use serde_json::value::RawValue;

use super::V1Address;
use super::address::ADDRESS_BYTES;
use crate::http::error::InvalidParameter;
use crate::http::json;
use crate::http::json::{JsonNumberError, WrongJsonType};
use crate::http::json_writer::JsonWriter;
use crate::http::{ApiError, JsonResponse, PostEndpoint, PostRequest};
use crate::validation;
use crate::validation::{EnteredAddress, Verdict};
use crate::validation::{EnteredNames, HouseNumberSuffix, NameMismatch};

/// The form of the body, for the error message.
pub(crate) const EXPECTED_BODY: &str = "the body must be a JSON object with postcode (text) and number (whole number), and, if wanted, \
                        letter, addition, street and city (text or null)";

/// Checks an address as entered and suggests one for it.
pub const VALIDATE: PostEndpoint = PostEndpoint {
    calls: |_| Ok(1),
    blocking: false,
    handler: check,
};

/// Source: contract.md, POST /v1/validate.
#[derive(serde::Deserialize)]
struct ValidateBody<'a> {
    #[serde(borrow)]
    postcode: Option<&'a RawValue>,
    number: Option<&'a RawValue>,
    letter: Option<&'a RawValue>,
    addition: Option<&'a RawValue>,
    street: Option<&'a RawValue>,
    city: Option<&'a RawValue>,
}

pub(crate) fn check(request: &PostRequest) -> Result<JsonResponse, ApiError> {
    let body: ValidateBody<'_> = json::parse_object(request.body()).ok_or_else(invalid_payload)?;
    let text = |value| json::parse_text(value).map_err(|WrongJsonType| invalid_payload());
    let postcode = text(body.postcode)?.ok_or_else(invalid_payload)?;
    let (letter, addition) = (text(body.letter)?, text(body.addition)?);
    let (street, city) = (text(body.street)?, text(body.city)?);
    let number = json::parse_house_number(body.number.ok_or_else(invalid_payload)?);
    let number = number.map_err(|error| match error {
        JsonNumberError::WrongType => invalid_payload(),
        JsonNumberError::OutOfRange => InvalidParameter::Number.into(),
    })?;
    let entered = EnteredAddress {
        postcode: &postcode,
        number,
        suffix: HouseNumberSuffix::new(letter.as_deref(), addition.as_deref()),
        names: EnteredNames::new(street.as_deref(), city.as_deref()),
    };
    let verdict = validation::validate(&entered, request.snapshot()?)?;
    Ok(V1Validation::from(&verdict).to_response())
}

fn invalid_payload() -> ApiError {
    ApiError::InvalidPayload {
        expected: EXPECTED_BODY,
    }
}

/// Source: contract.md, ValidationResult.
#[derive(Default)]
struct V1Validation<'a> {
    valid: bool,
    reason: Option<&'static str>,
    address: Option<&'a Address>,
    /// The names that are wrong; the response has their spelling in the register. Empty with a suggestion, which is a guess
    /// where a correction is not.
    corrections: NameMismatch,
    suggestion: Option<&'a Address>,
}

impl<'a> From<&'a Verdict> for V1Validation<'a> {
    fn from(verdict: &'a Verdict) -> Self {
        let with_suggestion = |reason, suggestion| Self {
            reason: Some(reason),
            suggestion,
            ..Self::default()
        };
        match verdict {
            Verdict::Valid(address) => Self {
                valid: true,
                address: Some(address),
                ..Self::default()
            },
            Verdict::FieldMismatch(address, wrong) => Self {
                reason: Some("field_mismatch"),
                address: Some(address),
                corrections: *wrong,
                ..Self::default()
            },
            Verdict::NumberNotFound(nearest) => with_suggestion("number_not_found", Some(nearest)),
            Verdict::PostcodeNotFound(meant) => with_suggestion("postcode_not_found", Some(meant)),
            Verdict::InvalidPostcode(meant) => with_suggestion("invalid_postcode", meant.as_ref()),
            Verdict::NotFound => with_suggestion("not_found", None),
        }
    }
}

impl V1Validation<'_> {
    fn to_response(&self) -> JsonResponse {
        let mut json = JsonWriter::with_capacity(2 * ADDRESS_BYTES);
        json.raw(match self.valid {
            true => "{\"data\":{\"valid\":true,\"reason\":",
            false => "{\"data\":{\"valid\":false,\"reason\":",
        });
        json.option(self.reason, JsonWriter::plain_string);
        let address = |json: &mut JsonWriter, address| V1Address::from(address).write_json(json);
        json.raw(",\"address\":");
        json.option(self.address, address);
        json.raw(",\"corrections\":{");
        json.string_fields(self.corrections());
        json.raw("},\"suggestion\":");
        json.option(self.suggestion, address);
        json.raw("}}");
        JsonResponse::from_writer(json)
    }

    fn corrections(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let wrong = self.corrections;
        let names = self.address.map(|address| {
            let street = wrong.street.then_some(("street", &*address.street));
            let city = wrong.city.then_some(("city", &*address.city));
            [street, city]
        });
        names.into_iter().flatten().flatten()
    }
}
