//! The figures of this process, and the page that shows all there are.

use std::time::Duration;

use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;
use postduif_schema::LAYOUT_VERSION;

use super::route_metrics::{LATENCY, REQUESTS};

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
pub struct Figures {
    recorded: PrometheusHandle,
    /// Memory, descriptors and processor time, read from the system when they are asked for.
    process: Collector,
}

impl Figures {
    /// Starts recording figures for this process. Comes before the first [`Meter`](super::Meter) is made.
    ///
    /// # Errors
    /// When the process records figures already.
    pub fn record() -> Result<Self, BuildError> {
        let recorded = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Full(LATENCY.to_owned()), &LATENCY_BUCKETS_S)?
            .install_recorder()?;
        let process = Collector::default();
        process.describe();
        describe_gauge!(
            BUILD_INFO,
            "1, with the version and the layout of generations that it reads"
        );
        let layout = LAYOUT_VERSION.to_string();
        gauge!(BUILD_INFO, "version" => env!("CARGO_PKG_VERSION"), "layout" => layout).set(1.0);
        Ok(Self { recorded, process })
    }

    /// Folds what was recorded, for as long as the process lives.
    pub async fn keep_up(self) {
        let mut ticks = tokio::time::interval(UPKEEP_INTERVAL);
        loop {
            ticks.tick().await;
            self.recorded.run_upkeep();
        }
    }

    /// All of them, in the Prometheus text format.
    pub(super) fn shown(&self) -> String {
        self.process.collect();
        self.recorded.render()
    }
}

/// Shows the figures of answering requests from the start, so that an alarm can tell nothing from nobody.
pub fn begin() {
    describe_counter!(REQUESTS, "Requests by route and class of the status");
    describe_histogram!(
        LATENCY,
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
    ready(false);
}

pub(super) fn panicked() {
    counter!(PANICKED).increment(1);
}

pub(super) fn timed_out() {
    counter!(TIMED_OUT).increment(1);
}

pub(super) fn ready(ready: bool) {
    gauge!(READY).set(f64::from(u8::from(ready)));
}
