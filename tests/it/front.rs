//! What every response has, even when what lies behind the front fails.

use std::future::pending;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use axum::routing::get;
use postduif::api::Front;

use crate::app::{Reply, read};

/// Paths that never answer and paths that panic, in both dialects.
async fn answer(path: &str) -> Reply {
    let router = Router::new()
        .route("/v1/waits", get(pending::<()>))
        .route("/v3/waits", get(pending::<()>))
        .route("/v1/panics", get(panics))
        .route("/v3/panics", get(panics));
    let front = Front::new(router, Duration::from_millis(20));
    read(
        &front,
        Request::get(path).body(Body::empty()).expect("a request"),
    )
    .await
}

async fn panics() {
    panic!("a handler that panics, as this test wants it");
}

#[tokio::test]
async fn an_answer_that_takes_too_long_is_a_503() {
    answer("/v1/waits").await.is_v1_error(503, "timeout");
    answer("/v3/waits")
        .await
        .is_v3_problem(503, r#"{"title":"Service unavailable"}"#);
}

#[tokio::test]
async fn a_panic_is_a_500_and_tells_nothing() {
    let reply = answer("/v1/panics").await;
    assert!(
        !reply.text().contains("as this test wants it"),
        "{}",
        reply.text()
    );
    reply.is_v1_error(500, "internal_error");
    answer("/v3/panics")
        .await
        .is_v3_problem(500, r#"{"title":"Internal server error"}"#);
}
