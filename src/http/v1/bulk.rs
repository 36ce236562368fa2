//! Answers `POST /v1/bulk/lookup`.
//!
//! Assumption, checked by the tests: a letter or an addition may also be a whole number. A field that the line has twice cannot be read. A
//! letter or an addition that cannot be read gets the error `invalid_number`, because no address can be looked up. Such a line does not
//! affect other lines.

mod request_line;

use std::borrow::Cow;

use postduif_schema::{Address, HouseNumber, Postcode};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{ADDRESS_BYTES, write_address};
use crate::http::json;
use crate::http::json::UnreadableField;
use crate::http::json_writer::JsonWriter;
use crate::http::{ApiError, JsonResponse, PostEndpoint, PostRequest};
use crate::search::LookupError;
use crate::snapshot::Snapshot;
use crate::validation::HouseNumberSuffix;
use request_line::{BulkRequestLine, LineField};

/// The form of the body, for the error message.
pub(crate) const EXPECTED_BODY: &str = "the body must be {\"addresses\": [...]}, a list of at least one object with postcode (text) and \
                        number (whole number), and, if wanted, letter and addition (text or null)";

/// Looks up many addresses at once. The results are in the order of the request.
pub const LOOK_UP: PostEndpoint = PostEndpoint {
    count_calls: count_lines,
    max_inline_bytes: 0,
    handler: look_up,
};

/// The number of bytes to reserve for the JSON of one line of a response. Most lines need less.
const LINE_BYTES: usize = ADDRESS_BYTES + 96;

#[derive(Deserialize)]
struct BulkBody<'a> {
    #[serde(borrow)]
    addresses: Vec<&'a RawValue>,
}

#[derive(Default)]
struct BulkLineResult<'a> {
    postcode: Option<Postcode>,
    number: Option<HouseNumber>,
    /// True if the letter or the addition cannot be read.
    has_invalid_suffix: bool,
    address: Option<Address<&'a str>>,
}

pub(crate) fn look_up(request: &PostRequest) -> Result<JsonResponse, ApiError> {
    let lines = parse_lines(request.body())?;
    let snapshot = request.snapshot_within_quota()?;
    let results = lines.into_iter().map(|line| look_up_line(line, snapshot));
    let results: Vec<BulkLineResult<'_>> = results.collect::<Result<_, _>>()?;
    Ok(bulk_response(&results))
}

/// Counts each line as a call. Returns an error if the plan allows fewer lines.
fn count_lines(request: &PostRequest) -> Result<usize, ApiError> {
    let actual = parse_lines(request.body())?.len();
    let allowed = request.grant().bulk_max().ok_or(ApiError::NotInPlan)?.get();
    if actual > usize::from(allowed) {
        return Err(ApiError::TooManyItems { allowed, actual });
    }
    Ok(actual)
}

/// Splits the body into its lines. Each line is an unparsed JSON object.
fn parse_lines(body: &[u8]) -> Result<Vec<&RawValue>, ApiError> {
    let invalid = |fault| ApiError::InvalidPayload {
        expected: EXPECTED_BODY,
        fault: Some(fault),
    };
    let body: BulkBody<'_> = json::parse_object(body).map_err(invalid)?;
    let lines = body.addresses;
    if lines.is_empty() {
        return Err(invalid("addresses is empty".to_owned()));
    }
    match lines.iter().position(|line| !line.get().starts_with('{')) {
        Some(index) => Err(invalid(format!("addresses[{index}] is not an object"))),
        None => Ok(lines),
    }
}

fn look_up_line<'a>(
    line: &RawValue,
    snapshot: &'a Snapshot,
) -> Result<BulkLineResult<'a>, LookupError> {
    let line: BulkRequestLine<'_> = json::parse_object(line.get().as_bytes()).unwrap_or_default();
    let (letter, addition) = (parse_suffix(line.letter), parse_suffix(line.addition));
    let mut result = BulkLineResult {
        postcode: parse_postcode(line.postcode),
        number: parse_number(line.number),
        has_invalid_suffix: letter.is_err() || addition.is_err(),
        address: None,
    };
    if let (Some(postcode), Some(number), Ok(letter), Ok(addition)) =
        (result.postcode, result.number, letter, addition)
    {
        let suffix = HouseNumberSuffix::new(letter.as_deref(), addition.as_deref());
        let at_number = snapshot.addresses().borrow_by_number(postcode, number)?;
        result.address = suffix.choose_preferred(at_number);
    }
    Ok(result)
}

fn parse_postcode(field: LineField<'_>) -> Option<Postcode> {
    let text = json::parse_text(field.value().ok()?).ok()??;
    Postcode::from_input(&text).ok()
}

fn parse_number(field: LineField<'_>) -> Option<HouseNumber> {
    json::parse_house_number(field.value().ok()??).ok()
}

/// Parses a letter or an addition: a text, or a whole number in digits, because programs that read a table write an addition such as 1 as a
/// number.
fn parse_suffix(field: LineField<'_>) -> Result<Option<Cow<'_, str>>, UnreadableField> {
    match field.value()? {
        Some(value) if value.get().bytes().all(|byte| byte.is_ascii_digit()) => {
            Ok(Some(value.get().into()))
        }
        value => json::parse_text(value),
    }
}

/// Writes the response. Source: contract.md, section POST /v1/bulk/lookup.
fn bulk_response(results: &[BulkLineResult<'_>]) -> JsonResponse {
    let mut json = JsonWriter::with_capacity(LINE_BYTES * results.len());
    json.raw("{\"data\":");
    json.array(results.iter().enumerate(), |json, (index, line)| {
        line.write_json(index, json);
    });
    let found = results.iter().filter(|line| line.address.is_some());
    json.raw(",\"meta\":{\"requested\":");
    json.number(results.len());
    json.raw(",\"found\":");
    json.number(found.count());
    json.raw(",\"billableCalls\":");
    json.number(results.len());
    json.raw("}}");
    JsonResponse::from_writer(json)
}

impl BulkLineResult<'_> {
    /// Writes the result of one line. Source: contract.md, section BulkResult, the primary form.
    fn write_json(&self, index: usize, json: &mut JsonWriter) {
        json.raw("{\"index\":");
        json.number(index);
        json.raw(",\"postcode\":");
        json.option(self.postcode, |json, postcode| {
            json.ascii_string(&postcode.ascii())
        });
        json.raw(",\"number\":");
        json.option(self.number, |json, number| json.number(number.get()));
        json.raw(match self.address {
            Some(_) => ",\"found\":true,\"error\":",
            None => ",\"found\":false,\"error\":",
        });
        json.option(self.error_code(), JsonWriter::plain_string);
        json.raw(",\"address\":");
        json.option(self.address.as_ref(), write_address);
        json.raw("}");
    }

    fn error_code(&self) -> Option<&'static str> {
        if self.postcode.is_none() {
            Some("invalid_postcode")
        } else if self.number.is_none() || self.has_invalid_suffix {
            Some("invalid_number")
        } else {
            self.address.is_none().then_some("not_found")
        }
    }
}
