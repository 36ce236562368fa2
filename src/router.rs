//! The routes: one line per path. What surrounds them stands in two places: [`Front`](crate::api::Front) around everything
//! (request id, time limit, panics), [`Door`] around each endpoint (key and environment), so that an unknown path or a wrong
//! method is told before a key is asked for, as `decisions.md` has it.

use std::future::ready;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::Uri;
use axum::response::Response;
use axum::routing::{MethodRouter, get, post};

use crate::access::Allowed;
use crate::api::{self, Door, Endpoint, Meter, PostEndpoint, v1, v3};
use crate::state::App;

/// One line per path that takes GET.
const LOOK_UPS: [(&str, Endpoint); 6] = [
    ("/v3/lookup/{postcode}/{number}", v3::lookup::by_number),
    ("/v1/addresses", v1::addresses::list),
    ("/v1/addresses/{bagId}", v1::addresses::by_id),
    ("/v1/postcodes/{postcode}", v1::postcodes::summary),
    ("/v1/autocomplete", v1::autocomplete::suggest),
    ("/v1/reverse", v1::reverse::nearest),
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

/// Takes GET, and HEAD with it.
fn look_up(door: Door, meter: Meter, endpoint: Endpoint) -> MethodRouter {
    let shared = Arc::new((door, meter));
    get(move |request: Request| {
        let (door, meter) = &*shared;
        ready(meter.measure(|| door.answer(&request, endpoint)))
    })
}

/// Takes POST.
fn submission(door: Door, meter: Meter, endpoint: PostEndpoint) -> MethodRouter {
    let shared = Arc::new((door, meter));
    post(move |request: Request| {
        let shared = shared.clone();
        async move {
            let (door, meter) = &*shared;
            meter
                .measure_waiting(door.answer_submission(request, endpoint))
                .await
        }
    })
}

/// What no route takes, counted as the route `none`.
fn with_refusals(router: Router) -> Router {
    let meter = Arc::new(Meter::of("none"));
    let refuse = |refusal: fn(&Uri) -> Response| {
        let meter = meter.clone();
        move |uri: Uri| ready(meter.measure(|| refusal(&uri)))
    };
    // The second reaches the routes that are there by now, so the order of these calls matters.
    router
        .fallback(refuse(api::unknown_path))
        .method_not_allowed_fallback(refuse(api::wrong_method))
}
