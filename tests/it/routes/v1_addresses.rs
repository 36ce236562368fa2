//! Tests `GET /v1/addresses` and `GET /v1/addresses/{bagId}`.

use serde_json::Value;

use crate::app::{Reply, TestApp};

const DIJK_29: &str = r#"{"id":"1424200000000001","postcode":"1234AB","number":29,"letter":null,"addition":null,"street":"Dijk","city":"'s-Ginds","municipality":"Súdwest","province":"Fryslân","location":{"type":"Point","coordinates":[5.04,52.3276543]},"purposes":["woonfunctie","overige gebruiksfunctie"],"surface":84,"constructionYear":1904,"type":"verblijfsobject"}"#;
const DIJK_12_A_1: &str = r#"{"id":"1424200000000004","postcode":"1234AB","number":12,"letter":"A","addition":"1","street":"Dijk","city":"'s-Ginds","municipality":"Súdwest","province":"Fryslân","location":{"type":"Point","coordinates":[5.04,52.3276543]},"purposes":["woonfunctie","overige gebruiksfunctie"],"surface":84,"constructionYear":1904,"type":"verblijfsobject"}"#;
const BERTH: &str = r#"{"id":"1424200000000012","postcode":"1234AC","number":1,"letter":null,"addition":null,"street":"Dijk","city":"'s-Ginds","municipality":"Súdwest","province":"Fryslân","location":{"type":"Point","coordinates":[5.04,52.3276543]},"purposes":[],"surface":null,"constructionYear":null,"type":"ligplaats"}"#;
const BOX_7: &str = r#"{"id":"0000130000000007","postcode":"1300AA","number":7,"letter":null,"addition":null,"street":"Postbus","city":"Elders","municipality":"Elders","province":"Utrecht","location":null,"purposes":[],"surface":null,"constructionYear":null,"type":"postbus"}"#;
const NOTHING: &str = r#"{"data":[],"meta":{"count":0}}"#;

