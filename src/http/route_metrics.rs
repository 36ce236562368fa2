//! The figures of one route. Its counters are looked up when the router is made, so that a request only adds.
//!
//! Labels are the route's pattern and the class of the status: never a key, a postcode or an address of a client.

use std::time::Instant;

use axum::http::StatusCode;
use axum::response::Response;
use metrics::{Counter, Histogram, counter, histogram};

/// Counts and times the requests of one route.
pub struct Meter {
    ok: Counter,
    /// What the client has is still good.
    unchanged: Counter,
    client_errors: Counter,
    server_errors: Counter,
    seconds: Histogram,
}

impl Meter {
    /// The figures of the route with this pattern.
    #[must_use]
    pub fn of(route: &'static str) -> Self {
        let requests = |class| counter!(REQUESTS, "route" => route, "status" => class);
        Self {
            ok: requests("2xx"),
            unchanged: requests("3xx"),
            client_errors: requests("4xx"),
            server_errors: requests("5xx"),
            seconds: histogram!(LATENCY, "route" => route),
        }
    }

    /// Waits for `answer` and takes its measure.
    pub async fn measure(&self, answer: impl Future<Output = Response>) -> Response {
        let began = Instant::now();
        let response = answer.await;
        self.record(began, &response);
        response
    }

    /// Takes the measure of an answer that was begun at a moment and is there now.
    pub fn record(&self, began: Instant, response: &Response) {
        self.seconds.record(began.elapsed());
        self.class(response.status()).increment(1);
    }

    fn class(&self, status: StatusCode) -> &Counter {
        match status.as_u16() {
            500.. => &self.server_errors,
            400.. => &self.client_errors,
            300.. => &self.unchanged,
            _ => &self.ok,
        }
    }
}

pub(super) const REQUESTS: &str = "postduif_requests_total";
pub(super) const LATENCY: &str = "postduif_request_seconds";
