//! The error responses, from the very values that the code answers with.

use axum::http::StatusCode;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::{Ref, Response};

use super::answers::{json, named};
use super::headers;
use super::headers::Sender;
use crate::http::Problem;
use crate::http::api_version::Dialect;

/// A problem under the name of its example.
pub(super) type Named = (&'static str, Problem);

/// The response with one status, which all of these have.
pub(super) fn response(dialect: Dialect, status: StatusCode, problems: &[&Named]) -> Response {
    let examples = problems.iter().map(|(name, problem)| {
        let (_, _, body) = problem.told(dialect);
        let body = std::str::from_utf8(&body).expect("JSON is UTF-8");
        named(name, summary(problem), json(body))
    });
    let (schema, media_type) = match dialect {
        Dialect::V3 => ("Problem", "application/problem+json"),
        Dialect::V1 => ("Error", "application/json"),
    };
    let content = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name(schema)))
        .examples_from_iter(examples)
        .build();
    let mut response = Response::new(text(status));
    response
        .content
        .insert(media_type.to_owned(), content.into());
    let waits = status == StatusCode::TOO_MANY_REQUESTS;
    headers::tell(&mut response, sender(status), waits);
    response
}

fn sender(status: StatusCode) -> Sender {
    match status {
        StatusCode::UNAUTHORIZED => Sender::Unknown,
        _ if status.is_server_error() => Sender::PerhapsKnown,
        _ => Sender::Known,
    }
}

fn text(status: StatusCode) -> &'static str {
    match status {
        StatusCode::BAD_REQUEST => "What was sent cannot be read.",
        StatusCode::UNAUTHORIZED => {
            "The key is missing, unknown, revoked or of another environment, or may not be used from this address or page. \
             Nothing tells which."
        }
        StatusCode::FORBIDDEN => {
            "The endpoint is not in the plan, or not among the rights of the key."
        }
        StatusCode::NOT_FOUND => "Nothing was found.",
        StatusCode::PAYLOAD_TOO_LARGE => "The body is above 1 MiB.",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "The body is not `application/json`.",
        StatusCode::UNPROCESSABLE_ENTITY => "More lines than the plan allows.",
        StatusCode::TOO_MANY_REQUESTS => {
            "The calls per second, or the month's bundle with its grace, are used up."
        }
        StatusCode::SERVICE_UNAVAILABLE => "Not at the moment; try again later.",
        _ => "The service's own fault.",
    }
}

fn summary(problem: &Problem) -> &'static str {
    match problem {
        Problem::Invalid { .. } => "A parameter that cannot be read",
        Problem::Malformed { .. } => "A request that can be read in two ways",
        Problem::InvalidPayload { .. } => "A body of another form",
        Problem::InvalidApiKey => "No key that admits",
        Problem::NotInPlan => "The plan does not have the endpoint",
        Problem::ReadOnlyKey => "The key may only read",
        Problem::NotFound => "Nothing there",
        Problem::MethodNotAllowed => "Another method",
        Problem::UnsupportedMediaType => "Another kind of body",
        Problem::PayloadTooLarge => "A body that is too long",
        Problem::TooManyItems { .. } => "Too many lines",
        Problem::RateLimitExceeded { .. } => "Calls per second are used up",
        Problem::QuotaExceeded { .. } => "The month's bundle is used up",
        Problem::AccountsUnavailable => "Accounts cannot be reached",
        Problem::IndexUnavailable => "No address data yet",
        Problem::TimedOut => "The answer took too long",
        Problem::Internal => "Something went wrong",
    }
}
