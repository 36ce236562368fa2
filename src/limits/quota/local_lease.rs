//! What a node has in hand for one account: calls it may serve without asking anybody. Pure bookkeeping, no waiting and no
//! clock of its own.
//!
//! Invariant: a row's `leased` counts a call before it comes into a hand and until after it has left the hand again, so what
//! all nodes have in hand and have served together is never above it, but for calls on credit until they are booked.

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;

use super::QuotaStatus;
use super::period_usage::PeriodUsage;
use crate::accounts::BillingPeriod;
use crate::accounts::LeaseDemand;
use crate::accounts::store::{LeaseRequest, LeaseResult};
use crate::accounts::{AccountId, PlanLimits};
use crate::limits::metrics;

/// How long an account may be without calls before it gives back what it has in hand: another node may need it.
pub(super) const IDLE_AFTER: Duration = Duration::from_secs(600);

/// How often a bundle that is used up is asked about again: another node may have given back.
const RECHECK_EXHAUSTED_AFTER: Duration = Duration::from_secs(1);

/// An account with a call this lately is called for here, whoever else wants its calls.
const BUSY_WITHIN: Duration = Duration::from_secs(2);

/// What became of an attempt to take calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuotaOutcome {
    /// They are the caller's.
    Granted,
    /// So many are not left.
    Exhausted,
    /// They may be had from the row.
    Pending,
    /// They may be had from other nodes, by way of the row.
    PendingElsewhere,
}

/// One account's calls on this node.
#[derive(Debug)]
pub(super) struct LocalLease {
    account_id: AccountId,
    billing_anchor: Date,
    current: PeriodUsage,
    /// Earlier periods in which calls were used that are not reported yet.
    unreported_periods: Vec<PeriodUsage>,
    /// Calls that wait.
    pub(super) waiting: u64,
    /// Whether the account has no live key any more.
    pub(super) has_no_live_key: bool,
    /// Whether the keeper follows the account's periods.
    pub(super) is_tracked: bool,
    last_reserved: Option<Duration>,
    last_requested: Option<Duration>,
    /// What was in hand when the keeper counted last.
    pub(super) last_available: u64,
    /// What was on credit then.
    pub(super) last_on_credit: u64,
    /// In the keeper's list of accounts to refill.
    pub(super) refill_queued: bool,
    /// In the keeper's list of accounts to report.
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

    /// Opens the page of the period that `now` lies in. What was in hand for another period is void; what was used in it is
    /// still reported.
    pub(super) fn roll_period(&mut self, now: Timestamp) {
        if self.current.period.contains(now) {
            return;
        }
        let period = BillingPeriod::from_anchor(self.billing_anchor, now);
        let after = PeriodUsage::new(period, self.current.limits);
        let before = std::mem::replace(&mut self.current, after);
        self.last_requested = None;
        // A clock that was set back returns to a period that is not reported yet.
        if let Some(at) = self
            .unreported_periods
            .iter()
            .position(|page| page.period == period)
        {
            let unreported = self.unreported_periods.swap_remove(at);
            self.current.take_over_unreported(unreported);
        }
        if before.has_unreported() {
            self.unreported_periods.push(before);
        }
    }

    /// The plan as it is now.
    pub(super) fn set_limits(&mut self, limits: PlanLimits) {
        self.current.limits = limits;
    }

    /// Takes all of a period that nothing was leased of yet.
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

    /// Calls on credit that are not known to be booked.
    pub(super) fn unbooked_credit(&self) -> u64 {
        let periods = std::iter::once(&self.current).chain(&self.unreported_periods);
        periods.map(PeriodUsage::unbooked_credit).sum()
    }

    /// Whether the account shall get its first lease of this period before anybody asks: where it was called lately.
    pub(super) fn needs_first_lease(&self, now: Duration) -> bool {
        self.current.leased.is_none() && !self.has_no_live_key && !self.is_idle(now)
    }

    /// Takes calls if they are in hand and the plan allows them, whatever is in hand.
    pub(super) fn reserve(&mut self, calls: u64, now: Duration) -> QuotaOutcome {
        let outcome = self.current.reserve(calls, now);
        if outcome == QuotaOutcome::Granted {
            self.last_reserved = Some(now);
        }
        outcome
    }

    /// Takes calls while the database is away, and says how many of them on credit.
    pub(super) fn reserve_on_credit(&mut self, calls: u64, now: Duration) -> Option<u64> {
        let credit = self.current.reserve_on_credit(calls)?;
        self.last_reserved = Some(now);
        Some(credit)
    }

    /// Whether the keeper shall refill, after a take with this outcome.
    pub(super) fn needs_refill(&self, outcome: QuotaOutcome, now: Duration) -> bool {
        match outcome {
            QuotaOutcome::Pending => true,
            // The row was full when it was seen last: asking is for those who are refused.
            QuotaOutcome::Granted => {
                self.current.is_half_used() && self.current.remaining() > self.current.available
            }
            // The keeper asks again by itself, each second.
            QuotaOutcome::PendingElsewhere => !self.current.is_recalling,
            QuotaOutcome::Exhausted => self
                .last_requested
                .is_none_or(|last| now.saturating_sub(last) >= RECHECK_EXHAUSTED_AFTER),
        }
    }

