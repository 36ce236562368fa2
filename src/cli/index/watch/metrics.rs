//! Records the metrics of `index watch`.

use std::time::{Duration, SystemTime};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use metrics::{counter, describe_counter, describe_gauge, gauge};

use crate::cli::index::delivery_indexer::DeliveryFindings;

const DELIVERIES: &str = "postduif_watch_deliveries_total";
const FAILURES: &str = "postduif_watch_failures_total";
const REJECTED_RECORDS: &str = "postduif_watch_rejected_records_total";
const REJECTED_VALUES: &str = "postduif_watch_rejected_values_total";
const VERSION_MISMATCHES: &str = "postduif_watch_version_mismatches_total";
const FULL_LAST_DOCUMENTS: &str = "postduif_watch_full_last_documents_total";
const UNKNOWN_MUNICIPALITIES: &str = "postduif_watch_unknown_municipalities";
const WAITING: &str = "postduif_watch_waiting";
const REGISTER_UNUSABLE: &str = "postduif_watch_register_unusable";
const LAST_DELIVERY_SECONDS: &str = "postduif_watch_last_delivery_seconds";
const LAST_SUCCESS: &str = "postduif_watch_last_success_timestamp_seconds";
const PUBLISH_FAILURES: &str = "postduif_watch_publish_failures_total";
const PUBLISHED_BYTES: &str = "postduif_watch_published_bytes_total";
const PUBLICATION: &str = "postduif_watch_served_publication";
const PUBLISHED_AT: &str = "postduif_watch_published_timestamp_seconds";
const UNPUBLISHED_SINCE: &str = "postduif_watch_unpublished_since_timestamp_seconds";
// The service has these two metrics under the same names.
const STAND: &str = "postduif_stand_timestamp_seconds";
const ADDRESSES: &str = "postduif_addresses";

/// The `outcome` label of a delivery that left the inbox.
#[derive(Debug, Clone, Copy)]
pub(super) enum DeliveryOutcomeLabel {
    Applied,
    Repeated,
    Rejected,
}

/// Registers every metric with 0, so that an alert can distinguish the value 0 from a process that is down.
pub(super) fn register() {
    describe_counter!(DELIVERIES, "Deliveries that left the inbox, by outcome");
    describe_counter!(
        FAILURES,
        "Attempts that failed although the delivery may be valid, such as on a full disk; the delivery stays in the inbox and is retried"
    );
    register_findings();
    describe_gauge!(
        WAITING,
        "Deliveries in the inbox that wait for a missing earlier delivery"
    );
    describe_gauge!(
        REGISTER_UNUSABLE,
        "1 while the register is damaged or older than the served generation: no mutations can be applied until an extract is built"
    );
    describe_gauge!(
        LAST_DELIVERY_SECONDS,
        "Seconds that applying the last delivery took"
    );
    describe_gauge!(
        LAST_SUCCESS,
        "Unix time when a delivery was last applied, or found to be in the register already"
    );
    describe_gauge!(
        STAND,
        "The day whose register state is served, as Unix time; 0 before there is one"
    );
    describe_gauge!(ADDRESSES, "Addresses that are served");
    register_publishing();
    for outcome in [
        DeliveryOutcomeLabel::Applied,
        DeliveryOutcomeLabel::Repeated,
        DeliveryOutcomeLabel::Rejected,
    ] {
        add_deliveries(outcome, 0);
    }
    counter!(FAILURES).increment(0);
    set_waiting(0);
    set_register_unusable(false);
}

fn register_findings() {
    describe_counter!(
        REJECTED_RECORDS,
        "Invalid records in force that were not used when a delivery was applied"
    );
    describe_counter!(
        REJECTED_VALUES,
        "Invalid values in force that were not used when a delivery was applied"
    );
    describe_counter!(
        VERSION_MISMATCHES,
        "Versions whose state in the register differed from the past state in a delivery; an earlier delivery may have been incomplete"
    );
    describe_counter!(
        FULL_LAST_DOCUMENTS,
        "Full documents that were the last of their kind in an applied delivery; a further document may be missing after each"
    );
    describe_gauge!(
        UNKNOWN_MUNICIPALITIES,
        "Municipalities missing from the table at the last delivery; their towns keep their former municipality"
    );
    add_findings(DeliveryFindings::default());
}

