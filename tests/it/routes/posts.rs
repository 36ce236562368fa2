//! Checks behaviour that all POST paths share: which keys are accepted, which bodies are read, and that no body causes a 5xx.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Method, Request, StatusCode};
use futures_util::stream;
use postduif::accounts::Restrictions;
use proptest::prelude::*;

use crate::app::{Customer, Reply, TestApp, post};

const PATHS: [&str; 2] = ["/v1/validate", "/v1/bulk/lookup"];
const LIMIT: usize = 1 << 20;

/// A body that the path accepts, padded to `bytes` bytes with an unknown field.
fn padded(path: &str, bytes: usize) -> String {
    let body = match path {
        "/v1/validate" => r#"{"postcode":"1234AB","number":29,"padding":""}"#,
        _ => r#"{"addresses":[{"postcode":"1234AB","number":29}],"padding":""}"#,
    };
    let (front, end) = body.split_at(body.len() - 2);
    let padding = "x".repeat(bytes.saturating_sub(body.len()));
    format!("{front}{padding}{end}")
}

#[tokio::test]
async fn a_post_without_a_key_is_a_401_for_any_body() {
    let app = TestApp::village();
    for path in PATHS {
        for key in [None, Some("x"), Some(app.test_key())] {
            let unread = Body::from_stream(stream::pending::<Result<Bytes, Infallible>>());
            let mut request = post(path, key, unread);
            request.headers_mut().remove(CONTENT_TYPE);
            app.send_raw(request)
                .await
                .assert_v1_error(401, "invalid_api_key");
        }
        let under_api = format!("/api{path}");
        let reply = app.send_raw(post(&under_api, None, "{}")).await;
        reply.assert_v1_error(401, "invalid_api_key");
        let body = padded(path, 0);
        let reply = app.post(&under_api, body.clone()).await;
        assert_eq!(reply.text(), app.post(path, body).await.text());
        assert_eq!(reply.status, StatusCode::OK);
    }
}

#[tokio::test]
async fn a_read_only_key_may_validate_but_not_look_up_in_bulk() {
    let app = TestApp::village_for_customer(Customer {
        restrictions: Restrictions {
            read_only: true,
            ..Restrictions::default()
        },
        ..Customer::default()
    });
    let [validate, bulk] = PATHS;
    let unread = Body::from_stream(stream::pending::<Result<Bytes, Infallible>>());
    let refused = app.post(bulk, unread).await;
    refused.assert_v1_error(403, "plan_upgrade_required");
    assert!(refused.text().contains("read-only"), "{}", refused.text());
    app.post_sandbox(bulk, "")
        .await
        .assert_v1_error(403, "plan_upgrade_required");
    let sent = r#"{"postcode":"1234AB","number":29}"#;
    assert_eq!(app.post(validate, sent).await.status, StatusCode::OK);
    assert_eq!(app.get("/v1/postcodes/1234AB").await.status, StatusCode::OK);
}

#[tokio::test]
async fn other_methods_are_a_405_with_the_allowed_method() {
    let app = TestApp::village();
    for path in PATHS {
        for method in [
            Method::GET,
            Method::HEAD,
            Method::PUT,
            Method::DELETE,
            Method::OPTIONS,
        ] {
            let head = method == Method::HEAD;
            let reply = app.send(method, path, None).await;
            assert_eq!(reply.header("Allow"), Some("POST"), "{path}");
            match head {
                true => assert_eq!((reply.status.as_u16(), reply.body.len()), (405, 0)),
                false => reply.assert_v1_error(405, "method_not_allowed"),
            }
        }
        app.post(&format!("{path}/"), "{}")
            .await
            .assert_v1_error(404, "not_found");
    }
}

