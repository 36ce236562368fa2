//! Answers requests to the admin listener for liveness, readiness, version and metrics. The admin listener is for the operator and needs no
//! key, so it belongs on a private IP.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use jiff::civil::Date;
use postduif_schema::{GenerationName, LAYOUT_VERSION};
use serde::Serialize;

use super::metrics::Metrics;
use super::openapi::{INTERFACE_VERSION, PROGRAM_VERSION};
use super::response::{JSON, to_json};
use super::{Routes, metrics};
use crate::snapshot::ReloadFailure;
use crate::state::App;
use crate::sync::PullStatus;

/// The path of the readiness check, for a load balancer and `postduif healthcheck`.
pub const READY_PATH: &str = "/health/ready";

/// The path of the liveness check, for a process supervisor.
pub const LIVE_PATH: &str = "/health/live";

/// The path that reports the served generation, and the versions of the program, the interface and the index layout.
pub const VERSION_PATH: &str = "/version";

/// The routes of the admin listener of `postduif serve`.
pub fn router(app: &Arc<App>, metrics: Metrics) -> Routes {
    let with_app = |handler: fn(&App) -> Response| {
        let app = app.clone();
        move || handler(&app)
    };
    let routes = Routes::default()
        .with_admin(READY_PATH, with_app(ready_response))
        .with_admin(VERSION_PATH, with_app(version_response));
    let app = app.clone();
    with_live_and_metrics(routes, move || {
        metrics::READY.set_flag(readiness(&app).0 == StatusCode::OK);
        metrics.render()
    })
}

/// The admin routes of a process that does not serve addresses: only liveness and metrics.
pub fn metrics_router(metrics: Metrics) -> Routes {
    with_live_and_metrics(Routes::default(), move || metrics.render())
}

fn with_live_and_metrics(
    routes: Routes,
    render_metrics: impl Fn() -> String + Send + Sync + 'static,
) -> Routes {
    let live = || json_response(StatusCode::OK, &Health::new("live"));
    routes
        .with_admin(LIVE_PATH, live)
        .with_admin("/metrics", move || metrics_response(render_metrics()))
}

#[derive(Serialize)]
struct Health {
    status: &'static str,
    #[serde(rename = "failedReload", skip_serializing_if = "Option::is_none")]
    failed_reload: Option<Arc<ReloadFailure>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pull: Option<PullStatus>,
}

impl Health {
    fn new(status: &'static str) -> Self {
        Self {
            status,
            failed_reload: None,
            pull: None,
        }
    }
}

/// Reports whether the service is ready: the keys are loaded, a live key exists, a generation is served, and the process is not stopping.
/// Without a live key all customers would get a 401, and the likely cause is a missing accounts database. If a newer generation cannot be
/// opened, the response says so, but the service stays ready: the other nodes have the same generation, and if all nodes became unready, no
/// node would serve.
fn readiness(app: &App) -> (StatusCode, &'static str) {
    if app.draining.load(Ordering::Relaxed) {
        (StatusCode::SERVICE_UNAVAILABLE, "stopping")
    } else if !app.access.keys.is_loaded() {
        (StatusCode::SERVICE_UNAVAILABLE, "no accounts")
    } else if !app.access.keys.has_live_environment_key() {
        (StatusCode::SERVICE_UNAVAILABLE, "no keys")
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
            failed_reload: app.current_snapshot.reload_failure(),
            pull: pull_status(app),
            ..Health::new(text)
        },
    )
}

#[derive(Serialize)]
struct Version {
    version: &'static str,
    interface: &'static str,
    layout: u32,
    generation: Option<GenerationName>,
    stand: Option<Date>,
    addresses: Option<u64>,
    #[serde(rename = "failedReload")]
    failed_reload: Option<Arc<ReloadFailure>>,
    /// The status of pulling; `None` if the service pulls no generations from a bucket.
    #[serde(skip_serializing_if = "Option::is_none")]
    pull: Option<PullStatus>,
}

fn version_response(app: &App) -> Response {
    let snapshot = app.current_snapshot.load_full();
    let manifest = snapshot.as_deref().and_then(|snapshot| snapshot.manifest());
    let version = Version {
        version: PROGRAM_VERSION,
        interface: &INTERFACE_VERSION,
        layout: LAYOUT_VERSION,
        generation: manifest.map(|manifest| manifest.generation),
        stand: manifest.map(|manifest| manifest.stand),
        addresses: snapshot.as_deref().map(|snapshot| snapshot.address_count()),
        failed_reload: app.current_snapshot.reload_failure(),
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

/// Makes the response with all metrics. Source: Prometheus documentation, Exposition formats: the text format 0.0.4.
fn metrics_response(metrics_text: String) -> Response {
    let mut response = Response::new(Body::from(metrics_text));
    response.headers_mut().insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/plain; version=0.0.4"),
    );
    response
}
