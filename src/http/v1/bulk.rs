//! `POST /v1/bulk/lookup`
//!
//! Assumption, held by the tests: a line whose letter or addition is no text finds nothing, and a line that names a field
//! twice has no postcode that can be read; neither fails the other lines.

use postduif_schema::{Address, HouseNumber, Postcode};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::address::ADDRESS_BYTES;
use super::{V1Address, schemas};
use crate::accounts::Endpoint;
use crate::http::json;
use crate::http::json_writer::Writer;
use crate::http::{PostEndpoint, Problem, Reply, Submission};
use crate::search::LookupError;
use crate::snapshot::Snapshot;
use crate::validation::HouseNumberSuffix;

/// What the body must be.
pub(crate) const EXPECTED: &str = "the body must be {\"addresses\": [...]}, a list of at least one object with postcode (text) and \
                        number (whole number), and, if wanted, letter and addition (text or null)";

/// Looks up many addresses at once, in the order in which they were sent.
pub const LOOK_UP: PostEndpoint = PostEndpoint {
    endpoint: Endpoint::Bulk,
    long: true,
    answer: look_up,
};

/// Bytes of most lines of an answer.
const LINE_BYTES: usize = ADDRESS_BYTES + 96;

#[derive(Deserialize)]
struct Body<'a> {
    #[serde(borrow)]
    addresses: Vec<&'a RawValue>,
}

/// Source: contract.md, POST /v1/bulk/lookup.
#[derive(Deserialize, Default)]
struct Line<'a> {
    #[serde(borrow)]
    postcode: Option<&'a RawValue>,
    number: Option<&'a RawValue>,
    letter: Option<&'a RawValue>,
    addition: Option<&'a RawValue>,
}

/// What there is to say of one line.
#[derive(Default)]
struct Found<'a> {
    postcode: Option<Postcode>,
    number: Option<HouseNumber>,
    address: Option<Address<&'a str>>,
}

#[utoipa::path(
    post,
    path = "/v1/bulk/lookup",
    tag = "v1 verwerking",
    operation_id = "bulkLookup",
    summary = "Looks up many addresses at once",
    description = "One result for each line, in the order of the request; a line that finds nothing says why in `error`. Each \
                   line counts as a call against the bundle, the request as one against the calls per second. How many lines \
                   a request may have depends on the plan: Starter 25, Klein 100, Standaard 250, Plus 500, Pro and \
                   Enterprise 1000; the free plan has no bulk.",
    request_body = schemas::BulkRequest,
    responses((status = 200, description = "A result for each line.", body = schemas::BulkAnswer)),
)]
pub(crate) fn look_up(submission: &Submission) -> Result<Reply, Problem> {
    let lines = lines(submission.body())?;
    let allowed = submission
        .admission()
        .bulk_max()
        .ok_or(Problem::NotInPlan)?;
    if lines.len() > usize::from(allowed.get()) {
        return Err(Problem::TooManyItems {
            allowed: allowed.get(),
            actual: lines.len(),
        });
    }
    let snapshot = submission.snapshot_for(lines.len())?;
    let found = lines.into_iter().map(|line| find(line, snapshot));
    let found: Vec<Found<'_>> = found.collect::<Result<_, _>>()?;
    Ok(written(&found))
}

/// The lines, each an object as yet unread.
fn lines(body: &[u8]) -> Result<Vec<&RawValue>, Problem> {
    let body: Option<Body<'_>> = json::object(body);
    let lines = body.map(|body| body.addresses).unwrap_or_default();
    let all_objects = lines.iter().all(|line| line.get().starts_with('{'));
    if lines.is_empty() || !all_objects {
        return Err(Problem::InvalidPayload { expected: EXPECTED });
    }
    Ok(lines)
}

fn find<'a>(line: &RawValue, snapshot: &'a Snapshot) -> Result<Found<'a>, LookupError> {
    let line: Line<'_> = json::object(line.get().as_bytes()).unwrap_or_default();
    let postcode = json::text(line.postcode).ok().flatten();
    let found = Found {
        postcode: postcode.and_then(|text| Postcode::from_input(&text).ok()),
        number: line
            .number
            .and_then(|number| json::house_number(number).ok()),
        address: None,
    };
    let (Some(postcode), Some(number)) = (found.postcode, found.number) else {
        return Ok(found);
    };
    let (Ok(letter), Ok(addition)) = (json::text(line.letter), json::text(line.addition)) else {
        return Ok(found);
    };
    let suffix = HouseNumberSuffix::new(letter.as_deref(), addition.as_deref());
    Ok(Found {
        address: suffix.choose(snapshot.at_number(postcode, number)?),
        ..found
    })
}

/// Source: contract.md, POST /v1/bulk/lookup.
fn written(lines: &[Found<'_>]) -> Reply {
    let mut json = Writer::with_capacity(LINE_BYTES * lines.len());
    json.raw("{\"data\":");
    json.list(lines.iter().enumerate(), |json, (index, line)| {
        line.write(index, json);
    });
    let found = lines.iter().filter(|line| line.address.is_some());
    json.raw(",\"meta\":{\"requested\":");
    json.number(lines.len() as u64);
    json.raw(",\"found\":");
    json.number(found.count() as u64);
    json.raw(",\"billableCalls\":");
    json.number(lines.len() as u64);
    json.raw("}}");
    Reply::written(json)
}

impl Found<'_> {
    /// Source: contract.md, BulkResult: the primary form.
    fn write(&self, index: usize, json: &mut Writer) {
        json.raw("{\"index\":");
        json.number(index as u64);
        json.raw(",\"postcode\":");
        json.option(self.postcode, |json, postcode| {
            json.ascii(&postcode.ascii())
        });
        json.raw(",\"number\":");
        json.option(self.number, |json, number| json.number(number.get().into()));
        json.raw(match self.address {
            Some(_) => ",\"found\":true,\"error\":",
            None => ",\"found\":false,\"error\":",
        });
        json.option(self.error(), Writer::quoted);
        json.raw(",\"address\":");
        json.option(self.address.as_ref(), |json, address| {
            V1Address::from(address).write(json);
        });
        json.raw("}");
    }

    fn error(&self) -> Option<&'static str> {
        if self.postcode.is_none() {
            Some("invalid_postcode")
        } else if self.number.is_none() {
            Some("invalid_number")
        } else {
            self.address.is_none().then_some("not_found")
        }
    }
}
