//! The front of a listener: what every response has, whatever happens behind it. A request id of our own, and an answer in the
//! contract's words even when a handler panics.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::time::Instant;

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
}

/// The id of a request, as its handler finds it among the extensions.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequestId(pub(super) Uuid);

impl Front {
    /// Puts `router` behind a front.
    #[must_use]
    pub fn new(router: Router) -> Self {
        Self { router }
    }

    /// Answers one request. There is always an answer.
    pub async fn answer<B>(&self, request: Request<B>) -> Response
    where
        B: HttpBody<Data = Bytes, Error: std::error::Error + Send + Sync> + Send + 'static,
    {
        let id = request_id();
        let line = tracing::enabled!(tracing::Level::DEBUG).then(|| Line::begin(&request));
        let dialect = Dialect::of(request.uri());
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(RequestId(id));
        let mut response = match self.routed(request).await {
            Ok(response) => response,
            Err(problem) => problem.response(dialect),
        };
        if let Some(line) = line {
            line.end(&response, id);
        }
        // An id that the client sent is never read: this one replaces nothing and is replaced by nothing.
        response.headers_mut().insert(X_REQUEST_ID, written(id));
        response
    }

    async fn routed(&self, request: Request<Body>) -> Result<Response, Problem> {
        let mut router = self.router.clone();
        // What requests share is only ever replaced as a whole, so a panic leaves nothing half changed.
        let answer = AssertUnwindSafe(async move { router.call(request).await }).catch_unwind();
        match answer.await {
            Ok(answer) => Ok(answer.unwrap_or_else(|never: Infallible| match never {})),
            Err(_) => Err(panicked()),
        }
    }
}

/// A fresh UUID of version 7. Its 74 random bits keep it unique without the lock that a shared counter would take.
fn request_id() -> Uuid {
    Uuid::new_v7(Timestamp::now(NoContext))
}

fn written(id: Uuid) -> HeaderValue {
    let mut text = Uuid::encode_buffer();
    HeaderValue::from_str(id.hyphenated().encode_lower(&mut text)).expect("a UUID is visible ASCII")
}

/// What a client is told of a panic: nothing. The panic itself, with its place, is logged by the hook that `telemetry` sets.
pub(super) fn panicked() -> Problem {
    metrics::counter!("postduif_requests_panicked_total").increment(1);
    Problem::Internal
}

/// What a client is told when its time is up.
pub(super) fn timed_out() -> Problem {
    metrics::counter!("postduif_requests_timed_out_total").increment(1);
    Problem::TimedOut
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

    fn end(self, response: &Response, id: Uuid) {
        let took_us = self.began.elapsed().as_micros();
        let (status, peer) = (
            response.status().as_u16(),
            self.peer.map(tracing::field::display),
        );
        let (method, uri) = (self.method, self.uri);
        tracing::debug!(%id, %method, %uri, status, took_us, peer, "answered");
    }
}
