//! Runs the last step of every request: the debug log line and the `X-Request-Id` header.

use axum::http::{HeaderName, HeaderValue, Method, Request, Uri};
use axum::response::Response;
use uuid::Uuid;

use super::redacted::Redacted;
use super::request::RequestMeta;

/// The header with the request id. Source: contract.md, section Response headers.
const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The parts of a request that the last step needs, copied because an earlier step consumes the request.
pub(super) struct ResponseFinisher {
    meta: RequestMeta,
    log_line: Option<DebugLogLine>,
}

impl ResponseFinisher {
    /// Prepares the last step. Copies method and URI only if the debug level is logged.
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

/// One line of the debug log for each request. It contains paths and client IPs, so it is never logged at info.
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
