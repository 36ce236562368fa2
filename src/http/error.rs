//! Defines every error of the HTTP interface, and its response in both API versions. Only this module chooses the status, code and title of
//! an [`ApiError`]. The cause of an error in the service is logged and never sent to the client.
//!
//! Source: contract.md, section Errors; decisions.md, sections Order of checks and Parameters.

mod invalid_parameter;

use std::borrow::Cow;

use axum::body::Body;
use axum::http::header::{CONNECTION, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use serde_json::json;

pub(super) use invalid_parameter::InvalidParameter;

use super::api_version::ApiVersion;
use super::response::{JSON, to_json};
use crate::accounts::AccessDenied;
use crate::limits::RateLimited;
use crate::search::LookupError;
use postduif_schema::IndexError;

/// An error of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApiError {
    /// One or two parameters are invalid. `first` and `second` are in the order of the path or query.
    InvalidParameters {
        /// The first invalid parameter. v1 reports only this one.
        first: InvalidParameter,
        /// The second invalid parameter, if there are two. Only v3 reports it.
        second: Option<InvalidParameter>,
    },
    /// The HTTP of the request is malformed or ambiguous. The connection closes after the response.
    MalformedRequest {
        /// The requirement that the request does not meet, in words for people.
        expected: &'static str,
    },
    /// The body has the wrong form.
    InvalidPayload {
        /// The body that the path accepts, in words for people.
        expected: &'static str,
        /// The first fault in the body, with its place; `None` if `expected` says it all.
        fault: Option<String>,
    },
    /// The key is missing, or not valid on this listener, from this IP or on this page. The response never says which.
    InvalidApiKey,
    /// The plan does not include this endpoint.
    NotInPlan,
    /// A read-only key was used for a bulk look-up.
    ReadOnlyKey,
    /// The key may not read its account.
    KeyNotPermitted,
    /// There is no such path, or no such address.
    NotFound,
    /// The path exists but does not accept this method.
    MethodNotAllowed,
    /// The `Content-Type` of the body is not JSON.
    UnsupportedMediaType,
    /// The body is longer than 1 MiB.
    PayloadTooLarge,
    /// The bulk request has more lines than the plan allows.
    TooManyItems {
        /// The number of lines that the plan allows.
        allowed: u16,
        /// The number of lines that were sent.
        actual: usize,
    },
    /// The key made more calls per second than the plan allows, or the client IP made more calls per minute than the key allows.
    RateLimitExceeded {
        /// Whole seconds until the next call is allowed.
        retry_after_s: u32,
    },
    /// The month's quota and its grace have too few calls left for the request.
    QuotaExceeded {
        /// Whole seconds to the end of the billing period.
        retry_after_s: u32,
    },
    /// The accounts database is unavailable. The keys are not loaded yet, or no call can be leased.
    AccountsUnavailable,
    /// No generation is published yet.
    IndexUnavailable,
    /// The body did not arrive, or the response was not made, within the request timeout.
    Timeout,
    /// A fault in this service.
    Internal,
}

/// One row of the table of errors. A row has the response to one error in both API versions.
struct ErrorRow {
    status: StatusCode,
    /// The title in v3.
    title: &'static str,
    /// The error code in v1.
    code: &'static str,
    /// The message in v1, for people.
    message: Cow<'static, str>,
}

fn error_row(
    status: StatusCode,
    title: &'static str,
    code: &'static str,
    message: impl Into<Cow<'static, str>>,
) -> ErrorRow {
    ErrorRow {
        status,
        title,
        code,
        message: message.into(),
    }
}

