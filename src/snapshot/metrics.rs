//! Metrics of the served generation.

use jiff::civil::Date;

use crate::metric::{CounterMetric, GaugeMetric, define_metrics};

define_metrics! {
    pub fn register() {}

    const ADDRESSES = GaugeMetric::new("postduif_addresses", "Addresses that are served");
    const STAND = GaugeMetric::new(
        "postduif_stand_timestamp_seconds",
        "The day whose register state is served, as Unix time; 0 before there is one",
    );
    const SERVED_SINCE = GaugeMetric::new(
        "postduif_generation_served_timestamp_seconds",
        "Time at which the served generation went into service, as Unix time; 0 if there is none yet",
    );
    pub(super) const RELOAD_FAILING = GaugeMetric::new(
        "postduif_generation_reload_failing",
        "1 while the current generation cannot be opened or the data folder no longer has a current generation; the previous generation, if any, stays in service",
    );
    pub(super) const RELOAD_FAILURES = CounterMetric::new(
        "postduif_generation_reload_failures_total",
        "Failed attempts to open a generation",
    );
    pub(super) const SUGGESTION_CACHE_HITS = CounterMetric::new(
        "postduif_suggestion_cache_hits_total",
        "Type-ahead calls whose places were in the cache",
    );
    pub(super) const SUGGESTION_CACHE_MISSES = CounterMetric::new(
        "postduif_suggestion_cache_misses_total",
        "Type-ahead calls whose places were not in the cache, so they were searched and then cached",
    );
}

/// Records the generation that is served from now on: its number of addresses, and its stand if it has a manifest.
pub(super) fn set_served(address_count: u64, stand: Option<Date>) {
    ADDRESSES.set_count(address_count);
    if let Some(stand) = stand {
        STAND.set_day(stand);
    }
    SERVED_SINCE.set_now();
}
