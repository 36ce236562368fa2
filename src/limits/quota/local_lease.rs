//! Holds the local lease of an account: calls that this node may serve without asking the database. This module only counts; it never
//! waits and reads no clock.
//!
//! Invariant: the row counts a call in `leased` before the call enters a local lease. The row stops counting a call only after the call has
//! left the lease unused. So the calls in the leases of all nodes and the served calls never add up to more than `leased`. Calls on credit
//! are the exception until they are booked.

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;

use super::outcome::{QuotaOutcome, QuotaRefusal};
use super::period_usage::PeriodUsage;
use crate::accounts::{
    AccountId, BillingPeriod, LeaseDemand, LeaseRequest, LeaseResult, PlanLimits, RecallMark,
};
use crate::limits::metrics;

/// An account without calls for this long returns its unused calls, because another node may need them.
pub(super) const IDLE_AFTER: Duration = Duration::from_secs(600);

/// While a quota is used up, a refused call makes the lease task read the row again, because another node may have returned calls. The row
/// is not read again within this time after the last lease request.
const RECHECK_EXHAUSTED_AFTER: Duration = Duration::from_secs(1);

/// An account with a call within this time is busy on this node. It keeps half of its calls when another node recalls them.
const BUSY_WITHIN: Duration = Duration::from_secs(2);

/// The calls of one account on this node, in the current billing period and in earlier periods.
#[derive(Debug)]
pub(super) struct LocalLease {
    account_id: AccountId,
    billing_anchor: Date,
    pub(super) current: PeriodUsage,
    /// Earlier periods with calls that have not been reported.
    unreported_periods: Vec<PeriodUsage>,
    /// Calls that wait for a refill.
    pub(super) waiting: u64,
    /// True if the account has lost its last live key.
    pub(super) has_no_live_key: bool,
    /// True if the lease task follows the account's billing periods.
    pub(super) is_tracked: bool,
    last_reserved: Option<Duration>,
    last_requested: Option<Duration>,
    /// The share of this account in the lease task's total of unused calls.
    pub(super) available_in_total: u64,
    /// The share of this account in the lease task's total of unbooked credit.
    pub(super) credit_in_total: u64,
    /// True while the account is in the list of refills.
    pub(super) refill_queued: bool,
    /// True while the account is in the list of usage reports.
    pub(super) usage_report_queued: bool,
}

impl LocalLease {
    pub(super) fn new(
        account_id: AccountId,
        billing_anchor: Date,
        limits: PlanLimits,
        now: Timestamp,
    ) -> Self {
        Self {
            account_id,
            billing_anchor,
            current: PeriodUsage::new(BillingPeriod::from_anchor(billing_anchor, now), limits),
            unreported_periods: Vec::new(),
            waiting: 0,
            has_no_live_key: false,
            is_tracked: false,
            last_reserved: None,
            last_requested: None,
            available_in_total: 0,
            credit_in_total: 0,
            refill_queued: false,
            usage_report_queued: false,
        }
    }

    /// Moves to the billing period that contains `now`. Unused calls of the previous period are void. Used calls of that period are still
    /// reported.
    pub(super) fn roll_period(&mut self, now: Timestamp) {
        if self.current.period.contains(now) {
            return;
        }
        let period = BillingPeriod::from_anchor(self.billing_anchor, now);
        let after = PeriodUsage::new(period, self.current.limits);
        let before = std::mem::replace(&mut self.current, after);
        self.last_requested = None;
        // A clock that was set back can return to a period that has unreported calls.
        if let Some(at) = self
            .unreported_periods
            .iter()
            .position(|usage| usage.period == period)
        {
            let unreported = self.unreported_periods.swap_remove(at);
            self.current.take_over_unreported(unreported);
        }
        if before.has_unreported() {
            self.unreported_periods.push(before);
        }
    }

    pub(super) fn set_limits(&mut self, limits: PlanLimits) {
        self.current.limits = limits;
    }

