//! `POST /v1/bulk/lookup`
//!
//! Assumption, held by the tests: a line whose letter or addition is no text finds nothing, and a line that names a field
//! twice has no postcode that can be read; neither fails the other lines.

use postduif_schema::{Address, HouseNumber, Postcode};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::V1Address;
use crate::access::Endpoint;
use crate::api::json;
use crate::api::{PostEndpoint, Problem, Reply, Submission};
use crate::index::{LookupError, Snapshot};
use crate::query::HouseNumberSuffix;

/// What the body must be.
const EXPECTED: &str = "the body must be {\"addresses\": [...]}, a list of at least one object with postcode (text) and \
                        number (whole number), and, if wanted, letter and addition (text or null)";

/// Looks up many addresses at once, in the order in which they were sent.
pub const LOOK_UP: PostEndpoint = PostEndpoint {
    endpoint: Endpoint::Bulk,
    long: true,
    answer: look_up,
};

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

fn look_up(submission: &Submission) -> Result<Reply, Problem> {
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
    Ok(Reply::of(&V1Bulk::of(&found)))
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

#[derive(Serialize)]
struct V1Bulk<'a> {
    data: Vec<V1BulkResult<'a>>,
    meta: V1BulkMeta,
}

/// Source: contract.md, BulkResult: the primary form.
#[derive(Serialize)]
struct V1BulkResult<'a> {
    index: usize,
    postcode: Option<Postcode>,
    number: Option<HouseNumber>,
    found: bool,
    error: Option<&'static str>,
    address: Option<V1Address<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct V1BulkMeta {
    requested: usize,
    found: usize,
    billable_calls: usize,
}

impl<'a> V1Bulk<'a> {
    fn of(lines: &'a [Found<'a>]) -> Self {
        let data = lines.iter().enumerate();
        Self {
            data: data
                .map(|(index, line)| V1BulkResult::of(index, line))
                .collect(),
            meta: V1BulkMeta {
                requested: lines.len(),
                found: lines.iter().filter(|line| line.address.is_some()).count(),
                billable_calls: lines.len(),
            },
        }
    }
}

impl<'a> V1BulkResult<'a> {
    fn of(index: usize, line: &'a Found) -> Self {
        Self {
            index,
            postcode: line.postcode,
            number: line.number,
            found: line.address.is_some(),
            error: line.error(),
            address: line.address.as_ref().map(V1Address::from),
        }
    }
}

impl Found<'_> {
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
