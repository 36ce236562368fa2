//! What each operation answers, beside what its handler says of itself: the examples of a 200 and all that can go wrong.
//!
//! Source: decisions.md, Order of checks.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use utoipa::Modify;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::{Components, OpenApi, Ref, RefOr, Response};

use super::answers;
use super::answers::SandboxExample;
use super::errors;
use super::errors::ErrorExample;
use super::{headers, links};
use crate::http::ApiError;
use crate::http::api_version::ApiVersion;
use crate::http::error::InvalidParameter;
use crate::http::v1::{bulk, validate};

/// Any call: no key, not in the plan, too fast, bundle used up, trouble of our own.
fn common_errors() -> Vec<ErrorExample> {
    vec![
        ("invalid_api_key", ApiError::InvalidApiKey),
        ("not_in_plan", ApiError::NotInPlan),
        ("rate", ApiError::RateLimitExceeded { retry_after_s: 1 }),
        (
            "quota",
            ApiError::QuotaExceeded {
                retry_after_s: 86_400,
            },
        ),
        ("internal", ApiError::Internal),
        ("accounts", ApiError::AccountsUnavailable),
        ("index", ApiError::IndexUnavailable),
    ]
}

/// Any call with a body, beside that.
fn post_errors(expected: &'static str) -> Vec<ErrorExample> {
    vec![
        ("read_only_key", ApiError::ReadOnlyKey),
        ("media_type", ApiError::UnsupportedMediaType),
        ("too_large", ApiError::PayloadTooLarge),
        ("payload", ApiError::InvalidPayload { expected }),
        ("timeout", ApiError::Timeout),
    ]
}

/// All that can go wrong with an operation, by its id.
fn operation_errors(operation: &str) -> Vec<ErrorExample> {
    use InvalidParameter::{Coordinates, Number, Postcode, Query, QueryLimit, Type};
    let postcode = || ("postcode", Postcode.into());
    let number = || ("number", Number.into());
    let not_found = || ("not_found", ApiError::NotFound);
    let own = match operation {
        "lookup" => lookup_errors(),
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
            let lines = ("lines", ApiError::TooManyItems { allowed, actual });
            [post_errors(bulk::EXPECTED_BODY), vec![lines]].concat()
        }
        "validate" => [post_errors(validate::EXPECTED_BODY), vec![number()]].concat(),
        other => unreachable!("{other} says what can go wrong"),
    };
    [common_errors(), own].concat()
}

/// v3 tells every parameter that cannot be read.
fn lookup_errors() -> Vec<ErrorExample> {
    use InvalidParameter::{Number, NumberBelowOne, Postcode};
    let both = ApiError::InvalidParameters {
        first: Postcode,
        second: Some(Number),
    };
    vec![
        ("number", Number.into()),
        ("zero", NumberBelowOne.into()),
        ("postcode", Postcode.into()),
        ("both", both),
        ("not_found", ApiError::NotFound),
    ]
}

/// Completes every operation.
pub(super) struct AddErrorResponses;

impl Modify for AddErrorResponses {
    fn modify(&self, openapi: &mut OpenApi) {
        let components = openapi.components.get_or_insert_default();
        for (path, item) in &mut openapi.paths.paths {
            let PathItem { get, post, .. } = item;
            for operation in [get, post].into_iter().flatten() {
                complete_operation(operation, api_version(path), components);
            }
        }
    }
}

/// An operation's errors read as those of every path beside it.
fn api_version(path: &str) -> ApiVersion {
    match path.starts_with("/v3/") {
        true => ApiVersion::V3,
        false => ApiVersion::V1,
    }
}

fn complete_operation(
    operation: &mut Operation,
    api_version: ApiVersion,
    components: &mut Components,
) {
    let id = operation.operation_id.clone();
    let id = id.expect("every operation has an id");
    add_examples(&id, operation);
    let errors = operation_errors(&id);
    let mut by_status: BTreeMap<StatusCode, Vec<&ErrorExample>> = BTreeMap::new();
    for named in &errors {
        let (status, ..) = named.1.render(api_version);
        by_status.entry(status).or_default().push(named);
    }
    for (status, errors) in by_status {
        let response = errors::error_response(api_version, status, &errors);
        let response = match shared_response_name(api_version, status) {
            Some(name) => share_response(name, response, components),
            None => response.into(),
        };
        let responses = &mut operation.responses.responses;
        responses.insert(status.as_str().to_owned(), response);
    }
}

/// The examples of what is sent and of a 200, and what else stands on that.
fn add_examples(id: &str, operation: &mut Operation) {
    let answers = answers::examples_for(id);
    if let Some(RefOr::T(body)) = &mut operation.request_body {
        for content in body.content.values_mut() {
            let examples = answers.iter().filter_map(SandboxExample::request_example);
            inline_mut(content).examples.extend(examples);
        }
    }
    for response in operation.responses.responses.values_mut() {
        let response = inline_mut(response);
        headers::add_success_headers(response);
        links::add_links(id, response);
        for content in response.content.values_mut() {
            let examples = answers.iter().map(SandboxExample::response_example);
            inline_mut(content).examples.extend(examples);
        }
    }
}

/// What the handler says of itself stands where it says it.
fn inline_mut<T>(part: &mut RefOr<T>) -> &mut T {
    match part {
        RefOr::T(part) => part,
        RefOr::Ref(_) => unreachable!("handlers refer to schemas alone"),
    }
}

/// What several operations answer alike has a name.
fn shared_response_name(api_version: ApiVersion, status: StatusCode) -> Option<String> {
    let version = match api_version {
        ApiVersion::V3 => "V3",
        ApiVersion::V1 => "V1",
    };
    let own = [StatusCode::BAD_REQUEST, StatusCode::UNPROCESSABLE_ENTITY];
    let words = status
        .canonical_reason()
        .unwrap_or_default()
        .replace(' ', "");
    (!own.contains(&status)).then(|| version.to_owned() + &words)
}

/// Refers to a shared response. One that submissions answer otherwise has a name of its own.
fn share_response(
    name: String,
    response: Response,
    components: &mut Components,
) -> RefOr<Response> {
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