    /// Leases the whole allowance, unless calls of the period are leased already.
    pub(super) fn grant_all(&mut self) {
        let current = &mut self.current;
        if current.leased.is_none() {
            current.available = current.limits.allowance();
            current.leased = Some(current.available);
        }
    }

    /// Calls of all periods that were served on credit and are not known to be booked.
    pub(super) fn unbooked_credit(&self) -> u64 {
        let periods = std::iter::once(&self.current).chain(&self.unreported_periods);
        periods.map(PeriodUsage::unbooked_credit).sum()
    }

    /// True if the account should get its first lease of this period before a call needs it, because the account had a call recently.
    pub(super) fn needs_first_lease(&self, elapsed: Duration) -> bool {
        self.current.leased.is_none() && !self.has_no_live_key && !self.is_idle(elapsed)
    }

    /// Reserves calls that this node has leased; see [`PeriodUsage::reserve`].
    pub(super) fn reserve(
        &mut self,
        calls: u64,
        elapsed: Duration,
        now: Timestamp,
    ) -> QuotaOutcome<u64> {
        let outcome = self.current.reserve(calls, elapsed, now);
        self.note_reservation(&outcome, elapsed);
        outcome
    }

    /// Reserves calls while the database is unavailable; see [`PeriodUsage::reserve_on_credit`].
    pub(super) fn reserve_on_credit(&mut self, calls: u64, elapsed: Duration) -> QuotaOutcome<u64> {
        let outcome = self.current.reserve_on_credit(calls);
        self.note_reservation(&outcome, elapsed);
        outcome
    }

    fn note_reservation(&mut self, outcome: &QuotaOutcome<u64>, elapsed: Duration) {
        if outcome.is_ok() {
            self.last_reserved = Some(elapsed);
        }
    }

    /// True if the lease task must refill after a reservation of `calls` with this outcome.
    pub(super) fn needs_refill(
        &self,
        outcome: &QuotaOutcome<u64>,
        calls: u64,
        elapsed: Duration,
    ) -> bool {
        match outcome {
            // While calls wait for other nodes to return unused calls, the lease task requests calls each second, so no refill needs to be
            // queued.
            Err(QuotaRefusal::Pending) => {
                !self.current.exceeds_remaining(calls) || !self.current.is_recalling
            }
            // If the row had no free calls at the last settlement, the task reads the row again only after a refused call.
            Ok(_) => {
                self.current.is_half_used() && self.current.remaining() > self.current.available
            }
            Err(QuotaRefusal::Exhausted { .. }) => self
                .last_requested
                .is_none_or(|last| elapsed.saturating_sub(last) >= RECHECK_EXHAUSTED_AFTER),
            Err(QuotaRefusal::Unavailable) => false,
        }
    }

    /// Records that another node waits for calls. Returns true if the mark is new and this node has calls to return.
    pub(super) fn note_recall(&mut self, mark: &RecallMark) -> bool {
        self.current.period.start() == mark.period_start && self.current.note_recall(mark.marked_at)
    }

    /// Returns reserved calls to the lease, except `credit_calls` of them, which return to the credit. Calls of another period are void.
    pub(super) fn refund(&mut self, calls: u64, credit_calls: u64, period: BillingPeriod) {
        if self.current.period == period {
            self.current.refund(calls, credit_calls);
        }
    }

    /// Counts reserved calls as used. `credit_calls` is how many of them were on credit.
    pub(super) fn commit(&mut self, calls: u64, credit_calls: u64, period: BillingPeriod) {
        self.usage_of(period).commit(calls, credit_calls);
    }

    fn usage_of(&mut self, period: BillingPeriod) -> &mut PeriodUsage {
        if self.current.period == period {
            return &mut self.current;
        }
        let known = self
            .unreported_periods
            .iter()
            .position(|usage| usage.period == period);
        let at = known.unwrap_or_else(|| {
            self.unreported_periods
                .push(PeriodUsage::new(period, self.current.limits));
            self.unreported_periods.len() - 1
        });
        &mut self.unreported_periods[at]
    }

