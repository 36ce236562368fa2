//! The front of a listener: what every response has, whatever happens behind it. A request id of our own, an end to waiting,
//! and an answer in the contract's words even when a handler panics.

use std::any::Any;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::ConnectInfo;
use axum::http::{HeaderName, HeaderValue, Method, Request, Uri};
use axum::response::Response;
use futures_util::FutureExt as _;
use tower::Service as _;
use uuid::{NoContext, Timestamp, Uuid};

use super::Problem;
use super::dialect::Dialect;

/// Source: contract.md, Response headers.
const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Answers every request of one listener.
pub struct Front {
    router: Router,
    request_timeout: Duration,
}

impl Front {
    /// Puts `router` behind a front; a request may take `request_timeout`.
    #[must_use]
    pub fn new(router: Router, request_timeout: Duration) -> Self {
        Self {
            router,
            request_timeout,
        }
    }

    /// Answers one request. There is always an answer.
    pub async fn answer<B>(&self, request: Request<B>) -> Response
    where
        B: HttpBody<Data = Bytes, Error: std::error::Error + Send + Sync> + Send + 'static,
    {
        let id = request_id();
        let line = tracing::enabled!(tracing::Level::DEBUG).then(|| Line::begin(&request));
        let dialect = Dialect::of(request.uri());
        let mut response = match self.routed(request.map(Body::new)).await {
            Ok(response) => response,
            Err(problem) => problem.response(dialect),
        };
        if let Some(line) = line {
            line.end(&response, &id);
        }
        // An id that the client sent is never read: this one replaces nothing and is replaced by nothing.
        response.headers_mut().insert(X_REQUEST_ID, id);
        response
    }

    async fn routed(&self, request: Request<Body>) -> Result<Response, Problem> {
        let mut router = self.router.clone();
        // What requests share is only ever replaced as a whole, so a panic leaves nothing half changed.
        let answer = AssertUnwindSafe(async move { router.call(request).await }).catch_unwind();
        match tokio::time::timeout(self.request_timeout, answer).await {
            Ok(Ok(answer)) => Ok(answer.unwrap_or_else(|never: Infallible| match never {})),
            Ok(Err(panic)) => Err(panicked(&*panic)),
            Err(_) => {
                metrics::counter!("postduif_requests_timed_out_total").increment(1);
                Err(Problem::TimedOut)
            }
        }
    }
}

/// A fresh UUID of version 7. Its 74 random bits keep it unique without the lock that a shared counter would take.
fn request_id() -> HeaderValue {
    let id = Uuid::new_v7(Timestamp::now(NoContext));
    let mut text = Uuid::encode_buffer();
    HeaderValue::from_str(id.hyphenated().encode_lower(&mut text)).expect("a UUID is visible ASCII")
}

/// The panic itself, with its place, is logged by the hook that `telemetry` sets.
fn panicked(_: &(dyn Any + Send)) -> Problem {
    metrics::counter!("postduif_requests_panicked_total").increment(1);
    Problem::Internal
}

/// One line of the debug log per request. Paths and addresses of clients stand in it, so it is never written at info.
struct Line {
    began: Instant,
    method: Method,
    uri: Uri,
    peer: Option<SocketAddr>,
}

impl Line {
    fn begin<B>(request: &Request<B>) -> Self {
        let peer = request.extensions().get().map(|ConnectInfo(peer)| *peer);
        Self {
            began: Instant::now(),
            method: request.method().clone(),
            uri: request.uri().clone(),
            peer,
        }
    }

    fn end(self, response: &Response, id: &HeaderValue) {
        let took_us = self.began.elapsed().as_micros();
        let (status, peer) = (
            response.status().as_u16(),
            self.peer.map(tracing::field::display),
        );
        let (method, uri) = (self.method, self.uri);
        tracing::debug!(?id, %method, %uri, status, took_us, peer, "answered");
    }
}