/// Adds the unusual counts of an applied delivery to the metrics.
pub(super) fn add_findings(findings: DeliveryFindings) {
    counter!(REJECTED_RECORDS).increment(findings.rejected_records);
    counter!(REJECTED_VALUES).increment(findings.rejected_values);
    counter!(VERSION_MISMATCHES).increment(findings.version_mismatches);
    counter!(FULL_LAST_DOCUMENTS).increment(findings.full_last_documents);
    gauge!(UNKNOWN_MUNICIPALITIES).set(to_f64(findings.unknown_municipalities));
}

fn register_publishing() {
    describe_counter!(
        PUBLISH_FAILURES,
        "Attempts to publish the served generation that failed or were refused"
    );
    describe_counter!(PUBLISHED_BYTES, "Bytes uploaded to the bucket");
    describe_gauge!(
        PUBLICATION,
        "Number of the publication that holds the served generation; 0 if there is none yet"
    );
    describe_gauge!(
        PUBLISHED_AT,
        "Unix time when the served generation was last published, or found to be published; 0 if never"
    );
    describe_gauge!(
        UNPUBLISHED_SINCE,
        "Unix time since which the served generation waits to be published; 0 if it is published, or there is none"
    );
    counter!(PUBLISH_FAILURES).increment(0);
    counter!(PUBLISHED_BYTES).increment(0);
    for name in [PUBLICATION, PUBLISHED_AT, UNPUBLISHED_SINCE] {
        gauge!(name).set(0.0);
    }
}

/// Sets the number of the publication that holds the served generation, and adds the bytes that were uploaded for it.
pub(super) fn set_published(number: u64, bytes: u64) {
    counter!(PUBLISHED_BYTES).increment(bytes);
    gauge!(PUBLICATION).set(to_f64(number));
    gauge!(PUBLISHED_AT).set(unix_now());
    set_publish_pending(false);
}

/// Records whether the served generation waits to be published. If so, the wait starts now.
pub(super) fn set_publish_pending(is_pending: bool) {
    gauge!(UNPUBLISHED_SINCE).set(if is_pending { unix_now() } else { 0.0 });
}

pub(super) fn count_publish_failure() {
    counter!(PUBLISH_FAILURES).increment(1);
}

/// The current Unix time in whole seconds.
fn unix_now() -> f64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.unwrap_or_default().as_secs_f64().floor()
}

pub(super) fn count_delivery(outcome: DeliveryOutcomeLabel) {
    add_deliveries(outcome, 1);
}

fn add_deliveries(outcome: DeliveryOutcomeLabel, by: u64) {
    let outcome = match outcome {
        DeliveryOutcomeLabel::Applied => "applied",
        DeliveryOutcomeLabel::Repeated => "repeated",
        DeliveryOutcomeLabel::Rejected => "rejected",
    };
    counter!(DELIVERIES, "outcome" => outcome).increment(by);
}

pub(super) fn count_failure() {
    counter!(FAILURES).increment(1);
}

pub(super) fn set_last_success(elapsed: Option<Duration>) {
    gauge!(LAST_SUCCESS).set(unix_now());
    if let Some(elapsed) = elapsed {
        gauge!(LAST_DELIVERY_SECONDS).set(elapsed.as_secs_f64());
    }
}

pub(super) fn set_waiting(deliveries: usize) {
    gauge!(WAITING).set(to_f64(deliveries as u64));
}

pub(super) fn set_register_unusable(is_unusable: bool) {
    gauge!(REGISTER_UNUSABLE).set(if is_unusable { 1.0 } else { 0.0 });
}

pub(super) fn set_addresses(count: u64) {
    gauge!(ADDRESSES).set(to_f64(count));
}

/// Sets the stand, as the Unix time of the start of that day in UTC.
pub(super) fn set_stand(stand: Date) {
    if let Ok(midnight) = stand.to_zoned(TimeZone::UTC) {
        let seconds = midnight.timestamp().as_second();
        gauge!(STAND).set(to_f64(u64::try_from(seconds).unwrap_or_default()));
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a gauge is a float; these numbers are far below 2^53"
)]
fn to_f64(number: u64) -> f64 {
    number as f64
}
