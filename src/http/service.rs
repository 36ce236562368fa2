//! The front of a listener: what every response has, whatever happens behind it. A request id of our own, and an answer in the
//! contract's words even when a handler panics.

use std::convert::Infallible;
use std::fmt::{self, Write as _};
use std::future::{Ready, ready};
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use std::time::Instant;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderName, HeaderValue, Method, Request, Uri};
use axum::response::Response;
use futures_util::FutureExt as _;
use futures_util::future::Either;
use tower::Service as _;
use uuid::{NoContext, Timestamp, Uuid};

use super::api_version::ApiVersion;
use super::get_request::ResponseFuture;
use super::{ApiError, HandlerResponse, RouteMetrics, Routes, metrics};

/// Source: contract.md, Response headers.
const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Answers every request of one listener.
pub struct HttpService {
    routes: Routes,
    /// Of what comes to no route. The watcher has a front too, and no figures of requests unless there is one to tell of.
    unrouted_metrics: LazyLock<RouteMetrics>,
}

/// A request as it came in. Handlers find it among the extensions.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequestMeta {
    /// Its `X-Request-Id`.
    pub(super) request_id: Uuid,
    /// The other end of its connection; none for one that came over none.
    pub(super) peer: Option<SocketAddr>,
    pub(super) started_at: Instant,
    pub(super) api_version: ApiVersion,
}

/// The answer to a request: nearly always it is there at once.
pub type ServiceFuture = Either<Ready<Response>, ResponseFuture>;

impl RequestMeta {
    fn new(uri: &Uri, peer: Option<SocketAddr>) -> Self {
        Self {
            request_id: request_id(),
            peer,
            started_at: Instant::now(),
            api_version: ApiVersion::from_uri(uri),
        }
    }

    /// The arrival of a request that went through the front.
    pub(super) fn from_request(request: &Request<Body>) -> Self {
        let existing = request.extensions().get().copied();
        existing.unwrap_or_else(|| Self::new(request.uri(), None))
    }
}

impl HttpService {
    /// Puts routes behind a front.
    #[must_use]
    pub fn new(routes: impl Into<Routes>) -> Self {
        Self {
            routes: routes.into(),
            unrouted_metrics: LazyLock::new(|| RouteMetrics::new("none")),
        }
    }

    /// Answers one request that came over a connection from `peer`. There is always an answer.
    pub fn handle<B>(&self, request: Request<B>, peer: Option<SocketAddr>) -> ServiceFuture
    where
        B: HttpBody<Data = Bytes, Error: std::error::Error + Send + Sync> + Send + 'static,
    {
        let meta = RequestMeta::new(request.uri(), peer);
        let log_line =
            tracing::enabled!(tracing::Level::DEBUG).then(|| DebugLogLine::from_request(&request));
        let finisher = ResponseFinisher { meta, log_line };
        let get_route = match *request.method() {
            Method::GET => self.routes.find_get(request.uri().path()),
            _ => None,
        };
        let pending = match get_route {
            Some(get_route) => {
                // What requests share is only ever replaced as a whole, so a panic leaves nothing half changed.
                let run = AssertUnwindSafe(|| get_route.handle(request.into_parts().0, meta));
                match catch_unwind(run) {
                    Ok(HandlerResponse::Ready(response)) => {
                        return Either::Left(ready(finisher.finish(response)));
                    }
                    Ok(HandlerResponse::Pending(pending)) => pending,
                    Err(_) => {
                        return Either::Left(ready(
                            finisher.finish(panic_error().to_response(meta.api_version)),
                        ));
                    }
                }
            }
            None => call_router(self.routes.router(), request.map(Body::new), meta),
        };
        Either::Right(Box::pin(async move {
            let result = AssertUnwindSafe(pending).catch_unwind().await;
            finisher.finish(result.unwrap_or_else(|_| panic_error().to_response(meta.api_version)))
        }))
    }

    /// Turns away a request that makes no sense whatever its path is, with what a sound one has. Counted as the route `none`.
    pub fn reject<B>(
        &self,
        request: &Request<B>,
        peer: Option<SocketAddr>,
        expected: &'static str,
    ) -> ServiceFuture {
        let meta = RequestMeta::new(request.uri(), peer);
        let log_line =
            tracing::enabled!(tracing::Level::DEBUG).then(|| DebugLogLine::from_request(request));
        let finisher = ResponseFinisher { meta, log_line };
        let response = ApiError::MalformedRequest { expected }.to_response(meta.api_version);
        self.unrouted_metrics.record(meta.started_at, &response);
        Either::Left(ready(finisher.finish(response)))
    }
}

