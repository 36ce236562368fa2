//! Makes the response of a successful request: a body of compact JSON, or a 304 if the client has a current copy.

use std::io::Write as _;

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use super::json_writer::JsonWriter;
use super::negotiation::{ContentCoding, has_current_copy};

/// The content type of every JSON response except the errors of v3.
pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Allows caches to keep a response for one day. Only a 200 has this header. Source: contract.md, section Response headers.
const CACHE_ONE_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// Forbids caches to keep a response about an account.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// Prevents a shared cache from sending one customer's response to another customer. Source: decisions.md, section Headers.
const VARY_KEY_AND_ORIGIN: HeaderValue = HeaderValue::from_static("X-Api-Key, Origin");

/// Like [`VARY_KEY_AND_ORIGIN`], for a service that compresses responses.
const VARY_CODING_TOO: HeaderValue = HeaderValue::from_static("X-Api-Key, Origin, Accept-Encoding");

const GZIP: HeaderValue = HeaderValue::from_static("gzip");

/// The length in bytes of the longest body that is not compressed. Such a body fits into one packet uncompressed.
const MAX_PLAIN_BYTES: usize = 1000;

/// Enough bytes for the body of one address, so that writing it does not reallocate.
const BODY_CAPACITY: usize = 512;

/// The number of headers to reserve room for, so that setting the headers of a response to a key for servers does not reallocate.
const HEADER_CAPACITY: usize = 12;

/// The body of a 200, and how it is sent.
pub struct JsonResponse {
    body: Vec<u8>,
    cache_control: HeaderValue,
    etag: Option<HeaderValue>,
    /// True if the client has a copy with this tag, so that the response is a 304.
    is_not_modified: bool,
    coding: ContentCoding,
    /// True if a request with another `Accept-Encoding` may get another coding.
    varies_by_coding: bool,
}

impl JsonResponse {
    /// Makes a response from `view`, the data that the body shows as JSON.
    pub fn new(view: &impl Serialize) -> Self {
        Self::from_bytes(to_json(view))
    }

    /// Makes a response from the bytes that were written.
    pub(super) fn from_writer(json: JsonWriter) -> Self {
        Self::from_bytes(json.into_bytes())
    }

    fn from_bytes(body: Vec<u8>) -> Self {
        Self {
            body,
            cache_control: CACHE_ONE_DAY,
            etag: None,
            is_not_modified: false,
            coding: ContentCoding::Identity,
            varies_by_coding: false,
        }
    }

    /// Forbids caches to keep the response.
    pub(super) fn without_caching(self) -> Self {
        Self {
            cache_control: NO_STORE,
            ..self
        }
    }

    /// Adds an entity tag. If the client has a copy with this tag, the response becomes a 304.
    pub(super) fn with_etag(self, etag: &str, request_headers: &HeaderMap) -> Self {
        let value = HeaderValue::from_str(etag).expect("a tag is visible ASCII");
        Self {
            etag: Some(value),
            is_not_modified: has_current_copy(request_headers, etag),
            ..self
        }
    }

    /// Encodes the response in the negotiated coding. A short body stays plain. `coding` is `None` if nothing is negotiated.
    pub(super) fn with_coding(mut self, coding: Option<ContentCoding>) -> Self {
        self.varies_by_coding = coding.is_some();
        let is_worthwhile = self.body.len() > MAX_PLAIN_BYTES && !self.is_not_modified;
        if coding == Some(ContentCoding::Gzip) && is_worthwhile {
            // The fastest level, because a GET is compressed on an async thread, and other requests on that thread wait.
            self.body = gzip(&self.body, Compression::fast());
            self.coding = ContentCoding::Gzip;
        }
        self
    }

    /// Makes the response, without the headers that every response has. Only a 200 has `Cache-Control`: a cache that receives a 304 keeps
    /// the `Cache-Control` of its copy. Source: contract.md, section Response headers; RFC 9111, section 4.3.4.
    pub(super) fn into_response(self) -> Response {
        let body = match self.is_not_modified {
            true => Body::empty(),
            false => Body::from(self.body),
        };
        let mut response = Response::new(body);
        let headers = response.headers_mut();
        headers.reserve(HEADER_CAPACITY);
        let vary = match self.varies_by_coding {
            true => VARY_CODING_TOO,
            false => VARY_KEY_AND_ORIGIN,
        };
        headers.insert(VARY, vary);
        if let Some(etag) = self.etag {
            headers.insert(ETAG, etag);
        }
        if self.is_not_modified {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        headers.insert(CONTENT_TYPE, JSON);
        headers.insert(CACHE_CONTROL, self.cache_control);
        if self.coding == ContentCoding::Gzip {
            headers.insert(CONTENT_ENCODING, GZIP);
        }
        response
    }
}

pub(super) fn gzip(body: &[u8], level: Compression) -> Vec<u8> {
    let compressed = Vec::with_capacity(body.len() / 4);
    let mut encoder = GzEncoder::new(compressed, level);
    let written = encoder.write_all(body);
    let finished = written.and_then(|()| encoder.finish());
    finished.expect("writing to memory cannot fail")
}

/// Writes a view as compact JSON.
pub(super) fn to_json(view: &impl Serialize) -> Vec<u8> {
    let mut body = Vec::with_capacity(BODY_CAPACITY);
    serde_json::to_writer(&mut body, view)
        .expect("views have text keys, and writing to a Vec cannot fail");
    body
}
