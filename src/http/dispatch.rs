//! The routes: one line per path. What surrounds them stands in two places: [`Front`](crate::http::Front) around everything
//! (request id, time limit, panics), [`Door`] around each endpoint (key and environment), so that an unknown path or a wrong
//! method is told before a key is asked for, as `decisions.md` has it.

use std::future::ready;
use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderMap, Method, Uri};
use axum::routing::{MethodRouter, get, post};

use crate::accounts::Allowed;
use crate::http;
use crate::http::web;
use crate::http::web::Asset;
use crate::http::{Door, GetEndpoint, LookUp, Meter, PostEndpoint, Routes, v1, v3};
use crate::state::App;

/// One line per path that takes GET.
const LOOK_UPS: [(&str, GetEndpoint); 6] = [
    ("/v3/lookup/{postcode}/{number}", v3::lookup::BY_NUMBER),
    ("/v1/addresses", v1::addresses::LIST),
    ("/v1/addresses/{bagId}", v1::addresses::BY_ID),
    ("/v1/postcodes/{postcode}", v1::postcodes::SUMMARY),
    ("/v1/autocomplete", v1::autocomplete::SUGGEST),
    ("/v1/reverse", v1::reverse::NEAREST),
];

/// One line per path that takes POST.
const SUBMISSIONS: [(&str, PostEndpoint); 2] = [
    ("/v1/bulk/lookup", v1::bulk::LOOK_UP),
    ("/v1/validate", v1::validate::CHECK),
];

/// One line per file for people.
const FILES: [(&str, Asset); 6] = [
    ("/", web::INDEX),
    ("/page.css", web::STYLE),
    ("/icon.svg", web::ICON),
    ("/docs.css", web::DOCS_STYLE),
    ("/openapi.json", web::DESCRIPTION),
    ("/api/openapi.json", web::DESCRIPTION),
];

/// The live listener: live keys, and under `/api`, the fallback address, either kind, which then decides the environment.
/// Pages for people stand here too.
pub fn live(app: &Arc<App>) -> Routes {
    let door = |takes| Door::new(app.clone(), takes);
    let routes = add_paths(Routes::default(), "", &door(Allowed::Live));
    let routes = add_paths(routes, "/api", &door(Allowed::Either));
    with_refusals(add_files(routes))
}

/// The sandbox listener: test keys.
pub fn sandbox(app: &Arc<App>) -> Routes {
    let door = Door::new(app.clone(), Allowed::Test);
    with_refusals(add_paths(Routes::default(), "", &door))
}

fn add_paths(routes: Routes, prefix: &str, door: &Door) -> Routes {
    let with_look_ups = LOOK_UPS
        .into_iter()
        .fold(routes, |routes, (path, endpoint)| {
            let look_up = Arc::new(LookUp::new(door.clone(), Meter::of(path), endpoint));
            routes.with_look_up(
                &format!("{prefix}{path}"),
                look_up.clone(),
                long_way(look_up),
            )
        });
    with_look_ups.map_others(|router| {
        SUBMISSIONS
            .into_iter()
            .fold(router, |router, (path, endpoint)| {
                let methods = submission(door.clone(), Meter::of(path), endpoint);
                router.route(&format!("{prefix}{path}"), methods)
            })
    })
}

/// Files need no key and are not counted as calls, but as the route `file`.
fn add_files(routes: Routes) -> Routes {
    let meter = Arc::new(Meter::of("file"));
    // Where a main site passes on `/api` alone, others still find what they build on.
    let made = [
        ("/docs", web::docs()),
        ("/widget.js", web::widget()),
        ("/api/widget.js", web::widget()),
    ];
    let files = FILES.into_iter().chain(web::SCRIPTS).chain(made);
    files.fold(routes, |routes, (path, file)| {
        let methods = file.served(meter.clone());
        routes.map_others(|router| router.route(path, with_preflight(methods, "GET")))
    })
}

/// Takes HEAD, and GET with it.
fn long_way(look_up: Arc<LookUp>) -> MethodRouter {
    let answer = move |request: Request| look_up.answer_request(request);
    with_preflight(get(answer), "GET")
}

/// Takes POST.
fn submission(door: Door, meter: Meter, endpoint: PostEndpoint) -> MethodRouter {
    let shared = Arc::new((door, meter));
    let answer = move |request: Request| {
        let shared = shared.clone();
        async move {
            let (door, meter) = &*shared;
            meter
                .measure(door.answer_submission(request, endpoint))
                .await
        }
    };
    with_preflight(post(answer), "POST")
}

/// Answers preflights; every other method that the path does not take is wrong. Counted as the route `none`.
fn with_preflight(methods: MethodRouter, taken: &'static str) -> MethodRouter {
    let meter = Arc::new(Meter::of("none"));
    methods.fallback(move |method: Method, headers: HeaderMap, uri: Uri| {
        let meter = meter.clone();
        async move {
            let answer = async {
                if http::is_preflight(&method, &headers) {
                    http::preflight(taken)
                } else {
                    http::wrong_method(&uri)
                }
            };
            meter.measure(answer).await
        }
    })
}

/// What no route takes, counted as the route `none`.
fn with_refusals(routes: Routes) -> Routes {
    let meter = Arc::new(Meter::of("none"));
    let refuse = move |uri: Uri| {
        let meter = meter.clone();
        async move { meter.measure(ready(http::unknown_path(&uri))).await }
    };
    routes.map_others(|router| router.fallback(refuse))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_endpoint_is_described_and_no_other() {
        let description: serde_json::Value =
            serde_json::from_str(&http::openapi::generated()).expect("JSON");
        let described = description["paths"].as_object().expect("paths").keys();
        let look_ups = LOOK_UPS.iter().map(|(path, _)| *path);
        let submissions = SUBMISSIONS.iter().map(|(path, _)| *path);
        assert!(described.eq(look_ups.chain(submissions)));
    }
}
