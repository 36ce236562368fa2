//! Tests `GET /v1/autocomplete`.

use axum::http::{Method, StatusCode};
use serde_json::Value;

use crate::addresses::{house, village};
use crate::app::{Reply, TestApp};
use postduif_schema::Address;

/// The addresses of the test village, one more street, and an address whose addition has digits and letters.
fn places() -> Vec<Address> {
    let bornsesteeg = Address {
        postcode: "6708GA".parse().expect("a postcode"),
        street_id: "0289300000000001".parse().ok(),
        street: "Bornsesteeg".into(),
        city: "Wageningen".into(),
        municipality: "Wageningen".into(),
        province: "Gelderland".into(),
        ..house(1, ("", "5A3"), 99)
    };
    let mut places = village();
    places.retain(|address| ["Dijk", "Postbus"].contains(&&*address.street));
    places.push(bornsesteeg);
    places
}

#[tokio::test]
async fn each_kind_of_suggestion_matches_the_contract_to_the_byte() {
    let app = TestApp::from_addresses(&places());
    let case = async |query: &str, suggestion: &str, meta: &str| {
        let reply = app.get(&format!("/v1/autocomplete?{query}&limit=1")).await;
        reply.assert_found(&format!(
            r#"{{"data":[{suggestion}],"meta":{{"count":1,{meta},"limit":1}}}}"#
        ));
    };
    case(
        "q=bornsest",
        r#"{"type":"street","label":"Bornsesteeg, Wageningen","value":"Bornsesteeg, Wageningen ","postcode":null,"street":"Bornsesteeg","city":"Wageningen","id":null}"#,
        r#""query":"bornsest","type":"all""#,
    )
    .await;
    case(
        "q=%20Wagen+",
        r#"{"type":"city","label":"Wageningen","value":"Wageningen ","postcode":null,"street":null,"city":"Wageningen","id":null}"#,
        r#""query":"Wagen","type":"all""#,
    )
    .await;
    case(
        "q=Bornsesteeg+1&type=address",
        r#"{"type":"address","label":"Bornsesteeg 1-5A3, 6708GA Wageningen","value":"Bornsesteeg 1-5A3, 6708GA Wageningen","postcode":"6708GA","street":"Bornsesteeg","city":"Wageningen","id":"1424200000000099"}"#,
        r#""query":"Bornsesteeg 1","type":"address""#,
    )
    .await;
    case(
        "q=postbus%209001&type=all",
        r#"{"type":"address","label":"Postbus 9001, 1300AA Elders","value":"Postbus 9001, 1300AA Elders","postcode":"1300AA","street":"Postbus","city":"Elders","id":"0000130000009001"}"#,
        r#""query":"postbus 9001","type":"all""#,
    )
    .await;
    case(
        "q=1234%20ac&type=street",
        r#"{"type":"street","label":"Dijk, 1234AC 's-Ginds","value":"Dijk, 1234AC 's-Ginds ","postcode":"1234AC","street":"Dijk","city":"'s-Ginds","id":null}"#,
        r#""query":"1234 ac","type":"street""#,
    )
    .await;
    case(
        "q=%E2%80%99s-gi&type=city",
        r#"{"type":"city","label":"'s-Ginds","value":"'s-Ginds ","postcode":null,"street":null,"city":"'s-Ginds","id":null}"#,
        r#""query":"’s-gi","type":"city""#,
    )
    .await;
}

