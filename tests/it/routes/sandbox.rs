//! Checks the sandbox: it gives the same answers with every served generation, on its own listener and below `/api`.

use postduif_schema::Address;

use crate::addresses::{house, postcode};
use crate::app::TestApp;

const FIXED: [(&str, &str); 4] = [
    (
        "6545CA/29",
        r#"{"postcode":"6545CA","number":29,"street":"Waldeck Pyrmontsingel","city":"Nijmegen","municipality":"Nijmegen","province":"Gelderland","location":{"type":"Point","coordinates":[5.8696099,51.841554]}}"#,
    ),
    (
        "1021JT/19",
        r#"{"postcode":"1021JT","number":19,"street":"Hamerstraat","city":"Amsterdam","municipality":"Amsterdam","province":"Noord-Holland","location":{"type":"Point","coordinates":[4.9194527,52.3862912]}}"#,
    ),
    (
        "5038EA/17",
        r#"{"postcode":"5038EA","number":17,"street":"Stationsstraat","city":"Tilburg","municipality":"Tilburg","province":"Noord-Brabant","location":{"type":"Point","coordinates":[5.0836614,51.5598283]}}"#,
    ),
    (
        "3030AC/100",
        r#"{"postcode":"3030AC","number":100,"street":"Postbus","city":"Leusden","municipality":"Leusden","province":"Utrecht","location":null}"#,
    ),
];

#[tokio::test]
async fn sandbox_pairs_match_the_contract_to_the_byte_without_a_generation() {
    let app = TestApp::empty();
    for (pair, body) in FIXED {
        app.sandbox(&format!("/v3/lookup/{pair}"), Some(app.test_key()))
            .await
            .assert_found(body);
    }
}

#[tokio::test]
async fn documented_sandbox_errors_are_returned() {
    let app = TestApp::empty();
    let number = r#"{"name":"number","reason":"should be integer"}"#;
    let postcode =
        r#"{"name":"postcode","reason":"should match pattern \"^[0-9]{4}[a-zA-Z]{2}$\""}"#;
    for (pair, wrong) in [
        ("6545CA/29a", number.to_owned()),
        ("6545C/29", postcode.to_owned()),
        ("6545C/29a", format!("{postcode},{number}")),
    ] {
        let body = format!(r#"{{"title":"Request validation failed","invalidParams":[{wrong}]}}"#);
        app.sandbox(&format!("/v3/lookup/{pair}"), Some(app.test_key()))
            .await
            .assert_v3_error(400, &body);
    }
    let unlisted = app
        .sandbox("/v3/lookup/6545CA/299", Some(app.test_key()))
        .await;
    unlisted.assert_v3_error(404, r#"{"title":"Resource not found"}"#);
}

#[tokio::test]
async fn v1_works_in_the_sandbox() {
    let app = TestApp::empty();
    let body = r#"{"id":"9999200000000001","postcode":"6545CA","number":29,"letter":null,"addition":null,"street":"Waldeck Pyrmontsingel","city":"Nijmegen","municipality":"Nijmegen","province":"Gelderland","location":{"type":"Point","coordinates":[5.8696099,51.841554]},"purposes":["woonfunctie"],"surface":100,"constructionYear":1970,"type":"verblijfsobject"}"#;
    let key = Some(app.test_key());
    app.sandbox("/v1/addresses/9999200000000001", key)
        .await
        .assert_found(&format!(r#"{{"data":{body}}}"#));
    let list = app
        .sandbox("/v1/addresses?postcode=6545CA&number=29", key)
        .await;
    list.assert_found(&format!(r#"{{"data":[{body}],"meta":{{"count":1}}}}"#));
    let summary = r#"{"data":{"postcode":"3030AC","street":"Postbus","city":"Leusden","municipality":"Leusden","province":"Utrecht","location":null,"addressCount":1,"numberRange":{"min":100,"max":100},"isPoBox":true}}"#;
    app.sandbox("/v1/postcodes/3030AC", key)
        .await
        .assert_found(summary);
    let postbus = app.sandbox("/v1/addresses/9999200000000004", key).await;
    assert!(
        postbus.text().contains(r#""number":100"#)
            && postbus.text().contains(r#""type":"postbus""#)
    );
}

#[tokio::test]
async fn under_api_the_key_selects_live_or_sandbox() {
    let binderskampweg = Address {
        postcode: postcode("6545CA"),
        street: "Binderskampweg".into(),
        ..house(29, ("", ""), 1)
    };
    let app = TestApp::from_addresses(&[binderskampweg]);
    let path = "/api/v3/lookup/6545CA/29";
    app.send(axum::http::Method::GET, path, Some(app.test_key()))
        .await
        .assert_found(FIXED[0].1);
    let live = app.get(path).await;
    assert!(live.text().contains("Binderskampweg"), "{}", live.text());
    assert_eq!(app.get("/v3/lookup/6545CA/29").await.text(), live.text());
}

#[tokio::test]
async fn the_sandbox_listener_has_no_api_prefix() {
    let app = TestApp::empty();
    let reply = app
        .sandbox("/api/v3/lookup/6545CA/29", Some(app.test_key()))
        .await;
    reply.assert_v3_error(404, r#"{"title":"Resource not found"}"#);
}
