//! Tests which endpoints a key may call by its permissions and its plan, in both API versions.

use axum::http::StatusCode;
use postduif::accounts::{CustomLimits, PlanName, Plans, Restrictions};

use crate::app::{Customer, TestApp};

/// The endpoint name by which a plan may exclude an endpoint, and a path of that endpoint. Source: contract.md, section Endpoints.
const PATHS: [(&str, &str); 6] = [
    ("lookup", "/v3/lookup/1234AB/29"),
    ("addresses", "/v1/addresses?postcode=1234AB"),
    ("address", "/v1/addresses/1424200000000001"),
    ("postcodes", "/v1/postcodes/1234AB"),
    ("autocomplete", "/v1/autocomplete?q=dijk"),
    ("reverse", "/v1/reverse?lat=52.3276543&lon=5.04"),
];

const NOT_IN_PLAN: &str = r#"{"title":"Endpoint not available for this plan"}"#;

fn customer_without(endpoints: &str) -> Customer {
    let plans: Plans = format!(r#"{{"pro":{{"without":[{endpoints}]}}}}"#)
        .parse()
        .expect("a table of plans");
    Customer {
        plan: plans
            .resolve(PlanName::Pro, CustomLimits::default())
            .expect("fixed numbers"),
        restrictions: Restrictions::default(),
    }
}

#[tokio::test]
async fn only_endpoints_missing_from_the_plan_answer_403() {
    for (without, closed) in PATHS {
        let app = TestApp::village_for_customer(customer_without(&format!("{without:?}")));
        let refused = app.get(closed).await;
        let headers =
            ["X-RateLimit-Remaining", "X-Quota-Remaining"].map(|name| refused.header(name));
        assert_eq!(headers, [Some("50"), Some("100000")], "{closed}");
        match without {
            "lookup" => refused.assert_v3_error(403, NOT_IN_PLAN),
            _ => refused.assert_v1_error(403, "plan_upgrade_required"),
        }
        for (_, path) in PATHS.iter().filter(|(_, path)| *path != closed) {
            let reply = app.get(path).await;
            assert_eq!(reply.status, StatusCode::OK, "{path} without {without}");
        }
    }
}

#[tokio::test]
async fn the_plan_is_checked_before_the_parameters_and_not_in_the_sandbox() {
    let app = TestApp::village_for_customer(customer_without(r#""lookup", "validate", "bulk""#));
    app.get("/v3/lookup/12/a")
        .await
        .assert_v3_error(403, NOT_IN_PLAN);
    for path in ["/v1/validate", "/v1/bulk/lookup"] {
        app.post(path, "no JSON")
            .await
            .assert_v1_error(403, "plan_upgrade_required");
    }
    let body = r#"{"addresses":[{"postcode":"6545CA","number":29}]}"#;
    assert_eq!(
        app.post_sandbox("/v1/bulk/lookup", body).await.status,
        StatusCode::OK
    );
    let found = app
        .sandbox("/v3/lookup/6545CA/29", Some(app.test_key()))
        .await;
    assert_eq!(found.status, StatusCode::OK);
}

#[tokio::test]
async fn sandbox_answers_show_an_unused_quota() {
    let app = TestApp::village_on_plan(PlanName::Free);
    let reply = app
        .sandbox("/v3/lookup/6545CA/29", Some(app.test_key()))
        .await;
    let headers = ["X-Quota-Limit", "X-Quota-Remaining"].map(|name| reply.header(name));
    assert_eq!(headers, [Some("-1"), Some("-1")]);
    assert_eq!(reply.header("X-RateLimit-Limit"), Some("3"));
}
