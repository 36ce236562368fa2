//! Tests `POST /v1/bulk/lookup`.

use axum::http::StatusCode;
use postduif::accounts::PlanName;
use serde_json::Value;

use crate::app::{Reply, TestApp};

const PATH: &str = "/v1/bulk/lookup";
const DIJK_29: &str = r#"{"id":"1424200000000001","postcode":"1234AB","number":29,"letter":null,"addition":null,"street":"Dijk","city":"'s-Ginds","municipality":"Súdwest","province":"Fryslân","location":{"type":"Point","coordinates":[5.04,52.3276543]},"purposes":["woonfunctie","overige gebruiksfunctie"],"surface":84,"constructionYear":1904,"type":"verblijfsobject"}"#;

fn pro() -> TestApp {
    TestApp::village()
}

fn body(lines: &[&str]) -> String {
    format!(r#"{{"addresses":[{}]}}"#, lines.join(","))
}

/// The addresses of a bulk request with `count` lines. The house numbers are 1 to `count`.
fn numbered(count: usize) -> String {
    let lines: Vec<String> = (1..=count)
        .map(|number| format!(r#"{{"postcode":"1234AB","number":{number}}}"#))
        .collect();
    body(&lines.iter().map(String::as_str).collect::<Vec<_>>())
}

fn parsed(reply: &Reply) -> Value {
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
    serde_json::from_slice(&reply.body).expect("JSON")
}

#[tokio::test]
async fn an_answer_matches_the_contract_to_the_byte() {
    let reply = pro()
        .post(
            PATH,
            body(&[
                r#"{"postcode":"1234 ab","number":29,"letter":null,"addition":null}"#,
                r#"{"postcode":"1234AB","number":30}"#,
                r#"{"postcode":"1234","number":29}"#,
                r#"{"postcode":"1234AB","number":"29"}"#,
            ]),
        )
        .await;
    reply.assert_found(&format!(
        r#"{{"data":[{{"index":0,"postcode":"1234AB","number":29,"found":true,"error":null,"address":{DIJK_29}}},{{"index":1,"postcode":"1234AB","number":30,"found":false,"error":"not_found","address":null}},{{"index":2,"postcode":null,"number":29,"found":false,"error":"invalid_postcode","address":null}},{{"index":3,"postcode":"1234AB","number":null,"found":false,"error":"invalid_number","address":null}}],"meta":{{"requested":4,"found":1,"billableCalls":4}}}}"#
    ));
}

#[tokio::test]
#[rustfmt::skip]
async fn every_line_has_its_own_error() {
    let app = pro();
    let case =
        async |line: &str, postcode: Option<&str>, number: Option<u64>, error: Option<&str>| {
            let reply = app.post(PATH, body(&[line])).await;
            let result = &parsed(&reply)["data"][0];
            assert_eq!(result["postcode"].as_str(), postcode, "{line}");
            assert_eq!(result["number"].as_u64(), number, "{line}");
            assert_eq!(result["error"].as_str(), error, "{line}");
            assert_eq!(result["found"], error.is_none(), "{line}");
            assert_eq!(result["address"].is_object(), error.is_none(), "{line}");
        };
    let (ab, not_found) = (Some("1234AB"), Some("not_found"));
    let (bad_postcode, bad_number) = (Some("invalid_postcode"), Some("invalid_number"));
    case(r#"{"postcode":"1234AB","number":29.0}"#, ab, Some(29), None).await;
    case(r#"{"postcode":"9999ZZ","number":1}"#, Some("9999ZZ"), Some(1), not_found).await;
    case(r#"{"postcode":"0123AA","number":1}"#, Some("0123AA"), Some(1), not_found).await;
    case("{}", None, None, bad_postcode).await;
    for postcode in [
        "null",
        "1234",
        "\"\"",
        "[\"1234AB\"]",
        r#""1234A\ud800""#,
        "\"1234ABC\"",
    ] {
        let line = format!(r#"{{"postcode":{postcode},"number":29}}"#);
        case(&line, None, Some(29), bad_postcode).await;
    }
    for number in [
        "null", "0", "-1", "29.5", "100000", "1e400", "\"29\"", "true", "{}",
    ] {
        let line = format!(r#"{{"postcode":"1234AB","number":{number}}}"#);
        case(&line, ab, None, bad_number).await;
    }
    case(r#"{"number":29}"#, None, Some(29), bad_postcode).await;
    case(r#"{"postcode":"1234AB"}"#, ab, None, bad_number).await;
    case(r#"{"postcode":"x","number":"x"}"#, None, None, bad_postcode).await;
    case(r#"{"postcode":"1234AB","number":29,"number":29}"#, ab, None, bad_number).await;
    case(r#"{"postcode":null,"number":29,"postcode":"1234AB"}"#, None, Some(29), bad_postcode).await;
    case(r#"{"postcode":"1234AB","number":29,"unknown":1,"unknown":1}"#, ab, Some(29), None).await;
    case(r#"{"postcode":"1234AB","number":12,"letter":"A","letter":"A"}"#, ab, Some(12), bad_number).await;
    for addition in ["true", "[2]", "2.0", "-2", "1e0", r#""\ud800""#] {
        let line = format!(r#"{{"postcode":"1234AB","number":12,"addition":{addition}}}"#);
        case(&line, ab, Some(12), bad_number).await;
    }
    case(r#"{"postcode":"1234AB","number":12,"addition":3}"#, ab, Some(12), not_found).await;
    case(r#"{"postcode":"1234AB","number":12,"letter":"Z"}"#, ab, Some(12), not_found).await;
}

#[tokio::test]
async fn letter_and_addition_filter_and_the_preferred_address_is_returned() {
    let app = pro();
    let case = async |line: &str, id: u64| {
        let reply = app
            .post(PATH, body(&[&format!(r#"{{"postcode":"1234AB",{line}}}"#)]))
            .await;
        let found = parsed(&reply)["data"][0]["address"]["id"].clone();
        assert_eq!(found, format!("142420{id:010}"), "{line}");
    };
    case(r#""number":5"#, 10).await;
    case(r#""number":5,"letter":"a""#, 9).await;
    case(r#""number":12,"letter":"A""#, 6).await;
    case(r#""number":12,"letter":"a","addition":"1""#, 4).await;
    case(r#""number":12,"addition":"a-1""#, 4).await;
    case(r#""number":12,"letter":"A","addition":1"#, 4).await;
    case(r#""number":12,"letter":"","addition":" ""#, 5).await;
    case(r#""number":7"#, 11).await;
}

#[tokio::test]
async fn a_thousand_lines_are_answered_in_order_and_one_more_is_rejected() {
    let app = pro();
    let most = parsed(&app.post(PATH, numbered(1_000)).await);
    let lines = most["data"].as_array().expect("a list");
    for (index, line) in lines.iter().enumerate() {
        assert_eq!(
            (&line["index"], &line["number"]),
            (&index.into(), &(index + 1).into())
        );
        assert_eq!(
            line["found"] == true,
            [5, 7, 12, 29].contains(&(index + 1)),
            "{line}"
        );
    }
    assert_eq!(
        most["meta"].to_string(),
        r#"{"requested":1000,"found":4,"billableCalls":1000}"#
    );
    let more = app.post(PATH, numbered(1_001)).await;
    more.assert_v1_error(422, "too_many_items");
    assert!(
        more.text().contains("1000 ") && more.text().contains("1001"),
        "{}",
        more.text()
    );
}

#[tokio::test]
async fn the_plan_limits_the_number_of_lines() {
    for (plan, most) in [
        (PlanName::Starter, 25),
        (PlanName::Klein, 100),
        (PlanName::Standaard, 250),
        (PlanName::Plus, 500),
        (PlanName::Pro, 1_000),
    ] {
        let app = TestApp::village_on_plan(plan);
        assert_eq!(
            parsed(&app.post(PATH, numbered(most)).await)["meta"]["requested"],
            most
        );
        let more = app.post(PATH, numbered(most + 1)).await;
        more.assert_v1_error(422, "too_many_items");
        let (allowed, actual) = (most.to_string(), (most + 1).to_string());
        assert!(
            more.text().contains(&allowed) && more.text().contains(&actual),
            "{}",
            more.text()
        );
    }
}

#[tokio::test]
async fn a_plan_without_bulk_is_a_403_for_any_body() {
    let app = TestApp::village_on_plan(PlanName::Free);
    for sent in [numbered(1), String::new(), "x".repeat((1 << 20) + 1)] {
        app.post(PATH, sent)
            .await
            .assert_v1_error(403, "plan_upgrade_required");
    }
}

#[tokio::test]
async fn the_sandbox_accepts_a_thousand_lines_for_every_plan() {
    let app = TestApp::village();
    let sandbox = body(&[
        r#"{"postcode":"6545CA","number":29}"#,
        r#"{"postcode":"1234AB","number":29}"#,
    ]);
    let reply = parsed(&app.post_sandbox(PATH, sandbox).await);
    assert_eq!(
        reply["data"][0]["address"]["street"],
        "Waldeck Pyrmontsingel"
    );
    assert_eq!(reply["data"][1]["error"], "not_found");
    assert_eq!(
        app.post_sandbox(PATH, numbered(1_000)).await.status,
        StatusCode::OK
    );
    app.post_sandbox(PATH, numbered(1_001))
        .await
        .assert_v1_error(422, "too_many_items");
}

#[tokio::test]
async fn a_body_that_is_not_a_list_of_objects_is_rejected() {
    let app = pro();
    for sent in [
        r#"{"addresses":[]}"#,
        r#"{"addresses":null}"#,
        r#"{"addresses":{}}"#,
        r#"{"addresses":"1234AB 29"}"#,
        r#"{"addresses":[1]}"#,
        r#"{"addresses":[null]}"#,
        r#"{"addresses":[["1234AB",29]]}"#,
        r#"{"addresses":[{"postcode":"1234AB","number":29},"1234AB 29"]}"#,
        r#"{"addresses":[{"postcode":"1234AB","number":29}],"addresses":[]}"#,
        r#"{"Addresses":[{"postcode":"1234AB","number":29}]}"#,
        r#"[[{"postcode":"1234AB","number":29}]]"#,
        r#"[{"postcode":"1234AB","number":29}]"#,
    ] {
        app.post(PATH, sent)
            .await
            .assert_v1_error(400, "invalid_payload");
    }
}

#[tokio::test]
async fn the_error_of_a_malformed_body_names_the_place() {
    let app = TestApp::village();
    for (sent, fault) in [
        (
            r#"{"addresses":[{"number":29},]}"#,
            "(trailing comma at line 1 column 29)",
        ),
        (
            r#"{"addresses":[{"number":29},3]}"#,
            "(addresses[1] is not an object)",
        ),
        (r#"{"addresses":[]}"#, "(addresses is empty)"),
        ("addresses=1", "(expected value at line 1 column 1)"),
    ] {
        let reply = app.post(PATH, sent).await;
        reply.assert_v1_error(400, "invalid_payload");
        assert!(reply.text().contains(fault), "{}", reply.text());
    }
    let long = format!(r#"{{"addresses":"{}"}}"#, "x".repeat(100_000));
    let reply = app.post(PATH, long).await;
    assert!(reply.body.len() < 1_000, "{} bytes", reply.body.len());
}
