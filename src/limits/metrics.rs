//! Defines the metrics of rate limits, quotas and leases. Labels are causes, never a key, an account or an IP.

use metrics::Counter;

use crate::metric::{CounterMetric, GaugeMetric, LabeledCounter, define_metrics};

define_metrics! {
    pub fn register() {}

    const LIMITED_REQUESTS = LabeledCounter::new(
        "postduif_requests_limited_total",
        "reason",
        "Requests answered 429, by limit: calls per second of the key (rate), calls per minute of one client IP (ip), calls per month of the account (quota)",
    ) for &LIMITS;
    pub(crate) const LEASED_CALLS = CounterMetric::new("postduif_leases_calls_total", "Calls leased from the accounts database");
    pub(crate) const REFUSED_ATTEMPTS = LabeledCounter::new(
        "postduif_leases_refused_total",
        "reason",
        "Quota reservations refused, by reason: the quota is used up (exhausted), or the database is unavailable and both the local lease and the credit are used up (unavailable, answered 503)",
    ) for &["exhausted", "unavailable"];
    pub(crate) const LEASE_FAILURES = CounterMetric::new(
        "postduif_leases_failures_total",
        "Transactions with the accounts database that failed",
    );
    pub(crate) const UNUSED_CALLS = GaugeMetric::new("postduif_leases_calls_unused", "Calls leased and not yet used");
    pub(crate) const CREDIT_CALLS = CounterMetric::new(
        "postduif_leases_calls_on_credit_total",
        "Calls served on credit: the database was unavailable and the local lease was used up",
    );
    pub(crate) const UNBOOKED_CREDIT = GaugeMetric::new(
        "postduif_leases_calls_on_credit",
        "Calls served on credit and not yet booked in the database; lost if the process is killed",
    );
    pub(crate) const RECALLED_LEASES = CounterMetric::new(
        "postduif_leases_recalled_total",
        "Times that unused leased calls were returned because another node waited for them",
    );
    pub(crate) const ACCOUNTS = GaugeMetric::new("postduif_leases_accounts", "Accounts whose quota this process tracks");
    pub(crate) const DATABASE_UNAVAILABLE = GaugeMetric::new(
        "postduif_accounts_database_unavailable",
        "1 if the accounts database was unavailable at the last attempt; calls are served from local leases, then on credit",
    );
}

/// The limits that answer 429, as labels.
const LIMITS: [&str; 3] = ["rate", "ip", "quota"];

/// Counters of limited requests. They are looked up once, so that a request only increments them.
#[derive(Debug)]
pub struct LimitMetrics {
    /// Requests answered 429 by the limit on calls per second of the key.
    pub rate: Counter,
    /// Requests answered 429 by the limit on calls per minute of one client IP.
    pub ip: Counter,
    /// Requests answered 429 by the account's quota of calls per month.
    pub quota: Counter,
}

impl LimitMetrics {
    pub(crate) fn new() -> Self {
        let [rate, ip, quota] = LIMITS.map(|limit| LIMITED_REQUESTS.counter(limit));
        Self { rate, ip, quota }
    }
}
