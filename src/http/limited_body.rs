//! Reading the body of a request: only JSON, only up to a limit, whatever the client declares or sends.
//!
//! Source: decisions.md, Parameters: at most 1 MiB (413), only `application/json` (415).

use axum::body::{Body, BodyDataStream, HttpBody as _};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue};
use futures_util::StreamExt as _;

use super::ApiError;

/// The longest body that is read.
pub(super) const MAX_BODY_BYTES: usize = 1 << 20;

/// A body that is on its way.
pub(super) struct LimitedBody {
    chunks: BodyDataStream,
    /// Its length by its own account, at least.
    declared_len: usize,
}

impl LimitedBody {
    pub(super) fn new(body: Body) -> Self {
        Self {
            declared_len: usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX),
            chunks: body.into_data_stream(),
        }
    }

    /// Reads it to its end. What is too long by its own account is not read for its content.
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

/// Whether a content type is JSON, whatever its parameters: JSON is UTF-8 always. Source: RFC 8259, section 8.1.
fn is_json(content_type: &HeaderValue) -> bool {
    let kind = content_type.as_bytes().split(|&byte| byte == b';').next();
    kind.is_some_and(|kind| kind.trim_ascii().eq_ignore_ascii_case(b"application/json"))
}
