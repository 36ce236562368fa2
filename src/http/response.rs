//! The answer to a call: JSON, compact, straight from its view to bytes.

use axum::body::Body;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, VARY};
use axum::response::Response;
use serde::Serialize;

use super::json_writer::JsonWriter;

/// Content type of every answer and of v1's errors.
pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Source: contract.md, Response headers: a day, on a 200 and on nothing else.
const CACHE_ONE_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// Keeps a shared cache from answering one customer with another's admission. Source: decisions.md, Headers.
const VARY_KEY_AND_ORIGIN: HeaderValue = HeaderValue::from_static("X-Api-Key, Origin");

/// Room for the body of one address, so that it is written without growing.
const BODY_CAPACITY: usize = 512;

/// Room for the headers of an answer to a known key, so that they are written without growing.
const HEADER_CAPACITY: usize = 12;

/// The body of a 200.
pub struct JsonResponse(Vec<u8>);

impl JsonResponse {
    /// Serialises a view.
    pub fn new(view: &impl Serialize) -> Self {
        Self(to_json(view))
    }

    /// Takes what was written.
    pub(super) fn from_writer(json: JsonWriter) -> Self {
        Self(json.into_bytes())
    }

    /// The whole response but for what every response has.
    pub(super) fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.0));
        let headers = response.headers_mut();
        headers.reserve(HEADER_CAPACITY);
        headers.insert(CONTENT_TYPE, JSON);
        headers.insert(CACHE_CONTROL, CACHE_ONE_DAY);
        headers.insert(VARY, VARY_KEY_AND_ORIGIN);
        response
    }
}

/// Compact JSON.
pub(super) fn to_json(view: &impl Serialize) -> Vec<u8> {
    let mut body = Vec::with_capacity(BODY_CAPACITY);
    serde_json::to_writer(&mut body, view)
        .expect("a view has text keys only, and a Vec takes all that is written");
    body
}
