//! Parses a metrics page as Prometheus does.

use std::collections::{BTreeMap, BTreeSet};

/// One metric: its description, and the labels of its series.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Metric {
    pub(super) help: String,
    pub(super) kind: String,
    pub(super) labels: BTreeSet<String>,
}

/// The metrics on a page by name. Source: Prometheus documentation, Exposition formats.
pub(super) fn parse(page: &str) -> BTreeMap<String, Metric> {
    let mut metrics: BTreeMap<String, Metric> = BTreeMap::new();
    for line in page.lines() {
        if let Some((name, help)) = after_prefix(line, "# HELP ") {
            metrics.entry(name.to_owned()).or_default().help = help.to_owned();
        } else if let Some((name, kind)) = after_prefix(line, "# TYPE ") {
            metrics.entry(name.to_owned()).or_default().kind = kind.to_owned();
        } else if !line.is_empty() {
            let (series, value) = line.rsplit_once(' ').expect("a series and its value");
            value.parse::<f64>().expect("a number");
            let (name, labels) = series.split_once('{').unwrap_or((series, "}"));
            let name = family(&metrics, name);
            let metric = metrics.entry(name).or_default();
            metric.labels.extend(label_names(labels));
        }
    }
    metrics
}

fn after_prefix<'a>(line: &'a str, prefix: &str) -> Option<(&'a str, &'a str)> {
    line.strip_prefix(prefix)?.split_once(' ')
}

/// The name of the metric to which a series belongs. A histogram has series with three endings.
fn family(metrics: &BTreeMap<String, Metric>, name: &str) -> String {
    let histogram = ["_bucket", "_sum", "_count"].into_iter().find_map(|end| {
        let name = name.strip_suffix(end)?;
        (metrics.get(name)?.kind == "histogram").then_some(name)
    });
    histogram.unwrap_or(name).to_owned()
}

/// The names of the labels in `route="/v1/{id}",status="2xx"}`, without the `le` of histograms.
fn label_names(labels: &str) -> impl Iterator<Item = String> {
    let names = labels.split('"').step_by(2);
    names
        .map(|name| name.trim_matches([',', '=', '}']).to_owned())
        .filter(|name| !name.is_empty() && name != "le")
}

#[test]
fn a_metrics_page_is_parsed() {
    let page = "# HELP a_total Of a\n# TYPE a_total counter\na_total{route=\"/{b}\",status=\"2xx\"} 1\n\
                # TYPE s histogram\ns_bucket{le=\"1\"} 1\ns_sum 0.5\nb 2\n";
    let metrics = parse(page);
    let names: Vec<&str> = metrics.keys().map(String::as_str).collect();
    assert_eq!(names, ["a_total", "b", "s"]);
    let a = &metrics["a_total"];
    assert_eq!((a.help.as_str(), a.kind.as_str()), ("Of a", "counter"));
    assert_eq!(a.labels, ["route", "status"].map(str::to_owned).into());
    assert!(metrics["s"].labels.is_empty());
}
