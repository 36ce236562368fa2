//! Checks that all endpoints treat odd names and characters in the same way: v3, and lists, summaries, bulk, validation and
//! autocomplete of v1.
//!
//! Source: decisions.md, sections Parameters and Validation; for autocomplete the function `fold`.

mod names;

use axum::http::{Method, Request, StatusCode};
use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
use postduif_schema::Address;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::addresses::{house, postcode};
use crate::app::{Reply, TestApp, post};

/// Addresses whose street or town has several spellings, each address with its own postcode.
fn addresses() -> Vec<Address> {
    [
        ("2514GL", "Noordeinde", "'s-Gravenhage"),
        ("1091AA", "1e Oosterparkstraat", "Amsterdam"),
        ("1087BX", "IJburglaan", "Amsterdam"),
        ("3401AA", "Ĳsselveld", "IJsselstein"),
        ("1074TZ", "Daniël Stalpertstraat", "Amsterdam"),
        ("3931AA", "'t Hoekje", "Âld Hertenterp"),
    ]
    .into_iter()
    .zip(1..)
    .map(|((code, street, city), serial)| Address {
        postcode: postcode(code),
        street: street.into(),
        city: city.into(),
        street_id: format!("142430{serial:010}").parse().ok(),
        ..house(12, ("", ""), serial)
    })
    .collect()
}

fn app() -> TestApp {
    TestApp::from_addresses(&addresses())
}

fn encoded(bytes: &[u8]) -> String {
    percent_encode(bytes, NON_ALPHANUMERIC).to_string()
}

fn parsed(reply: &Reply) -> Value {
    serde_json::from_slice(&reply.body).expect("JSON")
}

async fn posted(app: &TestApp, path: &str, body: &Value) -> Value {
    let reply = app.post(path, body.to_string()).await;
    assert_eq!(reply.status, StatusCode::OK, "{body}: {}", reply.text());
    parsed(&reply)
}

/// Whether the v1 endpoints accept a text as a postcode. All of them must agree.
async fn accepts_postcode(app: &TestApp, text: &str) -> bool {
    let entered = json!({ "postcode": text, "number": 12 });
    let bulk = posted(app, "/v1/bulk/lookup", &json!({ "addresses": [entered] })).await;
    let checked = posted(app, "/v1/validate", &entered).await;
    let asked = encoded(text.as_bytes());
    let mut judged = vec![
        bulk["data"][0]["error"] != "invalid_postcode",
        checked["data"]["reason"] != "invalid_postcode",
    ];
    for path in [
        format!("/v1/addresses?postcode={asked}"),
        format!("/v1/addresses?number=12&postcode={asked}"),
        format!("/v1/postcodes/{asked}"),
    ] {
        // A path that ends in `/` has an empty segment, so it is no path of the API.
        if !(text.is_empty() && path.ends_with('/')) {
            judged.push(app.get(&path).await.status != StatusCode::BAD_REQUEST);
        }
    }
    let first = judged[0];
    assert!(
        judged.iter().all(|&one| one == first),
        "{text:?}: {judged:?}"
    );
    first
}

#[tokio::test]
async fn every_endpoint_accepts_the_same_postcodes() {
    let app = app();
    let taken = [
        "1091AA", "1091aa", " 1091 Aa ", "1 0 9 1 a a", "1091\tAA\n", "1091\u{a0}AA",
        "1091\u{2003}AA", "\u{3000}1091AA",
    ];
    let refused = [
        "",
        " ",
        "1091A",
        "1091AAA",
        "AA1091",
        "10-91AA",
        "1091.AA",
        "1091AA\0",
        "1091\0AA",
        "1091\u{200b}AA",
        "\u{feff}1091AA",
        "1091\u{200f}AA",
        "\u{202e}AA1901\u{202c}",
        "１０９１AA",
        "1091ＡＡ",
        "١٠٩١AA",
        "1091\u{410}\u{410}",
        "1091Åa",
        "1091A\u{30a}",
        "1091ıı",
        "1091ſſ",
        "1091ﬀ",
        "1091ß",
        "1091Ĳ",
        "①⓪⑨①AA",
        "1091A\u{1d400}",
        "1091🕊",
        "1091+AA",
        "1091%20AA",
        "'1091AA'",
        "NULL",
    ];
    for text in taken {
        assert!(accepts_postcode(&app, text).await, "{text:?}");
        let list = app
            .get(&format!(
                "/v1/addresses?postcode={}",
                encoded(text.as_bytes())
            ))
            .await;
        assert_eq!(
            parsed(&list)["data"][0]["street"],
            "1e Oosterparkstraat",
            "{text:?}"
        );
    }
    for text in refused {
        assert!(!accepts_postcode(&app, text).await, "{text:?}");
    }
    // v3 accepts no white space. It refuses every text that v1 refuses.
    for text in taken.iter().chain(&refused) {
        let path = format!("/v3/lookup/{}/12", encoded(text.as_bytes()));
        let plain = text.eq_ignore_ascii_case("1091AA");
        let status = if plain { 200 } else { 400 };
        assert_eq!(app.get(&path).await.status.as_u16(), status, "{text:?}");
    }
}

#[tokio::test]
async fn a_plus_means_a_space_only_in_a_query() {
    let app = app();
    for (path, status) in [
        ("/v1/addresses?postcode=1091+AA", 200),
        ("/v1/addresses?postcode=1091%20AA", 200),
        ("/v1/addresses?postcode=1091%2BAA", 400),
        ("/v1/addresses?postcode=1091AA&number=+12+", 200),
        ("/v1/addresses?postcode=1091AA&number=%2B12", 400),
        ("/v1/postcodes/1091%20AA", 200),
        ("/v1/postcodes/1091+AA", 400),
        ("/v3/lookup/1091+AA/12", 400),
        ("/v3/lookup/1091%20AA/12", 400),
        ("/v3/lookup/1091AA/+12", 400),
    ] {
        let reply = app.get(path).await;
        assert_eq!(reply.status.as_u16(), status, "{path}: {}", reply.text());
    }
    for query in ["1e+Oosterpark", "1e%20Oosterpark", "1e%2BOosterpark"] {
        assert_eq!(
            first_street_label(&app, query).await,
            "1e Oosterparkstraat, Amsterdam",
            "{query}"
        );
    }
}

