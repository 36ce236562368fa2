//! A submission: an admitted request with a body, read whole. Short work is done where the body was read; long work leaves the
//! async threads and waits for its turn.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::HeaderMap;
use axum::response::Response;

use super::limited_body::LimitedBody;
use super::request::{Authorized, catch_panic};
use super::service::RequestMeta;
use super::{ApiError, Authenticator, JsonResponse, service};
use crate::accounts::{Endpoint, KeyGrant};
use crate::snapshot::Snapshot;
use crate::state::App;

/// The longest body that is worked on where it was read: to skim a longer one alone may take half a millisecond.
const MAX_INLINE_BODY_BYTES: usize = 64 << 10;

/// What one path that takes POST does.
#[derive(Clone, Copy)]
pub struct PostEndpoint {
    /// What plans and counts call it.
    pub(super) endpoint: Endpoint,
    /// Whether it may take over half a millisecond.
    pub(super) blocking: bool,
    /// The body, then the work, then a view.
    pub(super) handler: fn(&PostRequest) -> Result<JsonResponse, ApiError>,
}

/// An admitted request with its body.
pub struct PostRequest {
    app: Arc<App>,
    grant: Arc<KeyGrant>,
    authorized: Authorized,
    body: Vec<u8>,
}

/// What was asked of the body, and what the request had in hand for it.
type PostOutcome = (Result<JsonResponse, ApiError>, Authorized);

impl Authenticator {
    /// Answers a POST whose path is known: admission, then the body, then the endpoint. A body is neither read nor judged
    /// before its sender is known and may send it.
    pub async fn handle_post(&self, request: Request, endpoint: PostEndpoint) -> Response {
        let meta = RequestMeta::from_request(&request);
        let (parts, body) = request.into_parts();
        let body = LimitedBody::new(body);
        let mut context = match self.authenticate(&parts, meta, endpoint.endpoint) {
            Ok(visit) => visit,
            Err(error) => return error.to_response(meta.api_version),
        };
        let app = self.app();
        let outcome = async {
            let mut authorized = context.authorize(app)?;
            let grant = context.grant().clone();
            authorized.wait_for_lease(&app.access, &grant).await;
            let headers = &parts.headers;
            Ok(self
                .read_body_and_run(grant, authorized, headers, body, endpoint)
                .await)
        };
        // When time is up the future is dropped, and what it had set aside goes back.
        match tokio::time::timeout(self.app().request_timeout, outcome).await {
            Ok(Ok((result, authorized))) => context.finish(app, result, authorized),
            Ok(Err(error)) => context.reject(app, &error),
            Err(_) => context.reject(app, &service::timeout_error()),
        }
    }

    async fn read_body_and_run(
        &self,
        grant: Arc<KeyGrant>,
        authorized: Authorized,
        headers: &HeaderMap,
        body: LimitedBody,
        endpoint: PostEndpoint,
    ) -> PostOutcome {
        let body = match body.read_json(headers).await {
            Ok(body) => body,
            Err(error) => return (Err(error), authorized),
        };
        let request = PostRequest {
            app: self.app().clone(),
            grant,
            authorized,
            body,
        };
        if !endpoint.blocking && request.body.len() <= MAX_INLINE_BODY_BYTES {
            return (request.run_handler(endpoint), request.authorized);
        }
        let (result, mut request) = request.run_blocking(endpoint).await;
        if !request.authorized.needs_lease() {
            return (result, request.authorized);
        }
        // It came to nothing, for its lines have to be leased first: who waits for the database keeps no turn from others.
        let access = &self.app().access;
        request
            .authorized
            .wait_for_lease(access, &request.grant)
            .await;
        let (result, request) = request.run_blocking(endpoint).await;
        (result, request.authorized)
    }
}

impl PostRequest {
    /// Works when it is its turn, off the async threads.
    async fn run_blocking(self, endpoint: PostEndpoint) -> (Result<JsonResponse, ApiError>, Self) {
        let permit = self.app.long_work_permits.clone().acquire_owned().await;
        let permit = permit.expect("nobody closes the turns");
        // The turn goes along: work whose client has left, or whose time is up, still keeps a core busy.
        let task = tokio::task::spawn_blocking(move || {
            let result = self.run_handler(endpoint);
            drop(permit);
            (result, self)
        });
        task.await.expect("panics are caught where they happen")
    }

    fn run_handler(&self, endpoint: PostEndpoint) -> Result<JsonResponse, ApiError> {
        catch_panic(|| (endpoint.handler)(self))
    }

    /// The body, up to [`MAX_BODY_BYTES`](super::limited_body::MAX_BODY_BYTES).
    pub(super) fn body(&self) -> &[u8] {
        &self.body
    }

    /// Who sent it.
    pub(super) fn grant(&self) -> &KeyGrant {
        &self.grant
    }

    /// The addresses: asked for when the body is known to be right, because a call that is not in the bundle ends here.
    ///
    /// # Errors
    /// When the bundle is used up, and before the first generation is published.
    pub(super) fn snapshot(&self) -> Result<&Snapshot, ApiError> {
        self.authorized.snapshot()
    }

    /// The addresses, for a request of that many lines, each of them a call. Only for long work, which begins anew where calls
    /// had to be leased for it.
    ///
    /// # Errors
    /// Likewise; and nothing is taken when fewer calls are left than there are lines.
    pub(super) fn snapshot_for_lines(&self, lines: usize) -> Result<&Snapshot, ApiError> {
        let access = &self.app.access;
        self.authorized
            .snapshot_for_lines(access, &self.grant, lines)
    }
}
