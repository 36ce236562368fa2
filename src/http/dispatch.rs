//! Defines the routes of the two public listeners, and the sequence of steps that every request passes.
//!
//! [`HttpService::handle`] lists the steps. Framing and route are checked before the key, so a request with an unknown path or a wrong
//! method gets its 404 or 405 even without a key. Source: decisions.md, section Order of checks.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::CONTENT_LENGTH;
use axum::http::request::Parts;
use axum::http::{Method, Request, StatusCode};
use axum::response::Response;
use tokio::time::timeout;

use super::get_request::GetRequest;
use super::limited_body::LimitedBody;
use super::panics::{catch_async_panic, catch_panic};
use super::post_request::{PostEndpoint, PostRequest};
use super::request::{RequestContext, RequestMeta};
use super::request_span::RequestSpan;
use super::response_finisher::ResponseFinisher;
use super::routes::{
    AccountHandler, EndpointRoute, FileHandler, Handler, Route, RouteMatch, Routes,
};
use super::{ApiError, Authenticator, JsonResponse, RouteMetrics, framing, metrics, v1, v3, web};
use crate::accounts::{AcceptedKeys, BillingPeriod, Endpoint};
use crate::state::App;

/// Each endpoint, with the pattern of its path and its handler.
pub(super) const ENDPOINTS: [(&str, Endpoint, Handler); 9] = [
    (
        "/v3/lookup/{postcode}/{number}",
        Endpoint::Lookup,
        Handler::Get(v3::lookup::by_number),
    ),
    (
        "/v1/addresses",
        Endpoint::Addresses,
        Handler::Get(v1::addresses::list),
    ),
    (
        "/v1/addresses/{bagId}",
        Endpoint::Address,
        Handler::Get(v1::addresses::by_id),
    ),
    (
        "/v1/postcodes/{postcode}",
        Endpoint::Postcodes,
        Handler::Get(v1::postcodes::summary),
    ),
    (
        "/v1/autocomplete",
        Endpoint::Autocomplete,
        Handler::Get(v1::autocomplete::suggest),
    ),
    (
        "/v1/reverse",
        Endpoint::Reverse,
        Handler::Get(v1::reverse::nearest),
    ),
    (
        "/v1/bulk/lookup",
        Endpoint::Bulk,
        Handler::Post(v1::bulk::LOOK_UP),
    ),
    (
        "/v1/validate",
        Endpoint::Validate,
        Handler::Post(v1::validate::VALIDATE),
    ),
    (
        "/v1/account",
        Endpoint::Account,
        Handler::Account(v1::account::show),
    ),
];

/// Static files, each with its path. `add_assets` adds the scripts, the widget, `/` and `/docs`.
const ASSETS: [(&str, web::Asset); 8] = [
    ("/page.css", web::STYLE),
    ("/account", web::ACCOUNT_PAGE),
    ("/account.css", web::ACCOUNT_STYLE),
    ("/icon.svg", web::ICON),
    ("/docs.css", web::DOCS_STYLE),
    ("/docs.js", web::DOCS_SCRIPT),
    ("/openapi.json", web::OPENAPI_JSON),
    ("/api/openapi.json", web::OPENAPI_JSON),
];

/// Answers every request of one listener.
pub struct HttpService {
    routes: Routes,
}

impl HttpService {
    /// A service with these routes.
    pub fn new(routes: Routes) -> Self {
        Self { routes }
    }

    /// Answers one request that came over a connection from `peer`. Runs all steps in sequence.
    pub async fn handle<B>(&self, request: Request<B>, peer: Option<SocketAddr>) -> Response
    where
        B: HttpBody<Data = Bytes, Error: std::error::Error + Send + Sync> + Send + 'static,
    {
        let meta = RequestMeta::new(request.uri(), peer); // 1. request id, start time, API version
        let finisher = ResponseFinisher::new(&request, meta);
        let is_head = request.method() == Method::HEAD;
        let unrouted = self.routes.unrouted_metrics.as_ref();
        let mut span = self
            .routes
            .tracer
            .as_ref()
            .map(|tracer| tracer.start(&request, &meta));
        // 2. framing: 400 and `Connection: close`
        let (metrics, result) = match framing::validate(&request) {
            Err(expected) => (unrouted, Err(ApiError::MalformedRequest { expected })),
            // 3. route: 404, 405 with `Allow`, 204 for a preflight
            Ok(()) => match self.find_route(&request, span.as_mut()) {
                RouteMatch::Response(response) => (unrouted, Ok(response)),
                RouteMatch::Route(Route::Admin(handler)) => (None, catch_panic(|| Ok(handler()))),
                RouteMatch::Route(Route::File(handler, metrics)) => {
                    let response = handler(request.uri(), request.headers());
                    (Some(&**metrics), Ok(response))
                }
                RouteMatch::Route(Route::Endpoint(route)) => {
                    let handled = catch_async_panic(handle_endpoint(route, request, meta)); // steps 4 to 11
                    (Some(&route.metrics), handled.await)
                }
            },
        };
        let mut response = result.unwrap_or_else(|error| error.to_response(meta.api_version));
        if is_head {
            empty_body(&mut response);
        }
        if let Some(metrics) = metrics {
            metrics.record(meta.started_at, &response); // 12. the metrics of the route
        }
        if let Some(span) = span {
            span.end(&response);
        }
        finisher.finish(response) // 13. debug log line, `X-Request-Id`
    }

