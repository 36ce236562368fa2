//! The figures of what is served.

use metrics::{counter, describe_counter, describe_gauge, gauge};

use super::Snapshot;

const ADDRESSES: &str = "postduif_addresses";
const STAND: &str = "postduif_stand_timestamp_seconds";
const SERVED_SINCE: &str = "postduif_generation_served_timestamp_seconds";
const RELOAD_FAILING: &str = "postduif_generation_failed";
const RELOAD_FAILURES: &str = "postduif_reload_failures_total";

/// Shows every figure from the start, so that an alarm can tell nothing from nobody.
pub fn register() {
    describe_gauge!(ADDRESSES, "Addresses that are served");
    describe_gauge!(
        STAND,
        "The day whose register state is served, as Unix time; 0 before there is one"
    );
    describe_gauge!(
        SERVED_SINCE,
        "When the generation that is served was swapped in, as Unix time; 0 before there is one"
    );
    describe_gauge!(
        RELOAD_FAILING,
        "1 while the published generation does not open, or the data folder names none any more; an earlier one goes on, where there is one"
    );
    describe_counter!(
        RELOAD_FAILURES,
        "Attempts to open a published generation that failed"
    );
    for name in [ADDRESSES, STAND, SERVED_SINCE, RELOAD_FAILING] {
        gauge!(name).set(0.0);
    }
    counter!(RELOAD_FAILURES).increment(0);
}

/// Shows the generation that is served from now on.
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

/// Counts one attempt to open a generation that failed.
pub(super) fn count_reload_failure() {
    counter!(RELOAD_FAILURES).increment(1);
}

/// Shows whether what is published is what is served.
pub(super) fn set_reload_failing(failing: bool) {
    gauge!(RELOAD_FAILING).set(f64::from(u8::from(failing)));
}

/// The start of the stand day in UTC, as Unix time.
fn stand_unix_seconds(manifest: &postduif_schema::Manifest) -> Option<f64> {
    let midnight = manifest.stand.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    Some(unix_seconds(midnight.timestamp()))
}

fn unix_seconds(timestamp: jiff::Timestamp) -> f64 {
    #[expect(
        clippy::cast_precision_loss,
        reason = "seconds since 1970 fit a float exactly"
    )]
    let seconds = timestamp.as_second() as f64;
    seconds
}