    /// How many calls have come into the hand in this period.
    pub(super) fn granted_calls(&self) -> u64 {
        self.current.granted_calls()
    }

    /// Gives up waiting; see [`Page::give_up`].
    pub(super) fn on_wait_timeout(
        &mut self,
        calls: u64,
        granted_before: u64,
        now: Duration,
    ) -> bool {
        self.current.on_wait_timeout(calls, granted_before, now)
    }

    /// Whether a call has waited for the database in vain, and the row was not seen since.
    pub(super) fn has_store_timed_out(&self) -> bool {
        self.current.has_store_timed_out()
    }

    /// Whether calls wait for those in other nodes' hands.
    pub(super) fn is_recalling(&self) -> bool {
        self.current.is_recalling
    }

    /// Notes that another node waits for calls of a period since a moment, and says whether that is news.
    pub(super) fn note_recall(&mut self, start: Timestamp, mark: i64) -> bool {
        self.current.period.start() == start && self.current.note_recall(mark)
    }

    /// Whether there is something to report.
    pub(super) fn has_unreported(&self) -> bool {
        self.current.has_unreported()
    }

    /// Takes calls back that were not kept, so many of them on credit; those of another period are void.
    pub(super) fn refund(&mut self, calls: u64, on_credit: u64, period: BillingPeriod) {
        if self.current.period == period {
            self.current.refund(calls, on_credit);
        }
    }

    /// Notes that calls were used, so many of them on credit.
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
            .position(|page| page.period == period);
        let at = known.unwrap_or_else(|| {
            self.unreported_periods
                .push(PeriodUsage::new(period, self.current.limits));
            self.unreported_periods.len() - 1
        });
        &mut self.unreported_periods[at]
    }

    /// Says what the keeper shall settle with the database now, each ask for another period. When `closing`, all goes back.
    pub(super) fn prepare_requests(&mut self, closing: bool, now: Duration) -> Vec<LeaseRequest> {
        let refill_queued = std::mem::take(&mut self.refill_queued);
        self.report_queued = false;
        let account = self.account_id;
        let mut unreported_periods = std::mem::take(&mut self.unreported_periods);
        let mut requests: Vec<LeaseRequest> = unreported_periods
            .iter_mut()
            .map(|page| page.take_request(account, 0, None))
            .collect();
        self.current.is_recalling = false;
        let demand = if closing {
            None
        } else {
            self.lease_demand(refill_queued, now)
        };
        let spare = self.take_recallable(now);
        let demand = demand.filter(|_| spare == 0);
        let returned = self.surplus(closing, demand.is_some(), now).max(spare);
        let demand = demand.map(|demand| LeaseDemand {
            available: demand.available - returned,
            ..demand
        });
        if demand.is_some() {
            self.last_requested = Some(now);
        }
        if demand.is_some() || returned > 0 || self.current.has_unreported() {
            requests.push(self.current.take_request(account, returned, demand));
        }
        requests
    }

    fn lease_demand(&self, refill_queued: bool, now: Duration) -> Option<LeaseDemand> {
        let current = &self.current;
        let busy = refill_queued || self.waiting > 0;
        let first = self.needs_first_lease(now);
        // Full when it was seen last: the row has to be read again, whatever is in hand.
        let full = current.remaining() <= current.available;
        let short = current.is_half_used() || self.waiting > current.available || full;
        (first || busy && short).then_some(LeaseDemand {
            available: current.available,
            waiting: self.waiting,
        })
    }

    /// Calls in hand that are of no use here.
    fn surplus(&self, closing: bool, wanted: bool, now: Duration) -> u64 {
        let current = &self.current;
        let useful = if closing || !wanted && (self.has_no_live_key || self.is_idle(now)) {
            0
        } else {
            // Calls that were given back may make it more than a lease, and a plan that was lowered may allow less.
            current.remaining().min(current.target_size + self.waiting)
        };
        current.available.saturating_sub(useful)
    }

    /// Calls in hand that another node waits for, where none wait here.
    fn take_recallable(&mut self, now: Duration) -> u64 {
        let busy = self
            .last_reserved
            .is_some_and(|last| now.saturating_sub(last) < BUSY_WITHIN);
        let spare = self.current.take_recallable(busy);
        let spare = if self.waiting > 0 { 0 } else { spare };
        metrics::count_recalled(usize::from(spare > 0));
        spare
    }

    /// Whether there has been no call for long.
    pub(super) fn is_idle(&self, now: Duration) -> bool {
        self.last_reserved
            .is_none_or(|last| now.saturating_sub(last) >= IDLE_AFTER)
    }

    /// Whether more is in hand than one lease, as after a bulk request that failed.
    pub(super) fn exceeds_target(&self) -> bool {
        self.current.available > self.current.target_size + self.waiting
    }

    /// Takes over what the row says after `ask`; none where the ledger does not know the account.
    pub(super) fn apply_result(&mut self, request: &LeaseRequest, settled: Option<LeaseResult>) {
        if self.current.period == request.period {
            self.current.apply_result(request, settled);
        }
    }

    /// Takes back what the database has not taken.
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