    /// Finds the route of a request, and names the `span` of the request after that route.
    fn find_route<B>(
        &self,
        request: &Request<B>,
        span: Option<&mut RequestSpan>,
    ) -> RouteMatch<'_> {
        let found = self.routes.find(request);
        if let (RouteMatch::Route(route), Some(span)) = (&found, span) {
            span.set_route(route.pattern(request.uri().path()));
        }
        found
    }
}

/// Runs steps 4 to 11 for a request that needs a key. Returns an error only if authentication fails. After authentication, every response
/// has the headers for a valid key, also the response to an error.
async fn handle_endpoint<B>(
    route: &EndpointRoute,
    request: Request<B>,
    meta: RequestMeta,
) -> Result<Response, ApiError>
where
    B: HttpBody<Data = Bytes, Error: std::error::Error + Send + Sync> + Send + 'static,
{
    let (parts, body) = request.into_parts();
    // 4. key, environment, IP, origin: 401
    let mut context = route
        .authenticator
        .authenticate(&parts, meta, route.endpoint)?;
    let result = match route.handler {
        Handler::Get(handler) => {
            drop(body);
            // 5. rights and plan: 403; 6. rate: 429; 7. one call reserved
            match context.authorize() {
                Ok(()) => {
                    if context.needs_lease() {
                        // Boxed, so that the future of every other GET stays small.
                        Box::pin(context.wait_for_lease_until_timeout()).await;
                    }
                    // 9. parameters: 400; `GetRequest::snapshot_within_quota`: quota 429, data 503; then the work
                    let handled = catch_panic(|| handler(&GetRequest::new(&parts.uri, &context)));
                    handled.map(|reply| context.negotiate(reply, &parts.headers)) // may become a 304, or be compressed
                }
                Err(error) => Err(error),
            }
        }
        Handler::Post(endpoint) => {
            let body = LimitedBody::new(Body::new(body));
            Box::pin(handle_post_until_timeout(
                &mut context, &parts, body, endpoint,
            ))
            .await
        }
        Handler::Account(handler) => {
            drop(body);
            let handled = Box::pin(handle_account_until_timeout(&mut context, handler)).await;
            handled.map(|reply| context.negotiate(reply, &parts.headers)) // may be compressed
        }
    };
    // A flood of rate-limited requests must not wait for the database. Others that took no call, such as a 403, wait for it once.
    let is_refused = matches!(&result, Err(ApiError::RateLimitExceeded { .. }));
    if !is_refused && context.needs_quota_status() {
        // Boxed, so that the future of every other request stays small.
        Box::pin(context.read_quota_status()).await;
    }
    Ok(context.finish(result)) // settles the quota; sets the rate, quota and CORS headers; records usage
}

/// Runs steps 5 to 11 of a request for the account of its key. Such a request has no parameters and uses no quota.
async fn handle_account_until_timeout(
    context: &mut RequestContext<'_>,
    handler: AccountHandler,
) -> Result<JsonResponse, ApiError> {
    context.authorize_without_quota()?; // 5. rights: 403; 6. rate: 429
    let (app, grant) = (context.app(), context.grant());
    let period = BillingPeriod::from_anchor(grant.billing_anchor, app.access.clock.now());
    let report = app.account_reports.load(grant.account_id, period);
    let loaded = timeout(context.request_timeout(), report).await;
    let report = loaded.map_err(|_| on_timeout())?; // 503
    let report = report.ok_or(ApiError::AccountsUnavailable)?;
    catch_panic(|| Ok(handler(grant, period, &report)))
}

