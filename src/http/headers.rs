//! Sets the headers of the response to a request with a known key: rate, quota, response time, and CORS for the page that sent the request.
//! Two headers are on every response and are set elsewhere: `X-Request-Id` in `response_finisher.rs`, and `Date` in `server`.
//!
//! Source: contract.md, section Response headers; decisions.md, sections Headers and Keys in browsers; W3C Server Timing, section 3.1; W3C
//! Resource Timing, section 4.5.1 (`Timing-Allow-Origin`).

use std::time::Duration;

use axum::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, VARY};
use axum::http::{HeaderMap, HeaderName, HeaderValue};

use crate::limits::{QuotaStatus, RateStatus};

const X_RATELIMIT_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const X_RATELIMIT_REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const X_RATELIMIT_RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const X_QUOTA_LIMIT: HeaderName = HeaderName::from_static("x-quota-limit");
const X_QUOTA_REMAINING: HeaderName = HeaderName::from_static("x-quota-remaining");
const X_QUOTA_RESET: HeaderName = HeaderName::from_static("x-quota-reset");

const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");
const TIMING_ALLOW_ORIGIN: HeaderName = HeaderName::from_static("timing-allow-origin");

/// The headers that a script on another origin may read.
pub(super) const EXPOSED_HEADERS: HeaderValue = HeaderValue::from_static(
    "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Quota-Limit, X-Quota-Remaining, X-Quota-Reset, \
     Retry-After, X-Request-Id",
);

/// The value that means "no limit". Source: contract.md, section Limits, rule 4.
const UNLIMITED: HeaderValue = HeaderValue::from_static("-1");

const VARY_ORIGIN: HeaderValue = HeaderValue::from_static("Origin");

/// Sets the headers of the limit on calls per second.
pub(super) fn set_rate_headers(headers: &mut HeaderMap, rate_status: &RateStatus) {
    headers.insert(X_RATELIMIT_LIMIT, rate_status.limit.get().into());
    headers.insert(X_RATELIMIT_REMAINING, rate_status.remaining.into());
    headers.insert(X_RATELIMIT_RESET, rate_status.reset.into());
}

/// Sets the headers of the month's quota of a live key.
pub(super) fn set_quota_headers(headers: &mut HeaderMap, quota_status: &QuotaStatus) {
    headers.insert(X_QUOTA_LIMIT, quota_status.limit.into());
    headers.insert(X_QUOTA_REMAINING, quota_status.remaining.into());
    headers.insert(X_QUOTA_RESET, quota_status.reset.as_second().into());
}

/// Sets the quota headers for sandbox keys and built-in keys. These keys have no quota, but they have a billing period.
pub(super) fn set_unlimited_quota_headers(headers: &mut HeaderMap, quota_status: &QuotaStatus) {
    headers.insert(X_QUOTA_LIMIT, UNLIMITED);
    headers.insert(X_QUOTA_REMAINING, UNLIMITED);
    headers.insert(X_QUOTA_RESET, quota_status.reset.as_second().into());
}

/// Sets `Server-Timing` to the milliseconds that have passed since this process read the head of the request. A page of another origin may
/// read the header if the key lists that origin.
pub(super) fn set_server_timing(
    headers: &mut HeaderMap,
    duration: Duration,
    origin: Option<&HeaderValue>,
) {
    let microseconds = duration.as_micros();
    let (whole_ms, fraction) = (microseconds / 1000, microseconds % 1000);
    let timing = format!("app;dur={whole_ms}.{fraction:03}");
    let timing = HeaderValue::try_from(timing).expect("digits and letters");
    headers.insert(SERVER_TIMING, timing);
    if let Some(origin) = origin {
        headers.insert(TIMING_ALLOW_ORIGIN, origin.clone());
    }
}

/// Allows the page that sent the request to read the response. The response then varies by `Origin`.
pub(super) fn set_cors(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_HEADERS);
    // A 200 response already has a `Vary` header that includes `Origin`.
    headers.entry(VARY).or_insert(VARY_ORIGIN);
}
