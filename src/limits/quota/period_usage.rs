//! Counts the calls of one account in one billing period on one node: leased and unused, reserved, and used. Also keeps the last known
//! values of the account's row.

use std::time::Duration;

use jiff::Timestamp;

use super::credit::OutageCredit;
use super::outcome::{QuotaOutcome, QuotaRefusal, QuotaStatus};
use crate::accounts::{
    AccountId, BillingPeriod, LeaseDemand, LeaseRequest, LeaseResult, PlanLimits,
};

/// If other nodes return no calls before a wait ends, this node does not wait for them again for this long: it refuses at once. Otherwise each
/// refusal would take seconds while a dead node holds the calls.
const SKIP_RECALL_FOR: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub(super) struct PeriodUsage {
    pub(super) period: BillingPeriod,
    pub(super) limits: PlanLimits,
    /// The row's `leased` at the last settlement, with this node's changes since then; `None` until the first settlement.
    pub(super) leased: Option<u64>,
    /// Calls in the local lease that are neither reserved nor used.
    pub(super) available: u64,
    /// Calls that were taken from the lease and are neither committed nor refunded.
    reserved: u64,
    /// The lease size that the last refill aimed for.
    pub(super) target_size: u64,
    /// Calls that were used and have not been reported.
    unreported: u64,
    credit: OutageCredit,
    /// Calls that other nodes had leased and not reported as used, at the last settlement.
    on_other_nodes: u64,
    /// The node does not wait for calls of other nodes before this time of the monotonic clock.
    skip_recall_until: Option<Duration>,
    /// True while calls wait until other nodes return unused calls. The lease task then requests calls each second.
    pub(super) is_recalling: bool,
    /// True if a call waited for the database without success since the last settlement.
    pub(super) store_timed_out: bool,
    /// The number of calls that the row has granted to this node in this period.
    pub(super) granted_calls: u64,
    /// True if another node waits for unused calls in this lease.
    recall_requested: bool,
    /// The last known recall mark of the row (`wanted_at`). This node responds once to each mark.
    recall_mark: i64,
    /// True if a call was refused since the last report.
    any_refused: bool,
    /// The highest quota notice known to be in the outbox: 80 or 100 percent, or 0 for none.
    notified_percent: u8,
}

impl PeriodUsage {
    pub(super) fn new(period: BillingPeriod, limits: PlanLimits) -> Self {
        Self {
            period,
            limits,
            leased: None,
            available: 0,
            reserved: 0,
            target_size: 0,
            unreported: 0,
            credit: OutageCredit::default(),
            on_other_nodes: 0,
            skip_recall_until: None,
            is_recalling: false,
            store_timed_out: false,
            granted_calls: 0,
            recall_requested: false,
            recall_mark: 0,
            any_refused: false,
            notified_percent: 0,
        }
    }

    /// Takes over the unreported calls, the credit and the notice state from an older value for the same period.
    pub(super) fn take_over_unreported(&mut self, unreported: Self) {
        self.unreported = unreported.unreported;
        self.credit = unreported.credit;
        self.any_refused = unreported.any_refused;
        self.notified_percent = unreported.notified_percent;
    }

    /// The number of calls that this node counts as served. It includes all calls leased by other nodes, used or not.
    fn spent(&self) -> u64 {
        self.leased.unwrap_or(0).saturating_sub(self.available) + self.credit.outstanding()
    }

    pub(super) fn remaining(&self) -> u64 {
        self.limits.allowance().saturating_sub(self.spent())
    }

    pub(super) fn status(&self) -> QuotaStatus {
        let quota = u64::from(self.limits.calls_per_month.get());
        QuotaStatus {
            limit: quota,
            remaining: quota.saturating_sub(self.spent()),
            reset: self.period.end(),
        }
    }

    pub(super) fn is_half_used(&self) -> bool {
        self.available * 2 <= self.target_size
    }

    pub(super) fn has_unreported(&self) -> bool {
        self.unreported > 0 || self.any_refused
    }

    pub(super) fn unbooked_credit(&self) -> u64 {
        self.credit.outstanding()
    }

    /// Reserves calls of the local lease, if the lease has them and the plan allows them. A granted reservation has the value 0, because
    /// none of its calls is on credit. Only `Ok` and [`QuotaRefusal::Exhausted`] change the state.
    pub(super) fn reserve(
        &mut self,
        calls: u64,
        elapsed: Duration,
        now: Timestamp,
    ) -> QuotaOutcome<u64> {
        if self.exceeds_remaining(calls) {
            let skip_recall = self.skip_recall_until.is_some_and(|until| elapsed < until);
            let certainly_used = self.spent().saturating_sub(self.on_other_nodes);
            if certainly_used + calls <= self.limits.allowance() && !skip_recall {
                return Err(QuotaRefusal::Pending);
            }
            self.any_refused |= self.remaining() == 0 && self.notified_percent < 100;
            return Err(self.exhausted(now));
        }
        if self.leased.is_none() || self.available < calls {
            return Err(QuotaRefusal::Pending);
        }
        self.available -= calls;
        self.reserved += calls;
        Ok(0)
    }

