//! Reads the body of a request: JSON only, and up to a limit, however long the client declares it to be.
//!
//! Source: decisions.md, Parameters: at most 1 MiB (413), only `application/json` (415).

use axum::body::{Body, BodyDataStream, HttpBody as _};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue};
use futures_util::StreamExt as _;

use super::ApiError;

/// The longest accepted body of a request, in bytes.
pub(super) const MAX_BODY_BYTES: usize = 1 << 20;

/// The body of a request, not read yet.
pub(super) struct LimitedBody {
    chunks: BodyDataStream,
    /// The length of the body that the client declares; 0 if it declares none.
    declared_len: usize,
}

impl LimitedBody {
    pub(super) fn new(body: Body) -> Self {
        Self {
            declared_len: usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX),
            chunks: body.into_data_stream(),
        }
    }

    /// Reads the whole body. Rejects a too large `Content-Length` before reading.
    pub(super) async fn read_json(mut self, headers: &HeaderMap) -> Result<Vec<u8>, ApiError> {
        if !headers.get(CONTENT_TYPE).is_some_and(is_json) {
            return Err(ApiError::UnsupportedMediaType);
        }
        if self.declared_len > MAX_BODY_BYTES {
            return Err(ApiError::PayloadTooLarge);
        }
        let mut bytes = Vec::with_capacity(self.declared_len);
        while let Some(chunk) = self.chunks.next().await {
            let chunk = chunk.map_err(|_| ApiError::InvalidPayload {
                expected: "the body must arrive whole; it broke off",
            })?;
            if bytes.len() + chunk.len() > MAX_BODY_BYTES {
                return Err(ApiError::PayloadTooLarge);
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }
}

/// Whether a content type is JSON. Its parameters do not matter: JSON is always UTF-8. Source: RFC 8259, section 8.1.
fn is_json(content_type: &HeaderValue) -> bool {
    let kind = content_type.as_bytes().split(|&byte| byte == b';').next();
    kind.is_some_and(|kind| kind.trim_ascii().eq_ignore_ascii_case(b"application/json"))
}
