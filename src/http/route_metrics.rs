//! Counts and times the requests of one route. Counters are looked up once, so that a request only increments them.
//!
//! The labels are the route's pattern and the status class, never a key, a postcode or a client IP.

use std::time::Instant;

use axum::http::StatusCode;
use axum::response::Response;
use metrics::{Counter, Histogram, counter, histogram};

/// Counts and times the requests of one route.
pub struct RouteMetrics {
    ok: Counter,
    /// Responses with 3xx: the client already has a current copy.
    not_modified: Counter,
    client_errors: Counter,
    server_errors: Counter,
    seconds: Histogram,
}

impl RouteMetrics {
    /// Registers the metrics of the route with this pattern.
    pub fn new(route: &'static str) -> Self {
        let requests = |class| counter!(REQUESTS_TOTAL, "route" => route, "status" => class);
        Self {
            ok: requests("2xx"),
            not_modified: requests("3xx"),
            client_errors: requests("4xx"),
            server_errors: requests("5xx"),
            seconds: histogram!(REQUEST_SECONDS, "route" => route),
        }
    }

    /// Counts a response and the time since its request started.
    pub fn record(&self, started_at: Instant, response: &Response) {
        self.seconds.record(started_at.elapsed());
        self.counter(response.status()).increment(1);
    }

    fn counter(&self, status: StatusCode) -> &Counter {
        match status.as_u16() {
            500.. => &self.server_errors,
            400.. => &self.client_errors,
            300.. => &self.not_modified,
            _ => &self.ok,
        }
    }
}

pub(super) const REQUESTS_TOTAL: &str = "postduif_requests_total";
pub(super) const REQUEST_SECONDS: &str = "postduif_request_seconds";
