//! Checks errors that all paths share: refused keys, unknown paths, wrong methods. Random requests must get an answer without a
//! 5xx.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use postduif::accounts::Environment;
use proptest::prelude::*;

use crate::app::{Reply, TestApp, mint};

const PATHS: [&str; 6] = [
    "/v3/lookup/1234AB/29",
    "/v1/addresses?postcode=1234AB",
    "/v1/addresses/1424200000000001",
    "/v1/postcodes/1234AB",
    "/v1/reverse?lat=52.3276543&lon=5.04",
    "/v1/autocomplete?q=dijk",
];

fn is_v3(path: &str) -> bool {
    path.starts_with("/v3") || path.starts_with("/api/v3")
}

#[track_caller]
fn is_unauthorized(path: &str, reply: &Reply) {
    match is_v3(path) {
        true => reply.assert_v3_error(401, r#"{"title":"Invalid API key"}"#),
        false => reply.assert_v1_error(401, "invalid_api_key"),
    }
}

#[tokio::test]
async fn every_401_has_the_same_bytes() {
    let app = TestApp::village();
    let unknown = mint(Environment::Live);
    let mut mistyped = app.live_key().to_owned();
    mistyped.replace_range(
        20..21,
        if mistyped.as_bytes()[20] == b'a' {
            "b"
        } else {
            "a"
        },
    );
    let keys = [
        None,
        Some(""),
        Some("x"),
        Some("pd_live_"),
        Some(unknown.reveal()),
        Some(mistyped.as_str()),
        Some(app.test_key()),
    ];
    for path in PATHS {
        for key in keys {
            let reply = app.send(Method::GET, path, key).await;
            is_unauthorized(path, &reply);
            let names: Vec<&str> = reply
                .headers
                .keys()
                .map(axum::http::HeaderName::as_str)
                .collect();
            assert_eq!(
                names,
                ["content-type", "x-request-id", "content-length"],
                "{path} {key:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_key_works_only_in_its_environment() {
    let app = TestApp::village();
    for path in PATHS {
        is_unauthorized(
            path,
            &app.send(Method::GET, path, Some(app.test_key())).await,
        );
        is_unauthorized(path, &app.sandbox(path, Some(app.live_key())).await);
        let under_api = format!("/api{path}");
        assert_eq!(
            app.get(&under_api).await.status,
            StatusCode::OK,
            "{under_api}"
        );
        is_unauthorized(&under_api, &app.send(Method::GET, &under_api, None).await);
    }
}

#[tokio::test]
async fn an_unknown_path_is_a_404_without_a_key() {
    let app = TestApp::village();
    for path in [
        "/nowhere",
        "/v1",
        "/v1/",
        "/v1/addresses/",
        "/v1/addresses/1/2",
        "/v1/postcodes",
        "/v1/postcodes/",
        "/v2/lookup",
        "/api",
        "/api/",
        "/api/v1",
        "/v1/addresses/1424200000000001/",
        "/v1//addresses",
        "/V1/addresses",
        "//",
        "/v30/lookup/1234AB/29",
    ] {
        app.send(Method::GET, path, None)
            .await
            .assert_v1_error(404, "not_found");
    }
    for path in [
        "/v3",
        "/v3/",
        "/v3/lookup",
        "/v3/lookup/1234AB",
        "/v3/lookup/1234AB/",
        "/v3/lookup/1234AB/29/",
        "/api/v3",
        "/api/v3/lookup/1234AB",
    ] {
        app.send(Method::GET, path, None)
            .await
            .assert_v3_error(404, r#"{"title":"Resource not found"}"#);
    }
}

#[tokio::test]
async fn a_wrong_method_is_a_405_with_the_allowed_methods() {
    let app = TestApp::village();
    for path in PATHS
        .map(str::to_owned)
        .into_iter()
        .chain(PATHS.map(|path| format!("/api{path}")))
    {
        for method in [
            Method::POST,
            Method::PUT,
            Method::DELETE,
            Method::PATCH,
            Method::OPTIONS,
            Method::TRACE,
        ] {
            let reply = app.send(method, &path, None).await;
            match is_v3(&path) {
                true => reply.assert_v3_error(405, r#"{"title":"Method not allowed"}"#),
                false => reply.assert_v1_error(405, "method_not_allowed"),
            }
            assert_eq!(reply.header("Allow"), Some("GET,HEAD"), "{path}");
        }
    }
}

#[tokio::test]
async fn head_equals_get_without_a_body() {
    let app = TestApp::village();
    let paths = ["/v3/lookup/1234AB/29x", "/v1/addresses/1", "/nowhere"];
    for path in PATHS.into_iter().chain(paths) {
        let (get, head) = (
            app.get(path).await,
            app.send(Method::HEAD, path, Some(app.live_key())).await,
        );
        assert_eq!((head.status, head.body.len()), (get.status, 0), "{path}");
        for name in ["Content-Type", "Content-Length", "Cache-Control", "Vary"] {
            assert_eq!(head.header(name), get.header(name), "{path} {name}");
        }
        assert_ne!(head.request_id(), get.request_id());
    }
}

#[tokio::test]
async fn a_request_id_from_the_client_is_ignored() {
    let app = TestApp::village();
    let theirs = "01890a5d-ac96-774b-bcce-b302099a8057";
    let request = Request::get("/nowhere")
        .header("X-Request-Id", theirs)
        .body(Body::empty());
    let reply = app.send_raw(request.expect("a request")).await;
    assert_ne!(reply.request_id().to_string(), theirs);
}

#[tokio::test]
async fn look_ups_before_the_first_generation_are_a_503() {
    let app = TestApp::empty();
    for path in PATHS {
        let reply = app.get(path).await;
        match is_v3(path) {
            true => reply.assert_v3_error(503, r#"{"title":"Service unavailable"}"#),
            false => reply.assert_v1_error(503, "index_unavailable"),
        }
        assert_eq!(reply.header("Retry-After"), None, "{path}");
    }
    app.get("/v1/addresses?postcode=x")
        .await
        .assert_v1_error(400, "invalid_postcode");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn no_random_request_causes_a_5xx(
        path in prop_oneof![
            "/(api/)?v3/lookup/[ -~]{0,9}/[ -~]{0,9}",
            "/v1/(addresses|postcodes)/(%[0-9a-f]{2}|[!-~]){0,20}",
            "/v1/addresses\\?((postcode|number|letter|addition)=(1234AB|1300AA|12|(%[0-9a-fA-F]{2}|[!-~]){0,8})&){0,5}",
            "/v1/reverse\\?((lat|lon|radius|limit)=(-?[0-9]{0,3}\\.?[0-9]{0,9}|5[0-3]\\.3|(%[0-9a-fA-F]{2}|[!-~]){0,8})&){0,5}",
            "/v1/autocomplete\\?((q|type|limit)=(dijk|1234AB|12|city|(%[0-9a-fA-F]{2}|[!-~]){0,20})&){0,4}",
            // Exclude `/`, because it is a page.
            "/[!-\"$->@-~][!-~]{0,39}",
        ],
    ) {
        let Ok(request) = Request::get(path.replace(' ', "%20")).body(Body::empty()) else { return Ok(()) };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let (mut parts, body) = request.into_parts();
        APP.with(|app| {
            parts.headers.insert("X-Api-Key", app.live_key().parse().expect("visible ASCII"));
            let reply = runtime.block_on(app.send_raw(Request::from_parts(parts, body)));
            prop_assert!(!reply.status.is_server_error(), "{}: {}", path, reply.text());
            prop_assert!(serde_json::from_slice::<serde_json::Value>(&reply.body).is_ok(), "{}: {}", path, reply.text());
            Ok(())
        })?;
    }
}

thread_local! {
    static APP: TestApp = TestApp::village();
}
