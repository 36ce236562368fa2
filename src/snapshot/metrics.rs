//! Metrics of the served generation.

use super::{Snapshot, suggestion_metrics};
use crate::metric::{CounterMetric, GaugeMetric};

const ADDRESSES: GaugeMetric = GaugeMetric::new("postduif_addresses", "Addresses that are served");
const STAND: GaugeMetric = GaugeMetric::new(
    "postduif_stand_timestamp_seconds",
    "The day whose register state is served, as Unix time; 0 before there is one",
);
const SERVED_SINCE: GaugeMetric = GaugeMetric::new(
    "postduif_generation_served_timestamp_seconds",
    "Time at which the served generation went into service, as Unix time; 0 if there is none yet",
);
pub(super) const RELOAD_FAILING: GaugeMetric = GaugeMetric::new(
    "postduif_generation_reload_failing",
    "1 while the current generation cannot be opened or the data folder no longer has a current generation; the previous generation, if any, stays in service",
);
pub(super) const RELOAD_FAILURES: CounterMetric = CounterMetric::new(
    "postduif_generation_reload_failures_total",
    "Failed attempts to open a generation",
);

/// Registers every metric with a first value, so that an alert can distinguish the value 0 from a service that is down.
pub fn register() {
    for gauge in [ADDRESSES, STAND, SERVED_SINCE, RELOAD_FAILING] {
        gauge.register();
    }
    RELOAD_FAILURES.register();
    suggestion_metrics::register();
}

/// Records the generation that is served from now on.
pub(super) fn set_served(snapshot: &Snapshot) {
    ADDRESSES.set_count(snapshot.address_count());
    if let Some(manifest) = snapshot.manifest() {
        STAND.set_day(manifest.stand);
    }
    SERVED_SINCE.set_now();
}
