//! One billing period of an account on one node: what is in hand of it, what was used of it, and what the row said last.

use std::time::Duration;

use super::Standing;
use super::credit::Credit;
use super::local_lease::Verdict;
use crate::accounts::BillingPeriod;
use crate::accounts::Demand;
use crate::accounts::store::{Ask, Settled};
use crate::accounts::{AccountId, Limits};

/// How long a bundle is told as used up after calls in other nodes' hands were waited for in vain: a node that died holds some
/// for ever, and not every refusal shall take seconds.
const VAIN_FOR: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub(super) struct Page {
    pub(super) period: BillingPeriod,
    pub(super) limits: Limits,
    /// The row as it was seen last, with what was done to it since; none before it was seen.
    pub(super) leased: Option<u64>,
    pub(super) in_hand: u64,
    /// Taken from the hand, and neither used nor given back yet.
    out: u64,
    /// What the last refill aimed at.
    pub(super) level: u64,
    /// Calls used and not yet reported.
    unreported: u64,
    credit: Credit,
    /// Calls in other nodes' hands when the row was seen last.
    elsewhere: u64,
    /// Until when it is no use to wait for those.
    vain_until: Option<Duration>,
    /// Whether calls wait for those, each second asked for again.
    pub(super) recalling: bool,
    /// Whether a call has waited for the database in vain since the row was seen last.
    late: bool,
    /// Calls that have come from the row so far.
    arrived: u64,
    /// Another node waits for what is in this hand.
    wanted: bool,
    /// When it began to, as the row says: each such mark is answered once.
    wanted_at: i64,
    /// Whether a call was refused since the last report.
    refused: bool,
    /// The highest notice known to be in the outbox.
    told: u8,
}

impl Page {
    pub(super) fn new(period: BillingPeriod, limits: Limits) -> Self {
        Self {
            period,
            limits,
            leased: None,
            in_hand: 0,
            out: 0,
            level: 0,
            unreported: 0,
            credit: Credit::default(),
            elsewhere: 0,
            vain_until: None,
            recalling: false,
            late: false,
            arrived: 0,
            wanted: false,
            wanted_at: 0,
            refused: false,
            told: 0,
        }
    }

    /// Takes over what another page of the same period has to report.
    pub(super) fn inherit(&mut self, again: Self) {
        self.unreported = again.unreported;
        self.credit = again.credit;
        self.refused = again.refused;
        self.told = again.told;
    }

    /// Calls that this node must take for served: those of other nodes, in their hands or not, are among them.
    fn spent(&self) -> u64 {
        self.leased.unwrap_or(0).saturating_sub(self.in_hand) + self.credit.outstanding()
    }

    pub(super) fn left(&self) -> u64 {
        self.limits.allowance().saturating_sub(self.spent())
    }

    pub(super) fn standing(&self) -> Standing {
        let bundle = u64::from(self.limits.calls_per_month.get());
        Standing {
            limit: bundle,
            remaining: bundle.saturating_sub(self.spent()),
            reset: self.period.end(),
        }
    }

    pub(super) fn half_gone(&self) -> bool {
        self.in_hand * 2 <= self.level
    }

    pub(super) fn has_news(&self) -> bool {
        self.unreported > 0 || self.refused
    }

    pub(super) fn on_credit(&self) -> u64 {
        self.credit.outstanding()
    }

    /// Takes calls from the hand, if they are there and the plan allows them.
    pub(super) fn take(&mut self, calls: u64, now: Duration) -> Verdict {
        if self.is_short_of(calls) {
            let vain = self.vain_until.is_some_and(|until| now < until);
            let gone = self.spent().saturating_sub(self.elsewhere);
            if gone + calls <= self.limits.allowance() && !vain {
                return Verdict::Elsewhere;
            }
            self.refused |= self.left() == 0 && self.told < 100;
            return Verdict::Exhausted;
        }
        if self.leased.is_none() || self.in_hand < calls {
            return Verdict::Wait;
        }
        self.in_hand -= calls;
        self.out += calls;
        Verdict::Taken
    }

    fn is_short_of(&self, calls: u64) -> bool {
        self.leased.is_some() && calls > self.left()
    }

    /// Takes calls, those that are not in hand on credit, and says how many those were.
    pub(super) fn take_on_credit(&mut self, calls: u64) -> Option<u64> {
        let from_hand = calls.min(self.in_hand);
        let credit = calls - from_hand;
        let limit = Credit::limit(self.limits.allowance(), self.leased);
        if self.is_short_of(calls) || self.credit.outstanding() + credit > limit {
            return None;
        }
        self.in_hand -= from_hand;
        self.out += from_hand;
        self.credit.take(credit);
        Some(credit)
    }

    pub(super) fn refund(&mut self, calls: u64, on_credit: u64) {
        let from_hand = calls - on_credit;
        self.in_hand += from_hand;
        self.out = self.out.saturating_sub(from_hand);
        self.credit.refund(on_credit);
    }

