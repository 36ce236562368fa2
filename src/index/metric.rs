//! The figures of what is served.

use super::Snapshot;

/// Shows the generation that is served from now on.
pub(super) fn served(snapshot: &Snapshot) {
    #[expect(
        clippy::cast_precision_loss,
        reason = "a gauge is a float; there are ten million addresses"
    )]
    metrics::gauge!("postduif_addresses").set(snapshot.address_count() as f64);
    if let Some(stand) = snapshot.manifest().and_then(stand_seconds) {
        metrics::gauge!("postduif_stand_timestamp_seconds").set(stand);
    }
}

/// Counts one attempt to open a generation that failed.
pub(super) fn failed() {
    metrics::counter!("postduif_reload_failures_total").increment(1);
}

/// The start of the stand day in UTC, as Unix time.
fn stand_seconds(manifest: &postduif_schema::Manifest) -> Option<f64> {
    let midnight = manifest.stand.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    #[expect(
        clippy::cast_precision_loss,
        reason = "seconds since 1970 fit a float exactly"
    )]
    Some(midnight.timestamp().as_second() as f64)
}
