//! Defines the metrics of keys and of polls of the accounts database. Labels are causes, never a key, an account or an IP.

use crate::metric::{CounterMetric, LabeledCounter};

pub(super) const DENIED_KEYS: LabeledCounter = LabeledCounter::new(
    "postduif_keys_denied_total",
    "cause",
    "Keys refused, by cause; every cause is answered 401",
);
pub(super) const POLL_FAILURES: CounterMetric = CounterMetric::new(
    "postduif_accounts_poll_failures_total",
    "Polls for changed keys that failed; the last known keys stay in force",
);

/// Registers every metric with its description, so that it exists before its first event.
pub fn register() {
    DENIED_KEYS.register(&[
        "missing",
        "malformed",
        "unknown",
        "environment",
        "ip",
        "origin",
    ]);
    POLL_FAILURES.register();
}
