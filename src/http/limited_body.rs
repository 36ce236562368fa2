//! Reads the body of a request. Accepts only JSON, and only up to a limit, regardless of the length that the client declares.
//!
//! Source: decisions.md, section Parameters. A body has at most 1 MiB (else 413) and is `application/json` (else 415).

use axum::body::{Body, BodyDataStream, HttpBody as _};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue};
use futures_util::StreamExt as _;

use super::ApiError;

/// The length of the longest accepted body, in bytes.
pub(super) const MAX_BODY_BYTES: usize = 1 << 20;

/// The unread body of a request.
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

    /// Reads the whole body. If `Content-Length` is too large, rejects the body before reading it.
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
                expected: "the body must arrive whole; it ended early",
                fault: None,
            })?;
            if bytes.len() + chunk.len() > MAX_BODY_BYTES {
                return Err(ApiError::PayloadTooLarge);
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }
}

/// True if a content type is JSON. Parameters of the type are ignored, because JSON is always UTF-8. Source: RFC 8259, section 8.1.
fn is_json(content_type: &HeaderValue) -> bool {
    let kind = content_type.as_bytes().split(|&byte| byte == b';').next();
    kind.is_some_and(|kind| kind.trim_ascii().eq_ignore_ascii_case(b"application/json"))
}
