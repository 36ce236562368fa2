//! The routes: one line per path. What surrounds them stands in two places: [`Front`](crate::api::Front) around everything
//! (request id, time limit, panics), [`Door`] around each endpoint (key and environment), so that an unknown path or a wrong
//! method is told before a key is asked for, as `decisions.md` has it.

use std::future::ready;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, Uri};
use axum::routing::{MethodRouter, get, post};
use futures_util::future::Either;

use crate::access::Allowed;
use crate::api::{self, Answer, Door, GetEndpoint, Meter, PostEndpoint, v1, v3};
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

/// The live listener: live keys, and under `/api`, the fallback address, either kind, which then decides the environment.
pub fn live(app: &Arc<App>) -> Router {
    let router = add_paths(Router::new(), "", &Door::new(app.clone(), Allowed::Live));
    with_refusals(add_paths(
        router,
        "/api",
        &Door::new(app.clone(), Allowed::Either),
    ))
}

/// The sandbox listener: test keys.
pub fn sandbox(app: &Arc<App>) -> Router {
    with_refusals(add_paths(
        Router::new(),
        "",
        &Door::new(app.clone(), Allowed::Test),
    ))
}

fn add_paths(router: Router, prefix: &str, door: &Door) -> Router {
    let look_ups =
        LOOK_UPS.map(|(path, endpoint)| (path, look_up(door.clone(), Meter::of(path), endpoint)));
    let submissions = SUBMISSIONS
        .map(|(path, endpoint)| (path, submission(door.clone(), Meter::of(path), endpoint)));
    look_ups
        .into_iter()
        .chain(submissions)
        .fold(router, |router, (path, methods)| {
            router.route(&format!("{prefix}{path}"), methods)
        })
}

/// Takes GET, and HEAD with it. Nearly every answer is there at once, so no request is carried through a future.
fn look_up(door: Door, meter: Meter, endpoint: GetEndpoint) -> MethodRouter {
    let shared = Arc::new((door, meter));
    let answer = move |request: Request| {
        let (door, meter) = &*shared;
        let began = Instant::now();
        match door.answer(request, endpoint) {
            Answer::Now(response) => {
                meter.record(began, &response);
                Either::Left(ready(response))
            }
            Answer::Later(answer) => {
                let shared = shared.clone();
                Either::Right(Box::pin(async move { shared.1.measure(answer).await }))
            }
        }
    };
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
                if api::is_preflight(&method, &headers) {
                    api::preflight(taken)
                } else {
                    api::wrong_method(&uri)
                }
            };
            meter.measure(answer).await
        }
    })
}

/// What no route takes, counted as the route `none`.
fn with_refusals(router: Router) -> Router {
    let meter = Arc::new(Meter::of("none"));
    router.fallback(move |uri: Uri| {
        let meter = meter.clone();
        async move { meter.measure(ready(api::unknown_path(&uri))).await }
    })
}
