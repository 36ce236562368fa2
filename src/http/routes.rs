//! Finds the route of each path on one listener, and answers a path or method without a route.

use std::sync::Arc;

use axum::http::header::ALLOW;
use axum::http::{HeaderMap, HeaderValue, Method, Request, Uri};
use axum::response::Response;

use super::api_version::ApiVersion;
use super::get_request::GetRequest;
use super::post_request::PostEndpoint;
use super::preflight::{is_preflight, preflight_response};
use super::request_span::RequestTracer;
use super::{ApiError, Authenticator, JsonResponse, RouteMetrics};
use crate::accounts::{AccountReport, BillingPeriod, Endpoint, KeyGrant};

/// All routes of a listener. Each path has one route, which accepts either GET and HEAD, or POST.
#[derive(Default)]
pub struct Routes {
    by_path: matchit::Router<Route>,
    /// The metrics of requests without a route; `None` on a listener that does not measure requests.
    pub(super) unrouted_metrics: Option<RouteMetrics>,
    /// The tracer of requests; `None` on a listener that does not trace requests.
    pub(super) tracer: Option<RequestTracer>,
}

/// The route of one path.
pub enum Route {
    /// A path that needs a key.
    Endpoint(EndpointRoute),
    /// A page or another file, served without a key.
    File(FileHandler, Arc<RouteMetrics>),
    /// A GET that needs no key, answers no preflight and has no metrics. The admin listener has only such routes.
    Admin(Box<dyn Fn() -> Response + Send + Sync>),
}

/// A path that needs a key.
pub struct EndpointRoute {
    /// The path with its parameters in braces, such as `/v1/addresses/{bagId}`.
    pub(super) pattern: String,
    pub(super) authenticator: Authenticator,
    pub(super) metrics: RouteMetrics,
    /// The name of the endpoint in plans and in usage counts.
    pub(super) endpoint: Endpoint,
    pub(super) handler: Handler,
}

/// The function that does the work of an endpoint.
#[derive(Clone, Copy)]
pub enum Handler {
    /// Handles a GET. A GET takes microseconds, so it needs no separate thread.
    Get(fn(&GetRequest<'_>) -> Result<JsonResponse, ApiError>),
    /// Handles a POST with a JSON body.
    Post(PostEndpoint),
    /// Shows the account of the key, which is read from the accounts database.
    Account(AccountHandler),
}

/// Answers a GET of a file, from the URL and the headers of the request.
pub(super) type FileHandler = Box<dyn Fn(&Uri, &HeaderMap) -> Response + Send + Sync>;

/// Builds the response about an account from its report for the billing period.
pub(super) type AccountHandler = fn(&KeyGrant, BillingPeriod, &AccountReport) -> JsonResponse;

/// The outcome of finding a request's route.
pub(super) enum RouteMatch<'a> {
    Route(&'a Route),
    /// The response: not found, method not allowed, or the answer to a preflight.
    Response(Response),
}

impl Routes {
    /// Creates an empty set of routes. Requests are traced, and requests without a route count as the route `none`.
    pub(super) fn with_metrics() -> Self {
        Self {
            unrouted_metrics: Some(RouteMetrics::new("none")),
            tracer: Some(RequestTracer::new()),
            ..Self::default()
        }
    }

    /// Adds a route.
    ///
    /// # Panics
    /// If two routes have the same path.
    #[must_use]
    pub fn with_route(mut self, path: &str, route: Route) -> Self {
        self.by_path
            .insert(path, route)
            .expect("each path has one route");
        self
    }

    /// Adds a [route of the administrator](Route::Admin) route.
    ///
    /// # Panics
    /// If two routes have the same path.
    #[must_use]
    pub fn with_admin(
        self,
        path: &str,
        handler: impl Fn() -> Response + Send + Sync + 'static,
    ) -> Self {
        self.with_route(path, Route::Admin(Box::new(handler)))
    }

    pub(super) fn find<B>(&self, request: &Request<B>) -> RouteMatch<'_> {
        let uri = request.uri();
        let Ok(found) = self.by_path.at(uri.path()) else {
            let response = ApiError::NotFound.to_response(ApiVersion::from_uri(uri));
            return RouteMatch::Response(response);
        };
        let route = found.value;
        let (method, headers) = (request.method(), request.headers());
        if route.accepts(method) {
            return RouteMatch::Route(route);
        }
        let mut response = if route.answers_preflights() && is_preflight(method, headers) {
            preflight_response(route.preflight_method())
        } else {
            ApiError::MethodNotAllowed.to_response(ApiVersion::from_uri(uri))
        };
        response.headers_mut().insert(ALLOW, route.allow());
        RouteMatch::Response(response)
    }
}

impl Route {
    /// The pattern that matches `path`. Only endpoints have paths with parameters; every other path is its own pattern.
    pub(super) fn pattern<'a>(&'a self, path: &'a str) -> &'a str {
        match self {
            Self::Endpoint(route) => &route.pattern,
            _ => path,
        }
    }

    fn is_post(&self) -> bool {
        matches!(self, Self::Endpoint(route) if matches!(route.handler, Handler::Post(_)))
    }

    fn accepts(&self, method: &Method) -> bool {
        match self.is_post() {
            true => method == Method::POST,
            false => method == Method::GET || method == Method::HEAD,
        }
    }

    fn answers_preflights(&self) -> bool {
        !matches!(self, Self::Admin(_))
    }

    fn preflight_method(&self) -> &'static str {
        match self.is_post() {
            true => "POST",
            false => "GET",
        }
    }

    fn allow(&self) -> HeaderValue {
        HeaderValue::from_static(match self.is_post() {
            true => "POST",
            false => "GET,HEAD",
        })
    }
}
