//! One billing period of an account on one node: what is in hand of it, what was used of it, and what the row said last.

use std::time::Duration;

use super::QuotaStatus;
use super::credit::OutageCredit;
use super::local_lease::QuotaOutcome;
use crate::accounts::BillingPeriod;
use crate::accounts::LeaseDemand;
use crate::accounts::store::{LeaseRequest, LeaseResult};
use crate::accounts::{AccountId, PlanLimits};

/// How long a bundle is told as used up after calls in other nodes' hands were waited for in vain: a node that died holds some
/// for ever, and not every refusal shall take seconds.
const SKIP_RECALL_FOR: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub(super) struct PeriodUsage {
    pub(super) period: BillingPeriod,
    pub(super) limits: PlanLimits,
    /// The row as it was seen last, with what was done to it since; none before it was seen.
    pub(super) leased: Option<u64>,
    pub(super) available: u64,
    /// Taken from the hand, and neither used nor given back yet.
    reserved: u64,
    /// What the last refill aimed at.
    pub(super) target_size: u64,
    /// Calls used and not yet reported.
    unreported: u64,
    credit: OutageCredit,
    /// Calls in other nodes' hands when the row was seen last.
    on_other_nodes: u64,
    /// Until when it is no use to wait for those.
    skip_recall_until: Option<Duration>,
    /// Whether calls wait for those, each second asked for again.
    pub(super) is_recalling: bool,
    /// Whether a call has waited for the database in vain since the row was seen last.
    store_timed_out: bool,
    /// Calls that have come from the row so far.
    granted_calls: u64,
    /// Another node waits for what is in this hand.
    recall_requested: bool,
    /// When it began to, as the row says: each such mark is answered once.
    recall_mark: i64,
    /// Whether a call was refused since the last report.
    any_refused: bool,
    /// The highest notice known to be in the outbox.
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

    /// Takes over what another page of the same period has to report.
    pub(super) fn take_over_unreported(&mut self, unreported: Self) {
        self.unreported = unreported.unreported;
        self.credit = unreported.credit;
        self.any_refused = unreported.any_refused;
        self.notified_percent = unreported.notified_percent;
    }

    /// Calls that this node must take for served: those of other nodes, in their hands or not, are among them.
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

    /// Takes calls from the hand, if they are there and the plan allows them.
    pub(super) fn reserve(&mut self, calls: u64, now: Duration) -> QuotaOutcome {
        if self.exceeds_remaining(calls) {
            let skip_recall = self.skip_recall_until.is_some_and(|until| now < until);
            let certainly_used = self.spent().saturating_sub(self.on_other_nodes);
            if certainly_used + calls <= self.limits.allowance() && !skip_recall {
                return QuotaOutcome::PendingElsewhere;
            }
            self.any_refused |= self.remaining() == 0 && self.notified_percent < 100;
            return QuotaOutcome::Exhausted;
        }
        if self.leased.is_none() || self.available < calls {
            return QuotaOutcome::Pending;
        }
        self.available -= calls;
        self.reserved += calls;
        QuotaOutcome::Granted
    }

    fn exceeds_remaining(&self, calls: u64) -> bool {
        self.leased.is_some() && calls > self.remaining()
    }

    /// Takes calls, those that are not in hand on credit, and says how many those were.
    pub(super) fn reserve_on_credit(&mut self, calls: u64) -> Option<u64> {
        let from_lease = calls.min(self.available);
        let on_credit = calls - from_lease;
        let limit = OutageCredit::limit(self.limits.allowance(), self.leased);
        if self.exceeds_remaining(calls) || self.credit.outstanding() + on_credit > limit {
            return None;
        }
        self.available -= from_lease;
        self.reserved += from_lease;
        self.credit.reserve(on_credit);
        Some(on_credit)
    }

    pub(super) fn refund(&mut self, calls: u64, on_credit: u64) {
        let from_lease = calls - on_credit;
        self.available += from_lease;
        self.reserved = self.reserved.saturating_sub(from_lease);
        self.credit.refund(on_credit);
    }

    pub(super) fn commit(&mut self, calls: u64, on_credit: u64) {
        self.unreported += calls;
        self.reserved = self.reserved.saturating_sub(calls - on_credit);
        self.credit.commit(on_credit);
    }

    /// How many calls have come, for [`Self::give_up`].
    pub(super) fn granted_calls(&self) -> u64 {
        self.granted_calls
    }

    /// Says whether calls were waited for that are in other nodes' hands. Where none came at all since `arrived`, nobody waits
    /// for them again for a while.
    pub(super) fn on_wait_timeout(
        &mut self,
        calls: u64,
        granted_before: u64,
        now: Duration,
    ) -> bool {
        let short = self.exceeds_remaining(calls);
        if short && self.granted_calls == granted_before {
            self.skip_recall_until = Some(now + SKIP_RECALL_FOR);
        }
        self.store_timed_out |= !short;
        short
    }

    /// Whether there is no use in waiting for the database.
    pub(super) fn has_store_timed_out(&self) -> bool {
        self.store_timed_out
    }

    /// Notes that another node waits for calls, and says whether that is news.
    pub(super) fn note_recall(&mut self, mark: i64) -> bool {
        let news = self.recall_mark != mark && self.available > 0;
        self.recall_mark = mark;
        self.recall_requested |= news;
        news
    }

    /// Calls for another node that waits for them: all, or half of them while they are called for here too.
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

    /// Takes over what the row says after `ask`; none where the ledger does not know the account.
    pub(super) fn apply_result(&mut self, request: &LeaseRequest, settled: Option<LeaseResult>) {
        self.credit.end_booking();
        self.store_timed_out = false;
        let Some(settled) = settled else {
            // Nothing can be had for it; its keys are on their way out.
            self.leased = Some(self.limits.allowance() + self.available);
            self.on_other_nodes = 0;
            return;
        };
        self.leased = Some(settled.leased);
        self.available += settled.granted;
        self.granted_calls += settled.granted;
        self.notified_percent = settled.notified_percent;
        self.on_other_nodes = settled.on_other_nodes;
        // Its own mark is not for this node to answer.
        self.recall_mark = settled.recall_marked_at.unwrap_or(self.recall_mark);
        if settled.granted > 0 {
            self.skip_recall_until = None;
        }
        if let Some(demand) = request.demand {
            self.target_size = settled.target_size;
            // Not what the row granted: calls on credit, which it does not know yet, make them short too.
            self.is_recalling =
                settled.on_other_nodes > 0 && self.exceeds_remaining(demand.waiting);
        }
    }

    /// Takes back what the database has surely not taken.
    pub(super) fn rollback(&mut self, request: &LeaseRequest) {
        self.unreported += request.used;
        self.credit.rollback_booking(request.used_on_credit);
        self.any_refused |= request.any_refused;
        self.notified_percent = self.notified_percent.max(request.notified_percent);
    }

    /// The same for what was to be given back, in the period that still runs.
    pub(super) fn rollback_returned(&mut self, request: &LeaseRequest) {
        self.available += request.returned;
        self.leased = self.leased.map(|leased| leased + request.returned);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::PlanName;
    use crate::accounts::tests::{at, plan};

    fn page() -> PeriodUsage {
        let anchor = jiff::civil::date(2026, 1, 6);
        let limits = plan(PlanName::Free).limits();
        PeriodUsage::new(BillingPeriod::from_anchor(anchor, at(0)), limits)
    }

    /// Of a page on which five calls wait: what the row says to them.
    fn asked(page: &mut PeriodUsage, settled: LeaseResult) {
        let demand = LeaseDemand {
            available: 0,
            waiting: 5,
        };
        let ask = page.take_request(AccountId::fresh(), 0, Some(demand));
        page.apply_result(&ask, Some(settled));
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
    fn a_node_does_not_answer_its_own_mark() {
        let mut page = page();
        asked(&mut page, GRANTED);
        assert!(!page.note_recall(7));
        assert!(page.note_recall(8), "another node's");
    }

    /// Else each that is told so would ask at once, and be told so again.
    #[test]
    fn who_is_short_for_what_is_on_credit_is_asked_for_by_the_keeper() {
        let mut page = page();
        assert_eq!(page.reserve_on_credit(8), Some(8));
        asked(&mut page, GRANTED);
        assert_eq!(
            page.reserve(5, Duration::ZERO),
            QuotaOutcome::PendingElsewhere
        );
        assert!(page.is_recalling);
    }
}
