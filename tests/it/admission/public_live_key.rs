//! Tests the public live key: which pages may use the key, which endpoints they may call and how often, and when the test page
//! contains the key.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderName, HeaderValue, Method, Request};
use postduif::accounts::PUBLIC_LIVE_KEY;

use crate::app::{Reply, TestApp, post};

const LOOKUP: &str = "/v3/lookup/1234AB/29";
const VALIDATE: &str = "/v1/validate";
const ENTERED: &str = r#"{"postcode":"1234AB","number":29}"#;
const META: &str = "name=\"public-live-key\"";

/// The header that a browser adds to a request from a page of the service itself.
const OWN_PAGE: (&str, &str) = ("Sec-Fetch-Site", "same-origin");

fn app() -> TestApp {
    let app = TestApp::village();
    app.set_public_live_key(true);
    app
}

fn get(path: &str) -> Request<Body> {
    let request = Request::get(path).header("X-Api-Key", PUBLIC_LIVE_KEY);
    request.body(Body::empty()).expect("a request")
}

fn with_headers(mut request: Request<Body>, headers: &[(&'static str, &str)]) -> Request<Body> {
    for (name, value) in headers {
        let value = HeaderValue::from_str(value).expect("a value");
        let name = HeaderName::try_from(*name).expect("a name");
        request.headers_mut().insert(name, value);
    }
    request
}

/// Sends a GET with the public live key, as a page of the service does.
async fn get_as_page(app: &TestApp, path: &str) -> Reply {
    app.send_raw(with_headers(get(path), &[OWN_PAGE])).await
}

/// The headers that a browser adds to a POST from a page of `host`. A POST has an `Origin` even if it goes to the origin of the
/// page.
fn page_of(host: &str) -> [(&'static str, &str); 2] {
    [OWN_PAGE, ("Origin", host)]
}

#[tokio::test]
async fn the_key_is_unknown_unless_it_is_enabled() {
    let app = TestApp::village();
    get_as_page(&app, "/v1/postcodes/1234AB")
        .await
        .assert_v1_error(401, "invalid_api_key");
    app.set_public_live_key(true);
    assert_eq!(get_as_page(&app, LOOKUP).await.status.as_u16(), 200);
    app.set_public_live_key(false);
    assert_eq!(get_as_page(&app, LOOKUP).await.status.as_u16(), 401);
}

#[tokio::test]
async fn a_page_of_the_service_may_use_every_endpoint_but_bulk() {
    let app = app();
    let paths = [
        LOOKUP,
        "/v1/addresses?postcode=1234AB&number=29",
        "/v1/postcodes/1234AB",
        "/v1/autocomplete?q=dijk",
        "/v1/reverse?lat=52&lon=5",
    ];
    for path in paths {
        for prefix in ["", "/api"] {
            let reply = get_as_page(&app, &format!("{prefix}{path}")).await;
            assert_eq!(reply.status.as_u16(), 200, "{path}: {}", reply.text());
            let own = app.get(path).await;
            assert_eq!(reply.text(), own.text(), "the register, not the sandbox");
            assert_eq!(reply.header("X-Quota-Limit"), Some("-1"));
            assert_eq!(reply.header("X-Quota-Remaining"), Some("-1"));
            assert_eq!(reply.header("X-RateLimit-Limit"), Some("200"));
        }
    }
    let lines = format!(r#"{{"addresses":[{ENTERED}]}}"#);
    let bulk = post("/v1/bulk/lookup", Some(PUBLIC_LIVE_KEY), lines);
    let bulk = app.send_raw(with_headers(bulk, &[OWN_PAGE])).await;
    assert_eq!(bulk.header("X-Quota-Limit"), Some("-1"));
    bulk.assert_v1_error(403, "plan_upgrade_required");
}

/// The `Origin` of a POST has the host that the browser sees. The proxy may send another host in `Host`.
#[tokio::test]
async fn a_page_of_the_service_may_post_even_behind_a_proxy() {
    let app = app();
    let hosts = [
        ("http://127.0.0.1:8080", "127.0.0.1:8080"),
        ("https://post.example.org", "post.example.org"),
        ("https://post.example.org", "backend:8080"),
    ];
    for (page, host) in hosts {
        for path in [VALIDATE, "/api/v1/validate"] {
            let request = post(path, Some(PUBLIC_LIVE_KEY), ENTERED);
            let request = with_headers(request, &page_of(page));
            let request = with_headers(request, &[("Host", host)]);
            let reply = app.send_raw(request).await;
            assert_eq!(reply.status.as_u16(), 200, "{page} {}", reply.text());
            assert!(reply.text().contains(r#""valid":true"#), "{}", reply.text());
        }
    }
}

#[tokio::test]
async fn other_pages_programs_and_the_sandbox_get_a_401() {
    let app = app();
    let unknown = app.send(Method::GET, LOOKUP, None).await;
    let shop = ("Origin", "https://shop.example.org");
    let site = |site| ("Sec-Fetch-Site", site);
    let others: [&[(&'static str, &str)]; 6] = [
        &[],
        &[shop],
        &[shop, site("cross-site")],
        &[shop, site("same-site")],
        &[site("none")],
        &[("Origin", "null"), site("cross-site")],
    ];
    for headers in others {
        let reply = app.send_raw(with_headers(get(LOOKUP), headers)).await;
        assert_eq!(reply.status.as_u16(), 401, "{headers:?}");
        assert_eq!(reply.text(), unknown.text());
        assert_eq!(reply.header("Access-Control-Allow-Origin"), None);
        assert_eq!(reply.header("X-RateLimit-Limit"), None);
        let entered = post(VALIDATE, Some(PUBLIC_LIVE_KEY), ENTERED);
        let entered = app.send_raw(with_headers(entered, headers)).await;
        assert_eq!(entered.status.as_u16(), 401, "{headers:?}");
    }
    let sandbox = app.sandbox(LOOKUP, Some(PUBLIC_LIVE_KEY)).await;
    assert_eq!(sandbox.status.as_u16(), 401);
}

#[tokio::test]
async fn the_121st_call_of_a_minute_from_one_ip_is_refused() {
    let app = app();
    let from = async |ip: &str| {
        let mut request = with_headers(get(LOOKUP), &[OWN_PAGE]);
        let peer = SocketAddr::new(ip.parse().expect("an IP"), 4711);
        request.extensions_mut().insert(ConnectInfo(peer));
        app.send_raw(request).await
    };
    for (first, neighbour, other) in [
        ("192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"),
        ("2001:db8:0:7::1", "2001:db8:0:7:ffff::2", "2001:db8:0:8::1"),
    ] {
        for _ in 0..120 {
            assert_eq!(from(first).await.status.as_u16(), 200);
            app.clock().advance(Duration::from_millis(150));
        }
        let refused = from(neighbour).await;
        // The first call was 18 seconds ago, and counts for 60 to 62 seconds.
        let wait = refused.header("Retry-After").expect("a 429 has it");
        let wait_s = wait.parse().expect("seconds");
        assert!((42..=44).contains(&wait_s), "{wait_s}");
        refused.assert_v3_error(429, r#"{"title":"Rate limit exceeded"}"#);
        assert_eq!(from(other).await.status.as_u16(), 200);
        app.clock().advance(Duration::from_secs(wait_s));
        assert_eq!(from(first).await.status.as_u16(), 200);
    }
}

#[tokio::test]
async fn the_test_page_contains_the_key_only_while_the_key_is_enabled() {
    let app = app();
    let page = async |etag: Option<&str>| {
        let headers: Vec<_> = etag
            .map(|etag| ("If-None-Match", etag))
            .into_iter()
            .collect();
        let request = Request::get("/").body(Body::empty()).expect("a request");
        app.send_raw(with_headers(request, &headers)).await
    };
    let with_key = page(None).await;
    let meta = format!("<meta {META} content=\"{PUBLIC_LIVE_KEY}\">");
    assert_eq!(with_key.text().matches(&meta).count(), 1);
    let etag = with_key.header("ETag").expect("a tag");
    assert_eq!(page(Some(etag)).await.status.as_u16(), 304);
    app.set_public_live_key(false);
    let without_key = page(Some(etag)).await;
    assert_eq!(
        without_key.status.as_u16(),
        200,
        "the cached page is out of date"
    );
    assert!(!without_key.text().contains(META));
    assert_ne!(without_key.header("ETag"), Some(etag));
    app.set_public_live_key(true);
    assert_eq!(page(Some(etag)).await.status.as_u16(), 304);
}
