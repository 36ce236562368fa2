//! Defines the metrics of the request log and of usage counts.

use crate::metric::{CounterMetric, LabeledCounter, define_metrics};

define_metrics! {
    pub fn register() {}

    pub(super) const DROPPED = LabeledCounter::new(
        "postduif_request_log_dropped_total",
        "cause",
        "Requests missing from the request log, by cause: the queue was full (queue_full), or writing to the disk failed (write_failed)",
    ) for &["queue_full", "write_failed"];
    pub(super) const UNLOGGED = CounterMetric::new(
        "postduif_request_log_unlogged_total",
        "Requests that took no call and have no line in the request log, because the same key had such a line in the same second",
    );
    pub(super) const FLUSH_FAILURES = CounterMetric::new(
        "postduif_usage_flush_failures_total",
        "Failed attempts to add usage counts to the accounts database; the counts are kept and retried",
    );
    pub(super) const IN_DOUBT = CounterMetric::new(
        "postduif_usage_calls_in_doubt_total",
        "Calls whose usage count may be missing: the database did not confirm the commit",
    );
}
