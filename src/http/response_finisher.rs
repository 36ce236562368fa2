//! The last step of every request: the debug log line and the `X-Request-Id` header.

use std::fmt::{self, Write as _};

use axum::http::{HeaderName, HeaderValue, Method, Request, Uri};
use axum::response::Response;
use uuid::Uuid;

use super::request::RequestMeta;

/// Source: contract.md, Response headers.
const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What the last step needs of a request that is consumed by then.
pub(super) struct ResponseFinisher {
    meta: RequestMeta,
    log_line: Option<DebugLogLine>,
}

impl ResponseFinisher {
    /// Copies method and URI at debug level only.
    pub(super) fn new<B>(request: &Request<B>, meta: RequestMeta) -> Self {
        let is_logged = tracing::enabled!(tracing::Level::DEBUG);
        let log_line = is_logged.then(|| DebugLogLine::from_request(request));
        Self { meta, log_line }
    }

    /// Completes a response. A request id that the client sent is ignored.
    pub(super) fn finish(self, mut response: Response) -> Response {
        if let Some(log_line) = self.log_line {
            log_line.log(&response, &self.meta);
        }
        let headers = response.headers_mut();
        headers.insert(X_REQUEST_ID, uuid_header_value(self.meta.request_id));
        response
    }
}

fn uuid_header_value(id: Uuid) -> HeaderValue {
    let mut text = Uuid::encode_buffer();
    HeaderValue::from_str(id.hyphenated().encode_lower(&mut text)).expect("a UUID is visible ASCII")
}

/// One line of the debug log per request. It has paths and client IPs, so it is never logged at info.
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

/// A URI or method as it may be logged: a word that is long enough to be the secret of a key is cut short, because people paste
/// keys into URLs. The longest word that a URL needs is a BAG identifier, of sixteen digits.
struct Redacted<'a, T>(&'a T);

/// How many letters and digits in a row are shown.
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
    fn a_logged_uri_holds_no_key() {
        #[track_caller]
        fn case(uri: &str, expected: &str) {
            let uri: Uri = uri.parse().expect("a URI");
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
