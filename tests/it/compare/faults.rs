//! Compares services that ask the client to wait, fail, give an unexpected answer, or disappear.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Files, NEW_KEY, OLD_KEY, address, start_same_street_service};
use crate::fetch::server::{FileServer, ReceivedRequest, Reply};
use crate::ports::ReservedPort;

const TWENTY: [&str; 20] = [
    "1234AB,1", "1234AB,2", "1234AB,3", "1234AB,4", "1234AB,5", "1234AB,6", "1234AB,7", "1234AB,8",
    "1234AB,9", "1234AB,10", "1234AB,11", "1234AB,12", "1234AB,13", "1234AB,14", "1234AB,15",
    "1234AB,16", "1234AB,17", "1234AB,18", "1234AB,19", "1234AB,20",
];

/// Starts an old service that has this fault for house number 2 and answers all other numbers.
fn start_faulty_service(fault: impl Fn() -> Reply + Send + Sync + 'static) -> FileServer {
    FileServer::start(move |request, _| match request.path.ends_with("/2") {
        true => fault(),
        false => address(request, "Dijk"),
    })
}

#[test]
fn each_service_gets_its_own_key_and_the_path_of_v3() {
    let (old, new) = (start_same_street_service(), start_same_street_service());
    let files = Files::new(&["1234ab,5"]);
    let report = files.compare(&old.url("/v3"), &new.url(""), &["--json"]);
    assert_eq!(report.json(0)["equal"], 1);
    for (server, key) in [(&old, OLD_KEY), (&new, NEW_KEY)] {
        let [request] = &server.received()[..] else {
            panic!("one request");
        };
        assert_eq!(request.path, "/v3/lookup/1234AB/5");
        assert_eq!(request.header("x-api-key"), Some(key));
    }
}

#[test]
fn a_429_is_retried_after_the_requested_wait() {
    let old = FileServer::start(|request, count| match count {
        0 => Reply::status(429).with_header("Retry-After", "1"),
        1 => Reply::status(429),
        2 => Reply::status(503).with_header("Retry-After", "0"),
        _ => address(request, "Dijk"),
    });
    let (new, files, began) = (
        start_same_street_service(),
        Files::new(&["1234AB,5"]),
        Instant::now(),
    );
    let report = files
        .compare(&old.url(""), &new.url(""), &["--json"])
        .json(0);
    assert_eq!((&report["equal"], old.paths().len()), (&json!(1), 4));
    // The header asks for a first wait of one second. The next answer has no header, so the wait doubles to two seconds.
    assert!(began.elapsed() >= Duration::from_secs(3));
}

#[test]
fn a_fault_affects_only_its_own_pair() {
    #[track_caller]
    fn case(fault: impl Fn() -> Reply + Send + Sync + 'static, expected: &str) {
        let (old, new) = (start_faulty_service(fault), start_same_street_service());
        let files = Files::new(&TWENTY[..3]);
        let compared = files.compare(&old.url(""), &new.url(""), &["--json"]);
        let report = compared.json(1);
        assert_eq!(
            (&report["equal"], &report["stopped"]),
            (&json!(2), &Value::Null)
        );
        let error = &report["errors"]["examples"][0];
        assert_eq!(
            (&error["number"], &error["service"]),
            (&json!(2), &json!("old"))
        );
        let text = error["error"].as_str().expect("a text");
        assert!(text.contains(expected), "{text}");
        assert!(compared.stderr.contains("1 of 3 pairs got no answer"));
    }
    case(
        || Reply::text("{\"postcode\":"),
        "status 200 without a JSON object",
    );
    case(|| Reply::text("[]"), "status 200 without a JSON object");
    let long = "x".repeat(70_000);
    case(move || Reply::text(&long), "more than 65536 bytes");
    case(|| Reply::status(500), "status 500");
    case(
        || Reply::status(404).with_body(b"<h1>Not found</h1>".to_vec()),
        "is the base URL right?",
    );
    case(|| Reply::text("{}").stall_after(1), "no answer within 5 s");
    case(|| Reply::text("{}").cut_after(1), "");
    // Following the redirect would send the key to another server.
    case(|| Reply::redirect("http://127.0.0.1:1/"), "status 302");
}

#[test]
fn a_service_that_asks_for_a_long_wait_or_refuses_the_key_stops_the_comparison() {
    #[track_caller]
    fn case(answer: impl Fn(&ReceivedRequest) -> Reply + Send + Sync + 'static, expected: &str) {
        let old = FileServer::start(move |request, _| answer(request));
        let (new, files) = (start_same_street_service(), Files::new(&TWENTY));
        let compared = files.compare(&old.url(""), &new.url(""), &["--json"]);
        let report = compared.json(1);
        let reason = report["stopped"].as_str().expect("it stopped");
        assert!(reason.contains(expected), "{reason}");
        assert!(compared.stderr.contains(expected), "{}", compared.stderr);
    }
    case(
        |_| Reply::status(429).with_header("Retry-After", "86400"),
        "the old service asks to wait 86400 s (status 429)",
    );
    for status in [401, 403] {
        case(
            move |_| Reply::status(status),
            "the old service refuses the key",
        );
    }
}

#[test]
fn a_service_that_dies_stops_the_comparison_with_what_was_found() {
    let old = FileServer::start(|request, _| {
        let number = request.path.rsplit('/').next();
        match number.and_then(|number| number.parse().ok()) {
            Some(0..=5_u32) => address(request, "Dijk"),
            _ => Reply::text("{}").cut_after(0),
        }
    });
    let (new, files) = (start_same_street_service(), Files::new(&TWENTY));
    let report = files
        .compare(&old.url(""), &new.url(""), &["--json"])
        .json(1);
    assert_eq!(report["stopped"], "10 pairs in a row got no answer");
    let errors = report["errors"]["count"].as_u64().expect("a count");
    assert!(
        errors >= 10
            && report["errors"]["examples"]
                .as_array()
                .is_some_and(|all| all.len() == 3)
    );

    let nothing_listens = ReservedPort::new();
    let away = format!("http://{}", nothing_listens.address());
    let report = files.compare(
        &away,
        &new.url(""),
        &["--json", "--calls-per-second", "100"],
    );
    let report = report.json(1);
    assert_eq!(
        (&report["errors"]["count"], &report["equal"]),
        (&json!(10), &json!(0))
    );
}

#[test]
fn hostile_answers_are_shown_without_control_characters_and_do_not_grow_the_report() {
    let old = FileServer::start(|_, count| {
        let fields: Vec<String> = (0..100)
            .map(|field| format!(r#""f{count}_{field}":"\u001b[31m\u009b""#))
            .collect();
        Reply::text(&format!("{{{}}}", fields.join(","))).with_header("X-RateLimit-Limit", "1000")
    });
    let (new, files) = (start_same_street_service(), Files::new(&TWENTY));
    let text = files.compare(&old.url(""), &new.url(""), &[]);
    assert_eq!(text.code, Some(2), "{}", text.stderr);
    let is_control = |c: char| c.is_control() && c != '\n';
    assert!(!text.stdout.contains(is_control), "{:?}", text.stdout);
    assert_eq!(
        text.stdout
            .lines()
            .filter(|line| line.starts_with("field "))
            .count(),
        33
    );
    assert!(text.stdout.contains("(other fields)"));
}
