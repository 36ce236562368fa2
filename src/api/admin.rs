//! The admin listener: whether the process lives, whether it is ready, what it serves, and its figures. For the operator
//! alone; it takes no key and belongs on a private address.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::response::Response;
use axum::routing::get;
use jiff::civil::Date;
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use postduif_schema::{GenerationName, LAYOUT_VERSION};
use serde::Serialize;

use super::meter::LATENCY;
use super::reply::{JSON, to_json};
use crate::index::FailedReload;
use crate::state::App;

/// Where a load balancer or `postduif healthcheck` asks whether requests may come.
pub const READY_PATH: &str = "/health/ready";

/// Buckets of the latency histogram, in seconds: a look-up takes microseconds, the goal for type-ahead is a millisecond, the time
/// limit is seconds.
const LATENCY_BUCKETS_S: [f64; 11] = [
    5e-6, 10e-6, 25e-6, 50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 25e-3, 1.0,
];

/// How often the recorded times are folded into the histogram, so that they do not pile up between two scrapes.
pub const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

/// Starts recording figures for this process. Comes before the first [`Meter`](super::Meter) is made.
///
/// # Errors
/// When the process records figures already.
pub fn record_metrics() -> Result<PrometheusHandle, BuildError> {
    PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Full(LATENCY.to_owned()), &LATENCY_BUCKETS_S)?
        .install_recorder()
}

/// The admin listener's routes.
pub fn router(app: &Arc<App>, figures: PrometheusHandle) -> Router {
    let with_app = |answer: fn(&App) -> Response| {
        let app = app.clone();
        get(move || std::future::ready(answer(&app)))
    };
    let router = Router::new()
        .route(READY_PATH, with_app(ready))
        .route("/version", with_app(version));
    with_figures(router, figures)
}

/// The routes of a process that lives and has figures, but answers no requests.
pub fn figures_router(figures: PrometheusHandle) -> Router {
    with_figures(Router::new(), figures)
}

/// Comes last: the answers to what is unknown hold for the routes that are there by then.
fn with_figures(router: Router, figures: PrometheusHandle) -> Router {
    router
        .route(
            "/health/live",
            get(|| std::future::ready(json(StatusCode::OK, &Health::of("live")))),
        )
        .route(
            "/metrics",
            get(move || std::future::ready(text(figures.render()))),
        )
        .fallback(|uri: Uri| std::future::ready(super::unknown_path(&uri)))
        .method_not_allowed_fallback(|uri: Uri| std::future::ready(super::wrong_method(&uri)))
}

#[derive(Serialize)]
struct Health {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<Arc<FailedReload>>,
}

impl Health {
    fn of(status: &'static str) -> Self {
        Self {
            status,
            failed: None,
        }
    }
}

/// Ready with keys that were read and a generation to answer from, and until the process begins to stop. A newer generation that does not open is
/// shown but is no reason to send the requests elsewhere: the others have the same one.
fn ready(app: &App) -> Response {
    let (status, word) = if app.stopping.is_cancelled() {
        (StatusCode::SERVICE_UNAVAILABLE, "stopping")
    } else if !app.gate.keys.is_loaded() {
        (StatusCode::SERVICE_UNAVAILABLE, "no accounts")
    } else if app.live.snapshot().is_none() {
        (StatusCode::SERVICE_UNAVAILABLE, "no generation")
    } else {
        (StatusCode::OK, "ready")
    };
    json(
        status,
        &Health {
            failed: app.live.failed(),
            ..Health::of(word)
        },
    )
}

#[derive(Serialize)]
struct Version {
    version: &'static str,
    layout: u32,
    generation: Option<GenerationName>,
    stand: Option<Date>,
    addresses: Option<u64>,
    failed: Option<Arc<FailedReload>>,
}

fn version(app: &App) -> Response {
    let snapshot = app.live.snapshot();
    let manifest = snapshot.as_deref().and_then(|snapshot| snapshot.manifest());
    let version = Version {
        version: env!("CARGO_PKG_VERSION"),
        layout: LAYOUT_VERSION,
        generation: manifest.map(|manifest| manifest.generation),
        stand: manifest.map(|manifest| manifest.stand),
        addresses: snapshot.as_deref().map(|snapshot| snapshot.address_count()),
        failed: app.live.failed(),
    };
    json(StatusCode::OK, &version)
}

fn json(status: StatusCode, view: &impl Serialize) -> Response {
    let mut response = Response::new(Body::from(to_json(view)));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    response
}

/// Source: Prometheus documentation, Exposition formats: the text format 0.0.4.
fn text(figures: String) -> Response {
    let mut response = Response::new(Body::from(figures));
    response.headers_mut().insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/plain; version=0.0.4"),
    );
    response
}
