//! Calls that were taken: they go back unless they are kept, so a request that fails, runs into its deadline or is dropped
//! costs nothing.

use std::sync::Arc;

use super::entry::Entry;
use super::{BillingPeriod, Standing};

/// Calls that a request has taken. Dropping it gives them back.
#[must_use = "dropping it gives the calls back at once"]
#[derive(Debug)]
pub struct Taken {
    entry: Arc<Entry>,
    period: BillingPeriod,
    standing: Standing,
    calls: u32,
}

impl Taken {
    /// Calls that were in the hand of `entry`, and how it stood without them.
    pub(super) fn new(
        entry: Arc<Entry>,
        period: BillingPeriod,
        standing: Standing,
        calls: u32,
    ) -> Self {
        Self {
            entry,
            period,
            standing,
            calls,
        }
    }

    /// What was left when the calls had been taken, these taken for served.
    #[must_use]
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// Counts the calls: they are used.
    pub fn keep(mut self) {
        let calls = std::mem::take(&mut self.calls);
        if calls > 0 {
            let mut hand = self.entry.hand();
            hand.keep(calls.into(), self.period);
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
        hand.refund(self.calls.into(), self.period);
        if hand.is_above_lease() {
            self.entry.list(&mut hand);
        }
        if hand.waiting > 0 {
            self.entry.changed.notify_waiters();
        }
    }
}
