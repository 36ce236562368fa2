//! Checks which spans a trace collector receives, and how the service behaves without a collector.

use std::net::TcpListener;
use std::path::Path;

use serde_json::json;

use super::collector::Collector;
use crate::data_dir::village_folder;
use crate::process::{Answer, Service, open_account, postduif, send, wait_until};
use crate::scratch;

const PATH: &str = "/v3/lookup/1234AB/29";
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

/// Starts a service that exports its spans every tenth of a second.
fn start(data: &Path, collector: &str, more: &[(&str, &str)]) -> Service {
    let mut command = postduif();
    command
        .arg("serve")
        .arg("--data")
        .arg(data)
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", collector)
        .env("OTEL_BSP_SCHEDULE_DELAY", "100")
        .envs(more.iter().copied());
    Service::start_by(command)
}

/// Sends a request with a `traceparent` header.
fn traced(service: &Service, method: &str, path: &str, key: &str) -> Answer {
    let headers = format!("X-Api-Key: {key}\r\ntraceparent: 00-{TRACE}-{PARENT}-01\r\n");
    send(service.address("live"), method, path, &headers, "")
}

#[test]
fn a_span_has_the_standard_names_and_belongs_to_the_callers_trace() {
    let Some(collector) = Collector::start(0) else {
        return;
    };
    let folder = village_folder();
    let [key, _] = open_account(folder.path());
    let more = [("OTEL_EXPORTER_OTLP_HEADERS", "x-tenant=duif")];
    let service = start(folder.path(), &collector.url(), &more);
    wait_until("the key works", || {
        traced(&service, "GET", PATH, &key).status == 200
    });
    let answer = traced(&service, "GET", &format!("/api{PATH}?name={key}"), &key);
    let id = answer.header("x-request-id").expect("an id");
    let span = collector.span_of(id);
    assert_eq!(span["path"], "/v1/traces");
    assert_eq!(span["headers"]["x-tenant"], "duif");
    assert_eq!(span["name"], "GET /api/v3/lookup/{postcode}/{number}");
    assert_eq!(span["kind"], "SPAN_KIND_SERVER");
    assert_eq!(
        (&span["trace"], &span["parent"]),
        (&json!(TRACE), &json!(PARENT))
    );
    assert_eq!(span["status"], "STATUS_CODE_UNSET");
    assert!(span["nanoseconds"].as_u64() > Some(0), "{span}");
    let expected = json!({
        "http.request.method": "GET",
        "http.response.status_code": 200,
        "http.route": "/api/v3/lookup/{postcode}/{number}",
        "network.protocol.version": "1.1",
        "postduif.request_id": id,
        "url.path": format!("/api{PATH}"),
        "url.scheme": "http",
    });
    assert_eq!(span["attributes"], expected);
    assert_eq!(span["resource"]["service.name"], "postduif");
    assert_eq!(
        span["resource"]["service.version"],
        env!("CARGO_PKG_VERSION")
    );
}

#[test]
fn spans_show_statuses_and_no_keys() {
    let Some(collector) = Collector::start(0) else {
        return;
    };
    // Start another service without a generation.
    let folder = scratch::folder();
    let [key, _] = open_account(folder.path());
    let more = [("OTEL_SERVICE_NAME", "adressen")];
    let service = start(folder.path(), &collector.url(), &more);
    wait_until("the key works", || {
        traced(&service, "GET", PATH, &key).status == 503
    });
    #[rustfmt::skip]
    let cases = [
        ("GET", PATH, "GET /v3/lookup/{postcode}/{number}", 503, "STATUS_CODE_ERROR"),
        ("GET", &format!("/v1/{key}"), "GET", 404, "STATUS_CODE_UNSET"),
        ("GET", "/widget.js", "GET /widget.js", 200, "STATUS_CODE_UNSET"),
        ("BREW", PATH, "HTTP", 405, "STATUS_CODE_UNSET"),
    ];
    for (method, path, name, status, outcome) in cases {
        let answer = traced(&service, method, path, &key);
        let span = collector.span_of(answer.header("x-request-id").expect("an id"));
        assert_eq!(span["name"], name);
        assert_eq!(span["attributes"]["http.response.status_code"], status);
        assert_eq!(span["status"], outcome);
        let error = (status >= 500).then(|| status.to_string());
        assert_eq!(span["attributes"]["error.type"].as_str(), error.as_deref());
        assert!(!span.to_string().contains(&key), "{span}");
        assert_eq!(span["resource"]["service.name"], "adressen");
    }
    service.get("admin", "/health/live", None);
    assert!(
        !format!("{:?}", collector.spans()).contains("health"),
        "the admin listener is not traced"
    );
}

#[test]
fn without_a_collector_the_service_answers_and_logs_it_once() {
    let Some(collector) = Collector::start(0) else {
        return;
    };
    let (port, url) = (collector.port(), collector.url());
    drop(collector);
    let folder = village_folder();
    let [key, _] = open_account(folder.path());
    let service = start(folder.path(), &url, &[]);
    wait_until("the failure is logged", || {
        traced(&service, "GET", PATH, &key);
        service.log().contains("traces are not sent")
    });
    assert_eq!(traced(&service, "GET", PATH, &key).status, 200);
    let collector = Collector::start(port).expect("it started before");
    wait_until("spans arrive again", || {
        traced(&service, "GET", PATH, &key);
        service.log().contains("traces are sent again")
    });
    assert!(!collector.spans().is_empty());
    assert_eq!(
        service.log().matches("traces are not sent").count(),
        1,
        "{}",
        service.log()
    );
}

#[test]
fn a_stop_does_not_wait_for_a_collector_that_hangs() {
    let folder = village_folder();
    let [key, _] = open_account(folder.path());
    // This collector accepts connections and never answers.
    let hanging = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}", hanging.local_addr().expect("bound"));
    let mut service = start(folder.path(), &url, &[]);
    wait_until("the key works", || {
        traced(&service, "GET", PATH, &key).status == 200
    });
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));
    assert!(
        service.log().contains("the last traces were not sent"),
        "{}",
        service.log()
    );
}

#[test]
fn the_last_spans_are_sent_at_the_end() {
    let Some(collector) = Collector::start(0) else {
        return;
    };
    let folder = village_folder();
    let [key, _] = open_account(folder.path());
    let more = [("OTEL_BSP_SCHEDULE_DELAY", "3600000")];
    let mut service = start(folder.path(), &collector.url(), &more);
    wait_until("the key works", || {
        traced(&service, "GET", PATH, &key).status == 200
    });
    let answer = traced(&service, "GET", PATH, &key);
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));
    collector.span_of(answer.header("x-request-id").expect("an id"));
}
