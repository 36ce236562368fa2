//! The figures of what is written down.

use metrics::{Counter, counter, describe_counter};

const DROPPED: &str = "postduif_request_log_dropped_total";
const FLUSH_FAILURES: &str = "postduif_usage_flush_failures_total";
const IN_DOUBT: &str = "postduif_usage_calls_in_doubt_total";

/// Shows every figure from the start, so that an alarm can tell nothing from nobody.
pub fn begin() {
    describe_counter!(
        DROPPED,
        "Requests that are not in the request log, by cause: more came than could wait (queue full), or the disk did not take them (not written)"
    );
    describe_counter!(
        FLUSH_FAILURES,
        "Attempts to bring counts to the accounts database that failed; they are kept and tried again"
    );
    describe_counter!(
        IN_DOUBT,
        "Calls whose count may be missing: the database did not say whether it kept them"
    );
    queue_full().increment(0);
    not_written().increment(0);
    counter!(FLUSH_FAILURES).increment(0);
    in_doubt(0);
}

/// Events for which the queue had no place.
pub(super) fn queue_full() -> Counter {
    counter!(DROPPED, "cause" => "queue full")
}

/// Events that the disk did not take.
pub(super) fn not_written() -> Counter {
    counter!(DROPPED, "cause" => "not written")
}

pub(super) fn flush_failed() {
    counter!(FLUSH_FAILURES).increment(1);
}

pub(super) fn in_doubt(calls: u64) {
    counter!(IN_DOUBT).increment(calls);
}
