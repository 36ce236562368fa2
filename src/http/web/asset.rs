//! Serves a static file. Its headers are made once, the body is plain, gzip or brotli, and a browser with a current copy gets a 304.
//!
//! Source: RFC 9110, section 8.8.3 (`ETag`); Content Security Policy Level 3.

use axum::body::{Body, Bytes};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LANGUAGE,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri};
use axum::response::Response;
use flate2::Compression;
use sha2::{Digest as _, Sha256};

use crate::http::negotiation::{ContentCoding, has_current_copy, prefers_brotli};
use crate::http::response::gzip;

/// With this policy a page loads only from this service, runs no inline script, submits no form, and cannot be framed.
const SELF_ONLY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'",
);

/// Makes a browser revalidate its copy each time.
const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");

/// Lets a browser use its copy for an hour. Used for a file that has a version but was requested without it.
const CACHE_ONE_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// Lets a browser keep its copy for a year. A file that is requested by its version never changes. Source: RFC 8246, section 2.
const CACHE_IMMUTABLE: HeaderValue =
    HeaderValue::from_static("public, max-age=31536000, immutable");

/// The header that says which pages may load a file. Source: Fetch standard, section 3.7 (Cross-Origin-Resource-Policy header).
const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// The pages that may load a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CorsPolicy {
    /// Pages of this service.
    SameOrigin,
    /// Any page, such as a shop's form or an OpenAPI tool.
    AnyOrigin,
}

/// A static file, compiled in.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// The value of `Content-Type`.
    pub content_type: &'static str,
    /// The pages that may load the file.
    pub cors: CorsPolicy,
    /// The file's version, which a URL may name as `?v=VERSION`; `None` if the file has no version.
    pub version: Option<&'static str>,
    /// The content of the file.
    pub body: &'static [u8],
    /// The content in brotli, compressed when the file was built; `None` if the file has no brotli variant.
    pub brotli: Option<&'static [u8]>,
}

impl Asset {
    /// Compresses the file and makes its headers. Both are done only once.
    pub(crate) fn prepare(self) -> PreparedAsset {
        PreparedAsset {
            identity: self.identity_variant(),
            gzip: self.gzip_variant(),
            brotli: self
                .brotli
                .map(|body| self.compressed_variant("br", Bytes::from_static(body))),
            version: self.version,
        }
    }

    /// Like [`prepare`](Self::prepare), but also sets the headers of a page that exists in several languages.
    pub(super) fn prepare_in(self, language: &'static str) -> PreparedAsset {
        let mut prepared = self.prepare();
        let always = [&mut prepared.identity, &mut prepared.gzip];
        for variant in always.into_iter().chain(&mut prepared.brotli) {
            let vary = HeaderValue::from_static("Accept-Encoding, Accept-Language");
            variant.headers.insert(VARY, vary);
            let language = HeaderValue::from_static(language);
            variant.headers.insert(CONTENT_LANGUAGE, language);
        }
        prepared
    }

    fn identity_variant(self) -> AssetVariant {
        let body = Bytes::from_static(self.body);
        AssetVariant {
            headers: self.headers(&body),
            body,
        }
    }

    fn gzip_variant(self) -> AssetVariant {
        self.compressed_variant("gzip", gzip(self.body, Compression::best()).into())
    }

    fn compressed_variant(self, coding: &'static str, body: Bytes) -> AssetVariant {
        let mut headers = self.headers(&body);
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding));
        AssetVariant { headers, body }
    }

    /// The headers of a variant with this body. Each variant (plain, gzip, brotli) has its own tag, because a strong tag promises the same
    /// bytes.
    fn headers(self, body: &[u8]) -> HeaderMap {
        let etag = format!("\"{}\"", hex::encode(&Sha256::digest(body)[..16]));
        let etag = HeaderValue::try_from(etag).expect("hex digits in quotes");
        let mut headers = HeaderMap::from_iter([
            (CONTENT_TYPE, HeaderValue::from_static(self.content_type)),
            (
                CACHE_CONTROL,
                self.version.map_or(REVALIDATE, |_| CACHE_ONE_HOUR),
            ),
            (ETAG, etag),
            (VARY, HeaderValue::from_static("Accept-Encoding")),
            (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (CONTENT_SECURITY_POLICY, SELF_ONLY),
            (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        ]);
        if self.cors == CorsPolicy::AnyOrigin {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
            headers.insert(
                CROSS_ORIGIN_RESOURCE_POLICY,
                HeaderValue::from_static("cross-origin"),
            );
        }
        headers
    }
}

/// A file that is ready to be served.
pub struct PreparedAsset {
    identity: AssetVariant,
    gzip: AssetVariant,
    brotli: Option<AssetVariant>,
    version: Option<&'static str>,
}

impl PreparedAsset {
    /// Answers a GET.
    pub(crate) fn response(&self, uri: &Uri, headers: &HeaderMap) -> Response {
        let mut response = self.variant(headers).response(headers);
        if self.has_matching_version(uri) {
            let headers = response.headers_mut();
            headers.insert(CACHE_CONTROL, CACHE_IMMUTABLE);
        }
        response
    }

    fn variant(&self, request_headers: &HeaderMap) -> &AssetVariant {
        if let Some(brotli) = &self.brotli
            && prefers_brotli(request_headers)
        {
            return brotli;
        }
        match ContentCoding::negotiate(request_headers) {
            ContentCoding::Gzip => &self.gzip,
            ContentCoding::Identity => &self.identity,
        }
    }

    fn has_matching_version(&self, uri: &Uri) -> bool {
        let requested = uri.query().and_then(|query| query.strip_prefix("v="));
        requested.is_some() && requested == self.version
    }
}

/// A file in one content coding.
struct AssetVariant {
    headers: HeaderMap,
    body: Bytes,
}

impl AssetVariant {
    fn response(&self, request_headers: &HeaderMap) -> Response {
        let etag = self.headers[ETAG].to_str().expect("hex digits in quotes");
        let not_modified = has_current_copy(request_headers, etag);
        let mut response = Response::new(match not_modified {
            true => Body::empty(),
            false => Body::from(self.body.clone()),
        });
        if not_modified {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        response.headers_mut().clone_from(&self.headers);
        response
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;

    use super::*;
    use crate::http::web::STYLE;

    #[test]
    fn the_gzip_variant_is_the_same_file_with_another_tag() {
        let [plain, packed] = [STYLE.identity_variant(), STYLE.gzip_variant()];
        let mut unpacked = Vec::new();
        let read = GzDecoder::new(&packed.body[..]).read_to_end(&mut unpacked);
        assert_eq!(read.expect("gzip"), STYLE.body.len());
        assert_eq!(unpacked, STYLE.body);
        assert!(packed.body.len() < plain.body.len() / 2);
        assert_ne!(packed.headers[ETAG], plain.headers[ETAG]);
        assert_eq!(packed.headers[VARY], plain.headers[VARY]);
        assert_eq!(packed.headers[CONTENT_ENCODING], "gzip");
        assert!(!plain.headers.contains_key(CONTENT_ENCODING));
    }
}
