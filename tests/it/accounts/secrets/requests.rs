//! Sends requests with a key in every place where a client may put the key by intent or by mistake.

use std::net::SocketAddr;

use crate::accounts::PATH;
use crate::process::{Service, send};

/// Sends a key in every possible place of a request; returns the bodies of all refusals.
pub(super) fn send_everywhere(service: &Service, key: &str) -> String {
    let mut message = String::new();
    let mut ask = |at: SocketAddr, method: &str, path: &str, head: &str, body: &str| {
        let answer = send(at, method, path, head, body);
        if answer.status >= 400 {
            message += &answer.head;
            message += &answer.body;
        }
    };
    let named = format!("X-Api-Key: {key}\r\n");
    for listener in ["live", "sandbox", "admin"] {
        let at = service.address(listener);
        for path in [
            PATH,
            "/v3/lookup/6545CA/29",
            "/v3/lookup/x/y",
            "/v1/autocomplete?q=dijk",
            "/v1/autocomplete?q=d",
            "/v1/postcodes/9999ZZ",
            "/v1/addresses?postcode=1234AB",
            "/v1/reverse?lat=1",
            "/nowhere",
            "/metrics",
            "/health/ready",
        ] {
            ask(at, "GET", path, &named, "");
        }
        for path in [
            format!("{PATH}?X-Api-Key={key}"),
            format!("/v3/lookup/{key}/29"),
            format!("/v3/lookup/1234AB/{key}"),
            format!("/v1/postcodes/{key}"),
            format!("/v1/addresses/{key}"),
            format!("/v1/addresses?postcode={key}&number={key}"),
            format!("/v1/autocomplete?q=dijk&type={key}"),
            format!("/v1/reverse?lat={key}&lon=5"),
            format!("/{key}"),
            format!("/v1/nowhere?key={}", key.replace('_', "%5F")),
            format!("/api/v3/lookup/1234AB/29?key={key}"),
        ] {
            ask(at, "GET", &path, "", "");
            ask(at, "GET", &path, &named, "");
        }
        for name in [
            "Authorization",
            "Cookie",
            "Referer",
            "User-Agent",
            "X-Forwarded-For",
            "Forwarded",
            "Origin",
            "X-Request-Id",
            "Key",
            "Accept",
            "Content-Type",
            "Sec-Fetch-Site",
            "Access-Control-Request-Method",
        ] {
            ask(at, "GET", PATH, &format!("{name}: Bearer {key}\r\n"), "");
            ask(
                at,
                "OPTIONS",
                PATH,
                &format!("{name}: {key}\r\n{named}"),
                "",
            );
        }
        ask(at, key, PATH, &named, "");
        ask(
            at,
            "GET",
            PATH,
            &format!("{named}Content-Length: {key}\r\n"),
            "",
        );
        ask(at, "GET", PATH, &format!("Bad Header {key}\r\n"), "");
    }
    for body in [
        format!(r#"{{"key":"{key}","postcode":"{key}","number":1}}"#),
        format!(r#"{{"postcode":"1234AB","number":"{key}"}}"#),
        format!(r#"{{"addresses":"{key}"}}"#),
        format!(r#"{{"addresses":[{{"postcode":"1234AB","{key}":"{key}"}}]}}"#),
        key.to_owned(),
    ] {
        for path in ["/v1/validate", "/v1/bulk/lookup"] {
            let length = body.len();
            let head =
                format!("{named}Content-Type: application/json\r\nContent-Length: {length}\r\n");
            ask(service.address("live"), "POST", path, &head, &body);
        }
    }
    message
}