    /// Prepares the requests to send to the database now, one for each period. If `shutting_down` is true, the request for the current
    /// period returns all unused calls.
    pub(super) fn prepare_requests(
        &mut self,
        shutting_down: bool,
        elapsed: Duration,
    ) -> Vec<LeaseRequest> {
        let refill_queued = std::mem::take(&mut self.refill_queued);
        self.usage_report_queued = false;
        let account = self.account_id;
        let mut unreported_periods = std::mem::take(&mut self.unreported_periods);
        let mut requests: Vec<LeaseRequest> = unreported_periods
            .iter_mut()
            .map(|usage| usage.take_request(account, 0, None))
            .collect();
        self.current.is_recalling = false;
        let demand = if shutting_down {
            None
        } else {
            self.lease_demand(refill_queued, elapsed)
        };
        let recalled = self.take_recallable(elapsed);
        let demand = demand.filter(|_| recalled == 0);
        let returned = self
            .surplus(shutting_down, demand.is_some(), elapsed)
            .max(recalled);
        let demand = demand.map(|demand| LeaseDemand {
            available: demand.available - returned,
            ..demand
        });
        if demand.is_some() {
            self.last_requested = Some(elapsed);
        }
        if demand.is_some() || returned > 0 || self.current.has_unreported() {
            requests.push(self.current.take_request(account, returned, demand));
        }
        requests
    }

    fn lease_demand(&self, refill_queued: bool, elapsed: Duration) -> Option<LeaseDemand> {
        let current = &self.current;
        let busy = refill_queued || self.waiting > 0;
        let first = self.needs_first_lease(elapsed);
        // If the row had no free calls at the last settlement, reads the row again, even if this lease has calls.
        let row_is_full = current.remaining() <= current.available;
        let needs_calls = current.is_half_used() || self.waiting > current.available || row_is_full;
        (first || busy && needs_calls).then_some(LeaseDemand {
            available: current.available,
            waiting: self.waiting,
        })
    }

    /// The number of leased calls that this node does not need.
    fn surplus(&self, shutting_down: bool, has_demand: bool, elapsed: Duration) -> u64 {
        let current = &self.current;
        let useful =
            if shutting_down || !has_demand && (self.has_no_live_key || self.is_idle(elapsed)) {
                0
            } else {
                // Two causes make calls useless: refunds have raised `available` above the target size, or a lower plan allows fewer calls.
                current.remaining().min(current.target_size + self.waiting)
            };
        current.available.saturating_sub(useful)
    }

    /// The number of calls to return to another node that waits for them. It is 0 if calls wait on this node.
    fn take_recallable(&mut self, elapsed: Duration) -> u64 {
        let busy = self
            .last_reserved
            .is_some_and(|last| elapsed.saturating_sub(last) < BUSY_WITHIN);
        let recalled = self.current.take_recallable(busy);
        let recalled = if self.waiting > 0 { 0 } else { recalled };
        metrics::RECALLED_LEASES.add(u64::from(recalled > 0));
        recalled
    }

    /// True if the account has had no reservation for [`IDLE_AFTER`].
    pub(super) fn is_idle(&self, elapsed: Duration) -> bool {
        self.last_reserved
            .is_none_or(|last| elapsed.saturating_sub(last) >= IDLE_AFTER)
    }

    /// True if more calls are available than the lease needs, such as after a failed bulk request.
    pub(super) fn exceeds_target(&self) -> bool {
        self.current.available > self.current.target_size + self.waiting
    }

    /// Applies the result of `request`; `None` if the store does not know the account.
    pub(super) fn apply_result(&mut self, request: &LeaseRequest, result: Option<LeaseResult>) {
        if self.current.period == request.period {
            self.current.apply_result(request, result);
        }
    }

    /// Undoes a request that the database certainly did not apply.
    pub(super) fn rollback(&mut self, request: &LeaseRequest) {
        self.refill_queued |= request.demand.is_some();
        self.usage_report_queued = true;
        let current = self.current.period == request.period;
        if current || request.used > 0 || request.any_refused {
            self.usage_of(request.period).rollback(request);
        }
        if current {
            self.current.rollback_returned(request);
        }
    }
}
