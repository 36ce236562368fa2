//! Checks that a response is complete even if the handler panics.

use axum::body::Body;
use axum::http::Request;
use axum::response::Response;
use postduif::http::{HttpService, Routes};

use crate::app::{Reply, read};

/// The answer to a path whose handler panics. The path selects the API version.
async fn answer(path: &str) -> Reply {
    let routes = Routes::default()
        .with_admin("/v1/panics", panics)
        .with_admin("/v3/panics", panics);
    let request = Request::get(path).body(Body::empty()).expect("a request");
    read(&HttpService::new(routes), request).await
}

fn panics() -> Response {
    panic!("a handler that panics, as this test wants it");
}

#[tokio::test]
async fn a_panic_is_a_500_without_details() {
    let reply = answer("/v1/panics").await;
    assert!(
        !reply.text().contains("as this test wants it"),
        "{}",
        reply.text()
    );
    reply.assert_v1_error(500, "internal_error");
    answer("/v3/panics")
        .await
        .assert_v3_error(500, r#"{"title":"Internal server error"}"#);
}
