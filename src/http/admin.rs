//! The admin listener: whether the process lives, whether it is ready, what it serves, and its figures. For the operator
//! alone; it takes no key and belongs on a private address.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Router;
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::response::Response;
use axum::routing::get;
use jiff::civil::Date;
use postduif_schema::{GenerationName, LAYOUT_VERSION};
use serde::Serialize;

use super::metrics;
use super::metrics::Metrics;
use super::response::{JSON, to_json};
use crate::snapshot::ReloadFailure;
use crate::state::App;
use crate::sync::PullStatus;

/// Where a load balancer or `postduif healthcheck` asks whether requests may come.
pub const READY_PATH: &str = "/health/ready";

/// Where who would restart the process asks whether it lives.
pub const LIVE_PATH: &str = "/health/live";

/// The admin listener's routes.
pub fn router(app: &Arc<App>, metrics: Metrics) -> Router {
    let with_app = |handler: fn(&App) -> Response| {
        let app = app.clone();
        get(move || std::future::ready(handler(&app)))
    };
    let router = Router::new()
        .route(READY_PATH, with_app(ready_response))
        .route("/version", with_app(version_response));
    let app = app.clone();
    with_live_and_metrics(router, move || {
        metrics::set_ready(readiness(&app).0 == StatusCode::OK);
        metrics.render()
    })
}

/// The routes of a process that lives and has figures, but answers no requests.
pub fn metrics_router(metrics: Metrics) -> Router {
    with_live_and_metrics(Router::new(), move || metrics.render())
}

/// Comes last: the answers to what is unknown hold for the routes that are there by then.
fn with_live_and_metrics(
    router: Router,
    render_metrics: impl Fn() -> String + Clone + Send + Sync + 'static,
) -> Router {
    router
        .route(
            LIVE_PATH,
            get(|| std::future::ready(json_response(StatusCode::OK, &Health::new("live")))),
        )
        .route(
            "/metrics",
            get(move || std::future::ready(metrics_response(render_metrics()))),
        )
        .fallback(|uri: Uri| std::future::ready(super::not_found_response(&uri)))
        .method_not_allowed_fallback(|uri: Uri| {
            std::future::ready(super::method_not_allowed_response(&uri))
        })
}

#[derive(Serialize)]
struct Health {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<Arc<ReloadFailure>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pull: Option<PullStatus>,
}

impl Health {
    fn new(status: &'static str) -> Self {
        Self {
            status,
            failed: None,
            pull: None,
        }
    }
}

/// Ready with keys that were read and a generation to answer from, and until the process begins to stop. A newer generation that does not open is
/// shown but is no reason to send the requests elsewhere: the others have the same one.
fn readiness(app: &App) -> (StatusCode, &'static str) {
    if app.draining.load(Ordering::Relaxed) {
        (StatusCode::SERVICE_UNAVAILABLE, "stopping")
    } else if !app.access.keys.is_loaded() {
        (StatusCode::SERVICE_UNAVAILABLE, "no accounts")
    } else if app.current_snapshot.load_full().is_none() {
        (StatusCode::SERVICE_UNAVAILABLE, "no generation")
    } else {
        (StatusCode::OK, "ready")
    }
}

fn ready_response(app: &App) -> Response {
    let (status, text) = readiness(app);
    json_response(
        status,
        &Health {
            failed: app.current_snapshot.reload_failure(),
            pull: pull_status(app),
            ..Health::new(text)
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
    failed: Option<Arc<ReloadFailure>>,
    /// Where generations are taken from a bucket.
    #[serde(skip_serializing_if = "Option::is_none")]
    pull: Option<PullStatus>,
}

fn version_response(app: &App) -> Response {
    let snapshot = app.current_snapshot.load_full();
    let manifest = snapshot.as_deref().and_then(|snapshot| snapshot.manifest());
    let version = Version {
        version: env!("CARGO_PKG_VERSION"),
        layout: LAYOUT_VERSION,
        generation: manifest.map(|manifest| manifest.generation),
        stand: manifest.map(|manifest| manifest.stand),
        addresses: snapshot.as_deref().map(|snapshot| snapshot.address_count()),
        failed: app.current_snapshot.reload_failure(),
        pull: pull_status(app),
    };
    json_response(StatusCode::OK, &version)
}

fn pull_status(app: &App) -> Option<PullStatus> {
    Some(app.pull_status.as_ref()?.borrow().clone())
}

fn json_response(status: StatusCode, view: &impl Serialize) -> Response {
    let mut response = Response::new(Body::from(to_json(view)));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    response
}

/// Source: Prometheus documentation, Exposition formats: the text format 0.0.4.
fn metrics_response(metrics_text: String) -> Response {
    let mut response = Response::new(Body::from(metrics_text));
    response.headers_mut().insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/plain; version=0.0.4"),
    );
    response
}
