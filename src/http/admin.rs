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
use super::metrics::Figures;
use super::response::{JSON, to_json};
use crate::snapshot::FailedReload;
use crate::state::App;
use crate::sync::Pulled;

/// Where a load balancer or `postduif healthcheck` asks whether requests may come.
pub const READY_PATH: &str = "/health/ready";

/// Where who would restart the process asks whether it lives.
pub const LIVE_PATH: &str = "/health/live";

/// The admin listener's routes.
pub fn router(app: &Arc<App>, figures: Figures) -> Router {
    let with_app = |answer: fn(&App) -> Response| {
        let app = app.clone();
        get(move || std::future::ready(answer(&app)))
    };
    let router = Router::new()
        .route(READY_PATH, with_app(ready))
        .route("/version", with_app(version));
    let app = app.clone();
    with_figures(router, move || {
        metrics::ready(standing(&app).0 == StatusCode::OK);
        figures.shown()
    })
}

/// The routes of a process that lives and has figures, but answers no requests.
pub fn figures_router(figures: Figures) -> Router {
    with_figures(Router::new(), move || figures.shown())
}

/// Comes last: the answers to what is unknown hold for the routes that are there by then.
fn with_figures(
    router: Router,
    figures: impl Fn() -> String + Clone + Send + Sync + 'static,
) -> Router {
    router
        .route(
            LIVE_PATH,
            get(|| std::future::ready(json(StatusCode::OK, &Health::of("live")))),
        )
        .route("/metrics", get(move || std::future::ready(text(figures()))))
        .fallback(|uri: Uri| std::future::ready(super::unknown_path(&uri)))
        .method_not_allowed_fallback(|uri: Uri| std::future::ready(super::wrong_method(&uri)))
}

#[derive(Serialize)]
struct Health {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<Arc<FailedReload>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pull: Option<Arc<Pulled>>,
}

impl Health {
    fn of(status: &'static str) -> Self {
        Self {
            status,
            failed: None,
            pull: None,
        }
    }
}

/// Ready with keys that were read and a generation to answer from, and until the process begins to stop. A newer generation that does not open is
/// shown but is no reason to send the requests elsewhere: the others have the same one.
fn standing(app: &App) -> (StatusCode, &'static str) {
    if app.leaving.load(Ordering::Relaxed) {
        (StatusCode::SERVICE_UNAVAILABLE, "stopping")
    } else if !app.gate.keys.is_loaded() {
        (StatusCode::SERVICE_UNAVAILABLE, "no accounts")
    } else if app.live.snapshot().is_none() {
        (StatusCode::SERVICE_UNAVAILABLE, "no generation")
    } else {
        (StatusCode::OK, "ready")
    }
}

fn ready(app: &App) -> Response {
    let (status, word) = standing(app);
    json(
        status,
        &Health {
            failed: app.live.failed(),
            pull: app.live.pulled(),
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
    /// Where generations are taken from a bucket.
    #[serde(skip_serializing_if = "Option::is_none")]
    pull: Option<Arc<Pulled>>,
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
        pull: app.live.pulled(),
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
