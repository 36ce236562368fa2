//! The answer to a call: JSON, compact, straight from its view to bytes.

use axum::body::Body;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, VARY};
use axum::response::Response;
use serde::Serialize;

use super::json_writer::Writer;

/// Content type of every answer and of v1's errors.
pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Source: contract.md, Response headers: a day, on a 200 and on nothing else.
const FOR_A_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// Keeps a shared cache from answering one customer with another's admission. Source: decisions.md, Headers.
const BY_KEY_AND_ORIGIN: HeaderValue = HeaderValue::from_static("X-Api-Key, Origin");

/// Room for the body of one address, so that it is written without growing.
const BODY_BYTES: usize = 512;

/// Room for the headers of an answer to a known key, so that they are written without growing.
const HEADERS: usize = 12;

/// The body of a 200.
pub struct Reply(Vec<u8>);

impl Reply {
    /// Serialises a view.
    pub fn of(view: &impl Serialize) -> Self {
        Self(to_json(view))
    }

    /// Takes what was written.
    pub(super) fn written(json: Writer) -> Self {
        Self(json.into_bytes())
    }

    /// The whole response but for what every response has.
    pub(super) fn response(self) -> Response {
        let mut response = Response::new(Body::from(self.0));
        let headers = response.headers_mut();
        headers.reserve(HEADERS);
        headers.insert(CONTENT_TYPE, JSON);
        headers.insert(CACHE_CONTROL, FOR_A_DAY);
        headers.insert(VARY, BY_KEY_AND_ORIGIN);
        response
    }
}

/// Compact JSON.
pub(super) fn to_json(view: &impl Serialize) -> Vec<u8> {
    let mut body = Vec::with_capacity(BODY_BYTES);
    serde_json::to_writer(&mut body, view)
        .expect("a view has text keys only, and a Vec takes all that is written");
    body
}
