//! Checks that the alerts and the dashboard use metrics that exist.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use super::metrics::{service_metrics, watcher_metrics};
use crate::tools::{optional_program, root};

const ALERTS: &str = include_str!("../../../docker/alerts.yaml");
const DASHBOARD: &str = include_str!("../../../docker/grafana-dashboard.json");

/// The names of metrics in a text: every word that begins with `postduif_`.
fn metric_names(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let ours = words.filter(|word| word.starts_with("postduif_") || word.starts_with("process_"));
    let series = ["_bucket", "_count"];
    ours.map(|name| {
        let metric = series.iter().find_map(|end| name.strip_suffix(end));
        metric.unwrap_or(name).to_owned()
    })
    .collect()
}

#[test]
fn alerts_and_dashboard_use_existing_metrics() {
    let dashboard: Value = serde_json::from_str(DASHBOARD).expect("JSON");
    let mut asked = BTreeSet::new();
    for panel in dashboard["panels"].as_array().expect("panels") {
        for target in panel["targets"].as_array().expect("targets") {
            asked.extend(metric_names(target["expr"].as_str().expect("a question")));
        }
    }
    asked.extend(metric_names(&dashboard["templating"].to_string()));
    assert!(asked.len() > 20, "{asked:?}");
    asked.extend(metric_names(ALERTS));
    let mut shown = service_metrics();
    shown.extend(watcher_metrics());
    let missing: Vec<&String> = asked
        .iter()
        .filter(|name| !shown.contains_key(*name))
        .collect();
    assert_eq!(missing, [""; 0]);
}

/// An alert needs a condition, a name and a text.
#[test]
fn every_alert_has_all_its_fields() {
    let alerts: Vec<&str> = ALERTS.split("- alert: ").skip(1).collect();
    assert!(alerts.len() > 10);
    for alert in alerts {
        for part in ["expr: ", "severity: ", "summary: "] {
            assert_eq!(alert.matches(part).count(), 1, "{part} in {alert}");
        }
    }
}

/// Checks the rules with Prometheus's `promtool` if it is installed.
#[test]
fn prometheus_accepts_the_rules() {
    promtool(&["check", "rules"], "docker/alerts.yaml");
}

/// Evaluates the alerts on the metrics of test cases with `promtool`.
#[test]
fn alerts_fire_only_in_the_expected_cases() {
    promtool(&["test", "rules"], "tests/it/operations/alerts.yaml");
    promtool(&["test", "rules"], "tests/it/operations/alerts_days.yaml");
}

#[track_caller]
fn promtool(words: &[&str], file: &str) {
    let Some(promtool) = optional_program("promtool") else {
        return;
    };
    let output = Command::new(promtool)
        .args(words)
        .arg(root().join(file))
        .output();
    let output = output.expect("it runs");
    let message = [output.stdout, output.stderr].concat();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&message)
    );
}