fn on_timeout() -> ApiError {
    metrics::TIMED_OUT.add(1);
    ApiError::Timeout
}

async fn handle_post_until_timeout(
    context: &mut RequestContext<'_>,
    parts: &Parts,
    body: LimitedBody,
    endpoint: PostEndpoint,
) -> Result<JsonResponse, ApiError> {
    let request_timeout = context.request_timeout();
    let handled = handle_post(context, parts, body, endpoint);
    let handled = timeout(request_timeout, handled).await;
    handled.unwrap_or_else(|_| Err(on_timeout()))
}

/// Runs steps 5 to 11 of a POST. The body is read only after its sender is authorized.
async fn handle_post(
    context: &mut RequestContext<'_>,
    parts: &Parts,
    body: LimitedBody,
    endpoint: PostEndpoint,
) -> Result<JsonResponse, ApiError> {
    context.authorize()?; // 5. rights and plan: 403; 6. rate: 429; 7. one call reserved
    context.wait_for_lease().await;
    let body = body.read_json(&parts.headers).await?; // 8. 415, 413
    let request = PostRequest::new(context, body, context.coding(&parts.headers));
    let (request, calls) = request.count_calls(endpoint).await?; // 9. 400, 422
    context.reserve_lines(calls).await?; // 10. quota: 429, 503
    request.run(endpoint).await // 11. the work
}

/// Turns the response to a GET into the response to the same HEAD: sets `Content-Length` to the length of the body, and then empties the
/// body. A 304 stays as it is, because it has no body.
fn empty_body(response: &mut Response) {
    if response.status() == StatusCode::NOT_MODIFIED {
        return;
    }
    if let Some(length) = response.body().size_hint().exact() {
        let headers = response.headers_mut();
        headers
            .entry(CONTENT_LENGTH)
            .or_insert_with(|| length.into());
    }
    *response.body_mut() = Body::empty();
}

/// The routes of the live listener. The endpoints accept live keys. The same endpoints under `/api` accept live keys, which read the
/// current generation, and test keys, which read the sandbox. The static files need no key.
pub fn live_routes(app: &Arc<App>) -> Routes {
    let routes = Routes::with_metrics();
    let routes = add_endpoints(routes, "", app, AcceptedKeys::Live);
    let routes = add_endpoints(routes, "/api", app, AcceptedKeys::Any);
    add_assets(routes, app)
}

/// The routes of the sandbox listener: the endpoints for test keys.
pub fn sandbox_routes(app: &Arc<App>) -> Routes {
    add_endpoints(Routes::with_metrics(), "", app, AcceptedKeys::Test)
}

fn add_endpoints(routes: Routes, prefix: &str, app: &Arc<App>, accepts: AcceptedKeys) -> Routes {
    ENDPOINTS
        .into_iter()
        .fold(routes, |routes, (path, endpoint, handler)| {
            let pattern = format!("{prefix}{path}");
            let route = Route::Endpoint(EndpointRoute {
                pattern: pattern.clone(),
                authenticator: Authenticator::new(app.clone(), accepts),
                metrics: RouteMetrics::new(path),
                endpoint,
                handler,
            });
            routes.with_route(&pattern, route)
        })
}

/// Adds the static files, which need no key and use no calls. Their metrics have the route `file`.
fn add_assets(routes: Routes, app: &App) -> Routes {
    let metrics = Arc::new(RouteMetrics::new("file"));
    // The widget is also under `/api`: shops load it, and a proxy in front may pass only that prefix on to this service.
    let generated = [
        ("/widget.js", web::widget()),
        ("/api/widget.js", web::widget()),
    ];
    let file = |handler: FileHandler| Route::File(handler, metrics.clone());
    let page = web::TestPage::new(app.access.clone());
    let page = file(Box::new(move |uri, headers| {
        page.current().response(uri, headers)
    }));
    let docs = web::docs();
    let docs = file(Box::new(move |uri, headers| docs.response(uri, headers)));
    let routes = routes.with_route("/", page).with_route("/docs", docs);
    let assets = ASSETS.into_iter().chain(web::SCRIPTS).chain(generated);
    assets.fold(routes, |routes, (path, asset)| {
        let asset = asset.prepare();
        let asset = file(Box::new(move |uri, headers| asset.response(uri, headers)));
        routes.with_route(path, asset)
    })
}