#[tokio::test]
async fn a_body_needs_the_json_content_type() {
    let app = TestApp::village();
    for path in PATHS {
        let send = async |content_type: Option<&'static str>| {
            let mut request = post(path, Some(app.live_key()), padded(path, 0));
            match content_type.map(HeaderValue::from_static) {
                Some(value) => request.headers_mut().insert(CONTENT_TYPE, value),
                None => request.headers_mut().remove(CONTENT_TYPE),
            };
            app.send_raw(request).await
        };
        for right in [
            "application/json",
            "Application/JSON",
            "application/json; charset=utf-8",
            " application/json ;charset=\"utf-8\"; x=y",
        ] {
            assert_eq!(
                send(Some(right)).await.status,
                StatusCode::OK,
                "{path} {right}"
            );
        }
        for wrong in [
            None,
            Some(""),
            Some("text/plain"),
            Some("application/x-www-form-urlencoded"),
            Some("application/problem+json"),
            Some("application/jsonx"),
            Some("json"),
            Some("text/plain; application/json"),
        ] {
            send(wrong)
                .await
                .assert_v1_error(415, "unsupported_media_type");
        }
    }
}

/// A body that is sent in chunks, without a `Content-Length`.
fn in_pieces(body: String) -> Body {
    let pieces: Vec<Result<Bytes, Infallible>> = body
        .as_bytes()
        .chunks(10_000)
        .map(|piece| Ok(Bytes::copy_from_slice(piece)))
        .collect();
    Body::from_stream(stream::iter(pieces))
}

#[tokio::test]
async fn the_body_limit_is_one_mebibyte() {
    let app = TestApp::village();
    for path in PATHS {
        let (most, more) = (padded(path, LIMIT), padded(path, LIMIT + 1));
        assert_eq!((most.len(), more.len()), (LIMIT, LIMIT + 1));
        assert_eq!(app.post(path, most.clone()).await.status, StatusCode::OK);
        assert_eq!(app.post(path, in_pieces(most)).await.status, StatusCode::OK);
        app.post(path, more.clone())
            .await
            .assert_v1_error(413, "payload_too_large");
        app.post(path, in_pieces(more))
            .await
            .assert_v1_error(413, "payload_too_large");
    }
}

#[tokio::test]
async fn an_incomplete_body_is_rejected() {
    let app = TestApp::village();
    for path in PATHS {
        let pieces = [
            Ok(Bytes::from_static(b"{\"postcode\"")),
            Err(std::io::Error::other("gone")),
        ];
        let body = Body::from_stream(stream::iter(pieces));
        app.post(path, body)
            .await
            .assert_v1_error(400, "invalid_payload");
    }
}

#[tokio::test]
async fn a_body_that_is_not_a_json_object_is_rejected() {
    let app = TestApp::village();
    let deep = "[".repeat(LIMIT);
    let deep_in_object = format!("{{\"addresses\":{}", "{\"a\":".repeat(100_000));
    for path in PATHS {
        let sound = padded(path, 0);
        let bodies: [&[u8]; 14] = [
            b"",
            b" ",
            b"null",
            b"29",
            b"[]",
            b"\"\"",
            b"{",
            b"{}",
            b"{\"postcode\":\"1234AB\",}",
            b"{\"postcode\":\"\xff\"}",
            b"\xff\xfe{\0}\0",
            deep.as_bytes(),
            deep_in_object.as_bytes(),
            b"{\"padding\":1e400}",
        ];
        let mangled = [
            format!("\u{feff}{sound}"),
            format!("{sound}x"),
            format!("{sound}{sound}"),
            format!("[{sound}]"),
            format!("/**/{sound}"),
            sound.replace('"', "'"),
        ];
        let bodies = bodies.map(<[u8]>::to_vec).into_iter();
        for body in bodies.chain(mangled.map(String::into_bytes)) {
            let reply = app.post(path, body.clone()).await;
            reply.assert_v1_error(400, "invalid_payload");
        }
    }
}