#[tokio::test]
async fn nothing_found_is_an_empty_list() {
    let app = TestApp::from_addresses(&places());
    #[rustfmt::skip]
    let cases = [
        ("q=xyzzy", r#""query":"xyzzy","type":"all","limit":10"#),
        ("q=xyzzy&type=city&limit=3", r#""query":"xyzzy","type":"city","limit":3"#),
        ("q=9999ZZ", r#""query":"9999ZZ","type":"all","limit":10"#),
        ("q=--", r#""query":"--","type":"all","limit":10"#),
        ("q=%22%5C%09%22", r#""query":"\"\\\t\"","type":"all","limit":10"#),
    ];
    for (query, meta) in cases {
        app.get(&format!("/v1/autocomplete?{query}"))
            .await
            .assert_found(&format!(r#"{{"data":[],"meta":{{"count":0,{meta}}}}}"#));
    }
}

fn body(reply: &Reply) -> Value {
    serde_json::from_slice(&reply.body).expect("JSON")
}

/// The type and label of each suggestion in a list.
#[track_caller]
fn describe_rows(reply: &Reply) -> Vec<String> {
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
    let body = body(reply);
    let rows = body["data"].as_array().expect("a list");
    assert_eq!(body["meta"]["count"], rows.len(), "{body}");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    rows.iter()
        .map(|row| format!("{} {}", text(&row["type"]), text(&row["label"])))
        .collect()
}

#[tokio::test]
async fn the_type_parameter_selects_the_kind_of_suggestion() {
    let app = TestApp::from_addresses(&places());
    let case = async |query: &str, expected: &[&str]| {
        let found = app.get(&format!("/v1/autocomplete?{query}")).await;
        assert_eq!(describe_rows(&found), expected, "{query}");
    };
    let all = ["city Wageningen", "street Bornsesteeg, Wageningen"];
    case("q=wageningen", &all).await;
    case("q=wageningen&type=all", &all).await;
    case("q=wageningen&type=city", &all[..1]).await;
    let street = [
        "street Bornsesteeg, Wageningen",
        "address Bornsesteeg 1-5A3, 6708GA Wageningen",
    ];
    case("q=bornsesteeg+wag", &street).await;
    case("q=bornsesteeg+wag&type=street", &street[..1]).await;
    case("q=bornsesteeg+wag&type=address", &street[1..]).await;
    case("q=bornsesteeg+wag&type=city", &[]).await;
    case("q=bornsesteeg+1&type=street", &street[..1]).await;
    case("q=6708GA&type=city", &all[..1]).await;
    case("q=6708GA&type=address", &street[1..]).await;
    case("q=wageningen&unknown=1&q=dijk&type=city&type=x", &all[..1]).await;
}

#[tokio::test]
async fn a_query_of_fewer_than_two_characters_is_rejected() {
    let app = TestApp::village();
    for query in [
        "", "?type=city", "?q=", "?q", "?q=a", "?q=%C3%A9", "?q=%F0%9F%95%8A", "?q=++",
        "?q=%20%20%20%20", "?q=%09%0A", "?q=%C2%A0%E2%80%83", "?q=+a+", "?q=%ff", "?Q=dijk",
        "?q=&q=dijk",
    ] {
        app.get(&format!("/v1/autocomplete{query}"))
            .await
            .assert_v1_error(400, "invalid_query");
    }
    for query in ["ab", "%C3%A9%C3%A9", "%F0%9F%95%8A%F0%9F%95%8A", "+a+b+"] {
        let reply = app.get(&format!("/v1/autocomplete?q={query}")).await;
        assert_eq!(reply.status, StatusCode::OK, "{query}");
    }
}

#[tokio::test]
async fn an_unknown_type_is_rejected() {
    let app = TestApp::village();
    for kind in [
        "", "%20", "town", "All", "CITY", "+city", "city%20", "all,city", "null", "%ff",
    ] {
        app.get(&format!("/v1/autocomplete?q=dijk&type={kind}"))
            .await
            .assert_v1_error(400, "invalid_type");
    }
    // If a request has several errors, the answer names the error of `q`.
    app.get("/v1/autocomplete?q=d&type=x&limit=x")
        .await
        .assert_v1_error(400, "invalid_query");
}

#[tokio::test]
async fn a_limit_is_clamped_to_its_bounds() {
    let app = TestApp::village();
    let case = async |limit: &str, expected: usize| {
        let found = body(&app.get(&format!("/v1/autocomplete?q=dijk+12{limit}")).await);
        // Number 12 has six addresses, so a limit above six returns six suggestions.
        let count = expected.min(6);
        assert_eq!(
            (&found["meta"]["limit"], &found["meta"]["count"]),
            (&expected.into(), &count.into()),
            "{limit}"
        );
        assert_eq!(found["data"].as_array().map(Vec::len), Some(count));
    };
    let long = "9".repeat(400);
    case("", 10).await;
    for limit in 1..=10 {
        case(&format!("&limit={limit}"), limit).await;
    }
    case("&limit=0", 1).await;
    case("&limit=-1", 1).await;
    case(&format!("&limit=-{long}"), 1).await;
    case("&limit=11", 10).await;
    case(&format!("&limit={long}"), 10).await;
    case("&limit=+3+", 3).await;
    case("&limit=%2B3", 3).await;
    case("&limit=003&limit=x", 3).await;
}

#[tokio::test]
async fn a_limit_that_is_not_a_whole_number_is_rejected() {
    let app = TestApp::village();
    for limit in [
        "", "%20", "x", "5.0", "1e1", "-", "%2B", "--5", "NaN", "%ff", "%D9%A7",
    ] {
        let reply = app
            .get(&format!("/v1/autocomplete?q=dijk&limit={limit}"))
            .await;
        reply.assert_v1_error(400, "invalid_query");
        assert!(reply.text().contains("limit"), "{}", reply.text());
    }
}

#[tokio::test]
#[rustfmt::skip]
async fn the_sandbox_suggests_its_own_addresses() {
    let app = TestApp::village();
    let key = Some(app.test_key());
    let case = async |query: &str, expected: &[&str]| {
        let path = format!("/v1/autocomplete?q={query}");
        assert_eq!(
            describe_rows(&app.sandbox(&path, key).await),
            expected,
            "{query}"
        );
        let fallback = app.send(Method::GET, &format!("/api{path}"), key).await;
        assert_eq!(describe_rows(&fallback), expected, "{query}");
        let live = describe_rows(&app.get(&path).await);
        let leaked = expected
            .iter()
            .any(|one| live.iter().any(|other| other == one));
        assert!(!leaked, "{query}: {live:?}");
    };
    case("hamerstr", &["street Hamerstraat, Amsterdam", "address Hamerstraat 19, 1021JT Amsterdam"]).await;
    case("tilburg", &["city Tilburg", "street Stationsstraat, Tilburg"]).await;
    case("waldeck%20pyrmontsingel%2029%20nijmegen", &["address Waldeck Pyrmontsingel 29, 6545CA Nijmegen"]).await;
    case("postbus+100+leusden", &["address Postbus 100, 3030AC Leusden"]).await;
    case("3030AC", &["street Postbus, 3030AC Leusden", "address Postbus 100, 3030AC Leusden"]).await;
    let postbus = r#"{"data":[{"type":"address","label":"Postbus 100, 3030AC Leusden","value":"Postbus 100, 3030AC Leusden","postcode":"3030AC","street":"Postbus","city":"Leusden","id":"9999200000000004"}],"meta":{"count":1,"query":"postbus 100 leusden","type":"address","limit":10}}"#;
    app.sandbox("/v1/autocomplete?q=postbus+100+leusden&type=address", key)
        .await
        .assert_found(postbus);
}
