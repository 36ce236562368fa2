//! Checks responses that settings change: gzip for clients that accept it, and the header `Server-Timing`.

use std::io::Read as _;

use axum::http::Method;
use flate2::read::GzDecoder;
use postduif::accounts::Restrictions;
use postduif::state::ResponseOptions;

use crate::app::{Customer, Reply, TestApp, post};

const COMPRESSED: ResponseOptions = ResponseOptions {
    compress: true,
    server_timing: false,
};
const TIMED: ResponseOptions = ResponseOptions {
    compress: false,
    server_timing: true,
};

const SHORT: &str = "/v3/lookup/1234AB/29";
/// Lists all addresses of a postcode. The answer is far longer than 1 kB.
const LONG: &str = "/v1/addresses?postcode=1234AB";

const VARY: &str = "X-Api-Key, Origin, Accept-Encoding";

async fn ask(app: &TestApp, method: Method, path: &str, sent: &[(&str, &str)]) -> Reply {
    let headers = [&[("X-Api-Key", app.live_key())], sent].concat();
    app.send_with_headers(method, path, &headers).await
}

fn unpack(reply: &Reply) -> String {
    assert_eq!(reply.header("Content-Encoding"), Some("gzip"));
    let mut text = String::new();
    let read = GzDecoder::new(&reply.body[..]).read_to_string(&mut text);
    read.expect("gzip of UTF-8");
    text
}

#[tokio::test]
async fn a_long_answer_is_compressed_for_clients_that_accept_it() {
    let app = TestApp::village_with(Customer::default(), COMPRESSED);
    let plain = ask(&app, Method::GET, LONG, &[]).await;
    assert!(plain.body.len() > 2_000, "{}", plain.body.len());
    assert_eq!(plain.header("Content-Encoding"), None);
    let gzip = [("Accept-Encoding", "br, gzip;q=0.8")];
    let packed = ask(&app, Method::GET, LONG, &gzip).await;
    assert_eq!(unpack(&packed), plain.text());
    assert!(packed.body.len() < plain.body.len() / 2);
    for name in ["ETag", "Cache-Control", "Content-Type", "Vary"] {
        assert_eq!(packed.header(name), plain.header(name), "{name}");
    }
    assert_eq!(plain.header("Vary"), Some(VARY));
    // The tag is weak, so the compressed and the uncompressed answer may share it.
    assert!(
        plain
            .header("ETag")
            .is_some_and(|tag| tag.starts_with("W/"))
    );

    let head = ask(&app, Method::HEAD, LONG, &gzip).await;
    let length = packed.body.len().to_string();
    assert_eq!(
        (head.header("Content-Length"), head.text()),
        (Some(&*length), "")
    );
    assert_eq!(head.header("Content-Encoding"), Some("gzip"));
    let copy = [gzip[0], ("If-None-Match", "*")];
    let confirmed = ask(&app, Method::GET, LONG, &copy).await;
    assert_eq!((confirmed.status.as_u16(), confirmed.text()), (304, ""));
    assert_eq!(confirmed.header("Content-Encoding"), None);
    assert_eq!(confirmed.header("Vary"), Some(VARY));
}

#[tokio::test]
async fn bulk_answers_are_compressed_and_errors_are_not() {
    let app = TestApp::village_with(Customer::default(), COMPRESSED);
    let lines = vec![r#"{"postcode":"1234AB","number":29}"#; 50].join(",");
    let send = async |accepted: &str, body: &str| {
        let mut request = post("/v1/bulk/lookup", Some(app.live_key()), body.to_owned());
        let headers = request.headers_mut();
        headers.insert("Accept-Encoding", accepted.parse().expect("a header"));
        app.send_raw(request).await
    };
    let body = format!(r#"{{"addresses":[{lines}]}}"#);
    let (plain, packed) = (send("identity", &body).await, send("gzip", &body).await);
    assert_eq!(unpack(&packed), plain.text());
    let refused = send("gzip", "{}").await;
    refused.assert_v1_error(400, "invalid_payload");
    assert_eq!(refused.header("Content-Encoding"), None);
}

#[tokio::test]
async fn short_answers_refusals_and_services_without_the_setting_stay_plain() {
    let app = TestApp::village_with(Customer::default(), COMPRESSED);
    let off = TestApp::village();
    for (app, path, accepted, vary) in [
        (&app, SHORT, "gzip", VARY),
        (&app, LONG, "gzip;q=0", VARY),
        (&app, LONG, "identity, gzip;q=0.5", VARY),
        (&app, LONG, "br", VARY),
        (&app, LONG, "br, gzip;q=0", VARY),
        (&off, LONG, "gzip", "X-Api-Key, Origin"),
    ] {
        let reply = ask(app, Method::GET, path, &[("Accept-Encoding", accepted)]).await;
        assert_eq!(reply.status.as_u16(), 200);
        assert!(reply.text().starts_with('{'), "{path} {accepted}");
        assert_eq!(reply.header("Content-Encoding"), None, "{path} {accepted}");
        assert_eq!(reply.header("Vary"), Some(vary), "{path} {accepted}");
    }
}

/// The milliseconds in the `Server-Timing` header of a reply.
#[track_caller]
fn duration_ms(reply: &Reply) -> f64 {
    let timing = reply.header("Server-Timing").expect("the setting is on");
    let duration = timing.strip_prefix("app;dur=").expect("one metric");
    duration.parse().expect("a number")
}

#[tokio::test]
async fn every_answer_to_a_known_key_has_the_server_timing() {
    let app = TestApp::village_with(Customer::default(), TIMED);
    for (status, path) in [(200, SHORT), (200, LONG), (404, "/v3/lookup/1234AB/28")] {
        let reply = ask(&app, Method::GET, path, &[]).await;
        assert_eq!(reply.status.as_u16(), status);
        assert!(duration_ms(&reply) > 0.0);
        assert_eq!(reply.header("Timing-Allow-Origin"), None, "no page asked");
    }
    let body = r#"{"postcode":"1234AB","number":29}"#;
    assert!(duration_ms(&app.post("/v1/validate", body).await) > 0.0);
    // A 401 has no `Server-Timing`, because it must be the same for every key.
    let unknown = app.send(Method::GET, SHORT, None).await;
    assert_eq!(unknown.header("Server-Timing"), None);
    let off = TestApp::village().get(SHORT).await;
    assert_eq!(off.header("Server-Timing"), None);
}

#[tokio::test]
async fn a_page_with_an_allowed_origin_may_read_the_server_timing() {
    let restrictions = Restrictions {
        origins: "https://shop.example.org".parse().expect("an origin"),
        ..Restrictions::default()
    };
    let customer = Customer {
        restrictions,
        ..Customer::default()
    };
    let ask_from =
        async |app: &TestApp, origin| ask(app, Method::GET, SHORT, &[("Origin", origin)]).await;
    let app = TestApp::village_with(customer.clone(), TIMED);
    let reply = ask_from(&app, "https://shop.example.org").await;
    assert!(duration_ms(&reply) > 0.0);
    let granted = reply.header("Access-Control-Allow-Origin");
    assert_eq!(granted, Some("https://shop.example.org"));
    assert_eq!(reply.header("Timing-Allow-Origin"), granted);
    let other = ask_from(&app, "https://other.example.org").await;
    assert_eq!(other.status.as_u16(), 401);
    for name in ["Server-Timing", "Timing-Allow-Origin"] {
        assert_eq!(other.header(name), None, "{name}");
    }
    let off = ask_from(
        &TestApp::village_for_customer(customer),
        "https://shop.example.org",
    )
    .await;
    assert_eq!(off.header("Timing-Allow-Origin"), None);
}