fn call_router(
    mut router: Router,
    mut request: Request<Body>,
    meta: RequestMeta,
) -> ResponseFuture {
    request.extensions_mut().insert(meta);
    Box::pin(async move {
        let result = router.call(request).await;
        result.unwrap_or_else(|never: Infallible| match never {})
    })
}

/// What is told of every request.
struct ResponseFinisher {
    meta: RequestMeta,
    log_line: Option<DebugLogLine>,
}

impl ResponseFinisher {
    fn finish(self, mut response: Response) -> Response {
        if let Some(log_line) = self.log_line {
            log_line.log(&response, &self.meta);
        }
        // An id that the client sent is never read: this one replaces nothing and is replaced by nothing.
        let headers = response.headers_mut();
        headers.insert(X_REQUEST_ID, uuid_header_value(self.meta.request_id));
        response
    }
}

/// A fresh UUID of version 7. Its 74 random bits keep it unique without the lock that a shared counter would take.
fn request_id() -> Uuid {
    Uuid::new_v7(Timestamp::now(NoContext))
}

fn uuid_header_value(id: Uuid) -> HeaderValue {
    let mut text = Uuid::encode_buffer();
    HeaderValue::from_str(id.hyphenated().encode_lower(&mut text)).expect("a UUID is visible ASCII")
}

/// What a client is told of a panic: nothing. The panic itself, with its place, is logged by the hook that `telemetry` sets.
pub(super) fn panic_error() -> ApiError {
    metrics::count_panic();
    ApiError::Internal
}

/// What a client is told when its time is up.
pub(super) fn timeout_error() -> ApiError {
    metrics::count_timeout();
    ApiError::Timeout
}

/// One line of the debug log per request. Paths and addresses of clients stand in it, so it is never written at info.
struct DebugLogLine {
    method: Method,
    uri: Uri,
}

impl DebugLogLine {
    fn from_request<B>(request: &Request<B>) -> Self {
        Self {
            method: request.method().clone(),
            uri: request.uri().clone(),
        }
    }

    fn log(self, response: &Response, meta: &RequestMeta) {
        let duration_us = meta.started_at.elapsed().as_micros();
        let (status, peer) = (
            response.status().as_u16(),
            meta.peer.map(tracing::field::display),
        );
        let (request_id, method, uri) =
            (meta.request_id, Redacted(&self.method), Redacted(&self.uri));
        tracing::debug!(%request_id, %method, %uri, status, duration_us, peer, "answered");
    }
}

/// An address or a method as it may be logged: of every word that is long enough for the secret of a key, only its beginning. People paste
/// keys where none belongs. What has to be in an address is shorter: the number of the register has sixteen digits.
struct Redacted<'a, T>(&'a T);

/// Letters and digits in a row that are shown, and the first that is not.
const MAX_SHOWN: usize = 16;
const FIRST_HIDDEN: usize = MAX_SHOWN + 1;

impl<T: fmt::Display> fmt::Display for Redacted<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut run_length = 0;
        for c in self.0.to_string().chars() {
            run_length = if c.is_alphanumeric() {
                run_length + 1
            } else {
                0
            };
            match run_length {
                0..=MAX_SHOWN => f.write_char(c)?,
                FIRST_HIDDEN => f.write_char('…')?,
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_in_the_log_holds_no_key() {
        #[track_caller]
        fn case(uri: &str, expected: &str) {
            let uri: Uri = uri.parse().expect("an address");
            assert_eq!(Redacted(&uri).to_string(), expected);
        }
        let key = "pd_live_Ab3dE6gH0123456789ABCDEFGHIJKLMN2qXoQJ";
        case("/v3/lookup/1234AB/29?x=1", "/v3/lookup/1234AB/29?x=1");
        case(
            "/v1/addresses/0351200000004002",
            "/v1/addresses/0351200000004002",
        );
        case(
            &format!("/a?key={key}&b=c"),
            "/a?key=pd_live_Ab3dE6gH01234567…&b=c",
        );
        case(
            &format!("/{}", key.replace('_', "%5F")),
            "/pd%5Flive%5FAb3dE6gH012345…",
        );
    }
}
