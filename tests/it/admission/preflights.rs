//! Tests the answers to the preflight that a browser sends before a request with a key.

use axum::http::Method;

use crate::app::{Reply, TestApp};

async fn send_options(app: &TestApp, path: &str, headers: &[(&str, &str)]) -> Reply {
    app.send_with_headers(Method::OPTIONS, path, headers).await
}

#[tokio::test]
async fn a_preflight_needs_no_key_and_lists_the_allowed_methods() {
    let app = TestApp::village();
    for (path, method) in [
        ("/v3/lookup/1234AB/29", "GET"),
        ("/v1/autocomplete?q=a", "GET"),
        ("/api/v1/addresses", "GET"),
        ("/v1/validate", "POST"),
        ("/api/v1/bulk/lookup", "POST"),
    ] {
        let asked = [
            ("Origin", "https://shop.example.org"),
            ("Access-Control-Request-Method", "GET"),
        ];
        let reply = send_options(&app, path, &asked).await;
        assert_eq!(
            (reply.status.as_u16(), reply.body.len()),
            (204, 0),
            "{path}"
        );
        let headers = ["Origin", "Methods", "Headers"].map(|name| {
            reply
                .header(&format!("Access-Control-Allow-{name}"))
                .map(str::to_owned)
        });
        let expected = ["*", method, "X-Api-Key, Content-Type"];
        assert_eq!(
            headers.each_ref().map(Option::as_deref),
            expected.map(Some),
            "{path}"
        );
        assert_eq!(reply.header("Access-Control-Max-Age"), Some("86400"));
        assert_eq!(reply.request_id().get_version_num(), 7);
    }
}

#[tokio::test]
async fn a_plain_options_request_is_a_405_and_an_unknown_path_a_404() {
    let app = TestApp::village();
    let path = "/v1/autocomplete?q=a";
    let wrong = send_options(&app, path, &[("Origin", "https://shop.example.org")]).await;
    assert_eq!(wrong.header("Allow"), Some("GET,HEAD"));
    wrong.assert_v1_error(405, "method_not_allowed");
    let wrong = send_options(&app, path, &[("Access-Control-Request-Method", "GET")]).await;
    wrong.assert_v1_error(405, "method_not_allowed");
    let asked = [
        ("Origin", "https://shop.example.org"),
        ("Access-Control-Request-Method", "GET"),
    ];
    send_options(&app, "/v1/nowhere", &asked)
        .await
        .assert_v1_error(404, "not_found");
}
