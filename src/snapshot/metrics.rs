//! Metrics of the served generation.

use metrics::{counter, describe_counter, describe_gauge, gauge};

use super::{Snapshot, suggestion_metrics};

const ADDRESSES: &str = "postduif_addresses";
const STAND: &str = "postduif_stand_timestamp_seconds";
const SERVED_SINCE: &str = "postduif_generation_served_timestamp_seconds";
const RELOAD_FAILING: &str = "postduif_generation_reload_failing";
const RELOAD_FAILURES: &str = "postduif_generation_reload_failures_total";

/// Registers every metric with a first value, so that an alert can distinguish the value 0 from a service that is down.
pub fn register() {
    describe_gauge!(ADDRESSES, "Addresses that are served");
    describe_gauge!(
        STAND,
        "The day whose register state is served, as Unix time; 0 before there is one"
    );
    describe_gauge!(
        SERVED_SINCE,
        "Time at which the served generation went into service, as Unix time; 0 if there is none yet"
    );
    describe_gauge!(
        RELOAD_FAILING,
        "1 while the current generation cannot be opened or the data folder no longer has a current generation; the previous generation, if any, stays in service"
    );
    describe_counter!(RELOAD_FAILURES, "Failed attempts to open a generation");
    for name in [ADDRESSES, STAND, SERVED_SINCE, RELOAD_FAILING] {
        gauge!(name).set(0.0);
    }
    counter!(RELOAD_FAILURES).increment(0);
    suggestion_metrics::register();
}

/// Records the generation that is served from now on.
pub(super) fn set_served(snapshot: &Snapshot) {
    #[expect(
        clippy::cast_precision_loss,
        reason = "a gauge is a float; there are ten million addresses"
    )]
    gauge!(ADDRESSES).set(snapshot.address_count() as f64);
    if let Some(stand) = snapshot.manifest().and_then(stand_unix_seconds) {
        gauge!(STAND).set(stand);
    }
    gauge!(SERVED_SINCE).set(unix_seconds(jiff::Timestamp::now()));
}

/// Counts a failed attempt to open a generation.
pub(super) fn count_reload_failure() {
    counter!(RELOAD_FAILURES).increment(1);
}

/// Records whether the current generation cannot be served.
pub(super) fn set_reload_failing(failing: bool) {
    gauge!(RELOAD_FAILING).set(f64::from(u8::from(failing)));
}

/// The start of the stand date in UTC, as Unix time.
fn stand_unix_seconds(manifest: &postduif_schema::Manifest) -> Option<f64> {
    let midnight = manifest.stand.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    Some(unix_seconds(midnight.timestamp()))
}

fn unix_seconds(timestamp: jiff::Timestamp) -> f64 {
    #[expect(
        clippy::cast_precision_loss,
        reason = "seconds since 1970 fit into a float exactly"
    )]
    let seconds = timestamp.as_second() as f64;
    seconds
}
