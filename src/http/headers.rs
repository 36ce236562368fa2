//! The headers that tell a known key what is left of its bucket and its bundle, and a listed page that it may read them.
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

/// What a script may read beside the body.
pub(super) const EXPOSED_HEADERS: HeaderValue = HeaderValue::from_static(
    "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Quota-Limit, X-Quota-Remaining, X-Quota-Reset, \
     Retry-After, X-Request-Id",
);

/// No limit. Source: contract.md, Limits, rule 4.
const UNLIMITED: HeaderValue = HeaderValue::from_static("-1");

const VARY_ORIGIN: HeaderValue = HeaderValue::from_static("Origin");

/// The bucket.
pub(super) fn set_rate_headers(headers: &mut HeaderMap, rate_status: &RateStatus) {
    headers.insert(X_RATELIMIT_LIMIT, rate_status.limit.get().into());
    headers.insert(X_RATELIMIT_REMAINING, rate_status.remaining.into());
    headers.insert(X_RATELIMIT_RESET, rate_status.reset.into());
}

/// The bundle of a live key.
pub(super) fn set_quota_headers(headers: &mut HeaderMap, quota_status: &QuotaStatus) {
    headers.insert(X_QUOTA_LIMIT, quota_status.limit.into());
    headers.insert(X_QUOTA_REMAINING, quota_status.remaining.into());
    headers.insert(X_QUOTA_RESET, quota_status.reset.as_second().into());
}

/// The sandbox counts nothing; its key still belongs to an account with a period.
pub(super) fn set_unlimited_quota_headers(headers: &mut HeaderMap, quota_status: &QuotaStatus) {
    headers.insert(X_QUOTA_LIMIT, UNLIMITED);
    headers.insert(X_QUOTA_REMAINING, UNLIMITED);
    headers.insert(X_QUOTA_RESET, quota_status.reset.as_second().into());
}

/// Lets the page that asked read the answer. An answer that differs by page says so.
pub(super) fn set_cors(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_HEADERS);
    // A look-up's 200 says it already, and more.
    headers.entry(VARY).or_insert(VARY_ORIGIN);
}
