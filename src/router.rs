//! The routes: one line per path. What surrounds them stands in two places: [`Front`](crate::api::Front) around everything
//! (request id, time limit, panics), [`Door`] around each endpoint (key and environment), so that an unknown path or a wrong
//! method is told before a key is asked for, as `decisions.md` has it.

use std::future::ready;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::Uri;
use axum::response::Response;
use axum::routing::{MethodRouter, get};

use crate::access::Allowed;
use crate::api::{self, Door, Endpoint, Meter, v1, v3};
use crate::state::App;

/// One line per path.
const LOOK_UPS: [(&str, Endpoint); 6] = [
    ("/v3/lookup/{postcode}/{number}", v3::lookup::by_number),
    ("/v1/addresses", v1::addresses::list),
    ("/v1/addresses/{bagId}", v1::addresses::by_id),
    ("/v1/postcodes/{postcode}", v1::postcodes::summary),
    ("/v1/autocomplete", v1::autocomplete::suggest),
    ("/v1/reverse", v1::reverse::nearest),
];

/// The live listener: live keys, and under `/api`, the fallback address, either kind, which then decides the environment.
pub fn live(app: &Arc<App>) -> Router {
    let router = add_look_ups(Router::new(), "", &Door::new(app.clone(), Allowed::Live));
    with_refusals(add_look_ups(
        router,
        "/api",
        &Door::new(app.clone(), Allowed::Either),
    ))
}

/// The sandbox listener: test keys.
pub fn sandbox(app: &Arc<App>) -> Router {
    with_refusals(add_look_ups(
        Router::new(),
        "",
        &Door::new(app.clone(), Allowed::Test),
    ))
}

fn add_look_ups(router: Router, prefix: &str, door: &Door) -> Router {
    LOOK_UPS.iter().fold(router, |router, &(path, endpoint)| {
        router.route(
            &format!("{prefix}{path}"),
            look_up(door.clone(), Meter::of(path), endpoint),
        )
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
