//! Reading the body of a request: only JSON, only up to a limit, whatever the client declares or sends.
//!
//! Source: decisions.md, Parameters: at most 1 MiB (413), only `application/json` (415).

use axum::body::{Body, HttpBody as _};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue};
use futures_util::StreamExt as _;

use super::Problem;

/// The longest body that is read.
pub(super) const MAX_BODY_BYTES: usize = 1 << 20;

/// Reads a body to its end. What is too long by its own account is not read at all.
pub(super) async fn read(headers: &HeaderMap, body: Body) -> Result<Vec<u8>, Problem> {
    if !headers.get(CONTENT_TYPE).is_some_and(is_json) {
        return Err(Problem::UnsupportedMediaType);
    }
    let declared = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if declared > MAX_BODY_BYTES {
        return Err(Problem::PayloadTooLarge);
    }
    let mut bytes = Vec::with_capacity(declared);
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| Problem::InvalidPayload {
            expected: "the body must arrive whole; it broke off",
        })?;
        if bytes.len() + chunk.len() > MAX_BODY_BYTES {
            return Err(Problem::PayloadTooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// Whether a content type is JSON, whatever its parameters: JSON is UTF-8 always. Source: RFC 8259, section 8.1.
fn is_json(content_type: &HeaderValue) -> bool {
    let kind = content_type.as_bytes().split(|&byte| byte == b';').next();
    kind.is_some_and(|kind| kind.trim_ascii().eq_ignore_ascii_case(b"application/json"))
}
