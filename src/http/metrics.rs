//! Collects the metrics of this process, and renders them for `/metrics`.

use std::time::Duration;

use metrics::{describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;
use postduif_schema::LAYOUT_VERSION;

use crate::metric::{CounterMetric, GaugeMetric, define_metrics};

use super::openapi::{INTERFACE_VERSION, PROGRAM_VERSION};
use super::route_metrics::{REQUEST_SECONDS, REQUESTS_TOTAL};

define_metrics! {
    pub fn register() {
        describe_counter!(REQUESTS_TOTAL, "Requests by route and status class");
        describe_histogram!(
            REQUEST_SECONDS,
            "Seconds from the request's head until the response is ready to send, by route"
        );
    }

    pub(super) const PANICKED = CounterMetric::new("postduif_requests_panicked_total", "Requests answered 500 after a panic");
    pub(super) const TIMED_OUT = CounterMetric::new("postduif_requests_timed_out_total", "Requests that exceeded the request timeout");
    pub(super) const READY = GaugeMetric::new("postduif_ready", "1 if /health/ready answers 200");
}

const BUILD_INFO: &str = "postduif_build_info";

/// The buckets of the latency histogram, in seconds. A look-up takes microseconds, the goal for type-ahead is a millisecond, and the
/// timeout is several seconds.
const LATENCY_BUCKETS_S: [f64; 11] = [
    5e-6, 10e-6, 25e-6, 50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 25e-3, 1.0,
];

/// How often recorded times move into the histograms, so that they do not accumulate between two scrapes.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

/// Every metric of this process.
#[derive(Clone)]
pub struct Metrics {
    prometheus: PrometheusHandle,
    /// Reads memory, file descriptors and processor time from the system at each scrape.
    process_collector: Collector,
}

impl Metrics {
    /// Starts recording metrics. Call this before the first metric is registered.
    ///
    /// # Errors
    /// If the process already records metrics.
    pub fn install() -> Result<Self, BuildError> {
        let prometheus = PrometheusBuilder::new()
            .set_buckets_for_metric(
                Matcher::Full(REQUEST_SECONDS.to_owned()),
                &LATENCY_BUCKETS_S,
            )?
            .install_recorder()?;
        let process_collector = Collector::default();
        process_collector.describe();
        describe_gauge!(
            BUILD_INFO,
            "1; the labels have the versions of the program and of its interface, and the generation layout that it reads"
        );
        let layout = LAYOUT_VERSION.to_string();
        let interface = INTERFACE_VERSION.as_str();
        gauge!(BUILD_INFO, "version" => PROGRAM_VERSION, "interface" => interface, "layout" => layout)
            .set(1.0);
        Ok(Self {
            prometheus,
            process_collector,
        })
    }

    /// Moves recorded times into the histograms. Never ends.
    pub async fn run_upkeep(self) {
        let mut ticks = tokio::time::interval(UPKEEP_INTERVAL);
        loop {
            ticks.tick().await;
            self.prometheus.run_upkeep();
        }
    }

    /// All metrics in the Prometheus text format.
    pub(super) fn render(&self) -> String {
        self.process_collector.collect();
        self.prometheus.render()
    }
}
