//! Tests `POST /v1/validate`.

use axum::http::StatusCode;
use postduif_schema::Address;
use serde_json::{Value, json};

use crate::addresses::{house, postcode};
use crate::app::TestApp;

const PATH: &str = "/v1/validate";
const DIJK_29: &str = r#"{"id":"1424200000000001","postcode":"1234AB","number":29,"letter":null,"addition":null,"street":"Dijk","city":"'s-Ginds","municipality":"Súdwest","province":"Fryslân","location":{"type":"Point","coordinates":[5.04,52.3276543]},"purposes":["woonfunctie","overige gebruiksfunctie"],"surface":84,"constructionYear":1904,"type":"verblijfsobject"}"#;
const BOX_7: &str = r#"{"id":"0000130000000007","postcode":"1300AA","number":7,"letter":null,"addition":null,"street":"Postbus","city":"Elders","municipality":"Elders","province":"Utrecht","location":null,"purposes":[],"surface":null,"constructionYear":null,"type":"postbus"}"#;

fn result(valid: bool, [reason, address, corrections, suggestion]: [&str; 4]) -> String {
    format!(
        r#"{{"data":{{"valid":{valid},"reason":{reason},"address":{address},"corrections":{corrections},"suggestion":{suggestion}}}}}"#
    )
}

