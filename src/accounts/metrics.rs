//! Defines the metrics of keys and of polls of the accounts database. Labels are causes, never a key, an account or an IP.

use crate::metric::{CounterMetric, LabeledCounter, define_metrics};

define_metrics! {
    pub fn register() {}

    pub(super) const DENIED_KEYS = LabeledCounter::new(
        "postduif_keys_denied_total",
        "cause",
        "Keys refused, by cause; every cause is answered 401",
    ) for &["missing", "malformed", "unknown", "environment", "ip", "origin"];
    pub(super) const POLL_FAILURES = CounterMetric::new(
        "postduif_accounts_poll_failures_total",
        "Polls for changed keys that failed; the last known keys stay in force",
    );
}