    pub(super) fn keep(&mut self, calls: u64, on_credit: u64) {
        self.unreported += calls;
        self.out = self.out.saturating_sub(calls - on_credit);
        self.credit.keep(on_credit);
    }

    /// How many calls have come, for [`Self::give_up`].
    pub(super) fn arrived(&self) -> u64 {
        self.arrived
    }

    /// Says whether calls were waited for that are in other nodes' hands. Where none came at all since `arrived`, nobody waits
    /// for them again for a while.
    pub(super) fn give_up(&mut self, calls: u64, arrived: u64, now: Duration) -> bool {
        let short = self.is_short_of(calls);
        if short && self.arrived == arrived {
            self.vain_until = Some(now + VAIN_FOR);
        }
        self.late |= !short;
        short
    }

    /// Whether there is no use in waiting for the database.
    pub(super) fn is_late(&self) -> bool {
        self.late
    }

    /// Notes that another node waits for calls, and says whether that is news.
    pub(super) fn want(&mut self, at: i64) -> bool {
        let news = self.wanted_at != at && self.in_hand > 0;
        self.wanted_at = at;
        self.wanted |= news;
        news
    }

    /// Calls for another node that waits for them: all, or half of them while they are called for here too.
    pub(super) fn spare(&mut self, busy: bool) -> u64 {
        match (std::mem::take(&mut self.wanted), busy) {
            (false, _) => 0,
            (true, true) => self.in_hand.div_ceil(2),
            (true, false) => self.in_hand,
        }
    }

    pub(super) fn ask(&mut self, account: AccountId, back: u64, demand: Option<Demand>) -> Ask {
        self.in_hand -= back;
        self.leased = self.leased.map(|leased| leased.saturating_sub(back));
        Ask {
            account,
            period: self.period,
            limits: self.limits,
            used: std::mem::take(&mut self.unreported),
            on_credit: self.credit.book(),
            back,
            own: self.in_hand + self.out,
            demand,
            refused: std::mem::take(&mut self.refused),
            told: self.told,
        }
    }

    /// Takes over what the row says after `ask`; none where the ledger does not know the account.
    pub(super) fn settled(&mut self, ask: &Ask, settled: Option<Settled>) {
        self.credit.seen();
        self.late = false;
        let Some(settled) = settled else {
            // Nothing can be had for it; its keys are on their way out.
            self.leased = Some(self.limits.allowance() + self.in_hand);
            self.elsewhere = 0;
            return;
        };
        self.leased = Some(settled.leased);
        self.in_hand += settled.granted;
        self.arrived += settled.granted;
        self.told = settled.told;
        self.elsewhere = settled.elsewhere;
        // Its own mark is not for this node to answer.
        self.wanted_at = settled.marked_at.unwrap_or(self.wanted_at);
        if settled.granted > 0 {
            self.vain_until = None;
        }
        if let Some(demand) = ask.demand {
            self.level = settled.level;
            // Not what the row granted: calls on credit, which it does not know yet, make them short too.
            self.recalling = settled.elsewhere > 0 && self.is_short_of(demand.waiting);
        }
    }

    /// Takes back what the database has surely not taken.
    pub(super) fn undone(&mut self, ask: &Ask) {
        self.unreported += ask.used;
        self.credit.undone(ask.on_credit);
        self.refused |= ask.refused;
        self.told = self.told.max(ask.told);
    }

    /// The same for what was to be given back, in the period that still runs.
    pub(super) fn not_given_back(&mut self, ask: &Ask) {
        self.in_hand += ask.back;
        self.leased = self.leased.map(|leased| leased + ask.back);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::PlanName;
    use crate::accounts::tests::{at, plan};

    fn page() -> Page {
        let anchor = jiff::civil::date(2026, 1, 6);
        let limits = plan(PlanName::Free).limits();
        Page::new(BillingPeriod::of(anchor, at(0)), limits)
    }

    /// Of a page on which five calls wait: what the row says to them.
    fn asked(page: &mut Page, settled: Settled) {
        let demand = Demand {
            in_hand: 0,
            waiting: 5,
        };
        let ask = page.ask(AccountId::fresh(), 0, Some(demand));
        page.settled(&ask, Some(settled));
    }

    const GRANTED: Settled = Settled {
        leased: 495,
        granted: 5,
        level: 1,
        elsewhere: 100,
        marked_at: Some(7),
        told: 0,
    };

    #[test]
    fn a_node_does_not_answer_its_own_mark() {
        let mut page = page();
        asked(&mut page, GRANTED);
        assert!(!page.want(7));
        assert!(page.want(8), "another node's");
    }

    /// Else each that is told so would ask at once, and be told so again.
    #[test]
    fn who_is_short_for_what_is_on_credit_is_asked_for_by_the_keeper() {
        let mut page = page();
        assert_eq!(page.take_on_credit(8), Some(8));
        asked(&mut page, GRANTED);
        assert_eq!(page.take(5, Duration::ZERO), Verdict::Elsewhere);
        assert!(page.recalling);
    }
}
