//! Calls that were taken: they go back unless they are kept, so a request that fails, runs into its deadline or is dropped
//! costs nothing.

use std::sync::Arc;

use super::QuotaStatus;
use super::account_quota::AccountQuota;
use super::local_lease::LocalLease;
use crate::accounts::BillingPeriod;

/// Calls that a request has taken. Dropping it gives them back.
#[must_use = "dropping it gives the calls back at once"]
#[derive(Debug)]
pub struct QuotaPermit {
    account: Arc<AccountQuota>,
    period: BillingPeriod,
    status: QuotaStatus,
    calls: u32,
    /// How many of them were not in hand, but served on credit.
    on_credit: u64,
}

impl QuotaPermit {
    /// Calls that were taken from `hand`, that of `entry`, and how it stands without them.
    pub(super) fn new(
        account: Arc<AccountQuota>,
        lease: &LocalLease,
        calls: u32,
        on_credit: u64,
    ) -> Self {
        Self {
            account,
            period: lease.period(),
            status: lease.status(),
            calls,
            on_credit,
        }
    }

    /// What was left when the calls had been taken, these taken for served.
    #[must_use]
    pub fn status(&self) -> QuotaStatus {
        self.status
    }

    /// How many of the calls were served on credit.
    #[cfg(test)]
    pub(crate) fn calls_on_credit(&self) -> u64 {
        self.on_credit
    }

    /// Counts the calls: they are used.
    pub fn commit(mut self) {
        let calls = std::mem::take(&mut self.calls);
        if calls > 0 {
            let mut lease = self.account.lock_lease();
            lease.commit(calls.into(), self.on_credit, self.period);
            self.account.queue_report(&mut lease);
        }
    }
}

impl Drop for QuotaPermit {
    fn drop(&mut self) {
        if self.calls == 0 {
            return;
        }
        let mut lease = self.account.lock_lease();
        lease.refund(self.calls.into(), self.on_credit, self.period);
        if lease.exceeds_target() {
            self.account.queue_report(&mut lease);
        }
        if lease.waiting > 0 {
            self.account.changed.notify_waiters();
        }
    }
}
