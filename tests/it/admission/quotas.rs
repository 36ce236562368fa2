//! Tests billing periods on a clock that the test advances. The account was created on 2026-01-06.

use std::time::Duration;

use jiff::Timestamp;

use crate::app::{Customer, TestApp};

const PATH: &str = "/v1/postcodes/1234AB";

fn second(moment: &str) -> i64 {
    moment.parse::<Timestamp>().expect("a moment").as_second()
}

/// Advances the clock to this time.
fn move_to(app: &TestApp, moment: &str) {
    let left = second(moment) - app.clock().now().as_second();
    app.clock().advance(Duration::from_secs(
        u64::try_from(left).expect("a time in the future"),
    ));
}

#[tokio::test]
async fn a_quota_resets_exactly_at_its_announced_instant() {
    let app = TestApp::village_for_customer(Customer::with_limits(10, 1_000));
    for (begins, ends) in [
        ("2026-01-06T11:46:41Z", "2026-02-06T00:00:00Z"),
        ("2026-02-06T00:00:00Z", "2026-03-06T00:00:00Z"),
        ("2026-03-06T00:00:00Z", "2026-04-06T00:00:00Z"),
    ] {
        move_to(&app, begins);
        let reset = second(ends).to_string();
        for used in 1..=11 {
            let reply = app.get(PATH).await;
            let left = (10_i64 - used).max(0).to_string();
            let headers = ["Remaining", "Reset"]
                .map(|name| reply.header(&format!("X-Quota-{name}")).map(str::to_owned));
            assert_eq!(reply.status.as_u16(), 200, "{begins}: call {used}");
            assert_eq!(
                headers,
                [Some(left), Some(reset.clone())],
                "{begins}: call {used}"
            );
        }
        let end: Timestamp = ends.parse().expect("a moment");
        move_to(&app, &(end - Duration::from_secs(1)).to_string());
        let refused = app.get(PATH).await;
        assert_eq!(refused.header("Retry-After"), Some("1"), "{begins}");
        assert_eq!(refused.header("X-Quota-Reset"), Some(reset.as_str()));
        refused.assert_v1_error(429, "quota_exceeded");
    }
}

#[tokio::test]
async fn only_paid_plans_have_grace_and_every_call_is_counted() {
    let app = TestApp::village_for_customer(Customer::with_limits(10, 1_000));
    for (path, status) in [
        (PATH, 200),
        ("/v1/postcodes/12", 400),
        ("/v1/postcodes/9999ZZ", 404),
        ("/v3/lookup/1/x", 400),
    ] {
        let before = app.get("/v1/addresses/none").await;
        let left: i64 = before
            .header("X-Quota-Remaining")
            .and_then(|left| left.parse().ok())
            .expect("a number");
        let reply = app.get(path).await;
        assert_eq!(reply.status.as_u16(), status);
        assert_eq!(
            reply.header("X-Quota-Remaining"),
            Some((left - 1).to_string().as_str()),
            "{path}"
        );
    }
    // Eight calls are used. A POST with an invalid, missing or too long body counts as a call, too.
    for (body, status) in [("{", 400), ("", 400)] {
        assert_eq!(app.post("/v1/validate", body).await.status.as_u16(), status);
    }
    let last = app.get(PATH).await;
    assert_eq!(
        (last.status.as_u16(), last.header("X-Quota-Remaining")),
        (200, Some("0"))
    );
    app.get(PATH).await.assert_v1_error(429, "quota_exceeded");
    // Invalid parameters are reported even if the quota is used up. An unknown path costs no call.
    app.get("/v1/postcodes/12")
        .await
        .assert_v1_error(400, "invalid_postcode");
    app.get("/v1/addresses/none")
        .await
        .assert_v1_error(429, "quota_exceeded");
    app.get("/v1/nowhere")
        .await
        .assert_v1_error(404, "not_found");
}

#[tokio::test]
async fn a_5xx_answer_costs_no_call() {
    let app = TestApp::empty_for_customer(Customer::with_limits(10, 1_000));
    for _ in 0..3 {
        let reply = app.get(PATH).await;
        assert_eq!(reply.header("X-Quota-Remaining"), Some("10"));
        reply.assert_v1_error(503, "index_unavailable");
    }
    let headers = app
        .post("/v1/bulk/lookup", r#"{"addresses":[{},{},{}]}"#)
        .await;
    assert_eq!(headers.header("X-Quota-Remaining"), Some("10"));
}
