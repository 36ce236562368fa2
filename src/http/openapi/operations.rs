//! What each operation answers, beside what its handler says of itself: the examples of a 200 and all that can go wrong.
//!
//! Source: decisions.md, Order of checks.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use utoipa::Modify;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::{Components, OpenApi, Ref, RefOr, Response};

use super::answers;
use super::answers::Answer;
use super::errors;
use super::errors::Named;
use super::{headers, links};
use crate::http::Problem;
use crate::http::api_version::Dialect;
use crate::http::error::InvalidParameter;
use crate::http::v1::{bulk, validate};

/// Any call: no key, not in the plan, too fast, bundle used up, trouble of our own.
fn of_any_call() -> Vec<Named> {
    vec![
        ("invalid_api_key", Problem::InvalidApiKey),
        ("not_in_plan", Problem::NotInPlan),
        ("rate", Problem::RateLimitExceeded { retry_after_s: 1 }),
        (
            "quota",
            Problem::QuotaExceeded {
                retry_after_s: 86_400,
            },
        ),
        ("internal", Problem::Internal),
        ("accounts", Problem::AccountsUnavailable),
        ("index", Problem::IndexUnavailable),
    ]
}

/// Any call with a body, beside that.
fn of_any_submission(expected: &'static str) -> Vec<Named> {
    vec![
        ("read_only_key", Problem::ReadOnlyKey),
        ("media_type", Problem::UnsupportedMediaType),
        ("too_large", Problem::PayloadTooLarge),
        ("payload", Problem::InvalidPayload { expected }),
        ("timeout", Problem::TimedOut),
    ]
}

/// All that can go wrong with an operation, by its id.
fn problems(operation: &str) -> Vec<Named> {
    use InvalidParameter::{Coordinates, Number, Postcode, Query, QueryLimit, Type};
    let postcode = || ("postcode", Postcode.into());
    let number = || ("number", Number.into());
    let not_found = || ("not_found", Problem::NotFound);
    let own = match operation {
        "lookup" => of_a_path(),
        "listAddresses" => vec![postcode(), number()],
        "getAddress" => vec![not_found()],
        "getPostcode" => vec![postcode(), not_found()],
        "autocomplete" => vec![
            ("q", Query.into()),
            ("type", Type.into()),
            ("limit", QueryLimit.into()),
        ],
        "reverse" => vec![("coordinates", Coordinates.into())],
        "bulkLookup" => {
            let (allowed, actual) = (1000, 1001);
            let lines = ("lines", Problem::TooManyItems { allowed, actual });
            [of_any_submission(bulk::EXPECTED), vec![lines]].concat()
        }
        "validate" => [of_any_submission(validate::EXPECTED), vec![number()]].concat(),
        other => unreachable!("{other} says what can go wrong"),
    };
    [of_any_call(), own].concat()
}

/// v3 tells every parameter that cannot be read.
fn of_a_path() -> Vec<Named> {
    use InvalidParameter::{Number, NumberBelowOne, Postcode};
    let both = Problem::Invalid {
        first: Postcode,
        second: Some(Number),
    };
    vec![
        ("number", Number.into()),
        ("zero", NumberBelowOne.into()),
        ("postcode", Postcode.into()),
        ("both", both),
        ("not_found", Problem::NotFound),
    ]
}

/// Completes every operation.
pub(super) struct Told;

impl Modify for Told {
    fn modify(&self, openapi: &mut OpenApi) {
        let components = openapi.components.get_or_insert_default();
        for (path, item) in &mut openapi.paths.paths {
            let PathItem { get, post, .. } = item;
            for operation in [get, post].into_iter().flatten() {
                complete(operation, dialect(path), components);
            }
        }
    }
}

/// An operation's errors read as those of every path beside it.
fn dialect(path: &str) -> Dialect {
    match path.starts_with("/v3/") {
        true => Dialect::V3,
        false => Dialect::V1,
    }
}

fn complete(operation: &mut Operation, dialect: Dialect, components: &mut Components) {
    let id = operation.operation_id.clone();
    let id = id.expect("every operation has an id");
    tell_answers(&id, operation);
    let problems = problems(&id);
    let mut by_status: BTreeMap<StatusCode, Vec<&Named>> = BTreeMap::new();
    for named in &problems {
        let (status, ..) = named.1.told(dialect);
        by_status.entry(status).or_default().push(named);
    }
    for (status, problems) in by_status {
        let response = errors::response(dialect, status, &problems);
        let response = match shared_name(dialect, status) {
            Some(name) => share(name, response, components),
            None => response.into(),
        };
        let responses = &mut operation.responses.responses;
        responses.insert(status.as_str().to_owned(), response);
    }
}

/// The examples of what is sent and of a 200, and what else stands on that.
fn tell_answers(id: &str, operation: &mut Operation) {
    let answers = answers::of(id);
    if let Some(RefOr::T(body)) = &mut operation.request_body {
        for content in body.content.values_mut() {
            let examples = answers.iter().filter_map(Answer::request_example);
            whole(content).examples.extend(examples);
        }
    }
    for response in operation.responses.responses.values_mut() {
        let response = whole(response);
        headers::tell_found(response);
        links::lead_on(id, response);
        for content in response.content.values_mut() {
            let examples = answers.iter().map(Answer::example);
            whole(content).examples.extend(examples);
        }
    }
}

/// What the handler says of itself stands where it says it.
fn whole<T>(part: &mut RefOr<T>) -> &mut T {
    match part {
        RefOr::T(part) => part,
        RefOr::Ref(_) => unreachable!("handlers refer to schemas alone"),
    }
}

/// What several operations answer alike has a name.
fn shared_name(dialect: Dialect, status: StatusCode) -> Option<String> {
    let version = match dialect {
        Dialect::V3 => "V3",
        Dialect::V1 => "V1",
    };
    let own = [StatusCode::BAD_REQUEST, StatusCode::UNPROCESSABLE_ENTITY];
    let words = status
        .canonical_reason()
        .unwrap_or_default()
        .replace(' ', "");
    (!own.contains(&status)).then(|| version.to_owned() + &words)
}

/// Refers to a shared response. One that submissions answer otherwise has a name of its own.
fn share(name: String, response: Response, components: &mut Components) -> RefOr<Response> {
    let known = components.responses.get(&name);
    let other = known.is_some_and(|known| *known != RefOr::T(response.clone()));
    let name = match other {
        true => name + "Submission",
        false => name,
    };
    let reference = Ref::new(format!("#/components/responses/{name}"));
    components.responses.insert(name, response.into());
    reference.into()
}
