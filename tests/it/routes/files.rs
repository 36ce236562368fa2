//! Checks who may load the web files, how long a browser may cache them, and how they are compressed.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};

use crate::app::{Reply, TestApp};

const PLAIN: &[u8] = include_bytes!("../../../src/http/web/widget.js");
const BROTLI: &[u8] = include_bytes!("../../../src/http/web/widget.js.br");

async fn fetch(path: &str, known: Option<&str>) -> Reply {
    let sent = known.map(|etag| ("If-None-Match", etag));
    ask(Method::GET, path, sent.as_slice()).await
}

async fn ask(method: Method, path: &str, sent: &[(&str, &str)]) -> Reply {
    let request = Request::builder().method(method).uri(path);
    let request = sent.iter().fold(request, |request, (name, value)| {
        request.header(*name, *value)
    });
    let request = request.body(Body::empty()).expect("a request");
    TestApp::village().send_raw(request).await
}

/// The version that the widget's source states.
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
async fn only_the_widget_is_sent_in_brotli_and_each_form_has_its_own_tag() {
    const BROWSER: &str = "gzip, deflate, br";
    let mut tags = BTreeSet::new();
    for (path, accepted, coding, body) in [
        ("/widget.js", BROWSER, Some("br"), Some(BROTLI)),
        ("/api/widget.js", BROWSER, Some("br"), Some(BROTLI)),
        ("/widget.js", "br;q=0.9, gzip", Some("gzip"), None),
        ("/widget.js", "br;q=0, gzip;q=0", None, Some(PLAIN)),
        ("/page.js", BROWSER, Some("gzip"), None),
        ("/page.js", "br", None, None),
    ] {
        let accept = ("Accept-Encoding", accepted);
        let reply = ask(Method::GET, path, &[accept]).await;
        assert_eq!(reply.status, StatusCode::OK, "{path} {accepted}");
        assert!(
            body.is_none_or(|body| reply.body == body),
            "{path} {accepted}"
        );
        let head = ask(Method::HEAD, path, &[accept]).await;
        let length = reply.body.len().to_string();
        assert_eq!(head.header("Content-Length"), Some(&*length), "{path}");
        let tag = reply.header("ETag").expect("a tag");
        let again = ask(Method::GET, path, &[accept, ("If-None-Match", tag)]).await;
        assert_eq!(again.status, StatusCode::NOT_MODIFIED, "{path} {accepted}");
        assert!(head.body.is_empty() && again.body.is_empty(), "{path}");
        for reply in [&reply, &head, &again] {
            assert_eq!(
                reply.header("Content-Encoding"),
                coding,
                "{path} {accepted}"
            );
            assert_eq!(reply.header("Vary"), Some("Accept-Encoding"), "{path}");
            assert_eq!(reply.header("ETag"), Some(tag), "{path} {accepted}");
        }
        tags.insert(tag.to_owned());
    }
    assert_eq!(tags.len(), 5, "the two paths of the widget share a tag");
}

#[tokio::test]
async fn a_copy_in_gzip_is_not_current_for_a_client_that_gets_brotli() {
    let gzip = ask(Method::GET, "/widget.js", &[("Accept-Encoding", "gzip")]).await;
    let known = ("If-None-Match", gzip.header("ETag").expect("a tag"));
    let sent = [("Accept-Encoding", "gzip, br"), known];
    let reply = ask(Method::GET, "/widget.js", &sent).await;
    assert_eq!(reply.status, StatusCode::OK);
    assert_eq!(reply.body, BROTLI);
}

#[tokio::test]
async fn pages_are_revalidated_and_not_embeddable() {
    let page = fetch("/?v=1.0.0", None).await;
    assert_eq!(page.header("Cache-Control"), Some("no-cache"));
    assert_eq!(page.header("Access-Control-Allow-Origin"), None);
}
