//! Checks that every metric has a description, and that `docker/metrics.md` lists exactly the metrics that exist.

use std::collections::BTreeMap;
use std::fs;

use super::metrics_page::{Metric, parse};
use crate::addresses::village;
use crate::delivery::municipal;
use crate::generation::publish;
use crate::process::{Service, get_at, open_account, send, wait_until};
use crate::scratch;
use crate::watch::RunningWatcher;

const TABLE: &str = include_str!("../../../docker/metrics.md");

/// The metrics of a service that has answered one request.
pub(super) fn service_metrics() -> BTreeMap<String, Metric> {
    let folder = scratch::folder();
    let data = postduif_schema::DataFolder::new(folder.path());
    publish(&data, "2026-01-01-1", &village());
    let [live, _] = open_account(folder.path());
    let service = Service::start(folder.path(), &[]);
    let answer = service.get("live", "/v3/lookup/1234AB/29", Some(&live));
    assert_eq!(answer.status, 200, "{}", answer.body);
    parse(&service.get("admin", "/metrics", None).body)
}

/// The metrics of a watcher that has applied a delivery.
pub(super) fn watcher_metrics() -> BTreeMap<String, Metric> {
    let folder = scratch::folder();
    let watching = RunningWatcher::start(folder.path());
    let delivery = folder.path().join("inbox/stand.zip");
    fs::write(delivery, municipal().pack()).expect("writes");
    let page = || get_at(watching.admin, "/metrics", None).body;
    wait_until("the delivery is applied and counted", || {
        page().contains("\npostduif_watch_last_delivery_seconds ")
            && page().contains("\npostduif_addresses ")
    });
    parse(&page())
}

#[test]
fn every_metric_is_described_and_documented() {
    let (service, watcher) = (service_metrics(), watcher_metrics());
    let mut all = service.clone();
    all.extend(watcher.clone());
    for (name, metric) in &all {
        assert!(!metric.help.is_empty(), "{name} has no HELP");
        assert!(!metric.kind.is_empty(), "{name} has no TYPE");
        for shown in [&service, &watcher]
            .into_iter()
            .filter_map(|of| of.get(name))
        {
            assert_eq!(
                shown.help, metric.help,
                "{name} has the same description everywhere"
            );
        }
    }
    let rows = all.iter().map(|(name, metric)| {
        let of = match (service.contains_key(name), watcher.contains_key(name)) {
            (true, true) => "both",
            (true, false) => "service",
            _ => "watcher",
        };
        let labels: Vec<&str> = metric.labels.iter().map(String::as_str).collect();
        let (kind, labels, help) = (&metric.kind, labels.join(", "), &metric.help);
        format!("| `{name}` | {kind} | {labels} | {of} | {help} |")
    });
    let expected: Vec<String> = rows.collect();
    let listed: Vec<&str> = TABLE
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    assert_eq!(
        listed,
        expected,
        "docker/metrics.md must be:\n{}",
        expected.join("\n")
    );
}

#[test]
fn metrics_used_by_alerts_exist_from_the_start() {
    let folder = scratch::folder();
    let service = Service::start(folder.path(), &[]);
    let page = || service.get("admin", "/metrics", None).body;
    wait_until("both listeners are open", || {
        let page = page();
        ["live", "sandbox"].iter().all(|name| {
            page.contains(&format!(
                "postduif_connections_open{{listener=\"{name}\"}} 0"
            ))
        })
    });
    let page = page();
    let zeros = [
        "postduif_requests_total{route=\"/v1/reverse\",status=\"5xx\"}",
        "postduif_requests_limited_total{reason=\"rate\"}",
        "postduif_requests_limited_total{reason=\"ip\"}",
        "postduif_requests_limited_total{reason=\"quota\"}",
        "postduif_keys_denied_total{cause=\"unknown\"}",
        "postduif_requests_panicked_total",
        "postduif_requests_timed_out_total",
        "postduif_generation_reload_failures_total",
        "postduif_generation_reload_failing",
        "postduif_stand_timestamp_seconds",
        "postduif_accounts_database_unavailable",
        "postduif_request_log_dropped_total{cause=\"write_failed\"}",
        "postduif_notices_failed_total{cause=\"unreachable\"}",
        "postduif_ready",
    ];
    for series in zeros {
        let line = format!("{series} 0");
        assert!(page.lines().any(|found| found == line), "{line} in\n{page}");
    }
}

#[test]
fn a_304_answer_is_counted_as_304() {
    let folder = scratch::folder();
    let service = Service::start(folder.path(), &[]);
    let page = service.get("live", "/", None);
    let known = format!("If-None-Match: {}\r\n", page.header("etag").expect("a tag"));
    let again = send(service.address("live"), "GET", "/", &known, "");
    assert_eq!((page.status, again.status), (200, 304));
    let metrics = service.get("admin", "/metrics", None).body;
    for class in ["2xx", "3xx"] {
        let line = format!("postduif_requests_total{{route=\"file\",status=\"{class}\"}} 1");
        assert!(
            metrics.lines().any(|found| found == line),
            "{line} in\n{metrics}"
        );
    }
}
