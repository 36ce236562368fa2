//! Sends requests that are too large. Each gets the error of the contract, except that hyper refuses a too large head with 431
//! without a body. The memory of the process must not grow.
#![expect(clippy::print_stdout, reason = "the test prints its measurements")]

use std::thread;
use std::time::Instant;

use super::resources::Resources;
use super::village_folder;
use crate::chance::tries;
use crate::process::{Service, WAIT_TIMEOUT};
use crate::wire::send_raw;

const MEGABYTE: usize = 1 << 20;

/// By how many MiB the memory of the process may grow. The allocator keeps some memory after a peak.
const KEPT_MIB: usize = 32;

/// Which part of the request is too large, the bytes of the request, the status of the answer, and its error code if it has a body.
type Case = (&'static str, Vec<u8>, u16, &'static str);

/// A request that needs hardly any memory.
fn get_small(key: &str) -> Case {
    let head = format!("Host: a\r\nConnection: close\r\nX-Api-Key: {key}\r\n");
    let sent = format!("GET /v1/postcodes/1234AB HTTP/1.1\r\n{head}\r\n");
    ("a small request", sent.into_bytes(), 200, "")
}

fn cases(key: &str) -> Vec<Case> {
    let own = format!("Host: a\r\nConnection: close\r\nX-Api-Key: {key}\r\n");
    [heads(&own), lists(&own), bodies(&own)].concat()
}

/// Requests with a too large head, which hyper refuses before postduif sees them.
fn heads(own: &str) -> Vec<Case> {
    let get = |path: &str, times: usize, more: &str| {
        let path = path.to_owned() + &"x".repeat(times);
        format!("GET {path} HTTP/1.1\r\n{own}{more}\r\n").into_bytes()
    };
    let (large, many) = (
        "X-A: ".to_owned() + &"x".repeat(MEGABYTE) + "\r\n",
        "X-A: b\r\n".repeat(200),
    );
    let (query, path) = ("/v1/autocomplete?q=", "/v1/addresses/");
    let small = "/v1/postcodes/1234AB";
    let of_length = |length: usize| {
        let rest = get(small, 0, "X-A: \r\n").len();
        get(small, 0, &format!("X-A: {}\r\n", "x".repeat(length - rest)))
    };
    vec![
        ("a head of 32 KiB", of_length(32 << 10), 200, ""),
        ("a byte above 32 KiB", of_length((32 << 10) + 1), 431, ""),
        ("a head of 48,000 bytes", of_length(48_000), 431, ""),
        ("a head of 60,000 bytes", of_length(60_000), 431, ""),
        ("a header of 1 MiB", get("/", 0, &large), 431, ""),
        ("200 headers", get("/", 0, &many), 431, ""),
        ("a path of 64 KiB", get(path, 64 << 10, ""), 431, ""),
        ("a query of 64 KiB", get(query, 64 << 10, ""), 431, ""),
        ("a query of 20 KiB", get(query, 20 << 10, ""), 200, ""),
        (
            "a path of 20 KiB",
            get(path, 20 << 10, ""),
            404,
            "not_found",
        ),
    ]
}

fn post(own: &str, path: &str, body: &str) -> Vec<u8> {
    let (length, json) = (body.len(), "Content-Type: application/json");
    format!("POST {path} HTTP/1.1\r\n{own}{json}\r\nContent-Length: {length}\r\n\r\n{body}")
        .into_bytes()
}

const BULK: &str = "/v1/bulk/lookup";

const VALIDATE: &str = "/v1/validate";

fn bodies(own: &str) -> Vec<Case> {
    let large = "x".repeat(2 * MEGABYTE + 1);
    let chunked = |path: &str| {
        let head = "Content-Type: application/json\r\nTransfer-Encoding: chunked";
        let length = large.len();
        format!("POST {path} HTTP/1.1\r\n{own}{head}\r\n\r\n{length:x}\r\n{large}\r\n0\r\n\r\n")
            .into_bytes()
    };
    let (size, code) = ("2 MiB and a byte", "payload_too_large");
    vec![
        (size, post(own, BULK, &large), 413, code),
        (size, post(own, VALIDATE, &large), 413, code),
        ("bulk in a chunk", chunked(BULK), 413, code),
        ("validate in a chunk", chunked(VALIDATE), 413, code),
    ]
}

/// Bodies with too many items, and with deeply nested lists and objects.
fn lists(own: &str) -> Vec<Case> {
    let items = |count: usize| {
        let items = vec![r#"{"postcode":"1234AB","number":29}"#; count].join(",");
        post(own, BULK, &format!(r#"{{"addresses":[{items}]}}"#))
    };
    let nested = |path: &str, open: &str, close: &str| {
        let times = (MEGABYTE / 2 - 100) / open.len();
        let (open, close) = (open.repeat(times), close.repeat(times));
        post(own, path, &format!(r#"{{"postcode":{open}1{close}}}"#))
    };
    let (object, code) = (r#"{"a":"#, "invalid_payload");
    vec![
        ("1,001 items", items(1_001), 422, "too_many_items"),
        ("20,000 items", items(20_000), 422, "too_many_items"),
        ("lists in lists", nested(VALIDATE, "[", "]"), 400, code),
        ("lists in lists", nested(BULK, "[", "]"), 400, code),
        (
            "objects in objects",
            nested(VALIDATE, object, "}"),
            400,
            code,
        ),
        (
            "lists that never end",
            post(own, BULK, &"[".repeat(MEGABYTE)),
            400,
            code,
        ),
    ]
}

#[test]
fn too_large_requests_are_rejected_and_leak_nothing() {
    let (folder, _, [live, _]) = village_folder();
    let service = Service::start(folder.path(), &[]);
    let cases = cases(&live);
    let (to, rounds) = (service.address("live"), tries(3));
    let all = || {
        thread::scope(|scope| {
            for half in cases.chunks(cases.len().div_ceil(2)) {
                scope.spawn(move || half.iter().for_each(|case| check_case(to, case)));
            }
        });
    };
    all();
    let before = Resources::measure(&service);
    (0..rounds).for_each(|_| all());
    // The allocator returns pages with a delay, and only while requests arrive. Leaked memory would not be returned.
    let small = get_small(&live);
    let deadline = Instant::now() + WAIT_TIMEOUT;
    let mut after = Resources::measure(&service);
    while after.memory_mib > before.memory_mib + KEPT_MIB && Instant::now() < deadline {
        check_case(to, &small);
        after = Resources::measure(&service);
    }
    println!("before {before}, after {rounds} rounds {after}");
    assert!(
        after.memory_mib <= before.memory_mib + KEPT_MIB,
        "{before}, {after}"
    );
    assert!(after.most_mib < 256, "{after}");
}

#[track_caller]
fn check_case(to: std::net::SocketAddr, (size, sent, status, code): &Case) {
    let raw = send_raw(to, sent, WAIT_TIMEOUT);
    let [answer] = &raw.answers[..] else {
        panic!("{size}: one answer is expected, not {:?}", raw.answers);
    };
    let body = answer.body.get(..300).unwrap_or(&answer.body);
    assert_eq!(answer.status, *status, "{size}: {body}");
    if *status == 431 {
        let shown = (answer.header("content-length"), body);
        assert_eq!(
            shown,
            (Some("0"), ""),
            "{size}: hyper's refusal has no body"
        );
        return;
    }
    assert!(
        answer.header("x-request-id").is_some(),
        "{size}: {}",
        answer.head
    );
    if *status != 200 {
        let message = format!(r#"{{"error":{{"code":"{code}","message":""#);
        assert!(body.starts_with(&message), "{size}: {body}");
    }
}
