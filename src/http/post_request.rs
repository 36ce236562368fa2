//! Defines what the handler of a POST receives: an authorized request and its complete body. Short work runs on the async thread that read
//! the body. Long work waits for a permit and runs on a blocking thread.

use std::sync::Arc;

use super::negotiation::ContentCoding;
use super::panics::catch_panic;
use super::request::RequestContext;
use super::{ApiError, JsonResponse};
use crate::accounts::KeyGrant;
use crate::snapshot::{Snapshot, SnapshotGuard};
use crate::state::App;

/// The length in bytes of the longest body of which the calls are counted on an async thread. Counting those of a longer body may take half a
/// millisecond.
const MAX_COUNTED_INLINE_BYTES: usize = 64 << 10;

/// How an endpoint handles a POST.
#[derive(Clone, Copy)]
pub struct PostEndpoint {
    /// Counts the calls that a request costs. Parses only as much of the body as counting needs.
    pub(super) count_calls: fn(&PostRequest) -> Result<usize, ApiError>,
    /// The length in bytes of the longest body for which the work takes at most about half a millisecond. The work for a longer body runs on a
    /// blocking thread.
    pub(super) max_inline_bytes: usize,
    /// Parses the body, does the work and writes the response.
    pub(super) handler: fn(&PostRequest) -> Result<JsonResponse, ApiError>,
}

/// An authorized request with its body.
pub struct PostRequest {
    app: Arc<App>,
    grant: Arc<KeyGrant>,
    /// The error if the quota has no call left for this request.
    reservation_result: Result<(), ApiError>,
    snapshot: Option<SnapshotGuard>,
    body: Vec<u8>,
    /// The content coding of a 200; `None` if the setting `compress_responses` is off.
    coding: Option<ContentCoding>,
}

impl PostRequest {
    pub(super) fn new(
        context: &mut RequestContext<'_>,
        body: Vec<u8>,
        coding: Option<ContentCoding>,
    ) -> Self {
        Self {
            app: context.app().clone(),
            grant: context.grant().clone(),
            reservation_result: context.require_reserved(),
            snapshot: context.take_snapshot(),
            body,
            coding,
        }
    }

    /// Counts the calls that the request costs. If the body is long, counts them on a blocking thread.
    pub(super) async fn count_calls(
        self,
        endpoint: PostEndpoint,
    ) -> Result<(Self, usize), ApiError> {
        let count = move |request: Self| {
            let calls = catch_panic(|| (endpoint.count_calls)(&request))?;
            Ok((request, calls))
        };
        match self.body.len() <= MAX_COUNTED_INLINE_BYTES {
            true => count(self),
            false => self.run_blocking(count).await,
        }
    }

    /// Does the work of the endpoint.
    pub(super) async fn run(self, endpoint: PostEndpoint) -> Result<JsonResponse, ApiError> {
        let work = move |request: Self| {
            let reply = catch_panic(|| (endpoint.handler)(&request))?;
            Ok(reply.with_coding(request.coding)) // within `work`, so a bulk response is compressed on the blocking thread
        };
        match self.body.len() <= endpoint.max_inline_bytes {
            true => work(self),
            false => self.run_blocking(work).await,
        }
    }

    /// Waits for a permit and runs work on a blocking thread.
    async fn run_blocking<T: Send + 'static>(
        self,
        work: impl FnOnce(Self) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let permit = self.app.long_work_permits.clone().acquire_owned().await;
        let permit = permit.expect("the semaphore is never closed");
        // The work keeps its permit even if the client leaves or the request times out, because the work still uses a core.
        let task = tokio::task::spawn_blocking(move || {
            let result = work(self);
            drop(permit);
            result
        });
        task.await.expect("the work catches its panics")
    }

    /// The body, of at most [`MAX_BODY_BYTES`](super::limited_body::MAX_BODY_BYTES).
    pub(super) fn body(&self) -> &[u8] {
        &self.body
    }

    pub(super) fn grant(&self) -> &KeyGrant {
        &self.grant
    }

    /// The data of the current generation. Call this after parsing the body: a 400 for an invalid body comes before a 429.
    ///
    /// # Errors
    /// If the quota is used up, or if no generation is published yet.
    pub(super) fn snapshot_within_quota(&self) -> Result<&Snapshot, ApiError> {
        self.reservation_result.clone()?;
        let snapshot = self.snapshot.as_ref().and_then(SnapshotGuard::get);
        snapshot.ok_or(ApiError::IndexUnavailable)
    }
}