#[tokio::test]
async fn a_list_matches_the_contract_to_the_byte() {
    let app = TestApp::village();
    app.get("/v1/addresses?postcode=1234AB&number=29")
        .await
        .assert_found(&format!(r#"{{"data":[{DIJK_29}],"meta":{{"count":1}}}}"#));
    app.get("/v1/addresses?postcode=1234AB&number=12&letter=A&addition=1")
        .await
        .assert_found(&format!(
            r#"{{"data":[{DIJK_12_A_1}],"meta":{{"count":1}}}}"#
        ));
    app.get("/v1/addresses?postcode=1300AA&number=7")
        .await
        .assert_found(&format!(r#"{{"data":[{BOX_7}],"meta":{{"count":1}}}}"#));
}

#[tokio::test]
async fn an_address_is_found_by_its_id() {
    let app = TestApp::village();
    for (id, body) in [
        ("1424200000000001", DIJK_29),
        ("1424200000000012", BERTH),
        ("0000130000000007", BOX_7),
        ("%31424200000000001", DIJK_29),
    ] {
        app.get(&format!("/v1/addresses/{id}"))
            .await
            .assert_found(&format!(r#"{{"data":{body}}}"#));
    }
}

#[tokio::test]
async fn an_unknown_id_is_a_404() {
    let app = TestApp::village();
    for id in [
        "1424200000000099",
        "1",
        "142420000000000a",
        "%ff",
        "99999999999999999",
        "1424200000000001%20",
        "+",
    ] {
        app.get(&format!("/v1/addresses/{id}"))
            .await
            .assert_v1_error(404, "not_found");
    }
}

/// The number, letter and addition of each address in a list, such as `12 A 1`.
fn describe_rows(reply: &Reply) -> Vec<String> {
    let body: Value = serde_json::from_slice(&reply.body).expect("JSON");
    let rows = body["data"].as_array().expect("a list");
    assert_eq!(body["meta"]["count"], rows.len(), "{body}");
    let text = |value: &Value| value.as_str().map_or_else(|| "-".to_owned(), str::to_owned);
    rows.iter()
        .map(|row| {
            format!(
                "{} {} {}",
                row["number"],
                text(&row["letter"]),
                text(&row["addition"])
            )
        })
        .collect()
}

#[tokio::test]
async fn a_whole_postcode_is_listed_in_natural_order() {
    let reply = TestApp::village()
        .get("/v1/addresses?postcode=1234AB")
        .await;
    let expected = [
        "5 - -", "5 A -", "5 B -", "7 C -", "12 - 2", "12 - 10", "12 - bis", "12 A -", "12 A 1",
        "12 B -", "29 - -",
    ];
    assert_eq!(describe_rows(&reply), expected);
}

#[tokio::test]
#[rustfmt::skip]
async fn letter_and_addition_filter_the_list() {
    let app = TestApp::village();
    let case = async |query: &str, expected: &[&str]| {
        let reply = app
            .get(&format!("/v1/addresses?postcode=1234AB&{query}"))
            .await;
        assert_eq!(describe_rows(&reply), expected, "{query}");
    };
    case("number=12&letter=a", &["12 A -", "12 A 1"]).await;
    case("number=12&letter=A&addition=", &["12 A -", "12 A 1"]).await;
    case("number=12&addition=BIS", &["12 - bis"]).await;
    case("number=12&addition=A-1", &["12 A 1"]).await;
    case("number=12&addition=a+1", &["12 A 1"]).await;
    case("number=12&addition=a%2F1", &["12 A 1"]).await;
    case("number=12&letter=A1", &["12 A 1"]).await;
    case("number=12&addition=b", &["12 B -"]).await;
    case("number=12&letter=b&addition=is", &["12 - bis"]).await;
    case("number=12&letter=Z", &[]).await;
    case("letter=A", &["5 A -", "12 A -", "12 A 1"]).await;
    case("number=12&letter=&addition=&letter=A", &["12 - 2", "12 - 10", "12 - bis", "12 A -", "12 A 1", "12 B -"]).await;
}

#[tokio::test]
async fn form_input_is_accepted_in_common_spellings() {
    let app = TestApp::village();
    let whole = app.get("/v1/addresses?postcode=1234AB&number=29").await;
    for query in [
        "postcode=1234ab&number=29",
        "postcode=1234+ab&number=29",
        "postcode=%201234%20AB%20&number=+29+",
        "number=029&postcode=1234AB",
        "postcode=1234AB&number=29&number=30&postcode=x",
        "postcode=1234AB&number=29&unknown=1&&=&%ff=%ff",
    ] {
        let reply = app.get(&format!("/v1/addresses?{query}")).await;
        assert_eq!(reply.text(), whole.text(), "{query}");
    }
}

#[tokio::test]
async fn nothing_found_is_an_empty_list() {
    let app = TestApp::village();
    for query in [
        "postcode=9999ZZ",
        "postcode=1234AB&number=30",
        "postcode=0123AA&number=1",
        "postcode=1234SS",
    ] {
        app.get(&format!("/v1/addresses?{query}"))
            .await
            .assert_found(NOTHING);
    }
}

#[tokio::test]
async fn an_invalid_postcode_is_rejected() {
    let app = TestApp::village();
    for query in [
        "",
        "?",
        "?postcode",
        "?postcode=",
        "?postcode=1234",
        "?postcode=1234A%C3%9F",
        "?number=29",
        "?Postcode=1234AB",
    ] {
        app.get(&format!("/v1/addresses{query}"))
            .await
            .assert_v1_error(400, "invalid_postcode");
    }
    app.get("/v1/addresses?postcode=x&number=x")
        .await
        .assert_v1_error(400, "invalid_postcode");
}

#[tokio::test]
async fn an_invalid_house_number_is_rejected() {
    let app = TestApp::village();
    for number in [
        "", "%20", "29a", "-1", "0", "100000", "1.0", "1e2", "%ff", "2+9", "%2B29",
    ] {
        app.get(&format!("/v1/addresses?postcode=1234AB&number={number}"))
            .await
            .assert_v1_error(400, "invalid_number");
    }
}
