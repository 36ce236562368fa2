//! Records the metrics of fetching, which the watcher serves.
//!
//! The mode, the last success and the first failure after it are read from the file in which each run saves its state. So they are also right if a timer runs
//! `index fetch` and the watcher does not fetch.

use std::path::Path;

use metrics::{describe_gauge, gauge};

use super::fetch_dir::FetchState;
use crate::metric::{CounterMetric, GaugeMetric, define_metrics};

const FEED: &str = "postduif_fetch_feed";

define_metrics! {
    pub(in crate::cli::index) fn register() {
        describe_gauge!(
            FEED,
            "1 for the mode of the last fetch that succeeded: monthly (the extract only) or daily (mutations too); 0 for the other mode, and for both before the first success"
        );
        set_state(&FetchState::default());
    }

    const LAST_SUCCESS = GaugeMetric::new(
        "postduif_fetch_last_success_timestamp_seconds",
        "Unix time when a fetch into the inbox last succeeded, even if nothing was new; 0 before the first success",
    );
    const FAILING_SINCE = GaugeMetric::new(
        "postduif_fetch_failing_since_timestamp_seconds",
        "Unix time since which fetches into the inbox fail, by this process or by `postduif index fetch`; 0 if the last one succeeded, or before the first one",
    );
    pub(in crate::cli::index) const FAILURES = CounterMetric::new(
        "postduif_fetch_failures_total",
        "Fetches of this process that failed or were refused",
    );
    pub(super) const BYTES = CounterMetric::new("postduif_fetch_bytes_total", "Bytes of deliveries that this process downloaded");
}

/// Sets the metrics from the state that the last fetch into an inbox saved. That fetch may have been in another process.
pub(in crate::cli::index) fn update(inbox: &Path) {
    // Ignore a damaged state. The next fetch reports it and replaces it.
    if let Ok(state) = FetchState::read(inbox) {
        set_state(&state);
    }
}

pub(super) fn set_state(state: &FetchState) {
    for (mode, is_daily) in [("daily", true), ("monthly", false)] {
        let is_mode = state.is_daily == Some(is_daily);
        gauge!(FEED, "mode" => mode).set(f64::from(u8::from(is_mode)));
    }
    LAST_SUCCESS.set_unix_time(state.last_success.unwrap_or(0));
    FAILING_SINCE.set_unix_time(state.failing_since.unwrap_or(0));
}
