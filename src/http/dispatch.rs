//! The routes: one line per path. What surrounds them stands in two places: [`Front`](crate::http::Front) around everything
//! (request id, time limit, panics), [`Door`] around each endpoint (key and environment), so that an unknown path or a wrong
//! method is told before a key is asked for, as `decisions.md` has it.

use std::future::ready;
use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderMap, Method, Uri};
use axum::routing::{MethodRouter, get, post};

use crate::accounts::AcceptedKeys;
use crate::http;
use crate::http::web;
use crate::http::web::Asset;
use crate::http::{
    Authenticator, GetEndpoint, GetRoute, PostEndpoint, RouteMetrics, Routes, v1, v3,
};
use crate::state::App;

/// One line per path that takes GET.
const GET_ROUTES: [(&str, GetEndpoint); 6] = [
    ("/v3/lookup/{postcode}/{number}", v3::lookup::BY_NUMBER),
    ("/v1/addresses", v1::addresses::LIST),
    ("/v1/addresses/{bagId}", v1::addresses::BY_ID),
    ("/v1/postcodes/{postcode}", v1::postcodes::SUMMARY),
    ("/v1/autocomplete", v1::autocomplete::SUGGEST),
    ("/v1/reverse", v1::reverse::NEAREST),
];

/// One line per path that takes POST.
const POST_ROUTES: [(&str, PostEndpoint); 2] = [
    ("/v1/bulk/lookup", v1::bulk::LOOK_UP),
    ("/v1/validate", v1::validate::CHECK),
];

/// One line per file for people.
const FILE_ROUTES: [(&str, Asset); 6] = [
    ("/", web::INDEX),
    ("/page.css", web::STYLE),
    ("/icon.svg", web::ICON),
    ("/docs.css", web::DOCS_STYLE),
    ("/openapi.json", web::OPENAPI_JSON),
    ("/api/openapi.json", web::OPENAPI_JSON),
];

/// The live listener: live keys, and under `/api`, the fallback address, either kind, which then decides the environment.
/// Pages for people stand here too.
pub fn live_routes(app: &Arc<App>) -> Routes {
    let authenticator = |accepts| Authenticator::new(app.clone(), accepts);
    let routes = add_endpoint_routes(Routes::default(), "", &authenticator(AcceptedKeys::Live));
    let routes = add_endpoint_routes(routes, "/api", &authenticator(AcceptedKeys::Any));
    with_not_found_fallback(add_file_routes(routes))
}

/// The sandbox listener: test keys.
pub fn sandbox_routes(app: &Arc<App>) -> Routes {
    let authenticator = Authenticator::new(app.clone(), AcceptedKeys::Test);
    with_not_found_fallback(add_endpoint_routes(Routes::default(), "", &authenticator))
}

fn add_endpoint_routes(routes: Routes, prefix: &str, authenticator: &Authenticator) -> Routes {
    let with_get_routes = GET_ROUTES
        .into_iter()
        .fold(routes, |routes, (path, endpoint)| {
            let get_route = Arc::new(GetRoute::new(
                authenticator.clone(),
                RouteMetrics::new(path),
                endpoint,
            ));
            routes.with_get(
                &format!("{prefix}{path}"),
                get_route.clone(),
                get_and_head(get_route),
            )
        });
    with_get_routes.map_router(|router| {
        POST_ROUTES
            .into_iter()
            .fold(router, |router, (path, endpoint)| {
                let methods = post_only(authenticator.clone(), RouteMetrics::new(path), endpoint);
                router.route(&format!("{prefix}{path}"), methods)
            })
    })
}

/// Files need no key and are not counted as calls, but as the route `file`.
fn add_file_routes(routes: Routes) -> Routes {
    let metrics = Arc::new(RouteMetrics::new("file"));
    // Where a main site passes on `/api` alone, others still find what they build on.
    let generated_files = [
        ("/docs", web::docs()),
        ("/widget.js", web::widget()),
        ("/api/widget.js", web::widget()),
    ];
    let files = FILE_ROUTES
        .into_iter()
        .chain(web::SCRIPTS)
        .chain(generated_files);
    files.fold(routes, |routes, (path, file)| {
        let methods = file.into_method_router(metrics.clone());
        routes.map_router(|router| router.route(path, with_preflight(methods, "GET")))
    })
}

/// Takes HEAD, and GET with it.
fn get_and_head(get_route: Arc<GetRoute>) -> MethodRouter {
    let handle = move |request: Request| get_route.handle_request(request);
    with_preflight(get(handle), "GET")
}

/// Takes POST.
fn post_only(
    authenticator: Authenticator,
    metrics: RouteMetrics,
    endpoint: PostEndpoint,
) -> MethodRouter {
    let shared = Arc::new((authenticator, metrics));
    let handle = move |request: Request| {
        let shared = shared.clone();
        async move {
            let (authenticator, metrics) = &*shared;
            metrics
                .measure(authenticator.handle_post(request, endpoint))
                .await
        }
    };
    with_preflight(post(handle), "POST")
}

/// Answers preflights; every other method that the path does not take is wrong. Counted as the route `none`.
fn with_preflight(methods: MethodRouter, allowed_method: &'static str) -> MethodRouter {
    let metrics = Arc::new(RouteMetrics::new("none"));
    methods.fallback(move |method: Method, headers: HeaderMap, uri: Uri| {
        let metrics = metrics.clone();
        async move {
            let future = async {
                if http::is_preflight(&method, &headers) {
                    http::preflight_response(allowed_method)
                } else {
                    http::method_not_allowed_response(&uri)
                }
            };
            metrics.measure(future).await
        }
    })
}

/// What no route takes, counted as the route `none`.
fn with_not_found_fallback(routes: Routes) -> Routes {
    let metrics = Arc::new(RouteMetrics::new("none"));
    let not_found = move |uri: Uri| {
        let metrics = metrics.clone();
        async move { metrics.measure(ready(http::not_found_response(&uri))).await }
    };
    routes.map_router(|router| router.fallback(not_found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_endpoint_is_described_and_no_other() {
        let description: serde_json::Value =
            serde_json::from_str(&http::openapi::generate()).expect("JSON");
        let described = description["paths"].as_object().expect("paths").keys();
        let look_ups = GET_ROUTES.iter().map(|(path, _)| *path);
        let submissions = POST_ROUTES.iter().map(|(path, _)| *path);
        assert!(described.eq(look_ups.chain(submissions)));
    }
}
