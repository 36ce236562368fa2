//! Requests that are larger than any may be: each is answered as the contract says, or by hyper without a body where there is no
//! request yet, and none of it stays in memory.
#![expect(clippy::print_stdout, reason = "a test tells what it has measured")]

use std::thread;

use super::resources::Resources;
use super::village_folder;
use crate::chance::tries;
use crate::process::{PATIENCE, Service};
use crate::wire::say;

const MEGABYTE: usize = 1 << 20;

/// What the process may have grown by in the end, in MiB: what the allocator keeps of what was in use at once.
const KEPT_MIB: usize = 32;

/// What is sent, and the answer: its status and its code, if it has a body.
type Case = (&'static str, Vec<u8>, u16, &'static str);

fn cases(key: &str) -> Vec<Case> {
    let own = format!("Host: a\r\nConnection: close\r\nX-Api-Key: {key}\r\n");
    let json = format!("{own}Content-Type: application/json\r\n");
    let get =
        |path: &str, more: &str| format!("GET {path} HTTP/1.1\r\n{own}{more}\r\n").into_bytes();
    let post = |path: &str, body: &str| {
        let length = body.len();
        format!("POST {path} HTTP/1.1\r\n{json}Content-Length: {length}\r\n\r\n{body}").into_bytes()
    };
    let chunked = |path: &str, body: &str| {
        let length = body.len();
        let coded = "Transfer-Encoding: chunked";
        format!("POST {path} HTTP/1.1\r\n{json}{coded}\r\n\r\n{length:x}\r\n{body}\r\n0\r\n\r\n")
            .into_bytes()
    };
    let items = |count: usize| {
        let item = r#"{"postcode":"1234AB","number":29}"#;
        format!(r#"{{"addresses":[{}]}}"#, vec![item; count].join(","))
    };
    let (bulk, validate) = ("/v1/bulk/lookup", "/v1/validate");
    let large = "x".repeat(2 * MEGABYTE + 1);
    let deep = MEGABYTE / 2 - 100;
    let nested = |open: &str, close: &str| {
        let times = deep / open.len();
        format!(
            r#"{{"postcode":{}1{}}}"#,
            open.repeat(times),
            close.repeat(times)
        )
    };
    vec![
        (
            "2 MiB and a byte",
            post(bulk, &large),
            413,
            "payload_too_large",
        ),
        (
            "2 MiB and a byte",
            post(validate, &large),
            413,
            "payload_too_large",
        ),
        (
            "likewise in a chunk",
            chunked(bulk, &large),
            413,
            "payload_too_large",
        ),
        (
            "likewise in a chunk",
            chunked(validate, &large),
            413,
            "payload_too_large",
        ),
        (
            "1,001 items",
            post(bulk, &items(1_001)),
            422,
            "too_many_items",
        ),
        (
            "20,000 items",
            post(bulk, &items(20_000)),
            422,
            "too_many_items",
        ),
        (
            "lists in lists",
            post(validate, &nested("[", "]")),
            400,
            "invalid_payload",
        ),
        (
            "lists in lists",
            post(bulk, &nested("[", "]")),
            400,
            "invalid_payload",
        ),
        (
            "lists that never end",
            post(bulk, &"[".repeat(MEGABYTE)),
            400,
            "invalid_payload",
        ),
        (
            "objects in objects",
            post(validate, &nested(r#"{"a":"#, "}")),
            400,
            "invalid_payload",
        ),
        (
            "a header of 1 MiB",
            get("/", &format!("X-A: {}\r\n", "x".repeat(MEGABYTE))),
            431,
            "",
        ),
        ("200 headers", get("/", &"X-A: b\r\n".repeat(200)), 431, ""),
        (
            "a path of 64 KiB",
            get(&format!("/{}", "x".repeat(64 << 10)), ""),
            431,
            "",
        ),
        (
            "a query of 64 KiB",
            get(&format!("/v1/autocomplete?q={}", "x".repeat(64 << 10)), ""),
            431,
            "",
        ),
        (
            "a query of 20 KiB",
            get(&format!("/v1/autocomplete?q={}", "x".repeat(20 << 10)), ""),
            200,
            "",
        ),
        (
            "a path of 20 KiB",
            get(&format!("/v1/addresses/{}", "x".repeat(20 << 10)), ""),
            404,
            "not_found",
        ),
    ]
}

#[test]
fn what_is_too_large_is_told_so_and_leaves_nothing_behind() {
    let (folder, _, [live, _]) = village_folder();
    let service = Service::start(folder.path(), &[]);
    let cases = cases(&live);
    let (to, rounds) = (service.address("live"), tries(3));
    let all = || {
        thread::scope(|scope| {
            for half in cases.chunks(cases.len().div_ceil(2)) {
                scope.spawn(move || half.iter().for_each(|case| judge(to, case)));
            }
        });
    };
    all();
    let before = Resources::of(&service);
    (0..rounds).for_each(|_| all());
    let after = Resources::of(&service);
    println!("before {before}, after {rounds} rounds {after}");
    assert!(
        after.memory_mib <= before.memory_mib + KEPT_MIB,
        "{before}, {after}"
    );
    assert!(after.most_mib < 256, "{after}");
}

#[track_caller]
fn judge(to: std::net::SocketAddr, (what, sent, status, code): &Case) {
    let heard = say(to, sent, PATIENCE);
    let [answer] = &heard.answers[..] else {
        panic!("{what}: one answer is expected, not {:?}", heard.answers);
    };
    let body = answer.body.get(..300).unwrap_or(&answer.body);
    assert_eq!(answer.status, *status, "{what}: {body}");
    if *status == 431 {
        let shown = (answer.header("content-length"), body);
        assert_eq!(shown, (Some("0"), ""), "{what}: hyper's own has no body");
        return;
    }
    assert!(
        answer.header("x-request-id").is_some(),
        "{what}: {}",
        answer.head
    );
    if *status != 200 {
        let told = format!(r#"{{"error":{{"code":"{code}","message":""#);
        assert!(body.starts_with(&told), "{what}: {body}");
    }
}
