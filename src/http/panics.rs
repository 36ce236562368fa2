//! A panic in a request becomes a 500 whose body does not describe the panic. The panic hook of `telemetry` logs the panic and
//! its place.
//!
//! Requests only replace shared values as a whole, so a panic leaves nothing half changed.

use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_util::FutureExt as _;

use super::{ApiError, metrics};

/// Runs synchronous work; a panic becomes an internal error.
pub(super) fn catch_panic<T>(work: impl FnOnce() -> Result<T, ApiError>) -> Result<T, ApiError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(internal_error()))
}

/// Runs a future; a panic becomes an internal error.
pub(super) async fn catch_async_panic<T>(
    work: impl Future<Output = Result<T, ApiError>>,
) -> Result<T, ApiError> {
    let result = AssertUnwindSafe(work).catch_unwind().await;
    result.unwrap_or_else(|_| Err(internal_error()))
}

fn internal_error() -> ApiError {
    metrics::count_panic();
    ApiError::Internal
}
