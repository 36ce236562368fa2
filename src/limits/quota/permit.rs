//! Calls that were taken: they go back unless they are kept, so a request that fails, runs into its deadline or is dropped
//! costs nothing.

use std::sync::Arc;

use super::Standing;
use super::account_quota::Entry;
use super::local_lease::Hand;
use crate::accounts::BillingPeriod;

/// Calls that a request has taken. Dropping it gives them back.
#[must_use = "dropping it gives the calls back at once"]
#[derive(Debug)]
pub struct Taken {
    entry: Arc<Entry>,
    period: BillingPeriod,
    standing: Standing,
    calls: u32,
    /// How many of them were not in hand, but served on credit.
    on_credit: u64,
}

impl Taken {
    /// Calls that were taken from `hand`, that of `entry`, and how it stands without them.
    pub(super) fn new(entry: Arc<Entry>, hand: &Hand, calls: u32, on_credit: u64) -> Self {
        Self {
            entry,
            period: hand.period(),
            standing: hand.standing(),
            calls,
            on_credit,
        }
    }

    /// What was left when the calls had been taken, these taken for served.
    #[must_use]
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// How many of the calls were served on credit.
    #[cfg(test)]
    pub(crate) fn on_credit(&self) -> u64 {
        self.on_credit
    }

    /// Counts the calls: they are used.
    pub fn keep(mut self) {
        let calls = std::mem::take(&mut self.calls);
        if calls > 0 {
            let mut hand = self.entry.hand();
            hand.keep(calls.into(), self.on_credit, self.period);
            self.entry.list(&mut hand);
        }
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        if self.calls == 0 {
            return;
        }
        let mut hand = self.entry.hand();
        hand.refund(self.calls.into(), self.on_credit, self.period);
        if hand.is_above_lease() {
            self.entry.list(&mut hand);
        }
        if hand.waiting > 0 {
            self.entry.changed.notify_waiters();
        }
    }
}
