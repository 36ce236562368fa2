//! Tests the limit of calls per second, on a clock that the test advances.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use postduif::accounts::PlanName;

use crate::app::{BEGIN, Customer, Reply, TestApp};

const V1: &str = "/v1/postcodes/1234AB";
const V3: &str = "/v3/lookup/1234AB/29";

#[track_caller]
fn assert_rate(reply: &Reply, limit: u32, remaining: u32, reset: i64) {
    let headers = ["Limit", "Remaining", "Reset"].map(|name| -> i64 {
        let value = reply.header(&format!("X-RateLimit-{name}"));
        value
            .and_then(|value| value.parse().ok())
            .expect("a number")
    });
    assert_eq!(headers, [i64::from(limit), i64::from(remaining), reset]);
}

#[tokio::test]
async fn rate_headers_follow_the_token_bucket() {
    let app = TestApp::village_on_plan(PlanName::Free);
    for remaining in [2, 1, 0] {
        assert_rate(&app.get(V1).await, 3, remaining, BEGIN + 1);
    }
    let refused = app.get(V1).await;
    assert_rate(&refused, 3, 0, BEGIN + 1);
    assert_eq!(refused.header("Retry-After"), Some("1"));
    refused.assert_v1_error(429, "rate_limit_exceeded");
    let refused = app.get(V3).await;
    assert_eq!(refused.header("Retry-After"), Some("1"));
    refused.assert_v3_error(429, r#"{"title":"Rate limit exceeded"}"#);

    app.clock().advance(Duration::from_secs(1));
    let reply = app.get(V1).await;
    assert_rate(&reply, 3, 2, BEGIN + 2);
    assert_eq!(
        (reply.status, reply.header("Retry-After")),
        (StatusCode::OK, None)
    );
}

#[tokio::test]
async fn the_rate_is_checked_before_the_parameters() {
    let app = TestApp::village_on_plan(PlanName::Starter);
    for (path, status) in [
        ("/v1/postcodes/12", 400),
        ("/v1/postcodes/9999ZZ", 404),
        ("/v1/autocomplete?q=a", 400),
        ("/v3/lookup/1234AB/29a", 400),
        ("/v1/addresses/nothing", 404),
    ] {
        assert_eq!(app.get(path).await.status.as_u16(), status, "{path}");
    }
    for path in ["/v1/postcodes/12", "/v3/lookup/12/a"] {
        assert_eq!(app.get(path).await.status.as_u16(), 429, "{path}");
    }
}

#[tokio::test]
async fn requests_that_do_not_count_as_calls_cost_no_token() {
    let app = TestApp::village_on_plan(PlanName::Free);
    for (method, path, status) in [
        (Method::DELETE, V1, 405),
        (Method::GET, "/v1/nowhere", 404),
        (Method::POST, "/v1/bulk/lookup", 403),
    ] {
        for _ in 0..5 {
            let reply = app.send(method.clone(), path, Some(app.live_key())).await;
            assert_eq!(reply.status.as_u16(), status, "{path}");
        }
    }
    assert_rate(&app.get(V1).await, 3, 2, BEGIN + 1);
    assert_rate(
        &app.send(Method::HEAD, V1, Some(app.live_key())).await,
        3,
        1,
        BEGIN + 1,
    );
}

#[tokio::test]
async fn each_key_has_its_own_token_bucket() {
    let app = TestApp::village_for_customer(Customer::with_limits(1_000, 1));
    assert_eq!(app.get(V1).await.status, StatusCode::OK);
    assert_eq!(app.get(V1).await.status, StatusCode::TOO_MANY_REQUESTS);
    let sandbox = "/v3/lookup/6545CA/29";
    assert_eq!(
        app.sandbox(sandbox, Some(app.test_key())).await.status,
        StatusCode::OK
    );
    let refused = app.sandbox(sandbox, Some(app.test_key())).await;
    assert_rate(&refused, 1, 0, BEGIN + 1);
}

#[tokio::test]
async fn a_bulk_request_costs_one_token() {
    let app = TestApp::village_on_plan(PlanName::Starter);
    let body = format!(r#"{{"addresses":[{}{{}}]}}"#, "{},".repeat(19));
    assert_rate(&app.post("/v1/bulk/lookup", body).await, 5, 4, BEGIN + 1);
}

#[tokio::test]
async fn answers_without_a_known_key_have_no_rate_headers() {
    let app = TestApp::village();
    for (path, key) in [
        (V1, None),
        (V3, Some("x")),
        (V1, Some(app.test_key())),
        ("/nowhere", None),
    ] {
        let reply = app.send(Method::GET, path, key).await;
        let headers = reply
            .headers
            .keys()
            .filter(|name| name.as_str().starts_with("x-"));
        assert_eq!(headers.collect::<Vec<_>>(), ["x-request-id"], "{path}");
    }
}