/// The label of the first street that autocomplete suggests for a URL-encoded query.
async fn first_street_label(app: &TestApp, query: &str) -> String {
    let reply = app
        .get(&format!("/v1/autocomplete?type=street&q={query}"))
        .await;
    assert_eq!(reply.status, StatusCode::OK, "{query}: {}", reply.text());
    let label = parsed(&reply)["data"][0]["label"].clone();
    label.as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn letters_outside_the_registers_alphabet_match_no_address() {
    let app = TestApp::from_addresses(&[house(12, ("A", ""), 1), house(12, ("A", "1"), 2)]);
    for (odd, found) in [
        ("A", true),
        ("a", true),
        (" a ", true),
        ("a\u{a0}", true),
        ("Ａ", false),
        ("А", false),
        ("á", false),
        ("a\u{301}", false),
        ("ª", false),
        ("a\0", false),
        ("\u{200b}a", false),
        ("a\u{200f}", false),
        ("🅰", false),
    ] {
        for name in ["letter", "addition"] {
            let list = app
                .get(&format!(
                    "/v1/addresses?postcode=1234AB&number=12&{name}={}",
                    encoded(odd.as_bytes())
                ))
                .await;
            assert_eq!(
                parsed(&list)["meta"]["count"].as_u64() > Some(0),
                found,
                "{name} {odd:?}"
            );
            let entered = json!({ "postcode": "1234AB", "number": 12, name: odd });
            let bulk = posted(&app, "/v1/bulk/lookup", &json!({ "addresses": [entered] })).await;
            assert_eq!(bulk["data"][0]["found"], found, "{name} {odd:?}");
            let checked = posted(&app, "/v1/validate", &entered).await;
            assert_eq!(checked["data"]["valid"], found, "{name} {odd:?}");
        }
    }
}

/// Invalid UTF-8: half a surrogate pair, a byte that never occurs, a truncated sequence and an overlong sequence.
const INVALID_UTF8: [&[u8]; 5] = [
    b"\xed\xa0\x80", b"\xff", b"\xc3", b"\xc0\xaf", b"\xf4\x90\x80\x80",
];

#[tokio::test]
async fn invalid_utf8_is_rejected_with_the_parameters_name() {
    let app = app();
    for bytes in INVALID_UTF8 {
        let odd = encoded(bytes);
        let path = format!("/v3/lookup/1091{odd}/12");
        assert_eq!(
            app.get(&path).await.status,
            StatusCode::BAD_REQUEST,
            "{path}"
        );
        for path in [
            format!("/v1/postcodes/{odd}"),
            format!("/v1/addresses?postcode=1091AA{odd}"),
        ] {
            app.get(&path)
                .await
                .assert_v1_error(400, "invalid_postcode");
        }
        let path = format!("/v1/addresses?postcode=1091AA&number=12{odd}");
        app.get(&path).await.assert_v1_error(400, "invalid_number");
        let path = format!("/v1/addresses/{odd}");
        app.get(&path).await.assert_v1_error(404, "not_found");
        let path = format!("/v1/autocomplete?q=noordeinde{odd}");
        assert_eq!(app.get(&path).await.status, StatusCode::OK, "{path}");
        for (path, start) in [
            (
                "/v1/validate",
                r#"{"postcode":"1091AA","number":12,"street":""#,
            ),
            (
                "/v1/bulk/lookup",
                r#"{"addresses":[{"postcode":"1091AA","number":12,"letter":""#,
            ),
        ] {
            let body = [start.as_bytes(), bytes, b"\"}]}"].concat();
            app.post(path, body)
                .await
                .assert_v1_error(400, "invalid_payload");
        }
    }
    // Half a surrogate pair in JSON is an error in one line of a bulk request, and does not affect the other lines.
    let half = r#"{"postcode":"\ud800","number":12}"#;
    app.post("/v1/validate", half)
        .await
        .assert_v1_error(400, "invalid_payload");
    let whole = r#"{"postcode":"1091AA","number":12}"#;
    let reply = app
        .post(
            "/v1/bulk/lookup",
            format!(r#"{{"addresses":[{half},{whole}]}}"#),
        )
        .await;
    let answer = parsed(&reply);
    assert_eq!(answer["data"][0]["error"], "invalid_postcode");
    assert_eq!(answer["data"][1]["found"], true);
    // A key that is not valid text is refused like an unknown key.
    let request = Request::builder()
        .method(Method::GET)
        .uri("/v1/postcodes/1091AA");
    let request = request
        .header("X-Api-Key", &b"pd_live_\xff"[..])
        .body("".into());
    let reply = app.send_raw(request.expect("a request")).await;
    reply.assert_v1_error(401, "invalid_api_key");
    let reply = app.send_raw(post("/v1/validate", None, whole)).await;
    reply.assert_v1_error(401, "invalid_api_key");
}

thread_local! {
    static APP: TestApp = app();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn every_endpoint_judges_a_random_postcode_alike(text in prop_oneof![any::<String>(), "[0-9１ ]{3,5}[A-Za-zſıÅ \u{200b}]{1,3}"]) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        APP.with(|app| runtime.block_on(accepts_postcode(app, &text)));
    }
}
