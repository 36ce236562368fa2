//! Checks the served OpenAPI description, which is available without a key: the fixed JSON file for programs, and a web page.

use axum::http::Method;

use super::{description, description_text, operations};
use crate::app::{Reply, TestApp};

#[tokio::test]
async fn programs_get_the_description_file_without_a_key() {
    let app = TestApp::empty();
    for path in ["/openapi.json", "/api/openapi.json"] {
        let reply = app.send(Method::GET, path, None).await;
        assert_eq!(
            (reply.status.as_u16(), reply.text()),
            (200, &*description_text()),
            "{path}"
        );
        assert_eq!(reply.header("Content-Type"), Some("application/json"));
        assert_eq!(reply.header("Access-Control-Allow-Origin"), Some("*"));
        let tag = reply.header("ETag").expect("a tag");
        let again = docs_with(&app, path, &[("If-None-Match", tag)]).await;
        assert_eq!((again.status.as_u16(), again.text()), (304, ""), "{path}");
    }
}

#[tokio::test]
async fn browsers_get_the_whole_description_in_both_languages() {
    let app = TestApp::empty();
    for page in ["/docs?lang=nl", "/docs?lang=en"] {
        assert_whole_page(&app.send(Method::GET, page, None).await);
    }
}

#[track_caller]
fn assert_whole_page(reply: &Reply) {
    assert_eq!(reply.status.as_u16(), 200);
    let policy = reply.header("Content-Security-Policy").expect("a policy");
    assert!(
        policy.starts_with("default-src 'none';") && !policy.contains("unsafe"),
        "{policy}"
    );
    let page = reply.text();
    let scripts: Vec<&str> = page.matches("<script").collect();
    assert_eq!(scripts.len(), 1, "one script");
    assert!(page.contains("<script src=\"docs.js\"></script>"));
    for inline in ["<style", " style=", " onclick=", "http-equiv", "//cdn"] {
        assert!(!page.contains(inline), "{inline}");
    }
    assert_describes_all(page);
    for code in CODES {
        assert!(page.contains(&format!("&quot;{code}&quot;")), "{code}");
    }
    assert!(page.contains("X-RateLimit-Remaining") && page.contains("Retry-After"));
}

const CODES: [&str; 5] = [
    "invalid_api_key",
    "plan_upgrade_required",
    "too_many_items",
    "quota_exceeded",
    "timeout",
];

#[track_caller]
fn assert_describes_all(page: &str) {
    let description = description();
    for (path, _, operation) in operations(&description) {
        let id = operation["operationId"].as_str().expect("an id");
        assert!(page.contains(path), "{path}");
        assert!(page.contains(&format!("<h3 id=\"{id}\">")), "{id}");
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().expect("a name");
            assert!(
                page.contains(&format!("<code>{name}</code>")),
                "{id} {name}"
            );
        }
    }
    let schemas = description["components"]["schemas"]
        .as_object()
        .expect("schemas");
    for name in schemas.keys() {
        assert!(page.contains(&format!("<h3 id=\"type-{name}\">")), "{name}");
    }
}

/// GETs a document with these headers.
async fn docs_with(app: &TestApp, path: &str, headers: &[(&str, &str)]) -> Reply {
    app.send_with_headers(Method::GET, path, headers).await
}

#[tokio::test]
async fn the_page_is_in_the_language_that_the_browser_asks_for() {
    let app = TestApp::empty();
    let nl = (
        "nl", "<html lang=\"nl\">", "API-documentatie", "Om te beginnen",
    );
    let en = (
        "en", "<html lang=\"en\">", "API documentation", "Getting started",
    );
    for (path, accepted, (tag, root, title, section)) in [
        ("/docs", "nl-NL,nl;q=0.9,en;q=0.8", nl),
        ("/docs", "en-GB,en;q=0.9,nl;q=0.8", en),
        ("/docs", "", nl),
        ("/docs?lang=en", "nl", en),
        ("/docs?lang=nl", "en", nl),
    ] {
        let reply = docs_with(&app, path, &[("Accept-Language", accepted)]).await;
        assert_eq!(reply.header("Content-Language"), Some(tag), "{path}");
        assert_eq!(
            reply.header("Vary"),
            Some("Accept-Encoding, Accept-Language")
        );
        for text in [root, title, section] {
            assert!(reply.text().contains(text), "{path} {accepted}: {text}");
        }
    }
}

#[tokio::test]
async fn a_browser_keeps_a_copy_of_each_language() {
    let app = TestApp::empty();
    let mut tags = std::collections::BTreeSet::new();
    for path in ["/docs?lang=nl", "/docs?lang=en"] {
        for coding in ["gzip", "identity"] {
            let accept = ("Accept-Encoding", coding);
            let reply = docs_with(&app, path, &[accept]).await;
            let tag = reply.header("ETag").expect("a tag").to_owned();
            let again = docs_with(&app, path, &[accept, ("If-None-Match", &tag)]).await;
            assert_eq!(again.status.as_u16(), 304, "{path} {coding}");
            assert_eq!(
                again.header("Content-Language"),
                reply.header("Content-Language")
            );
            tags.insert(tag);
        }
    }
    assert_eq!(tags.len(), 4, "{tags:?}");
}

/// Every link within the page has a target, and ids are unique.
#[tokio::test]
async fn links_of_the_description_page_resolve() {
    let app = TestApp::empty();
    let reply = app.send(Method::GET, "/docs", None).await;
    let after = |mark: &str| -> Vec<String> {
        let parts = reply.text().split(mark).skip(1);
        parts
            .map(|part| part.split('"').next().unwrap_or_default().to_owned())
            .collect()
    };
    let places = after(" id=\"");
    for link in after("href=\"") {
        match link.strip_prefix('#') {
            Some(place) => assert!(places.iter().any(|known| known == place), "{link}"),
            None => {
                let path = format!("/{}", link.trim_start_matches("./"));
                let status = app.send(Method::GET, &path, None).await.status;
                assert_eq!(status.as_u16(), 200, "{link}");
            }
        }
    }
    let once: std::collections::BTreeSet<&String> = places.iter().collect();
    assert_eq!(once.len(), places.len(), "{places:?}");
}
