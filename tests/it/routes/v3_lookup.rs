//! Tests `GET /v3/lookup/{postcode}/{number}`.

use crate::app::TestApp;

const DIJK_29: &str = r#"{"postcode":"1234AB","number":29,"street":"Dijk","city":"'s-Ginds","municipality":"Súdwest","province":"Fryslân","location":{"type":"Point","coordinates":[5.04,52.3276543]}}"#;

const BAD_POSTCODE: &str = r#"{"title":"Request validation failed","invalidParams":[{"name":"postcode","reason":"should match pattern \"^[0-9]{4}[a-zA-Z]{2}$\""}]}"#;
const BAD_NUMBER: &str = r#"{"title":"Request validation failed","invalidParams":[{"name":"number","reason":"should be integer"}]}"#;
const ZERO: &str = r#"{"title":"Request validation failed","invalidParams":[{"name":"number","reason":"should be >= 1"}]}"#;
const BAD_BOTH: &str = r#"{"title":"Request validation failed","invalidParams":[{"name":"postcode","reason":"should match pattern \"^[0-9]{4}[a-zA-Z]{2}$\""},{"name":"number","reason":"should be integer"}]}"#;
const NOT_FOUND: &str = r#"{"title":"Resource not found"}"#;

#[tokio::test]
async fn an_address_matches_the_contract_to_the_byte() {
    let app = TestApp::village();
    for path in [
        "/v3/lookup/1234AB/29",
        "/v3/lookup/1234ab/29",
        "/v3/lookup/1234aB/00029",
        "/v3/lookup/%31234AB/2%39",
    ] {
        app.get(path).await.assert_found(DIJK_29);
    }
    app.get("/v3/lookup/1234AB/29?number=30&x=%ff")
        .await
        .assert_found(DIJK_29);
}

#[tokio::test]
async fn a_post_office_box_has_no_coordinates() {
    let body = r#"{"postcode":"1300AA","number":9001,"street":"Postbus","city":"Elders","municipality":"Elders","province":"Utrecht","location":null}"#;
    TestApp::village()
        .get("/v3/lookup/1300AA/9001")
        .await
        .assert_found(body);
}

#[tokio::test]
async fn invalid_parameters_are_named() {
    let app = TestApp::village();
    for (path, body) in [
        ("1234AB/29a", BAD_NUMBER),
        ("1234AB/29-1", BAD_NUMBER),
        ("1234AB/-1", BAD_NUMBER),
        ("1234AB/+29", BAD_NUMBER),
        ("1234AB/29.0", BAD_NUMBER),
        ("1234AB/%2029", BAD_NUMBER),
        ("1234AB/29%00", BAD_NUMBER),
        ("1234AB/%ff", BAD_NUMBER),
        ("1234AB/%d9%a2", BAD_NUMBER),
        ("1234AB/100000", BAD_NUMBER),
        ("1234AB/99999999999999999999999", BAD_NUMBER),
        ("1234AB/0", ZERO),
        ("1234AB/000", ZERO),
        ("1234A/29", BAD_POSTCODE),
        ("1234ABC/29", BAD_POSTCODE),
        ("1234%20AB/29", BAD_POSTCODE),
        ("1234AB%20/29", BAD_POSTCODE),
        ("1234+AB/29", BAD_POSTCODE),
        ("12%2f4AB/29", BAD_POSTCODE),
        ("%ff/29", BAD_POSTCODE),
        ("%zz/29", BAD_POSTCODE),
        ("AB1234/29", BAD_POSTCODE),
        ("/29", BAD_POSTCODE),
        ("1234A/29a", BAD_BOTH),
    ] {
        app.get(&format!("/v3/lookup/{path}"))
            .await
            .assert_v3_error(400, body);
    }
}

#[tokio::test]
async fn a_valid_pair_without_an_address_is_a_404() {
    let app = TestApp::village();
    for path in [
        "1234AB/30", "1234AB/99999", "9999ZZ/29", "0123AA/1", "1234SS/1",
    ] {
        app.get(&format!("/v3/lookup/{path}"))
            .await
            .assert_v3_error(404, NOT_FOUND);
    }
}

#[tokio::test]
async fn the_preferred_of_several_addresses_is_returned() {
    let app = TestApp::village();
    let street = async |number: u32| {
        let reply = app.get(&format!("/v3/lookup/1234AB/{number}")).await;
        let body: serde_json::Value = serde_json::from_slice(&reply.body).expect("JSON");
        body["street"].as_str().expect("a street").to_owned()
    };
    assert_eq!(
        street(5).await,
        "Woning",
        "in use before planned, a dwelling before a shop"
    );
    assert_eq!(
        street(7).await,
        "Achterom",
        "a number that is there with a letter only"
    );
}
