//! Web files: who may load them, and how long a browser may cache them.

use axum::body::Body;
use axum::http::{Request, StatusCode};

use crate::app::{Reply, TestApp};

async fn fetch(path: &str, known: Option<&str>) -> Reply {
    let request = Request::get(path);
    let request = match known {
        Some(etag) => request.header("If-None-Match", etag),
        None => request,
    };
    let request = request.body(Body::empty()).expect("a request");
    TestApp::village().send_raw(request).await
}

/// The version in the widget.
fn version(widget: &Reply) -> String {
    let said = widget.text().split("static version=\"").nth(1);
    let version = said.and_then(|rest| rest.split('"').next());
    version.expect("a version").to_owned()
}

#[tokio::test]
async fn the_widget_is_public_and_immutable_only_under_its_version() {
    let plain = fetch("/widget.js", None).await;
    assert_eq!(plain.status, StatusCode::OK);
    assert_eq!(plain.header("Access-Control-Allow-Origin"), Some("*"));
    let version = version(&plain);
    for (path, kept) in [
        ("/widget.js".to_owned(), "public, max-age=3600"),
        (
            format!("/widget.js?v={version}"),
            "public, max-age=31536000, immutable",
        ),
        (format!("/widget.js?v={version}1"), "public, max-age=3600"),
        ("/widget.js?v=".to_owned(), "public, max-age=3600"),
        (format!("/widget.js?{version}"), "public, max-age=3600"),
        ("/api/widget.js".to_owned(), "public, max-age=3600"),
    ] {
        let reply = fetch(&path, None).await;
        assert_eq!(reply.header("Cache-Control"), Some(kept), "{path}");
        assert_eq!(reply.body, plain.body, "{path}");
        let again = fetch(&path, reply.header("ETag")).await;
        assert_eq!(again.status, StatusCode::NOT_MODIFIED, "{path}");
        assert_eq!(again.header("Cache-Control"), Some(kept), "{path}");
        assert!(again.body.is_empty(), "{path}");
    }
}

#[tokio::test]
async fn pages_are_revalidated_and_not_embeddable() {
    let page = fetch("/?v=1.0.0", None).await;
    assert_eq!(page.header("Cache-Control"), Some("no-cache"));
    assert_eq!(page.header("Access-Control-Allow-Origin"), None);
}