    /// The refusal of calls at `now`, because they are used up.
    pub(super) fn exhausted(&self, now: Timestamp) -> QuotaRefusal {
        QuotaRefusal::Exhausted {
            retry_after_s: self.period.seconds_left(now),
        }
    }

    /// True if the row had fewer than `calls` calls left at the last settlement, so that only other nodes can supply them.
    pub(super) fn exceeds_remaining(&self, calls: u64) -> bool {
        self.leased.is_some() && calls > self.remaining()
    }

    /// Reserves calls while the database is unavailable: calls of the lease first, and the others on credit. Returns how many are on
    /// credit, or [`QuotaRefusal::Unavailable`].
    pub(super) fn reserve_on_credit(&mut self, calls: u64) -> QuotaOutcome<u64> {
        let from_lease = calls.min(self.available);
        let credit_calls = calls - from_lease;
        let limit = OutageCredit::limit(self.limits.allowance(), self.leased);
        if self.exceeds_remaining(calls) || self.credit.outstanding() + credit_calls > limit {
            return Err(QuotaRefusal::Unavailable);
        }
        self.available -= from_lease;
        self.reserved += from_lease;
        self.credit.reserve(credit_calls);
        Ok(credit_calls)
    }

    pub(super) fn refund(&mut self, calls: u64, credit_calls: u64) {
        let from_lease = calls - credit_calls;
        self.available += from_lease;
        self.reserved = self.reserved.saturating_sub(from_lease);
        self.credit.refund(credit_calls);
    }

    pub(super) fn commit(&mut self, calls: u64, credit_calls: u64) {
        self.unreported += calls;
        self.reserved = self.reserved.saturating_sub(calls - credit_calls);
        self.credit.commit(credit_calls);
    }

    /// Handles the timeout of a call that waited. Returns true if other nodes have the calls, and false if the database was slow. If the
    /// row granted nothing during the wait, this node does not wait for other nodes again for some time.
    pub(super) fn on_wait_timeout(
        &mut self,
        calls: u64,
        granted_before: u64,
        elapsed: Duration,
    ) -> bool {
        let exceeds_remaining = self.exceeds_remaining(calls);
        if exceeds_remaining && self.granted_calls == granted_before {
            self.skip_recall_until = Some(elapsed + SKIP_RECALL_FOR);
        }
        self.store_timed_out |= !exceeds_remaining;
        exceeds_remaining
    }

    /// Records that another node waits for calls. Returns true if the mark is new and this lease has calls to return.
    pub(super) fn note_recall(&mut self, mark: i64) -> bool {
        let is_new = self.recall_mark != mark && self.available > 0;
        self.recall_mark = mark;
        self.recall_requested |= is_new;
        is_new
    }

    /// The number of calls to return to another node that waits for them: all unused calls, or half if the account is busy on this node
    /// too.
    pub(super) fn take_recallable(&mut self, is_busy: bool) -> u64 {
        match (std::mem::take(&mut self.recall_requested), is_busy) {
            (false, _) => 0,
            (true, true) => self.available.div_ceil(2),
            (true, false) => self.available,
        }
    }

    pub(super) fn take_request(
        &mut self,
        account_id: AccountId,
        returned: u64,
        demand: Option<LeaseDemand>,
    ) -> LeaseRequest {
        self.available -= returned;
        self.leased = self.leased.map(|leased| leased.saturating_sub(returned));
        LeaseRequest {
            account_id,
            period: self.period,
            limits: self.limits,
            used: std::mem::take(&mut self.unreported),
            used_on_credit: self.credit.start_booking(),
            returned,
            outstanding: self.available + self.reserved,
            demand,
            any_refused: std::mem::take(&mut self.any_refused),
            notified_percent: self.notified_percent,
        }
    }

    /// Applies the result of `request`; `None` if the store does not know the account.
    pub(super) fn apply_result(&mut self, request: &LeaseRequest, result: Option<LeaseResult>) {
        self.credit.end_booking();
        self.store_timed_out = false;
        let Some(result) = result else {
            // The account has no row to lease from, so no call remains for it. The directory will soon remove its keys.
            self.leased = Some(self.limits.allowance() + self.available);
            self.on_other_nodes = 0;
            return;
        };
        self.leased = Some(result.leased);
        self.available += result.granted;
        self.granted_calls += result.granted;
        self.notified_percent = result.notified_percent;
        self.on_other_nodes = result.on_other_nodes;
        // Remembers the mark that this node has set itself, so that this node does not respond to that mark.
        self.recall_mark = result.recall_marked_at.unwrap_or(self.recall_mark);
        if result.granted > 0 {
            self.skip_recall_until = None;
        }
        if let Some(demand) = request.demand {
            self.target_size = result.target_size;
            // Compares with the remaining calls and not with the granted calls: calls on credit count as used, but the row does not have
            // them yet.
            self.is_recalling = result.on_other_nodes > 0 && self.exceeds_remaining(demand.waiting);
        }
    }

