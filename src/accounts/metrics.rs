//! The metrics of keys and of the accounts database. Labels are causes: never a key, an account or an IP.

use metrics::{Counter, counter, describe_counter};

const DENIED_KEYS: &str = "postduif_keys_denied_total";
const POLL_FAILURES: &str = "postduif_ledger_poll_failures_total";

/// Registers every metric with its description, so that it is there before its first event.
pub fn init() {
    describe_counter!(
        DENIED_KEYS,
        "Keys turned away, by cause; all are answered 401"
    );
    describe_counter!(
        POLL_FAILURES,
        "Times that changed keys could not be asked for; keys go on as they were"
    );
    for cause in [
        "missing",
        "malformed",
        "unknown",
        "environment",
        "address",
        "origin",
    ] {
        denied_keys(cause).increment(0);
    }
    counter!(POLL_FAILURES).increment(0);
}

pub(super) fn denied_keys(cause: &'static str) -> Counter {
    counter!(DENIED_KEYS, "cause" => cause)
}

pub(super) fn count_poll_failure() {
    counter!(POLL_FAILURES).increment(1);
}
