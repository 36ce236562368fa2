//! Defines the metrics of the request log and of usage counts.

use metrics::{Counter, counter, describe_counter};

const DROPPED: &str = "postduif_request_log_dropped_total";
const FLUSH_FAILURES: &str = "postduif_usage_flush_failures_total";
const IN_DOUBT: &str = "postduif_usage_calls_in_doubt_total";

/// Registers every metric at 0, so that an alert can distinguish a value of 0 from a process that is not running.
pub fn register() {
    describe_counter!(
        DROPPED,
        "Requests missing from the request log, by cause: the queue was full (queue_full), or writing to the disk failed (write_failed)"
    );
    describe_counter!(
        FLUSH_FAILURES,
        "Failed attempts to add usage counts to the accounts database; the counts are kept and retried"
    );
    describe_counter!(
        IN_DOUBT,
        "Calls whose usage count may be missing: the database did not confirm the commit"
    );
    queue_full_counter().increment(0);
    not_written_counter().increment(0);
    counter!(FLUSH_FAILURES).increment(0);
    count_in_doubt(0);
}

/// Counts requests that were dropped because the queue was full.
pub(super) fn queue_full_counter() -> Counter {
    counter!(DROPPED, "cause" => "queue_full")
}

/// Counts requests that were dropped because writing failed.
pub(super) fn not_written_counter() -> Counter {
    counter!(DROPPED, "cause" => "write_failed")
}

pub(super) fn count_flush_failure() {
    counter!(FLUSH_FAILURES).increment(1);
}

pub(super) fn count_in_doubt(calls: u64) {
    counter!(IN_DOUBT).increment(calls);
}