#[tokio::test]
#[rustfmt::skip]
async fn every_reason_matches_the_contract_to_the_byte() {
    let app = TestApp::village();
    let case = async |sent: &str, expected: String| {
        app.post(PATH, sent.to_owned())
            .await
            .assert_found(&expected)
    };
    let none = "null";
    case(
        r#"{"postcode":"1234 ab","number":29,"letter":null,"addition":null,"street":" DIJK ","city":"'S-ginds"}"#,
        result(true, [none, DIJK_29, "{}", none]),
    )
    .await;
    case(
        r#"{"postcode":"1234AB","number":29,"street":"Kade","city":"Elders"}"#,
        result(
            false,
            [
                r#""field_mismatch""#,
                DIJK_29,
                r#"{"street":"Dijk","city":"'s-Ginds"}"#,
                none,
            ],
        ),
    )
    .await;
    case(r#"{"postcode":"1234AB","number":30}"#, result(false, [r#""number_not_found""#, none, "{}", DIJK_29])).await;
    case(r#"{"postcode":"1324AB","number":29}"#, result(false, [r#""postcode_not_found""#, none, "{}", DIJK_29])).await;
    case(r#"{"postcode":"13OOAA","number":7}"#, result(false, [r#""invalid_postcode""#, none, "{}", BOX_7])).await;
    case(r#"{"postcode":"12345","number":29}"#, result(false, [r#""invalid_postcode""#, none, "{}", none])).await;
    case(r#"{"postcode":"9999ZZ","number":29}"#, result(false, [r#""not_found""#, none, "{}", none])).await;
}

/// The answer of a validation: whether it is valid, the reason, the id of the found address, the corrections, and the id of the
/// suggestion. Only the last digits of the ids are kept.
#[track_caller]
fn parse_result(body: &[u8]) -> (bool, String, u64, String, u64) {
    let body: Value = serde_json::from_slice(body).expect("JSON");
    let result = &body["data"];
    let id = |address: &Value| -> u64 {
        let id = address["id"].as_str().map_or("0", |id| &id[6..]);
        id.parse().expect("digits")
    };
    (
        result["valid"].as_bool().expect("a bool"),
        result["reason"].as_str().unwrap_or_default().to_owned(),
        id(&result["address"]),
        result["corrections"].to_string(),
        id(&result["suggestion"]),
    )
}

async fn check(app: &TestApp, sent: &Value) -> (bool, String, u64, String, u64) {
    let reply = app.post(PATH, sent.to_string()).await;
    assert_eq!(reply.status, StatusCode::OK, "{sent}: {}", reply.text());
    parse_result(&reply.body)
}

#[tokio::test]
async fn names_are_compared_leniently_and_only_wrong_ones_are_corrected() {
    let app = TestApp::village();
    let case = async |names: Value, corrections: Value| {
        let mut sent = json!({"postcode": "1234AB", "number": 29});
        for (name, value) in names.as_object().expect("an object") {
            sent[name] = value.clone();
        }
        let (valid, reason, found, corrected, suggested) = check(&app, &sent).await;
        assert_eq!(corrected, corrections.to_string(), "{sent}");
        let right = corrections == json!({});
        assert_eq!(
            (valid, reason.as_str()),
            (right, if right { "" } else { "field_mismatch" })
        );
        assert_eq!((found, suggested), (1, 0), "{sent}");
    };
    case(json!({"street": "d i j k"}), json!({})).await;
    case(json!({"city": "'s - GINDS"}), json!({})).await;
    case(json!({"street": "", "city": "  "}), json!({})).await;
    case(json!({"street": null, "city": null}), json!({})).await;
    case(
        json!({"street": "Dijk", "city": "Elders"}),
        json!({"city": "'s-Ginds"}),
    )
    .await;
    case(json!({"street": "Dijkje"}), json!({"street": "Dijk"})).await;
    case(json!({"street": "Dijk 29"}), json!({"street": "Dijk"})).await;
    case(json!({"city": "Súdwest"}), json!({"city": "'s-Ginds"})).await;
}

#[tokio::test]
async fn an_everyday_name_of_a_city_is_valid() {
    let hague = Address {
        city: "'s-Gravenhage".into(),
        ..house(1, ("", ""), 1)
    };
    let app = TestApp::from_addresses(&[hague]);
    for (city, valid) in [
        ("Den Haag", true),
        ("denhaag", true),
        ("'s-Gravenhage", true),
        ("Haag", false),
    ] {
        let sent = json!({"postcode": "1234AB", "number": 1, "city": city});
        assert_eq!(check(&app, &sent).await.0, valid, "{city}");
    }
}

#[tokio::test]
#[rustfmt::skip]
async fn names_select_one_of_several_addresses() {
    let app = TestApp::village();
    let case = async |sent: Value, reason: &str, found: u64| {
        let result = check(&app, &sent).await;
        assert_eq!((result.1.as_str(), result.2), (reason, found), "{sent}");
    };
    let at_5 = |street: &str| json!({"postcode": "1234AB", "number": 5, "street": street});
    // The exact number 5 comes before 5A and 5B, although number 5 is planned and the others are in use.
    case(json!({"postcode": "1234AB", "number": 5}), "", 8).await;
    case(at_5("winkel"), "", 9).await;
    case(at_5("gepland"), "", 8).await;
    case(at_5("Kade"), "field_mismatch", 8).await;
    let a = json!({"postcode": "1234AB", "number": 5, "letter": "A", "street": "Woning"});
    case(a, "field_mismatch", 9).await;
    case(json!({"postcode": "1234AB", "number": 12, "addition": "a-1"}), "", 4).await;
    case(json!({"postcode": "1234AB", "number": 7}), "", 11).await;
}

#[tokio::test]
async fn the_nearest_number_is_suggested() {
    let addresses = [(2, 2), (8, 8), (11, 11), (15, 15), (20, 20)];
    let addresses = addresses.map(|(number, serial)| house(number, ("", ""), serial));
    let app = TestApp::from_addresses(&addresses);
    for (number, nearest) in [
        (1, 2),
        (4, 2),
        (6, 8),
        (13, 11),
        (9, 8),
        (10, 11),
        (5, 2),
        (17, 15),
        (99_999, 20),
    ] {
        let sent = json!({"postcode": "1234AB", "number": number});
        let expected = (
            false,
            "number_not_found".to_owned(),
            0,
            "{}".to_owned(),
            nearest,
        );
        assert_eq!(check(&app, &sent).await, expected, "{number}");
    }
}

#[tokio::test]
async fn a_tie_is_broken_by_parity_and_then_by_the_lower_number() {
    let app = TestApp::from_addresses(
        &[3, 5, 8, 10].map(|number| house(number, ("", ""), number.into())),
    );
    for (number, nearest) in [(4, 3), (9, 8), (6, 5)] {
        let sent = json!({"postcode": "1234AB", "number": number});
        assert_eq!(check(&app, &sent).await.4, nearest, "{number}");
    }
}

#[tokio::test]
async fn an_unknown_letter_or_addition_suggests_the_nearest_at_that_number() {
    let app = TestApp::village();
    let case = async |letter: &str, addition: &str, nearest: u64| {
        let sent =
            json!({"postcode": "1234AB", "number": 12, "letter": letter, "addition": addition});
        let expected = (
            false,
            "number_not_found".to_owned(),
            0,
            "{}".to_owned(),
            nearest,
        );
        assert_eq!(check(&app, &sent).await, expected, "{letter} {addition}");
    };
    case("C", "", 2).await;
    case("A", "3", 4).await;
    case("", "3", 5).await;
    case("", "9", 3).await;
    case("", "bi", 7).await;
    case("", "ter", 7).await;
}

#[tokio::test]
async fn a_postcode_that_does_not_exist_is_corrected() {
    let place = |text, street: &str, number, serial: u64| Address {
        postcode: postcode(text),
        street: street.into(),
        street_id: format!("142430{serial:010}").parse().ok(),
        ..house(number, ("", ""), serial)
    };
    let app = TestApp::from_addresses(&[
        place("1234AB", "Dijk", 1, 1),
        place("1234AC", "Kade", 1, 2),
        place("1234BA", "Laan", 3, 3),
        place("1243AD", "Plein", 2, 4),
        place("8234AB", "Singel", 9, 5),
    ]);
    let case =
        async |typed: &str, number: u32, street: Option<&str>, reason: &str, suggested: u64| {
            let sent = json!({"postcode": typed, "number": number, "street": street});
            let result = check(&app, &sent).await;
            assert_eq!((result.1.as_str(), result.4), (reason, suggested), "{sent}");
        };
    let not_found = "postcode_not_found";
    // A postcode with the typed street is preferred, even if that street lacks the number.
    case("1234AD", 1, Some("Kade"), not_found, 2).await;
    case("1234AD", 1, Some("laan"), not_found, 3).await;
    // Without a street, candidates are compared by these criteria in turn: whether the postcode has the number, whether it differs
    // only by a swap of two characters, the number of characters that differ, and the lower postcode.
    case("1234AD", 3, None, not_found, 3).await;
    case("1234AD", 2, None, not_found, 4).await;
    case("1234AD", 1, None, not_found, 1).await;
    case("1234AD", 50, None, not_found, 4).await;
    case("1234AD", 1, Some("Elders"), not_found, 1).await;
    case("5678XY", 1, None, "not_found", 0).await;
    // A text with a letter in place of a digit, or a digit in place of a letter, is not a postcode. It may still be corrected to
    // one.
    case("B234AB", 9, None, "invalid_postcode", 5).await;
    case("I234A8", 1, None, "invalid_postcode", 1).await;
    case("1234 A 8", 1, None, "invalid_postcode", 1).await;
    case("l23aAB", 1, None, "invalid_postcode", 1).await;
    case("l2eaAB", 1, None, "invalid_postcode", 0).await;
}

#[tokio::test]
async fn the_sandbox_validates_its_own_addresses() {
    let app = TestApp::village();
    let sent = json!({"postcode": "6545CB", "number": 29}).to_string();
    let (valid, reason, _, _, suggested) = parse_result(&app.post_sandbox(PATH, sent).await.body);
    assert_eq!(
        (valid, reason.as_str(), suggested),
        (false, "postcode_not_found", 1)
    );
}

#[tokio::test]
async fn an_impossible_number_is_rejected() {
    let app = TestApp::village();
    for number in [
        "0",
        "-0",
        "-1",
        "29.5",
        "0.5",
        "1e-1",
        "100000",
        "1e400",
        "-1e400",
        "99999999999999999999",
    ] {
        let sent = format!(r#"{{"postcode":"x","number":{number}}}"#);
        app.post(PATH, sent)
            .await
            .assert_v1_error(400, "invalid_number");
    }
    for number in ["29.0", "2.9e1", "290e-1"] {
        let sent = format!(r#"{{"postcode":"1234AB","number":{number}}}"#);
        app.post(PATH, sent)
            .await
            .assert_found(&result(true, ["null", DIJK_29, "{}", "null"]));
    }
}

#[tokio::test]
async fn a_number_may_be_a_text_with_letter_and_addition() {
    let app = TestApp::village();
    for number in ["29", " 29 ", "29-"] {
        let sent = json!({"postcode": "1234AB", "number": number});
        app.post(PATH, sent.to_string())
            .await
            .assert_found(&result(true, ["null", DIJK_29, "{}", "null"]));
    }
    for number in ["", "x", "a29", "0", "-29", "29.5", "29,5", "100000"] {
        let sent = json!({"postcode": "1234AB", "number": number});
        app.post(PATH, sent.to_string())
            .await
            .assert_v1_error(400, "invalid_number");
    }
}

#[tokio::test]
async fn the_error_names_the_field() {
    let app = TestApp::village();
    for field in ["postcode", "number", "letter", "addition", "street", "city"] {
        let mut sent = json!({"postcode": "1234AB", "number": 29});
        sent[field] = json!(true);
        let reply = app.post(PATH, sent.to_string()).await;
        let message = format!("\"message\":\"{field} must be");
        assert!(reply.text().contains(&message), "{}", reply.text());
    }
}

#[tokio::test]
async fn a_missing_or_wrongly_typed_field_is_rejected() {
    let app = TestApp::village();
    let sound = json!({"postcode": "1234AB", "number": 29, "letter": "A", "addition": "1", "street": "Dijk", "city": "X"});
    for field in ["postcode", "number"] {
        let mut sent = sound.clone();
        sent[field] = Value::Null;
        app.post(PATH, sent.to_string())
            .await
            .assert_v1_error(400, "invalid_payload");
        sent.as_object_mut().expect("an object").remove(field);
        app.post(PATH, sent.to_string())
            .await
            .assert_v1_error(400, "invalid_payload");
    }
    for (field, _) in sound.as_object().expect("an object") {
        let numeric = field == "number";
        for wrong in [
            json!(true),
            json!([]),
            json!({}),
            if numeric { Value::Null } else { json!(1) },
        ] {
            let mut sent = sound.clone();
            sent[field] = wrong;
            app.post(PATH, sent.to_string())
                .await
                .assert_v1_error(400, "invalid_payload");
        }
    }
    for sent in [
        r#"{"postcode":"1234AB","number":29,"number":29}"#,
        r#"{"postcode":"1234AB","number":29,"city":"\ud800"}"#,
        r#"{"postcode":"1234AB","number":29,"street":"a	b"}"#,
        r#"{"postcode":"1234AB","number":029}"#,
        r#"["1234AB",29,null,null,null,null]"#,
    ] {
        app.post(PATH, sent)
            .await
            .assert_v1_error(400, "invalid_payload");
    }
}

#[tokio::test]
async fn punctuation_in_the_postcode_and_digits_in_the_street_are_corrected() {
    let street = "Dorpsstraat".into();
    let app = TestApp::from_addresses(&[Address {
        street,
        ..house(29, ("", ""), 1)
    }]);
    for sent in [
        json!({"postcode": "NL 1234.AB", "number": 29}),
        json!({"postcode": "", "number": 29, "street": "D0rps5traat", "city": "'s-Ginds"}),
    ] {
        let (_, reason, _, _, suggested) = check(&app, &sent).await;
        assert_eq!((&*reason, suggested), ("invalid_postcode", 1), "{sent}");
    }
}
