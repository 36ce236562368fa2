//! The figures of this process, and the page that shows all there are.

use std::time::Duration;

use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;
use postduif_schema::LAYOUT_VERSION;

use super::route_metrics::{REQUEST_SECONDS, REQUESTS_TOTAL};

const PANICKED: &str = "postduif_requests_panicked_total";
const TIMED_OUT: &str = "postduif_requests_timed_out_total";
const READY: &str = "postduif_ready";
const BUILD_INFO: &str = "postduif_build_info";

/// Buckets of the latency histogram, in seconds: a look-up takes microseconds, the goal for type-ahead is a millisecond, the time
/// limit is seconds.
const LATENCY_BUCKETS_S: [f64; 11] = [
    5e-6, 10e-6, 25e-6, 50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 25e-3, 1.0,
];

/// How often the recorded times are folded into the histogram, so that they do not pile up between two scrapes.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

/// Every figure of this process.
#[derive(Clone)]
pub struct Metrics {
    prometheus: PrometheusHandle,
    /// Memory, descriptors and processor time, read from the system when they are asked for.
    process_collector: Collector,
}

impl Metrics {
    /// Starts recording figures for this process. Comes before the first [`Meter`](super::Meter) is made.
    ///
    /// # Errors
    /// When the process records figures already.
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
            "1, with the version and the layout of generations that it reads"
        );
        let layout = LAYOUT_VERSION.to_string();
        gauge!(BUILD_INFO, "version" => env!("CARGO_PKG_VERSION"), "layout" => layout).set(1.0);
        Ok(Self {
            prometheus,
            process_collector,
        })
    }

    /// Folds what was recorded, for as long as the process lives.
    pub async fn run_upkeep(self) {
        let mut ticks = tokio::time::interval(UPKEEP_INTERVAL);
        loop {
            ticks.tick().await;
            self.prometheus.run_upkeep();
        }
    }

    /// All of them, in the Prometheus text format.
    pub(super) fn render(&self) -> String {
        self.process_collector.collect();
        self.prometheus.render()
    }
}

/// Shows the figures of answering requests from the start, so that an alarm can tell nothing from nobody.
pub fn register() {
    describe_counter!(REQUESTS_TOTAL, "Requests by route and class of the status");
    describe_histogram!(
        REQUEST_SECONDS,
        "Seconds from the known route to the finished body, by route"
    );
    describe_counter!(
        PANICKED,
        "Requests whose answer is 500 for a fault of postduif"
    );
    describe_counter!(TIMED_OUT, "Requests that took longer than they may");
    describe_gauge!(READY, "1 while /health/ready says so");
    for name in [PANICKED, TIMED_OUT] {
        counter!(name).increment(0);
    }
    set_ready(false);
}

pub(super) fn count_panic() {
    counter!(PANICKED).increment(1);
}

pub(super) fn count_timeout() {
    counter!(TIMED_OUT).increment(1);
}

pub(super) fn set_ready(ready: bool) {
    gauge!(READY).set(f64::from(u8::from(ready)));
}
