//! The local lease: calls of one account that this node may serve without asking the database. Pure bookkeeping: no waiting,
//! no clock.
//!
//! Invariant: a row's `leased` counts a call from before the call enters a local lease until after the call has left the lease.
//! So the leases of all nodes and the calls that the nodes served never add up to more than `leased`, except for calls on
//! credit until they are booked.

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;

use super::outcome::{QuotaOutcome, QuotaStatus};
use super::period_usage::PeriodUsage;
use crate::accounts::{
    AccountId, BillingPeriod, LeaseDemand, LeaseRequest, LeaseResult, PlanLimits, RecallMark,
};
use crate::limits::metrics;

/// An account without calls for this long returns its unused calls: another node may need them.
pub(super) const IDLE_AFTER: Duration = Duration::from_secs(600);

/// How long after its last request a used-up quota is read again: another node may have returned calls.
const RECHECK_EXHAUSTED_AFTER: Duration = Duration::from_secs(1);

/// An account with a call this recently is busy here, and keeps half of its calls when another node wants them.
const BUSY_WITHIN: Duration = Duration::from_secs(2);

/// The calls of one account on this node, in the current billing period and in earlier ones.
#[derive(Debug)]
pub(super) struct LocalLease {
    account_id: AccountId,
    billing_anchor: Date,
    current: PeriodUsage,
    /// Earlier periods with calls that are not reported yet.
    unreported_periods: Vec<PeriodUsage>,
    /// Calls that wait for a refill.
    pub(super) waiting: u64,
    /// True if the account lost its last live key.
    pub(super) has_no_live_key: bool,
    /// True if the lease task follows the account's billing periods.
    pub(super) is_tracked: bool,
    last_reserved: Option<Duration>,
    last_requested: Option<Duration>,
    /// The number of available calls that the lease task's total of unused calls now contains for this account.
    pub(super) last_available: u64,
    /// The unbooked credit that the lease task's total of unbooked credit now contains for this account.
    pub(super) last_on_credit: u64,
    /// True while the account is in the list of refills.
    pub(super) refill_queued: bool,
    /// True while the account is in the list of reports.
    pub(super) report_queued: bool,
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
            last_available: 0,
            last_on_credit: 0,
            refill_queued: false,
            report_queued: false,
        }
    }

    /// Moves to the billing period that contains `now`. Unused calls of the previous period are void; its used calls are still
    /// reported.
    pub(super) fn roll_period(&mut self, now: Timestamp) {
        if self.current.period.contains(now) {
            return;
        }
        let period = BillingPeriod::from_anchor(self.billing_anchor, now);
        let after = PeriodUsage::new(period, self.current.limits);
        let before = std::mem::replace(&mut self.current, after);
        self.last_requested = None;
        // A clock that was set back returns to a period with unreported calls.
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

    /// Leases the whole allowance, if nothing of the period is leased yet.
    pub(super) fn grant_all(&mut self) {
        let current = &mut self.current;
        if current.leased.is_none() {
            current.available = current.limits.allowance();
            current.leased = Some(current.available);
        }
    }

    pub(super) fn status(&self) -> QuotaStatus {
        self.current.status()
    }

    pub(super) fn period(&self) -> BillingPeriod {
        self.current.period
    }

    pub(super) fn available(&self) -> u64 {
        self.current.available
    }

    /// Calls on credit, of all periods, that are not known to be booked.
    pub(super) fn unbooked_credit(&self) -> u64 {
        let periods = std::iter::once(&self.current).chain(&self.unreported_periods);
        periods.map(PeriodUsage::unbooked_credit).sum()
    }

    /// True if the account gets its first lease of this period before a call needs it, because it had a call recently.
    pub(super) fn needs_first_lease(&self, elapsed: Duration) -> bool {
        self.current.leased.is_none() && !self.has_no_live_key && !self.is_idle(elapsed)
    }

    /// Reserves leased calls; see [`PeriodUsage::reserve`].
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
        if let QuotaOutcome::Granted(_) = outcome {
            self.last_reserved = Some(elapsed);
        }
    }

    /// True if the row had fewer calls left than `calls`; see [`PeriodUsage::exceeds_remaining`].
    pub(super) fn exceeds_remaining(&self, calls: u64) -> bool {
        self.current.exceeds_remaining(calls)
    }

    /// The outcome of a refusal at `now`.
    pub(super) fn exhausted<T>(&self, now: Timestamp) -> QuotaOutcome<T> {
        self.current.exhausted(now)
    }

    /// True if the lease task is to refill after a reservation of `calls` with this outcome.
    pub(super) fn needs_refill(
        &self,
        outcome: &QuotaOutcome<u64>,
        calls: u64,
        elapsed: Duration,
    ) -> bool {
        match outcome {
            // While calls are recalled, the lease task asks for them each second without a queued refill.
            QuotaOutcome::Pending => !self.exceeds_remaining(calls) || !self.current.is_recalling,
            // If the row was full, only a refused call makes the lease task read the row again.
            QuotaOutcome::Granted(_) => {
                self.current.is_half_used() && self.current.remaining() > self.current.available
            }
            QuotaOutcome::Exhausted { .. } => self
                .last_requested
                .is_none_or(|last| elapsed.saturating_sub(last) >= RECHECK_EXHAUSTED_AFTER),
            QuotaOutcome::Unavailable => false,
        }
    }

    /// Calls that the row granted in this period.
    pub(super) fn granted_calls(&self) -> u64 {
        self.current.granted_calls()
    }

    /// Ends a wait without success; see [`PeriodUsage::on_wait_timeout`].
    pub(super) fn on_wait_timeout(
        &mut self,
        calls: u64,
        granted_before: u64,
        elapsed: Duration,
    ) -> bool {
        self.current.on_wait_timeout(calls, granted_before, elapsed)
    }

    /// True if a call waited for the database in vain since the last settlement.
    pub(super) fn has_store_timed_out(&self) -> bool {
        self.current.has_store_timed_out()
    }

    /// True while calls wait for other nodes to return theirs.
    pub(super) fn is_recalling(&self) -> bool {
        self.current.is_recalling
    }

    /// Notes that another node waits for calls. Returns true if the mark is new and this node has calls to return.
    pub(super) fn note_recall(&mut self, mark: &RecallMark) -> bool {
        self.current.period.start() == mark.period_start && self.current.note_recall(mark.marked_at)
    }

    pub(super) fn has_unreported(&self) -> bool {
        self.current.has_unreported()
    }

    /// Returns reserved calls to the lease, `on_credit` of them to the credit. Calls of another period are void.
    pub(super) fn refund(&mut self, calls: u64, on_credit: u64, period: BillingPeriod) {
        if self.current.period == period {
            self.current.refund(calls, on_credit);
        }
    }

    /// Counts reserved calls as used, `on_credit` of them on credit.
    pub(super) fn commit(&mut self, calls: u64, on_credit: u64, period: BillingPeriod) {
        self.usage_of(period).commit(calls, on_credit);
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

    /// The requests to send to the database now, one for each period. If `closing`, the current period's request returns all
    /// unused calls.
    pub(super) fn prepare_requests(
        &mut self,
        closing: bool,
        elapsed: Duration,
    ) -> Vec<LeaseRequest> {
        let refill_queued = std::mem::take(&mut self.refill_queued);
        self.report_queued = false;
        let account = self.account_id;
        let mut unreported_periods = std::mem::take(&mut self.unreported_periods);
        let mut requests: Vec<LeaseRequest> = unreported_periods
            .iter_mut()
            .map(|usage| usage.take_request(account, 0, None))
            .collect();
        self.current.is_recalling = false;
        let demand = if closing {
            None
        } else {
            self.lease_demand(refill_queued, elapsed)
        };
        let recalled = self.take_recallable(elapsed);
        let demand = demand.filter(|_| recalled == 0);
        let returned = self
            .surplus(closing, demand.is_some(), elapsed)
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
        // The row was full at the last settlement: read it again, even if this lease has calls.
        let full = current.remaining() <= current.available;
        let short = current.is_half_used() || self.waiting > current.available || full;
        (first || busy && short).then_some(LeaseDemand {
            available: current.available,
            waiting: self.waiting,
        })
    }

    /// Leased calls that this node has no use for.
    fn surplus(&self, closing: bool, wanted: bool, elapsed: Duration) -> u64 {
        let current = &self.current;
        let useful = if closing || !wanted && (self.has_no_live_key || self.is_idle(elapsed)) {
            0
        } else {
            // Refunds may have raised `available` above the target size, and a lower plan may allow less.
            current.remaining().min(current.target_size + self.waiting)
        };
        current.available.saturating_sub(useful)
    }

    /// Calls to return to another node that waits for them; 0 if calls wait here.
    fn take_recallable(&mut self, elapsed: Duration) -> u64 {
        let busy = self
            .last_reserved
            .is_some_and(|last| elapsed.saturating_sub(last) < BUSY_WITHIN);
        let recalled = self.current.take_recallable(busy);
        let recalled = if self.waiting > 0 { 0 } else { recalled };
        metrics::count_recalled(usize::from(recalled > 0));
        recalled
    }

    /// True if the last reservation is long ago.
    pub(super) fn is_idle(&self, elapsed: Duration) -> bool {
        self.last_reserved
            .is_none_or(|last| elapsed.saturating_sub(last) >= IDLE_AFTER)
    }

    /// True if more calls are available than the lease aims at, such as after a failed bulk request.
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
        self.report_queued = true;
        let current = self.current.period == request.period;
        if current || request.used > 0 || request.any_refused {
            self.usage_of(request.period).rollback(request);
        }
        if current {
            self.current.rollback_returned(request);
        }
    }
}
