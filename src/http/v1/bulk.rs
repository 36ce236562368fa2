//! Answers `POST /v1/bulk/lookup`.
//!
//! Assumption, checked by the tests: a line with a letter or an addition that is not a text finds nothing, and a line with a duplicate
//! field gets the error `invalid_postcode`. Such a line does not affect other lines.

use postduif_schema::{Address, HouseNumber, Postcode};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{ADDRESS_BYTES, write_address};
use crate::http::json;
use crate::http::json_writer::JsonWriter;
use crate::http::{ApiError, JsonResponse, PostEndpoint, PostRequest};
use crate::search::LookupError;
use crate::snapshot::Snapshot;
use crate::validation::HouseNumberSuffix;

/// The form of the body, for the error message.
pub(crate) const EXPECTED_BODY: &str = "the body must be {\"addresses\": [...]}, a list of at least one object with postcode (text) and \
                        number (whole number), and, if wanted, letter and addition (text or null)";

/// Looks up many addresses at once. The results are in the order of the request.
pub const LOOK_UP: PostEndpoint = PostEndpoint {
    count_calls: count_lines,
    runs_on_blocking_thread: true,
    handler: look_up,
};

/// The number of bytes to reserve for the JSON of one line of a response. Most lines need less.
const LINE_BYTES: usize = ADDRESS_BYTES + 96;

#[derive(Deserialize)]
struct BulkBody<'a> {
    #[serde(borrow)]
    addresses: Vec<&'a RawValue>,
}

/// One line of the request. Source: contract.md, section POST /v1/bulk/lookup.
#[derive(Deserialize, Default)]
struct BulkRequestLine<'a> {
    #[serde(borrow)]
    postcode: Option<&'a RawValue>,
    number: Option<&'a RawValue>,
    letter: Option<&'a RawValue>,
    addition: Option<&'a RawValue>,
}

#[derive(Default)]
struct BulkLineResult<'a> {
    postcode: Option<Postcode>,
    number: Option<HouseNumber>,
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
    let body: Option<BulkBody<'_>> = json::parse_object(body);
    let lines = body.map(|body| body.addresses).unwrap_or_default();
    let all_objects = lines.iter().all(|line| line.get().starts_with('{'));
    if lines.is_empty() || !all_objects {
        return Err(ApiError::InvalidPayload {
            expected: EXPECTED_BODY,
        });
    }
    Ok(lines)
}

fn look_up_line<'a>(
    line: &RawValue,
    snapshot: &'a Snapshot,
) -> Result<BulkLineResult<'a>, LookupError> {
    let line: BulkRequestLine<'_> = json::parse_object(line.get().as_bytes()).unwrap_or_default();
    let postcode = json::parse_text(line.postcode).ok().flatten();
    let result = BulkLineResult {
        postcode: postcode.and_then(|text| Postcode::from_input(&text).ok()),
        number: line
            .number
            .and_then(|number| json::parse_house_number(number).ok()),
        address: None,
    };
    let (Some(postcode), Some(number)) = (result.postcode, result.number) else {
        return Ok(result);
    };
    let (Ok(letter), Ok(addition)) = (
        json::parse_text(line.letter),
        json::parse_text(line.addition),
    ) else {
        return Ok(result);
    };
    let suffix = HouseNumberSuffix::new(letter.as_deref(), addition.as_deref());
    Ok(BulkLineResult {
        address: suffix.choose_preferred(snapshot.addresses().borrow_by_number(postcode, number)?),
        ..result
    })
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
    json.integer(results.len() as u64);
    json.raw(",\"found\":");
    json.integer(found.count() as u64);
    json.raw(",\"billableCalls\":");
    json.integer(results.len() as u64);
    json.raw("}}");
    JsonResponse::from_writer(json)
}

impl BulkLineResult<'_> {
    /// Writes the result of one line. Source: contract.md, section BulkResult, the primary form.
    fn write_json(&self, index: usize, json: &mut JsonWriter) {
        json.raw("{\"index\":");
        json.integer(index as u64);
        json.raw(",\"postcode\":");
        json.option(self.postcode, |json, postcode| {
            json.ascii_string(&postcode.ascii())
        });
        json.raw(",\"number\":");
        json.option(self.number, |json, number| {
            json.integer(number.get().into())
        });
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
        } else if self.number.is_none() {
            Some("invalid_number")
        } else {
            self.address.is_none().then_some("not_found")
        }
    }
}
