//! Defines permits: reserved calls that are returned unless they are committed. A request that fails, times out or is dropped costs
//! nothing.

use std::sync::Arc;

use super::account_quota::AccountQuota;
use super::local_lease::LocalLease;
use super::outcome::QuotaStatus;
use crate::accounts::BillingPeriod;

/// Calls that a request has reserved. Dropping the permit returns the calls.
#[must_use = "dropping a permit returns its calls at once"]
#[derive(Debug)]
pub struct QuotaPermit {
    account: Arc<AccountQuota>,
    period: BillingPeriod,
    status: QuotaStatus,
    calls: u32,
    /// How many of the reserved calls are on credit.
    credit_calls: u64,
}

impl QuotaPermit {
    /// A permit for calls that were just reserved in `lease`, which is the lease of `account`.
    pub(super) fn new(
        account: Arc<AccountQuota>,
        lease: &LocalLease,
        calls: u32,
        credit_calls: u64,
    ) -> Self {
        Self {
            account,
            period: lease.current.period,
            status: lease.current.status(),
            calls,
            credit_calls,
        }
    }

    /// The quota status right after the reservation. The reserved calls count as used.
    pub fn status(&self) -> QuotaStatus {
        self.status
    }

    /// How many of the calls are on credit.
    #[cfg(test)]
    pub(crate) fn calls_on_credit(&self) -> u64 {
        self.credit_calls
    }

    /// Counts the calls as used.
    pub fn commit(mut self) {
        let calls = std::mem::take(&mut self.calls);
        if calls > 0 {
            let mut lease = self.account.lock_lease();
            lease.commit(calls.into(), self.credit_calls, self.period);
            self.account.queue_usage_report(&mut lease);
        }
    }
}

impl Drop for QuotaPermit {
    fn drop(&mut self) {
        if self.calls == 0 {
            return;
        }
        let mut lease = self.account.lock_lease();
        lease.refund(self.calls.into(), self.credit_calls, self.period);
        if lease.exceeds_target() {
            self.account.queue_usage_report(&mut lease);
        }
        if lease.waiting > 0 {
            self.account.changed.notify_waiters();
        }
    }
}
