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
    /// Method and URI for the debug log, which has one line for each request; `None` if the debug level is not logged. Paths and client
    /// IPs are never logged at info.
    debug_fields: Option<(Method, Uri)>,
}

impl ResponseFinisher {
    /// Prepares the last step. Copies method and URI only if the debug level is logged.
    pub(super) fn new<B>(request: &Request<B>, meta: RequestMeta) -> Self {
        let is_logged = tracing::enabled!(tracing::Level::DEBUG);
        let debug_fields = is_logged.then(|| (request.method().clone(), request.uri().clone()));
        Self { meta, debug_fields }
    }

    /// Completes a response. A request id that the client sent is ignored.
    pub(super) fn finish(self, mut response: Response) -> Response {
        let RequestMeta {
            request_id,
            peer,
            started_at,
            ..
        } = self.meta;
        if let Some((method, uri)) = self.debug_fields {
            let duration_us = started_at.elapsed().as_micros();
            let (status, peer) = (
                response.status().as_u16(),
                peer.map(tracing::field::display),
            );
            let (method, uri) = (Redacted(&method), Redacted(&uri));
            tracing::debug!(%request_id, %method, %uri, status, duration_us, peer, "answered");
        }
        let headers = response.headers_mut();
        headers.insert(X_REQUEST_ID, uuid_header_value(request_id));
        response
    }
}

fn uuid_header_value(id: Uuid) -> HeaderValue {
    let mut text = Uuid::encode_buffer();
    HeaderValue::from_str(id.hyphenated().encode_lower(&mut text)).expect("a UUID is visible ASCII")
}
