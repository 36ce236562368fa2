//! Answers `POST /v1/validate`.

use postduif_schema::{Address, HouseNumberAddition};
use serde_json::value::RawValue;

use super::{ADDRESS_BYTES, write_address};
use crate::http::error::InvalidParameter;
use crate::http::json;
use crate::http::json::{JsonNumberError, UnreadableField};
use crate::http::json_writer::JsonWriter;
use crate::http::{ApiError, JsonResponse, PostEndpoint, PostRequest};
use crate::validation::{
    EnteredFields, EnteredNumber, NameMismatch, Verdict, without_leading_label,
};

/// The form of the body, for the error message.
pub(crate) const EXPECTED_BODY: &str = "the body must be a JSON object with postcode (text) and number (whole number, or a text such as 12a-3), and, \
                        if wanted, letter, addition, street and city (text or null)";

/// The required form of each field, for the error message.
const EXPECTED_FIELDS: [(&str, &str); 6] = [
    ("postcode", "postcode must be a text; it may be empty"),
    (
        "number",
        "number must be a whole number from 1 to 99999, or a text that begins with one, such as \"12a-3\"",
    ),
    ("letter", "letter must be a text or null"),
    ("addition", "addition must be a text or null"),
    ("street", "street must be a text or null"),
    ("city", "city must be a text or null"),
];

/// A longer body has long or many names. If the postcode does not exist, a search for them may take tens of milliseconds.
const MAX_INLINE_BYTES: usize = 160;

/// Checks an entered address, and suggests an address for it.
pub const VALIDATE: PostEndpoint = PostEndpoint {
    count_calls: |_| Ok(1),
    max_inline_bytes: MAX_INLINE_BYTES,
    handler: check,
};

/// The body of the request. Source: contract.md, section POST /v1/validate.
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
    let body: ValidateBody<'_> = json::parse_object(request.body()).map_err(invalid_payload)?;
    let text = |name, value| json::parse_text(value).map_err(|UnreadableField| invalid_field(name));
    let postcode = text("postcode", body.postcode)?.ok_or_else(|| invalid_field("postcode"))?;
    let (letter, addition) = (
        text("letter", body.letter)?,
        text("addition", body.addition)?,
    );
    let (street, city) = (text("street", body.street)?, text("city", body.city)?);
    let number = parse_number(body.number.ok_or_else(|| invalid_field("number"))?)?;
    let number_text = json::parse_text(body.number).ok().flatten();
    let fields = EnteredFields {
        postcode: &postcode,
        number,
        number_text: number_text.as_deref(),
        letter: letter.as_deref(),
        addition: addition.as_deref(),
        street: street.as_deref(),
        city: city.as_deref(),
    };
    let verdict = fields.validate(request.snapshot_within_quota()?)?;
    Ok(V1Validation::from(&verdict).to_response())
}

/// Whether two letters or two additions are equal, ignoring case. False if `other` is absent.
fn is_same_part(one: &str, other: Option<&str>) -> bool {
    other.is_some_and(|other| one.eq_ignore_ascii_case(other))
}

/// Parses a house number from a JSON number, or from a text that may contain letter and addition.
fn parse_number(value: &RawValue) -> Result<EnteredNumber, ApiError> {
    let number = match json::parse_text(Some(value)) {
        Ok(Some(text)) => EnteredNumber::parse(without_leading_label(&text)),
        _ => match json::parse_house_number(value) {
            Err(JsonNumberError::WrongType) => return Err(invalid_field("number")),
            number => number.ok().map(EnteredNumber::from_number),
        },
    };
    number.ok_or_else(|| InvalidParameter::NumberWithSuffix.into())
}

fn invalid_field(name: &str) -> ApiError {
    let field = EXPECTED_FIELDS.iter().find(|(field, _)| *field == name);
    ApiError::InvalidPayload {
        expected: field.map_or(EXPECTED_BODY, |(_, expected)| expected),
        fault: None,
    }
}

fn invalid_payload(fault: String) -> ApiError {
    ApiError::InvalidPayload {
        expected: EXPECTED_BODY,
        fault: Some(fault),
    }
}

/// The result of a validation. Source: contract.md, section ValidationResult.
#[derive(Default)]
struct V1Validation<'a> {
    valid: bool,
    reason: Option<&'static str>,
    address: Option<&'a Address>,
    /// The entered names that differ from the names in the suggestion or, without a suggestion, in the address.
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
            Verdict::FieldMismatch {
                address,
                mismatch,
                suggestion,
            } => Self {
                reason: Some("field_mismatch"),
                address: Some(address),
                corrections: *mismatch,
                suggestion: suggestion.as_ref(),
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
        json.raw(",\"address\":");
        json.option(self.address, write_address);
        json.raw(",\"corrections\":{");
        self.write_corrections(&mut json);
        json.raw("},\"suggestion\":");
        json.option(self.suggestion, write_address);
        json.raw("}}");
        JsonResponse::from_writer(json)
    }

    fn write_corrections(&self, json: &mut JsonWriter) {
        let Some(address) = self.address else {
            return;
        };
        let meant = self.suggestion.unwrap_or(address);
        let postcode = meant.postcode.to_string();
        // `address` has the letter and addition that were entered, so a suggestion with other ones corrects them.
        let [letter, known_letter] =
            [meant, address].map(|address| address.letter.map(|letter| letter.to_string()));
        let letter = letter.filter(|letter| !is_same_part(letter, known_letter.as_deref()));
        let addition = meant.addition.as_ref().map(HouseNumberAddition::as_str);
        let known_addition = address.addition.as_ref().map(HouseNumberAddition::as_str);
        let addition = addition.filter(|addition| !is_same_part(addition, known_addition));
        let field = |is_wrong: bool, name, text| is_wrong.then_some((name, text));
        let wrong = self.corrections;
        let fields = [
            field(meant.postcode != address.postcode, "postcode", &*postcode),
            letter.as_deref().map(|letter| ("letter", letter)),
            addition.map(|addition| ("addition", addition)),
            field(wrong.street, "street", &*meant.street),
            field(wrong.city, "city", &*meant.city),
        ];
        json.string_fields(fields.into_iter().flatten());
    }
}
