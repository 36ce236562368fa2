//! The error responses, from the very values that the code answers with.

use axum::http::StatusCode;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::{Ref, Response};

use super::answers::{named_example, parse_json};
use super::headers;
use super::headers::AuthState;
use crate::http::ApiError;
use crate::http::api_version::ApiVersion;

/// A problem under the name of its example.
pub(super) type ErrorExample = (&'static str, ApiError);

/// The response with one status, which all of these have.
pub(super) fn error_response(
    api_version: ApiVersion,
    status: StatusCode,
    errors: &[&ErrorExample],
) -> Response {
    let examples = errors.iter().map(|(name, error)| {
        let (_, _, body) = error.render(api_version);
        let body = std::str::from_utf8(&body).expect("JSON is UTF-8");
        named_example(name, summary(error), parse_json(body))
    });
    let (schema, media_type) = match api_version {
        ApiVersion::V3 => ("Problem", "application/problem+json"),
        ApiVersion::V1 => ("Error", "application/json"),
    };
    let content = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name(schema)))
        .examples_from_iter(examples)
        .build();
    let mut response = Response::new(description(status));
    response
        .content
        .insert(media_type.to_owned(), content.into());
    let with_retry_after = status == StatusCode::TOO_MANY_REQUESTS;
    headers::add_error_headers(&mut response, auth_state(status), with_retry_after);
    response
}

fn auth_state(status: StatusCode) -> AuthState {
    match status {
        StatusCode::UNAUTHORIZED => AuthState::Unauthenticated,
        _ if status.is_server_error() => AuthState::MaybeAuthenticated,
        _ => AuthState::Authenticated,
    }
}

fn description(status: StatusCode) -> &'static str {
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

fn summary(error: &ApiError) -> &'static str {
    match error {
        ApiError::InvalidParameters { .. } => "A parameter that cannot be read",
        ApiError::MalformedRequest { .. } => "A request that can be read in two ways",
        ApiError::InvalidPayload { .. } => "A body of another form",
        ApiError::InvalidApiKey => "No key that admits",
        ApiError::NotInPlan => "The plan does not have the endpoint",
        ApiError::ReadOnlyKey => "The key may only read",
        ApiError::NotFound => "Nothing there",
        ApiError::MethodNotAllowed => "Another method",
        ApiError::UnsupportedMediaType => "Another kind of body",
        ApiError::PayloadTooLarge => "A body that is too long",
        ApiError::TooManyItems { .. } => "Too many lines",
        ApiError::RateLimitExceeded { .. } => "Calls per second are used up",
        ApiError::QuotaExceeded { .. } => "The month's bundle is used up",
        ApiError::AccountsUnavailable => "Accounts cannot be reached",
        ApiError::IndexUnavailable => "No address data yet",
        ApiError::Timeout => "The answer took too long",
        ApiError::Internal => "Something went wrong",
    }
}
