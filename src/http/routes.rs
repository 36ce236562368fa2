//! The routes of a listener. GETs of look-ups take the short way: from the path straight to the answer, which nearly always
//! is there at once, without the boxed services and futures that a general router needs. All else goes through axum's.

use std::future::ready;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::MethodRouter;
use futures_util::future::Either;

use super::get_request::ResponseFuture;
use super::service::RequestMeta;
use super::{Authenticator, GetEndpoint, HandlerResponse, RouteMetrics};

/// All routes of a listener.
#[derive(Default)]
pub struct Routes {
    get_routes: matchit::Router<Arc<GetRoute>>,
    axum_router: Router,
}

impl Routes {
    /// The same routes with a look-up at `path`, where `methods` answers all but GET.
    ///
    /// # Panics
    /// When two routes have one path, which the first start of the process shows.
    #[must_use]
    pub fn with_get(mut self, path: &str, get_route: Arc<GetRoute>, methods: MethodRouter) -> Self {
        self.get_routes
            .insert(path, get_route)
            .expect("each path has one route");
        Self {
            axum_router: self.axum_router.route(path, methods),
            ..self
        }
    }

    /// The same routes, with more of axum's.
    #[must_use]
    pub fn map_router(self, add: impl FnOnce(Router) -> Router) -> Self {
        Self {
            axum_router: add(self.axum_router),
            ..self
        }
    }

    /// What answers a GET of `path` the short way.
    pub(super) fn find_get(&self, path: &str) -> Option<&Arc<GetRoute>> {
        Some(self.get_routes.at(path).ok()?.value)
    }

    pub(super) fn router(&self) -> Router {
        self.axum_router.clone()
    }
}

impl From<Router> for Routes {
    fn from(axum_router: Router) -> Self {
        Self {
            axum_router,
            ..Self::default()
        }
    }
}

/// One path that takes GET, behind its door and with its figures.
pub struct GetRoute {
    authenticator: Authenticator,
    metrics: RouteMetrics,
    endpoint: GetEndpoint,
}

impl GetRoute {
    /// A look-up behind `door`.
    #[must_use]
    pub fn new(authenticator: Authenticator, metrics: RouteMetrics, endpoint: GetEndpoint) -> Self {
        Self {
            authenticator,
            metrics,
            endpoint,
        }
    }

    /// Answers a GET the long way, or a HEAD whose body others leave out.
    pub fn handle_request(
        self: &Arc<Self>,
        request: Request,
    ) -> impl Future<Output = Response> + use<> {
        let meta = RequestMeta::from_request(&request);
        let (parts, _) = request.into_parts();
        match self.handle(parts, meta) {
            HandlerResponse::Ready(response) => Either::Left(ready(response)),
            HandlerResponse::Pending(answer) => Either::Right(answer),
        }
    }

    /// Answers a GET.
    pub(super) fn handle(self: &Arc<Self>, parts: Parts, meta: RequestMeta) -> HandlerResponse {
        let started_at = meta.started_at;
        match self.authenticator.handle_get(parts, meta, self.endpoint) {
            HandlerResponse::Ready(response) => {
                self.metrics.record(started_at, &response);
                HandlerResponse::Ready(response)
            }
            HandlerResponse::Pending(answer) => {
                HandlerResponse::Pending(self.clone().with_metrics(started_at, answer))
            }
        }
    }

    fn with_metrics(
        self: Arc<Self>,
        started_at: Instant,
        pending: ResponseFuture,
    ) -> ResponseFuture {
        Box::pin(async move {
            let response = pending.await;
            self.metrics.record(started_at, &response);
            response
        })
    }
}
