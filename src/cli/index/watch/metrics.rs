//! Records the metrics of `index watch`.

use crate::cli::index::delivery_indexer::DeliveryFindings;
use crate::metric::{CounterMetric, GaugeMetric, LabeledCounter, define_metrics};

define_metrics! {
    pub(super) fn register() {}

    const DELIVERIES = LabeledCounter::new(
        "postduif_watch_deliveries_total",
        "outcome",
        "Deliveries that left the inbox, by outcome",
    ) for &DeliveryOutcomeLabel::ALL.map(DeliveryOutcomeLabel::as_str);
    pub(super) const FAILURES = CounterMetric::new(
        "postduif_watch_failures_total",
        "Attempts that failed although the delivery may be valid, such as on a full disk; the delivery stays in the inbox and is retried",
    );
    const REJECTED_RECORDS = CounterMetric::new(
        "postduif_watch_rejected_records_total",
        "Invalid records in force that were not used when a delivery was applied",
    );
    const REJECTED_VALUES = CounterMetric::new(
        "postduif_watch_rejected_values_total",
        "Invalid values in force that were not used when a delivery was applied",
    );
    const VERSION_MISMATCHES = CounterMetric::new(
        "postduif_watch_version_mismatches_total",
        "Versions that had another state in the register than a delivery gives as their past state; an earlier delivery may be incomplete",
    );
    const FULL_LAST_DOCUMENTS = CounterMetric::new(
        "postduif_watch_full_last_documents_total",
        "Full documents that were the last of their kind in an applied delivery; a further document may be missing after each",
    );
    const UNKNOWN_MUNICIPALITIES = GaugeMetric::new(
        "postduif_watch_unknown_municipalities",
        "Municipalities missing from the table at the last delivery; their towns keep their former municipality, or have no addresses if none is known",
    );
    pub(super) const WAITING = GaugeMetric::new(
        "postduif_watch_waiting",
        "Deliveries in the inbox that wait for a missing earlier delivery",
    );
    pub(super) const REGISTER_UNUSABLE = GaugeMetric::new(
        "postduif_watch_register_unusable",
        "1 while the register is damaged or older than the served generation: no mutations can be applied until an extract is built",
    );
    pub(super) const LAST_DELIVERY_SECONDS = GaugeMetric::unset(
        "postduif_watch_last_delivery_seconds",
        "Seconds that applying the last delivery took",
    );
    pub(super) const LAST_SUCCESS = GaugeMetric::unset(
        "postduif_watch_last_success_timestamp_seconds",
        "Unix time when a delivery was last applied, or found to be in the register already",
    );
    pub(super) const PUBLISH_FAILURES = CounterMetric::new(
        "postduif_watch_publish_failures_total",
        "Attempts to publish the served generation that failed or were refused",
    );
    const PUBLISHED_BYTES = CounterMetric::new("postduif_watch_published_bytes_total", "Bytes uploaded to the bucket");
    const PUBLICATION = GaugeMetric::new(
        "postduif_watch_served_publication",
        "Number of the publication that holds the served generation; 0 before the first publication",
    );
    const PUBLISHED_AT = GaugeMetric::new(
        "postduif_watch_published_timestamp_seconds",
        "Unix time when the served generation was last published, or found to be published; 0 if never",
    );
    const UNPUBLISHED_SINCE = GaugeMetric::new(
        "postduif_watch_unpublished_since_timestamp_seconds",
        "Unix time since which the served generation waits to be published; 0 if it is published, or if no generation is served",
    );
    // `postduif serve` reports the following two metrics too, under the same names.
    pub(super) const STAND = GaugeMetric::unset(
        "postduif_stand_timestamp_seconds",
        "The day whose register state is served, as Unix time; 0 before there is one",
    );
    pub(super) const ADDRESSES = GaugeMetric::unset("postduif_addresses", "Addresses that are served");
}

postduif_schema::named_enum! {
    /// The `outcome` label of a delivery that left the inbox.
    #[derive(Debug, Clone, Copy)]
    pub(super) enum DeliveryOutcomeLabel {
        Applied = "applied",
        Repeated = "repeated",
        Rejected = "rejected",
    }
}

/// Adds the unusual counts of an applied delivery to the metrics.
pub(super) fn add_findings(findings: DeliveryFindings) {
    REJECTED_RECORDS.add(findings.rejected_records);
    REJECTED_VALUES.add(findings.rejected_values);
    VERSION_MISMATCHES.add(findings.version_mismatches);
    FULL_LAST_DOCUMENTS.add(findings.full_last_documents);
    UNKNOWN_MUNICIPALITIES.set_count(findings.unknown_municipalities);
}

/// Sets the number of the publication that holds the served generation, and adds the bytes that were uploaded for it.
pub(super) fn set_published(number: u64, bytes: u64) {
    PUBLISHED_BYTES.add(bytes);
    PUBLICATION.set_count(number);
    PUBLISHED_AT.set_now();
    set_publish_pending(false);
}

/// Records whether the served generation waits to be published. If so, the wait starts now.
pub(super) fn set_publish_pending(is_pending: bool) {
    match is_pending {
        true => UNPUBLISHED_SINCE.set_now(),
        false => UNPUBLISHED_SINCE.set(0.0),
    }
}

pub(super) fn count_delivery(outcome: DeliveryOutcomeLabel) {
    DELIVERIES.counter(outcome.as_str()).increment(1);
}
