//! A call: a GET that was admitted. It is the only way from a GET to the addresses, so nothing answers without a key.

use std::borrow::Cow;
use std::pin::Pin;

use axum::http::Uri;
use axum::http::request::Parts;
use axum::response::Response;
use percent_encoding::percent_decode_str;
use tokio::time::timeout;

use super::request::{Authorized, RequestContext, catch_panic};
use super::service::RequestMeta;
use super::{ApiError, Authenticator, JsonResponse};
use crate::accounts::Endpoint;
use crate::snapshot::Snapshot;
use crate::state::App;

/// What one path that takes GET does.
#[derive(Clone, Copy)]
pub struct GetEndpoint {
    /// What plans and counts call it.
    pub(crate) endpoint: Endpoint,
    /// Parameters, then the work, then a view. It takes microseconds and so needs no thread of its own.
    pub(crate) handler: fn(&GetRequest<'_>) -> Result<JsonResponse, ApiError>,
}

/// An answer that is there, or will be.
pub enum HandlerResponse {
    /// It is there.
    Ready(Response),
    /// It will be.
    Pending(ResponseFuture),
}

/// An answer that will be there.
pub(super) type ResponseFuture = Pin<Box<dyn Future<Output = Response> + Send>>;

/// An admitted request, with the addresses that it may see.
pub struct GetRequest<'a> {
    uri: &'a Uri,
    authorized: &'a Authorized,
}

impl Authenticator {
    /// Answers a GET whose path is known: admission, then the endpoint. Done at once, but for a call that has to be leased
    /// first.
    pub(super) fn handle_get(
        &self,
        parts: Parts,
        meta: RequestMeta,
        endpoint: GetEndpoint,
    ) -> HandlerResponse {
        let mut context = match self.authenticate(&parts, meta, endpoint.endpoint) {
            Ok(visit) => visit,
            Err(error) => return HandlerResponse::Ready(error.to_response(meta.api_version)),
        };
        let app = self.app();
        let mut authorized = match context.authorize(app) {
            Ok(admitted) => admitted,
            Err(error) => return HandlerResponse::Ready(context.reject(app, &error)),
        };
        if !authorized.needs_lease() {
            return HandlerResponse::Ready(run_handler(
                app, &parts.uri, context, authorized, endpoint,
            ));
        }
        let app = app.clone();
        HandlerResponse::Pending(Box::pin(async move {
            // A call that is not there by then is told like one that cannot be had.
            let lease_wait = authorized.wait_for_lease(&app.access, context.grant());
            timeout(app.request_timeout, lease_wait).await.ok();
            run_handler(&app, &parts.uri, context, authorized, endpoint)
        }))
    }
}

fn run_handler(
    app: &App,
    uri: &Uri,
    context: RequestContext,
    authorized: Authorized,
    endpoint: GetEndpoint,
) -> Response {
    let request = GetRequest {
        uri,
        authorized: &authorized,
    };
    let result = catch_panic(|| (endpoint.handler)(&request));
    context.finish(app, result, authorized)
}

impl<'a> GetRequest<'a> {
    /// The addresses: asked for when the parameters are known to be right, because a call that is not in the bundle ends here.
    ///
    /// # Errors
    /// When the bundle is used up, and before the first generation is published.
    pub(super) fn snapshot(&self) -> Result<&Snapshot, ApiError> {
        self.authorized.snapshot()
    }

    /// The last `N` parts of the path, percent-decoded. Bytes that are no UTF-8 become U+FFFD, which no parameter takes.
    pub(super) fn last_path_segments<const N: usize>(&self) -> [Cow<'a, str>; N] {
        let mut segments = self.uri.path().rsplit('/');
        let mut last = [const { Cow::Borrowed("") }; N];
        for slot in last.iter_mut().rev() {
            *slot = percent_decode_str(segments.next().unwrap_or_default()).decode_utf8_lossy();
        }
        last
    }

    /// The value of a query parameter, decoded as a form sends it. Of several with one name the first counts: there is no
    /// list parameter, and the first is what a person reads in the address line.
    pub(super) fn query_param(&self, name: &str) -> Option<Cow<'a, str>> {
        let query = self.uri.query().unwrap_or_default();
        form_urlencoded::parse(query.as_bytes())
            .find(|(key, _)| key == name)
            .map(|(_, value)| value)
    }
}