impl ApiError {
    #[expect(clippy::too_many_lines, reason = "this is a table")]
    fn row(&self) -> ErrorRow {
        let invalid = |code, message: Cow<'static, str>| {
            error_row(
                StatusCode::BAD_REQUEST,
                "Request validation failed",
                code,
                message,
            )
        };
        let forbidden = |code, message| {
            error_row(
                StatusCode::FORBIDDEN,
                "Endpoint not available for this plan",
                code,
                message,
            )
        };
        let unavailable = |code, message| {
            error_row(
                StatusCode::SERVICE_UNAVAILABLE,
                "Service unavailable",
                code,
                message,
            )
        };
        match self {
            Self::InvalidParameters { first, .. } => invalid(first.code(), first.message().into()),
            Self::MalformedRequest { expected } => invalid("invalid_request", (*expected).into()),
            Self::InvalidPayload { expected, fault } => {
                let message = match fault {
                    Some(fault) => format!("{expected} ({fault})").into(),
                    None => (*expected).into(),
                };
                invalid("invalid_payload", message)
            }
            Self::InvalidApiKey => error_row(
                StatusCode::UNAUTHORIZED,
                "Invalid API key",
                "invalid_api_key",
                "the API key is missing or invalid",
            ),
            Self::NotInPlan => forbidden(
                "plan_upgrade_required",
                "this endpoint is not part of your plan",
            ),
            Self::ReadOnlyKey => forbidden(
                "plan_upgrade_required",
                "this key is read-only: it may use every endpoint but bulk look-up and the account",
            ),
            Self::KeyNotPermitted => forbidden(
                "key_not_permitted",
                "an account is shown to a live key for servers with full rights: not to a read-only key, a key for web pages, a test key or a public key",
            ),
            Self::NotFound => error_row(
                StatusCode::NOT_FOUND,
                "Resource not found",
                "not_found",
                "nothing was found here",
            ),
            Self::MethodNotAllowed => error_row(
                StatusCode::METHOD_NOT_ALLOWED,
                "Method not allowed",
                "method_not_allowed",
                "this path takes other methods, see the Allow header",
            ),
            Self::UnsupportedMediaType => error_row(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "Unsupported media type",
                "unsupported_media_type",
                "the body must be JSON, with the header Content-Type: application/json",
            ),
            Self::PayloadTooLarge => error_row(
                StatusCode::PAYLOAD_TOO_LARGE,
                "Payload too large",
                "payload_too_large",
                "the body must be 1 MiB (1048576 bytes) at most",
            ),
            Self::TooManyItems { allowed, actual } => error_row(
                StatusCode::UNPROCESSABLE_ENTITY,
                "Too many items",
                "too_many_items",
                format!("a request may have {allowed} lines at most, this one has {actual}"),
            ),
            Self::RateLimitExceeded { .. } => error_row(
                StatusCode::TOO_MANY_REQUESTS,
                "Rate limit exceeded",
                "rate_limit_exceeded",
                "too many calls for now, wait for the seconds in Retry-After",
            ),
            Self::QuotaExceeded { .. } => error_row(
                StatusCode::TOO_MANY_REQUESTS,
                "Quota exceeded",
                "quota_exceeded",
                "the calls that are left of this month's quota are not enough for this request",
            ),
            Self::AccountsUnavailable => unavailable(
                "accounts_unavailable",
                "accounts cannot be reached at the moment, try again later",
            ),
            Self::IndexUnavailable => unavailable(
                "index_unavailable",
                "no address data has been loaded yet, try again later",
            ),
            Self::Timeout => unavailable(
                "timeout",
                "the request or its answer took too long, try again later",
            ),
            Self::Internal => error_row(
                StatusCode::INTERNAL_SERVER_ERROR,
                "Internal server error",
                "internal_error",
                "something went wrong here, quote the X-Request-Id when you report it",
            ),
        }
    }

    /// The code under which the refused request is counted; `None` for a 404, because a request without a result is not a refusal.
    pub(super) fn refusal_code(&self) -> Option<&'static str> {
        (*self != Self::NotFound).then(|| self.row().code)
    }

    /// The `Retry-After` header of a 429. Source: contract.md, section Response headers.
    fn retry_after(&self) -> Option<HeaderValue> {
        match self {
            Self::RateLimitExceeded { retry_after_s } | Self::QuotaExceeded { retry_after_s } => {
                Some((*retry_after_s).into())
            }
            _ => None,
        }
    }

    /// Makes the response to the error, without the headers that the caller sets on every response.
    pub(crate) fn to_response(&self, api_version: ApiVersion) -> Response {
        let (status, content_type, body) = self.render(api_version);
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = status;
        response.headers_mut().insert(CONTENT_TYPE, content_type);
        if let Some(seconds) = self.retry_after() {
            response.headers_mut().insert(RETRY_AFTER, seconds);
        }
        // After a malformed request, a proxy and this service may disagree on where the next request begins, so the connection is closed.
        if matches!(self, Self::MalformedRequest { .. }) {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(CONNECTION, close);
        }
        response
    }

    /// The status, the content type and the body.
    pub(super) fn render(&self, api_version: ApiVersion) -> (StatusCode, HeaderValue, Vec<u8>) {
        let row = self.row();
        let (content_type, body) = match api_version {
            ApiVersion::V3 => {
                let mut body = json!({ "title": row.title });
                if let Self::InvalidParameters { first, second } = self {
                    let invalid = std::iter::once(first).chain(second).map(
                        |invalid| json!({ "name": invalid.name(), "reason": invalid.reason() }),
                    );
                    body["invalidParams"] = invalid.collect();
                }
                (PROBLEM_JSON, body)
            }
            ApiVersion::V1 => {
                let error = json!({ "code": row.code, "message": row.message });
                (JSON, json!({ "error": error }))
            }
        };
        (row.status, content_type, to_json(&body))
    }
}

impl From<InvalidParameter> for ApiError {
    fn from(first: InvalidParameter) -> Self {
        Self::InvalidParameters {
            first,
            second: None,
        }
    }
}

impl From<AccessDenied> for ApiError {
    fn from(_: AccessDenied) -> Self {
        Self::InvalidApiKey
    }
}

impl From<RateLimited> for ApiError {
    fn from(RateLimited { retry_after_s }: RateLimited) -> Self {
        Self::RateLimitExceeded { retry_after_s }
    }
}

impl From<IndexError> for ApiError {
    fn from(error: IndexError) -> Self {
        LookupError::from(error).into()
    }
}

impl From<LookupError> for ApiError {
    fn from(error: LookupError) -> Self {
        tracing::error!(%error, "look-up failed");
        Self::Internal
    }
}

const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");
