//! The metrics of limits and leases. Labels are causes: never a key, an account or an IP.

use metrics::{Counter, counter, describe_counter, describe_gauge, gauge};

const LIMITED: &str = "postduif_requests_limited_total";
const LEASED: &str = "postduif_leases_calls_total";
const LEASE_REFUSED: &str = "postduif_leases_refused_total";
const LEASE_FAILURES: &str = "postduif_leases_failures_total";
const IN_HAND: &str = "postduif_leases_calls_in_hand";
const CREDIT: &str = "postduif_leases_calls_on_credit_total";
const ON_CREDIT: &str = "postduif_leases_calls_on_credit";
const RECALLED: &str = "postduif_leases_recalled_total";
const ACCOUNTS: &str = "postduif_leases_accounts";
const AWAY: &str = "postduif_leases_database_away";

/// Registers every metric with its description, so that it is there before its first event.
pub fn begin() {
    describe_counter!(
        LIMITED,
        "Requests answered 429, by what was used up: the key's calls per second (rate), one address's calls per minute (address), the month's calls (bundle)"
    );
    describe_counter!(LEASED, "Calls leased from the accounts database");
    describe_counter!(
        LEASE_REFUSED,
        "Attempts to take a call that found none, by reason: the bundle is used up (exhausted), or the database is away, nothing is in hand and the credit is used up (unavailable, answered 503)"
    );
    describe_counter!(
        LEASE_FAILURES,
        "Transactions with the accounts database that failed"
    );
    describe_gauge!(IN_HAND, "Calls leased and not yet used");
    describe_counter!(
        CREDIT,
        "Calls served on credit: the database was away and nothing was in hand"
    );
    describe_gauge!(
        ON_CREDIT,
        "Calls served on credit and not yet booked; a kill would lose them"
    );
    describe_counter!(
        RECALLED,
        "Times that calls in hand were given back because another node waited for them"
    );
    describe_gauge!(
        ACCOUNTS,
        "Accounts whose bundle this process keeps count of"
    );
    describe_gauge!(
        AWAY,
        "1 while the accounts database was away when it was last asked for calls: they go on from what is in hand, and then on credit"
    );
    Limited::new();
    leased(0);
    for reason in ["exhausted", "unavailable"] {
        lease_refused(reason).increment(0);
    }
    lease_failures().increment(0);
    in_hand(0);
    on_credit(0);
    on_credit_outstanding(0);
    recalled(0);
    accounts(0);
    database_away(false);
}

/// Requests that came too fast or too often. Looked up once, so that a request only adds.
#[derive(Debug)]
pub struct Limited {
    /// The key's calls per second.
    pub rate: Counter,
    /// The calls per minute of one address.
    pub address: Counter,
    /// The calls of the month.
    pub bundle: Counter,
}

impl Limited {
    pub(crate) fn new() -> Self {
        let [rate, address, bundle] =
            ["rate", "address", "bundle"].map(|reason| counter!(LIMITED, "reason" => reason));
        Self {
            rate,
            address,
            bundle,
        }
    }
}

pub(crate) fn leased(calls: u64) {
    counter!(LEASED).increment(calls);
}

pub(crate) fn lease_refused(reason: &'static str) -> Counter {
    counter!(LEASE_REFUSED, "reason" => reason)
}

pub(crate) fn lease_failures() -> Counter {
    counter!(LEASE_FAILURES)
}

pub(crate) fn in_hand(calls: u64) {
    gauge!(IN_HAND).set(whole(calls));
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a gauge of more than 2^53 calls may be off by one"
)]
fn whole(calls: u64) -> f64 {
    calls as f64
}

pub(crate) fn on_credit(calls: u64) {
    counter!(CREDIT).increment(calls);
}

pub(crate) fn on_credit_outstanding(calls: u64) {
    gauge!(ON_CREDIT).set(whole(calls));
}

pub(crate) fn recalled(times: usize) {
    counter!(RECALLED).increment(times as u64);
}

pub(crate) fn accounts(count: usize) {
    gauge!(ACCOUNTS).set(f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
}

/// Whether the accounts database is out of reach.
pub fn database_away(away: bool) {
    gauge!(AWAY).set(f64::from(u8::from(away)));
}
