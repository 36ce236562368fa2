//! The response of a successful look-up: compact JSON, written straight from its view to bytes.

use axum::body::Body;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, VARY};
use axum::response::Response;
use serde::Serialize;

use super::json_writer::JsonWriter;

/// The content type of every 200 and of v1's errors.
pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// One day, on a 200 only. Source: contract.md, Response headers.
const CACHE_ONE_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// Keeps a shared cache from sending one customer's response to another. Source: decisions.md, Headers.
const VARY_KEY_AND_ORIGIN: HeaderValue = HeaderValue::from_static("X-Api-Key, Origin");

/// Enough for the body of one address, so that writing it does not reallocate.
const BODY_CAPACITY: usize = 512;

/// Enough for the headers of a response to a known key, so that setting them does not reallocate.
const HEADER_CAPACITY: usize = 12;

/// The body of a 200.
pub struct JsonResponse(Vec<u8>);

impl JsonResponse {
    /// Serialises a view.
    pub fn new(view: &impl Serialize) -> Self {
        Self(to_json(view))
    }

    /// The bytes that were written.
    pub(super) fn from_writer(json: JsonWriter) -> Self {
        Self(json.into_bytes())
    }

    /// The response without the headers that every response has.
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
        .expect("views have text keys, and writing to a Vec cannot fail");
    body
}
