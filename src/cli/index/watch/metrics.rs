//! The figures of watching an inbox.

use std::time::{Duration, SystemTime};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use metrics::{counter, describe_counter, describe_gauge, gauge};

const DELIVERIES: &str = "postduif_watch_deliveries_total";
const FAILURES: &str = "postduif_watch_failures_total";
const WAITING: &str = "postduif_watch_waiting";
const LAST_SECONDS: &str = "postduif_watch_last_delivery_seconds";
const LAST_SUCCESS: &str = "postduif_watch_last_success_timestamp_seconds";
const PUBLISH_FAILURES: &str = "postduif_watch_publish_failures_total";
const PUBLISHED_BYTES: &str = "postduif_watch_published_bytes_total";
const PUBLICATION: &str = "postduif_watch_published_number";
const PUBLISHED: &str = "postduif_watch_published_timestamp_seconds";
const UNPUBLISHED: &str = "postduif_watch_unpublished_since_timestamp_seconds";
// The service shows these two of what it serves.
const STAND: &str = "postduif_stand_timestamp_seconds";
const ADDRESSES: &str = "postduif_addresses";

/// What came of a delivery that is done with.
#[derive(Debug, Clone, Copy)]
pub(super) enum Outcome {
    Applied,
    Repeated,
    Rejected,
}

/// Shows every figure from the start, so that an alarm can tell nothing from nobody.
pub(super) fn begin() {
    describe_counter!(
        DELIVERIES,
        "Deliveries that left the inbox, by what came of them"
    );
    describe_counter!(
        FAILURES,
        "Attempts that failed for a reason that is not the delivery's; it stays in the inbox and is tried again"
    );
    describe_gauge!(
        WAITING,
        "Deliveries in the inbox that wait for an earlier one that is missing"
    );
    describe_gauge!(LAST_SECONDS, "Seconds that the last applied delivery took");
    describe_gauge!(
        LAST_SUCCESS,
        "When a delivery was last applied or known already, as Unix time"
    );
    describe_gauge!(
        STAND,
        "The day whose register state is served, as Unix time; 0 before there is one"
    );
    describe_gauge!(ADDRESSES, "Addresses that are served");
    begin_publishing();
    for outcome in [Outcome::Applied, Outcome::Repeated, Outcome::Rejected] {
        count(outcome, 0);
    }
    counter!(FAILURES).increment(0);
    waiting(0);
}

fn begin_publishing() {
    describe_counter!(
        PUBLISH_FAILURES,
        "Attempts to publish what is served that failed or were refused"
    );
    describe_counter!(PUBLISHED_BYTES, "Bytes of files brought to the bucket");
    describe_gauge!(
        PUBLICATION,
        "The publication that what is served is; 0 before there is one"
    );
    describe_gauge!(
        PUBLISHED,
        "When what is served was last published or found published, as Unix time; 0 before"
    );
    describe_gauge!(
        UNPUBLISHED,
        "Since when what is served waits to be published, as Unix time; 0 when it is, or need not be"
    );
    counter!(PUBLISH_FAILURES).increment(0);
    counter!(PUBLISHED_BYTES).increment(0);
    for name in [PUBLICATION, PUBLISHED, UNPUBLISHED] {
        gauge!(name).set(0.0);
    }
}

/// What is served is this publication, for which so many bytes were brought.
pub(super) fn published(number: u64, bytes: u64) {
    counter!(PUBLISHED_BYTES).increment(bytes);
    gauge!(PUBLICATION).set(float(number));
    gauge!(PUBLISHED).set(unix_now());
    publishing(false);
}

/// What is served is to be published from now on, or there is nothing to publish.
pub(super) fn publishing(is_due: bool) {
    gauge!(UNPUBLISHED).set(if is_due { unix_now() } else { 0.0 });
}

/// An attempt to publish failed.
pub(super) fn unpublished() {
    counter!(PUBLISH_FAILURES).increment(1);
}

/// In whole seconds.
fn unix_now() -> f64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.unwrap_or_default().as_secs_f64().floor()
}

pub(super) fn left(outcome: Outcome) {
    count(outcome, 1);
}

fn count(outcome: Outcome, by: u64) {
    let outcome = match outcome {
        Outcome::Applied => "applied",
        Outcome::Repeated => "repeated",
        Outcome::Rejected => "rejected",
    };
    counter!(DELIVERIES, "outcome" => outcome).increment(by);
}

pub(super) fn failed() {
    counter!(FAILURES).increment(1);
}

pub(super) fn succeeded(took: Option<Duration>) {
    gauge!(LAST_SUCCESS).set(unix_now());
    if let Some(took) = took {
        gauge!(LAST_SECONDS).set(took.as_secs_f64());
    }
}

pub(super) fn waiting(deliveries: usize) {
    gauge!(WAITING).set(float(deliveries as u64));
}

pub(super) fn addresses(count: u64) {
    gauge!(ADDRESSES).set(float(count));
}

/// The start of the stand day in UTC.
pub(super) fn stand(stand: Date) {
    if let Ok(midnight) = stand.to_zoned(TimeZone::UTC) {
        let seconds = midnight.timestamp().as_second();
        gauge!(STAND).set(float(u64::try_from(seconds).unwrap_or_default()));
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a gauge is a float; none of these comes near 2^53"
)]
fn float(number: u64) -> f64 {
    number as f64
}
