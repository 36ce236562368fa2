//! Turns a panic in a request into a 500. The body does not describe the panic; the panic hook of `telemetry` logs the panic and its
//! place.
//!
//! A panic leaves no shared value half changed, because requests only replace shared values as a whole.

use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_util::FutureExt as _;

use super::{ApiError, metrics};

/// Runs synchronous work. A panic becomes an internal error.
pub(super) fn catch_panic<T>(work: impl FnOnce() -> Result<T, ApiError>) -> Result<T, ApiError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(internal_error()))
}

/// Runs a future. A panic becomes an internal error.
pub(super) async fn catch_async_panic<T>(
    work: impl Future<Output = Result<T, ApiError>>,
) -> Result<T, ApiError> {
    let result = AssertUnwindSafe(work).catch_unwind().await;
    result.unwrap_or_else(|_| Err(internal_error()))
}

fn internal_error() -> ApiError {
    metrics::PANICKED.add(1);
    ApiError::Internal
}
