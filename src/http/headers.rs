//! The headers of a response to a known key: rate, quota, and CORS for the page that sent the request.
//!
//! Source: contract.md, Response headers; decisions.md, Headers and Keys in browsers.

use axum::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, VARY};
use axum::http::{HeaderMap, HeaderName, HeaderValue};

use crate::limits::{QuotaStatus, RateStatus};

const X_RATELIMIT_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const X_RATELIMIT_REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const X_RATELIMIT_RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const X_QUOTA_LIMIT: HeaderName = HeaderName::from_static("x-quota-limit");
const X_QUOTA_REMAINING: HeaderName = HeaderName::from_static("x-quota-remaining");
const X_QUOTA_RESET: HeaderName = HeaderName::from_static("x-quota-reset");

/// The headers that a script may read.
pub(super) const EXPOSED_HEADERS: HeaderValue = HeaderValue::from_static(
    "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Quota-Limit, X-Quota-Remaining, X-Quota-Reset, \
     Retry-After, X-Request-Id",
);

/// The value of "no limit". Source: contract.md, Limits, rule 4.
const UNLIMITED: HeaderValue = HeaderValue::from_static("-1");

const VARY_ORIGIN: HeaderValue = HeaderValue::from_static("Origin");

/// Calls per second.
pub(super) fn set_rate_headers(headers: &mut HeaderMap, rate_status: &RateStatus) {
    headers.insert(X_RATELIMIT_LIMIT, rate_status.limit.get().into());
    headers.insert(X_RATELIMIT_REMAINING, rate_status.remaining.into());
    headers.insert(X_RATELIMIT_RESET, rate_status.reset.into());
}

/// The month's quota of a live key.
pub(super) fn set_quota_headers(headers: &mut HeaderMap, quota_status: &QuotaStatus) {
    headers.insert(X_QUOTA_LIMIT, quota_status.limit.into());
    headers.insert(X_QUOTA_REMAINING, quota_status.remaining.into());
    headers.insert(X_QUOTA_RESET, quota_status.reset.as_second().into());
}

/// The sandbox and the built-in keys have no quota, but a billing period.
pub(super) fn set_unlimited_quota_headers(headers: &mut HeaderMap, quota_status: &QuotaStatus) {
    headers.insert(X_QUOTA_LIMIT, UNLIMITED);
    headers.insert(X_QUOTA_REMAINING, UNLIMITED);
    headers.insert(X_QUOTA_RESET, quota_status.reset.as_second().into());
}

/// Lets the page that sent the request read the response, which therefore varies by `Origin`.
pub(super) fn set_cors(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_HEADERS);
    // A 200 response already has a `Vary` header that includes `Origin`.
    headers.entry(VARY).or_insert(VARY_ORIGIN);
}
