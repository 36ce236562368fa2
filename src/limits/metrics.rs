//! Defines the metrics of rate limits, quotas and leases. Labels are causes, never a key, an account or an IP.

use metrics::{Counter, counter, describe_counter, describe_gauge, gauge};

const LIMITED_REQUESTS: &str = "postduif_requests_limited_total";
const LEASED_CALLS: &str = "postduif_leases_calls_total";
const REFUSED_ATTEMPTS: &str = "postduif_leases_refused_total";
const LEASE_FAILURES: &str = "postduif_leases_failures_total";
const UNUSED_CALLS: &str = "postduif_leases_calls_unused";
const CREDIT_CALLS: &str = "postduif_leases_calls_on_credit_total";
const UNBOOKED_CREDIT: &str = "postduif_leases_calls_on_credit";
const RECALLED_LEASES: &str = "postduif_leases_recalled_total";
const ACCOUNTS: &str = "postduif_leases_accounts";
const DATABASE_UNAVAILABLE: &str = "postduif_accounts_database_unavailable";

/// Registers every metric with its description, so that it exists before its first event.
pub fn register() {
    describe_counter!(
        LIMITED_REQUESTS,
        "Requests answered 429, by limit: calls per second of the key (rate), calls per minute of one client IP (ip), calls per month of the account (quota)"
    );
    describe_counter!(LEASED_CALLS, "Calls leased from the accounts database");
    describe_counter!(
        REFUSED_ATTEMPTS,
        "Quota reservations refused, by reason: the quota is used up (exhausted), or the database is unavailable and both the local lease and the credit are used up (unavailable, answered 503)"
    );
    describe_counter!(
        LEASE_FAILURES,
        "Transactions with the accounts database that failed"
    );
    describe_gauge!(UNUSED_CALLS, "Calls leased and not yet used");
    describe_counter!(
        CREDIT_CALLS,
        "Calls served on credit: the database was unavailable and the local lease was used up"
    );
    describe_gauge!(
        UNBOOKED_CREDIT,
        "Calls served on credit and not yet booked in the database; lost if the process is killed"
    );
    describe_counter!(
        RECALLED_LEASES,
        "Times that unused leased calls were returned because another node waited for them"
    );
    describe_gauge!(ACCOUNTS, "Accounts whose quota this process tracks");
    describe_gauge!(
        DATABASE_UNAVAILABLE,
        "1 if the accounts database was unavailable at the last attempt; calls are served from local leases, then on credit"
    );
    LimitMetrics::new();
    count_leased(0);
    for reason in ["exhausted", "unavailable"] {
        refused_attempts(reason).increment(0);
    }
    failed_transactions().increment(0);
    set_unused_calls(0);
    count_credit(0);
    set_unbooked_credit(0);
    count_recalled(0);
    set_account_count(0);
    set_database_unavailable(false);
}

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
        let [rate, ip, quota] =
            ["rate", "ip", "quota"].map(|reason| counter!(LIMITED_REQUESTS, "reason" => reason));
        Self { rate, ip, quota }
    }
}

pub(crate) fn count_leased(calls: u64) {
    counter!(LEASED_CALLS).increment(calls);
}

pub(crate) fn refused_attempts(reason: &'static str) -> Counter {
    counter!(REFUSED_ATTEMPTS, "reason" => reason)
}

pub(crate) fn failed_transactions() -> Counter {
    counter!(LEASE_FAILURES)
}

pub(crate) fn set_unused_calls(calls: u64) {
    gauge!(UNUSED_CALLS).set(to_f64(calls));
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a gauge above 2^53 calls may be off by one"
)]
fn to_f64(calls: u64) -> f64 {
    calls as f64
}

pub(crate) fn count_credit(calls: u64) {
    counter!(CREDIT_CALLS).increment(calls);
}

pub(crate) fn set_unbooked_credit(calls: u64) {
    gauge!(UNBOOKED_CREDIT).set(to_f64(calls));
}

pub(crate) fn count_recalled(times: usize) {
    counter!(RECALLED_LEASES).increment(times as u64);
}

pub(crate) fn set_account_count(count: usize) {
    gauge!(ACCOUNTS).set(f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
}

/// Sets whether the accounts database is unavailable.
pub fn set_database_unavailable(unavailable: bool) {
    gauge!(DATABASE_UNAVAILABLE).set(f64::from(u8::from(unavailable)));
}
