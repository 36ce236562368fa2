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

use super::api_version::Dialect;
use super::get_request::Later;
use super::{Answer, Meter, Problem, Routes, metrics};

/// Source: contract.md, Response headers.
const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Answers every request of one listener.
pub struct Front {
    routes: Routes,
    /// Of what comes to no route. The watcher has a front too, and no figures of requests unless there is one to tell of.
    refusals: LazyLock<Meter>,
}

/// A request as it came in. Handlers find it among the extensions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    /// Its `X-Request-Id`.
    pub(super) id: Uuid,
    /// The other end of its connection; none for one that came over none.
    pub(super) peer: Option<SocketAddr>,
    pub(super) began: Instant,
    pub(super) dialect: Dialect,
}

/// The answer to a request: nearly always it is there at once.
pub type Answering = Either<Ready<Response>, Later>;

impl Arrival {
    fn now(uri: &Uri, peer: Option<SocketAddr>) -> Self {
        Self {
            id: request_id(),
            peer,
            began: Instant::now(),
            dialect: Dialect::of(uri),
        }
    }

    /// The arrival of a request that went through the front.
    pub(super) fn of(request: &Request<Body>) -> Self {
        let known = request.extensions().get().copied();
        known.unwrap_or_else(|| Self::now(request.uri(), None))
    }
}

impl Front {
    /// Puts routes behind a front.
    #[must_use]
    pub fn new(routes: impl Into<Routes>) -> Self {
        Self {
            routes: routes.into(),
            refusals: LazyLock::new(|| Meter::of("none")),
        }
    }

    /// Answers one request that came over a connection from `peer`. There is always an answer.
    pub fn answer<B>(&self, request: Request<B>, peer: Option<SocketAddr>) -> Answering
    where
        B: HttpBody<Data = Bytes, Error: std::error::Error + Send + Sync> + Send + 'static,
    {
        let arrival = Arrival::now(request.uri(), peer);
        let line = tracing::enabled!(tracing::Level::DEBUG).then(|| Line::of(&request));
        let told = Told { arrival, line };
        let look_up = match *request.method() {
            Method::GET => self.routes.look_up(request.uri().path()),
            _ => None,
        };
        let later = match look_up {
            Some(look_up) => {
                // What requests share is only ever replaced as a whole, so a panic leaves nothing half changed.
                let answer = AssertUnwindSafe(|| look_up.answer(request.into_parts().0, arrival));
                match catch_unwind(answer) {
                    Ok(Answer::Now(response)) => return Either::Left(ready(told.on(response))),
                    Ok(Answer::Later(answer)) => answer,
                    Err(_) => {
                        return Either::Left(ready(told.on(panicked().response(arrival.dialect))));
                    }
                }
            }
            None => routed(self.routes.others(), request.map(Body::new), arrival),
        };
        Either::Right(Box::pin(async move {
            let answered = AssertUnwindSafe(later).catch_unwind().await;
            told.on(answered.unwrap_or_else(|_| panicked().response(arrival.dialect)))
        }))
    }

    /// Turns away a request that makes no sense whatever its path is, with what a sound one has. Counted as the route `none`.
    pub fn refuse<B>(
        &self,
        request: &Request<B>,
        peer: Option<SocketAddr>,
        expected: &'static str,
    ) -> Answering {
        let arrival = Arrival::now(request.uri(), peer);
        let line = tracing::enabled!(tracing::Level::DEBUG).then(|| Line::of(request));
        let told = Told { arrival, line };
        let refused = Problem::Malformed { expected }.response(arrival.dialect);
        self.refusals.record(arrival.began, &refused);
        Either::Left(ready(told.on(refused)))
    }
}

fn routed(mut router: Router, mut request: Request<Body>, arrival: Arrival) -> Later {
    request.extensions_mut().insert(arrival);
    Box::pin(async move {
        let answered = router.call(request).await;
        answered.unwrap_or_else(|never: Infallible| match never {})
    })
}

/// What is told of every request.
struct Told {
    arrival: Arrival,
    line: Option<Line>,
}

impl Told {
    fn on(self, mut response: Response) -> Response {
        if let Some(line) = self.line {
            line.end(&response, &self.arrival);
        }
        // An id that the client sent is never read: this one replaces nothing and is replaced by nothing.
        let headers = response.headers_mut();
        headers.insert(X_REQUEST_ID, written(self.arrival.id));
        response
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
    metrics::panicked();
    Problem::Internal
}

/// What a client is told when its time is up.
pub(super) fn timed_out() -> Problem {
    metrics::timed_out();
    Problem::TimedOut
}

/// One line of the debug log per request. Paths and addresses of clients stand in it, so it is never written at info.
struct Line {
    method: Method,
    uri: Uri,
}

impl Line {
    fn of<B>(request: &Request<B>) -> Self {
        Self {
            method: request.method().clone(),
            uri: request.uri().clone(),
        }
    }

    fn end(self, response: &Response, arrival: &Arrival) {
        let took_us = arrival.began.elapsed().as_micros();
        let (status, peer) = (
            response.status().as_u16(),
            arrival.peer.map(tracing::field::display),
        );
        let (id, method, uri) = (arrival.id, Shown(&self.method), Shown(&self.uri));
        tracing::debug!(%id, %method, %uri, status, took_us, peer, "answered");
    }
}

/// An address or a method as it may be logged: of every word that is long enough for the secret of a key, only its beginning. People paste
/// keys where none belongs. What has to be in an address is shorter: the number of the register has sixteen digits.
struct Shown<'a, T>(&'a T);

/// Letters and digits in a row that are shown, and the first that is not.
const SHOWN: usize = 16;
const FIRST_HIDDEN: usize = SHOWN + 1;

impl<T: fmt::Display> fmt::Display for Shown<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut in_row = 0;
        for c in self.0.to_string().chars() {
            in_row = if c.is_alphanumeric() { in_row + 1 } else { 0 };
            match in_row {
                0..=SHOWN => f.write_char(c)?,
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
            assert_eq!(Shown(&uri).to_string(), expected);
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
