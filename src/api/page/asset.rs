//! One file as it is served: its headers are made once, and a browser that has it already is told so.
//!
//! Source: RFC 9110, sections 8.8.3 (`ETag`) and 13.1.2 (`If-None-Match`); Content Security Policy Level 3.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
    IF_NONE_MATCH, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri};
use axum::response::Response;
use axum::routing::{MethodRouter, get};
use sha2::{Digest as _, Sha256};

use crate::api::Meter;

/// A page loads from this service alone, runs no script that stands in the page itself, sends no form anywhere, and stands in
/// nobody's frame.
const OWN_FILES_ALONE: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'",
);

/// A browser asks each time whether its copy is still the one that is served.
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

/// A file with a version may be an hour old.
const AN_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// What is asked for by its version never changes. Source: RFC 8246, section 2.
const FOR_GOOD: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// Source: Fetch standard, section 3.7 (Cross-Origin-Resource-Policy header).
const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// Whose pages may load a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Those of this service.
    Ourselves,
    /// All: a shop's form, a tool that reads the description.
    Everybody,
}

/// A file that is compiled in.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// `Content-Type`.
    pub content_type: &'static str,
    /// Whose pages may load it.
    pub audience: Audience,
    /// What its content is called in `?v=`, where it has a version.
    pub version: Option<&'static str>,
    /// What is in it.
    pub body: &'static [u8],
}

impl Asset {
    /// Answers GET, and HEAD with it.
    pub fn served(self, meter: Arc<Meter>) -> MethodRouter {
        let headers = Arc::new(self.headers());
        get(move |uri: Uri, asked: HeaderMap| {
            let (headers, meter) = (headers.clone(), meter.clone());
            async move {
                let answer = async {
                    let known = is_known(&asked, &headers[ETAG]);
                    let mut response = self.response(&headers, known);
                    if self.is_named_by(&uri) {
                        response.headers_mut().insert(CACHE_CONTROL, FOR_GOOD);
                    }
                    response
                };
                meter.measure(answer).await
            }
        })
    }

    fn is_named_by(self, uri: &Uri) -> bool {
        let asked = uri.query().and_then(|query| query.strip_prefix("v="));
        asked.is_some() && asked == self.version
    }

    fn headers(self) -> HeaderMap {
        let etag = format!("\"{}\"", hex::encode(&Sha256::digest(self.body)[..16]));
        let etag = HeaderValue::try_from(etag).expect("hex digits in quotes");
        let mut headers = HeaderMap::from_iter([
            (CONTENT_TYPE, HeaderValue::from_static(self.content_type)),
            (CACHE_CONTROL, self.version.map_or(ASK_AGAIN, |_| AN_HOUR)),
            (ETAG, etag),
            (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (CONTENT_SECURITY_POLICY, OWN_FILES_ALONE),
            (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        ]);
        if self.audience == Audience::Everybody {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
            headers.insert(
                CROSS_ORIGIN_RESOURCE_POLICY,
                HeaderValue::from_static("cross-origin"),
            );
        }
        headers
    }

    fn response(self, headers: &HeaderMap, known: bool) -> Response {
        let mut response = Response::new(match known {
            true => Body::empty(),
            false => Body::from(Bytes::from_static(self.body)),
        });
        if known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        response.headers_mut().clone_from(headers);
        response
    }
}

/// Whether one of the tags that were sent, weak or strong, is this one.
fn is_known(asked: &HeaderMap, etag: &HeaderValue) -> bool {
    let sent = asked.get_all(IF_NONE_MATCH).into_iter();
    let lists = sent.filter_map(|value| value.to_str().ok());
    lists
        .flat_map(|list| list.split(','))
        .map(|tag| tag.trim().trim_start_matches("W/"))
        .any(|tag| tag == "*" || tag.as_bytes() == etag.as_bytes())
}
