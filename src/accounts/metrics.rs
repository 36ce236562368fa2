//! Defines the metrics of keys and of polls of the accounts database. Labels are causes, never a key, an account or an IP.

use metrics::{Counter, counter, describe_counter};

const DENIED_KEYS: &str = "postduif_keys_denied_total";
const POLL_FAILURES: &str = "postduif_accounts_poll_failures_total";

/// Registers every metric with its description, so that it exists before its first event.
pub fn register() {
    describe_counter!(
        DENIED_KEYS,
        "Keys refused, by cause; every cause is answered 401"
    );
    describe_counter!(
        POLL_FAILURES,
        "Polls for changed keys that failed; the last known keys stay in force"
    );
    for cause in [
        "missing",
        "malformed",
        "unknown",
        "environment",
        "ip",
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
