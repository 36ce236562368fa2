//! What each operation answers, beside what its handler says of itself: the examples of a 200 and all that can go wrong.
//!
//! Source: decisions.md, Order of checks.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use utoipa::Modify;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::{Components, OpenApi, Ref, RefOr, Response};

use super::answers::{self, Answer};
use super::errors::{self, Named};
use super::{headers, links};
use crate::api::Problem;
use crate::api::dialect::Dialect;
use crate::api::problem::InvalidParameter;
use crate::api::v1::{bulk, validate};

/// What is added to one operation.
struct Added {
    dialect: Dialect,
    answers: &'static [Answer],
    problems: Vec<Named>,
}

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

/// Any call with a body.
fn of_any_submission(expected: &'static str) -> Vec<Named> {
    let more = vec![
        ("read_only_key", Problem::ReadOnlyKey),
        ("media_type", Problem::UnsupportedMediaType),
        ("too_large", Problem::PayloadTooLarge),
        ("payload", Problem::InvalidPayload { expected }),
        ("timeout", Problem::TimedOut),
    ];
    [of_any_call(), more].concat()
}

impl Added {
    fn look_up(dialect: Dialect, answers: &'static [Answer], more: Vec<Named>) -> Self {
        Self {
            dialect,
            answers,
            problems: [of_any_call(), more].concat(),
        }
    }

    fn submission(answers: &'static [Answer], expected: &'static str, more: Vec<Named>) -> Self {
        Self {
            dialect: Dialect::V1,
            answers,
            problems: [of_any_submission(expected), more].concat(),
        }
    }

    /// By the operation's id.
    fn to(operation: &str) -> Self {
        use InvalidParameter::{
            Coordinates, Number, NumberBelowOne, Postcode, Query, QueryLimit, Type,
        };
        let postcode = || ("postcode", Postcode.into());
        let not_found = || ("not_found", Problem::NotFound);
        let v1 = |answers, more| Self::look_up(Dialect::V1, answers, more);
        match operation {
            "lookup" => {
                let both = Problem::Invalid {
                    first: Postcode,
                    second: Some(Number),
                };
                let more = vec![
                    ("number", Number.into()),
                    ("zero", NumberBelowOne.into()),
                    postcode(),
                    ("both", both),
                    not_found(),
                ];
                Self::look_up(Dialect::V3, answers::LOOKUP, more)
            }
            "listAddresses" => v1(
                answers::LIST_ADDRESSES,
                vec![postcode(), ("number", Number.into())],
            ),
            "getAddress" => v1(answers::GET_ADDRESS, vec![not_found()]),
            "getPostcode" => v1(answers::GET_POSTCODE, vec![postcode(), not_found()]),
            "autocomplete" => {
                let [q, kind, limit] = [Query, Type, QueryLimit].map(Problem::from);
                v1(
                    answers::AUTOCOMPLETE,
                    vec![("q", q), ("type", kind), ("limit", limit)],
                )
            }
            "reverse" => v1(answers::REVERSE, vec![("coordinates", Coordinates.into())]),
            "bulkLookup" => {
                let (allowed, actual) = (1000, 1001);
                let lines = Problem::TooManyItems { allowed, actual };
                Self::submission(answers::BULK_LOOKUP, bulk::EXPECTED, vec![("lines", lines)])
            }
            "validate" => {
                let number = ("number", Number.into());
                Self::submission(answers::VALIDATE, validate::EXPECTED, vec![number])
            }
            other => unreachable!("{other} says what it answers"),
        }
    }
}

/// Completes every operation.
pub(super) struct Told;

impl Modify for Told {
    fn modify(&self, openapi: &mut OpenApi) {
        let components = openapi.components.get_or_insert_default();
        for path in openapi.paths.paths.values_mut() {
            let PathItem { get, post, .. } = path;
            for operation in [get, post].into_iter().flatten() {
                complete(operation, components);
            }
        }
    }
}

fn complete(operation: &mut Operation, components: &mut Components) {
    let id = operation.operation_id.as_deref();
    let id = id.expect("every operation has an id");
    let added = Added::to(id);
    if let Some(RefOr::T(body)) = &mut operation.request_body {
        for content in body.content.values_mut() {
            let examples = added.answers.iter().filter_map(Answer::request_example);
            whole(content).examples.extend(examples);
        }
    }
    for response in operation.responses.responses.values_mut() {
        let response = whole(response);
        headers::tell_found(response);
        links::lead_on(id, response);
        for content in response.content.values_mut() {
            let examples = added.answers.iter().map(Answer::example);
            whole(content).examples.extend(examples);
        }
    }
    let mut by_status: BTreeMap<StatusCode, Vec<&Named>> = BTreeMap::new();
    for named in &added.problems {
        let (status, ..) = named.1.told(added.dialect);
        by_status.entry(status).or_default().push(named);
    }
    for (status, problems) in by_status {
        let response = errors::response(added.dialect, status, &problems);
        let response = match shared_name(added.dialect, status) {
            Some(name) => share(name, response, components),
            None => response.into(),
        };
        let responses = &mut operation.responses.responses;
        responses.insert(status.as_str().to_owned(), response);
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