#[tokio::test]
async fn unknown_fields_are_ignored_with_any_value() {
    let app = TestApp::village();
    for path in PATHS {
        let sound = padded(path, 0);
        let expected = app.post(path, sound.clone()).await;
        let deep = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
        for unknown in ["null", "1e400", r#""\ud800""#, r#"{"postcode":1}"#, &deep] {
            let body = sound.replacen('{', &format!(r#"{{"unknown":{unknown},"unknown":1,"#), 1);
            assert_eq!(app.post(path, body).await.text(), expected.text(), "{path}");
        }
        let spaced = format!(" \r\n\t{sound}\n");
        assert_eq!(
            app.post(path, spaced).await.text(),
            expected.text(),
            "{path}"
        );
    }
}

#[tokio::test]
async fn valid_bodies_before_the_first_generation_are_a_503() {
    let app = TestApp::empty();
    for path in PATHS {
        let reply = app.post(path, padded(path, 0)).await;
        reply.assert_v1_error(503, "index_unavailable");
        assert_eq!(reply.header("Retry-After"), None, "{path}");
        app.post(path, "{}")
            .await
            .assert_v1_error(400, "invalid_payload");
    }
}

thread_local! {
    static APP: TestApp = TestApp::village();
}

fn ask(path: &str, body: Vec<u8>) -> Reply {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let request = |app: &TestApp| -> Request<Body> { post(path, Some(app.live_key()), body) };
    APP.with(|app| {
        runtime
            .expect("a runtime")
            .block_on(app.send_raw(request(app)))
    })
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("\"1234AB\"".to_owned()),
        Just("29".to_owned()),
        Just("null".to_owned()),
        "\"[0-9OIl]{4} ?[A-Za-z8]{2}\"",
        "\"(\\\\u[0-9a-f]{4}|[ -!#-\\[\\]-~é]){0,12}\"",
        "-?[0-9]{1,30}(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,4})?",
        "[ -~]{0,8}",
    ]
}

fn fields() -> impl Strategy<Value = String> {
    let name = "(postcode|number|letter|addition|street|city|x)";
    let field = (name, value()).prop_map(|(name, value)| format!("\"{name}\":{value}"));
    prop::collection::vec(field, 0..7).prop_map(|fields| format!("{{{}}}", fields.join(",")))
}

/// The fields of one line of a bulk request. They are always valid JSON, because an invalid request could not be split into lines.
/// A line of invalid JSON is replaced instead of rejected, because proptest gives up after too many rejections.
fn json_fields() -> impl Strategy<Value = String> {
    let is_json = |line: &str| serde_json::from_str::<&serde_json::value::RawValue>(line).is_ok();
    fields().prop_map(move |line| match is_json(&line) {
        true => line,
        false => r#"{"postcode":0}"#.to_owned(),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn no_random_body_causes_a_5xx(
        path in prop::sample::select(PATHS.to_vec()),
        body in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..200),
            fields().prop_map(String::into_bytes),
            prop::collection::vec(fields(), 0..5)
                .prop_map(|lines| format!("{{\"addresses\":[{}]}}", lines.join(",")).into_bytes()),
        ],
    ) {
        let reply = ask(path, body.clone());
        let sent = String::from_utf8_lossy(&body).into_owned();
        prop_assert!([200, 400].contains(&reply.status.as_u16()), "{} {}: {}", path, sent, reply.text());
        prop_assert!(serde_json::from_slice::<serde_json::Value>(&reply.body).is_ok(), "{}: {}", sent, reply.text());
    }

    #[test]
    fn an_invalid_line_changes_no_other_answer(lines in prop::collection::vec(json_fields(), 1..5), place in 0..5_usize) {
        let mut lines = lines;
        let place = place.min(lines.len());
        lines.insert(place, r#"{"postcode":"1234AB","number":29}"#.to_owned());
        let reply = ask("/v1/bulk/lookup", format!("{{\"addresses\":[{}]}}", lines.join(",")).into_bytes());
        let body: serde_json::Value = serde_json::from_slice(&reply.body).expect("JSON");
        prop_assert_eq!(&body["data"][place]["address"]["id"], "1424200000000001", "{}", body);
        prop_assert_eq!(body["data"].as_array().map(Vec::len), Some(lines.len()));
    }
}