    /// Undoes [`Self::take_request`] except for returned calls. Call this only if the database certainly did not apply the request.
    pub(super) fn rollback(&mut self, request: &LeaseRequest) {
        self.unreported += request.used;
        self.credit.rollback_booking(request.used_on_credit);
        self.any_refused |= request.any_refused;
        self.notified_percent = self.notified_percent.max(request.notified_percent);
    }

    /// Undoes the return of calls. Call this only while the period of the request is current.
    pub(super) fn rollback_returned(&mut self, request: &LeaseRequest) {
        self.available += request.returned;
        self.leased = self.leased.map(|leased| leased + request.returned);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::PlanName;
    use crate::accounts::tests::{plan, test_time};

    fn usage() -> PeriodUsage {
        let anchor = jiff::civil::date(2026, 1, 6);
        let limits = plan(PlanName::Free).limits();
        PeriodUsage::new(BillingPeriod::from_anchor(anchor, test_time(0)), limits)
    }

    /// Settles with `result` while five calls wait.
    fn settle(usage: &mut PeriodUsage, result: LeaseResult) {
        let demand = LeaseDemand {
            available: 0,
            waiting: 5,
        };
        let request = usage.take_request(AccountId::fresh(), 0, Some(demand));
        usage.apply_result(&request, Some(result));
    }

    const GRANTED: LeaseResult = LeaseResult {
        leased: 495,
        granted: 5,
        target_size: 1,
        on_other_nodes: 100,
        recall_marked_at: Some(7),
        notified_percent: 0,
    };

    #[test]
    fn a_node_does_not_respond_to_its_own_recall_mark() {
        let mut usage = usage();
        settle(&mut usage, GRANTED);
        assert!(!usage.note_recall(7));
        assert!(usage.note_recall(8), "the mark of another node counts");
    }

    /// `is_recalling` must be true: otherwise every refused call would queue a refill at once and be refused again.
    #[test]
    fn the_lease_task_recalls_calls_that_are_missing_because_of_credit() {
        let mut usage = usage();
        assert_eq!(usage.reserve_on_credit(8), Ok(8));
        settle(&mut usage, GRANTED);
        assert!(usage.exceeds_remaining(5));
        assert_eq!(
            usage.reserve(5, Duration::ZERO, test_time(0)),
            Err(QuotaRefusal::Pending)
        );
        assert!(usage.is_recalling);
    }

    /// Each case first sets the state: the calls leased by the row, available here and leased by other nodes, then the second until which
    /// recalls are skipped, and whether the 100 % notice is known. It then reserves 5 calls of 500 at second 10, and checks the outcome
    /// and whether a refusal is recorded.
    #[test]
    fn a_reservation_has_one_outcome_for_each_state() {
        const EXHAUSTED: QuotaOutcome<u64> = Err(QuotaRefusal::Exhausted {
            retry_after_s: 3_600,
        });
        #[track_caller]
        fn case(
            (leased, available, on_other_nodes): (Option<u64>, u64, u64),
            (skip_until_s, notified): (Option<u64>, bool),
            expected: QuotaOutcome<u64>,
            any_refused: bool,
        ) {
            let mut usage = usage();
            let now = usage.period.end() - Duration::from_secs(3_600);
            (usage.leased, usage.available) = (leased, available);
            usage.on_other_nodes = on_other_nodes;
            usage.skip_recall_until = skip_until_s.map(Duration::from_secs);
            usage.notified_percent = if notified { 100 } else { 0 };
            let outcome = usage.reserve(5, Duration::from_secs(10), now);
            assert_eq!((outcome, usage.any_refused), (expected, any_refused));
            let taken = if outcome == Ok(0) { 5 } else { 0 };
            assert_eq!(
                (usage.available, usage.reserved),
                (available - taken, taken)
            );
        }
        let unset = (None, false);
        case((None, 0, 0), unset, Err(QuotaRefusal::Pending), false);
        case((Some(10), 5, 0), unset, Ok(0), false);
        case((Some(10), 4, 0), unset, Err(QuotaRefusal::Pending), false);
        case((Some(500), 5, 0), unset, Ok(0), false);
        case((Some(500), 4, 0), unset, EXHAUSTED, false);
        case((Some(500), 0, 0), unset, EXHAUSTED, true);
        case((Some(500), 0, 0), (None, true), EXHAUSTED, false);
        case((Some(500), 0, 4), unset, EXHAUSTED, true);
        case((Some(500), 0, 5), unset, Err(QuotaRefusal::Pending), false);
        case((Some(500), 0, 5), (Some(11), false), EXHAUSTED, true);
        case(
            (Some(500), 0, 5),
            (Some(10), false),
            Err(QuotaRefusal::Pending),
            false,
        );
        case((Some(600), 50, 0), unset, EXHAUSTED, true);
    }
}
