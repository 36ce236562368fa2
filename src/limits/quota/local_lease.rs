//! What a node has in hand for one account: calls it may serve without asking anybody. Pure bookkeeping, no waiting and no
//! clock of its own.
//!
//! Invariant: a row's `leased` counts a call before it comes into a hand and until after it has left the hand again, so what
//! all nodes have in hand and have served together is never above it, but for calls on credit until they are booked.

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;

use super::Standing;
use super::period_usage::Page;
use crate::accounts::BillingPeriod;
use crate::accounts::Demand;
use crate::accounts::store::{Ask, Settled};
use crate::accounts::{AccountId, Limits};
use crate::limits::metrics;

/// How long an account may be without calls before it gives back what it has in hand: another node may need it.
pub(super) const IDLE_AFTER: Duration = Duration::from_secs(600);

/// How often a bundle that is used up is asked about again: another node may have given back.
const ASK_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// An account with a call this lately is called for here, whoever else wants its calls.
const BUSY_WITHIN: Duration = Duration::from_secs(2);

/// What became of an attempt to take calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// They are the caller's.
    Taken,
    /// So many are not left.
    Exhausted,
    /// They may be had from the row.
    Wait,
    /// They may be had from other nodes, by way of the row.
    Elsewhere,
}

/// One account's calls on this node.
#[derive(Debug)]
pub(super) struct Hand {
    account: AccountId,
    anchor: Date,
    page: Page,
    /// Earlier periods in which calls were used that are not reported yet.
    overdue: Vec<Page>,
    /// Calls that wait.
    pub(super) waiting: u64,
    /// Whether the account has no live key any more.
    pub(super) gone: bool,
    /// Whether the keeper follows the account's periods.
    pub(super) followed: bool,
    last_take: Option<Duration>,
    last_ask: Option<Duration>,
    /// What was in hand when the keeper counted last.
    pub(super) counted: u64,
    /// What was on credit then.
    pub(super) counted_on_credit: u64,
    /// In the keeper's list of accounts to refill.
    pub(super) asked: bool,
    /// In the keeper's list of accounts to report.
    pub(super) listed: bool,
}

impl Hand {
    pub(super) fn new(account: AccountId, anchor: Date, limits: Limits, now: Timestamp) -> Self {
        Self {
            account,
            anchor,
            page: Page::new(BillingPeriod::of(anchor, now), limits),
            overdue: Vec::new(),
            waiting: 0,
            gone: false,
            followed: false,
            last_take: None,
            last_ask: None,
            counted: 0,
            counted_on_credit: 0,
            asked: false,
            listed: false,
        }
    }

    /// Opens the page of the period that `now` lies in. What was in hand for another period is void; what was used in it is
    /// still reported.
    pub(super) fn turn(&mut self, now: Timestamp) {
        if self.page.period.contains(now) {
            return;
        }
        let period = BillingPeriod::of(self.anchor, now);
        let after = Page::new(period, self.page.limits);
        let before = std::mem::replace(&mut self.page, after);
        self.last_ask = None;
        // A clock that was set back returns to a period that is not reported yet.
        if let Some(at) = self.overdue.iter().position(|page| page.period == period) {
            let again = self.overdue.swap_remove(at);
            self.page.inherit(again);
        }
        if before.has_news() {
            self.overdue.push(before);
        }
    }

    /// The plan as it is now.
    pub(super) fn obey(&mut self, limits: Limits) {
        self.page.limits = limits;
    }

    /// Takes all of a period that nothing was leased of yet.
    pub(super) fn hold_all(&mut self) {
        let page = &mut self.page;
        if page.leased.is_none() {
            page.in_hand = page.limits.allowance();
            page.leased = Some(page.in_hand);
        }
    }

    pub(super) fn standing(&self) -> Standing {
        self.page.standing()
    }

    pub(super) fn period(&self) -> BillingPeriod {
        self.page.period
    }

    pub(super) fn in_hand(&self) -> u64 {
        self.page.in_hand
    }

    /// Calls on credit that are not known to be booked.
    pub(super) fn on_credit(&self) -> u64 {
        let pages = std::iter::once(&self.page).chain(&self.overdue);
        pages.map(Page::on_credit).sum()
    }

    /// Whether the account shall get its first lease of this period before anybody asks: where it was called lately.
    pub(super) fn needs_first_lease(&self, now: Duration) -> bool {
        self.page.leased.is_none() && !self.gone && !self.is_idle(now)
    }

    /// Takes calls if they are in hand and the plan allows them, whatever is in hand.
    pub(super) fn take(&mut self, calls: u64, now: Duration) -> Verdict {
        let verdict = self.page.take(calls, now);
        if verdict == Verdict::Taken {
            self.last_take = Some(now);
        }
        verdict
    }

    /// Takes calls while the database is away, and says how many of them on credit.
    pub(super) fn take_on_credit(&mut self, calls: u64, now: Duration) -> Option<u64> {
        let credit = self.page.take_on_credit(calls)?;
        self.last_take = Some(now);
        Some(credit)
    }

    /// Whether the keeper shall refill, after a take with this outcome.
    pub(super) fn wants_refill(&self, after: Verdict, now: Duration) -> bool {
        match after {
            Verdict::Wait => true,
            // The row was full when it was seen last: asking is for those who are refused.
            Verdict::Taken => self.page.half_gone() && self.page.left() > self.page.in_hand,
            // The keeper asks again by itself, each second.
            Verdict::Elsewhere => !self.page.recalling,
            Verdict::Exhausted => self
                .last_ask
                .is_none_or(|last| now.saturating_sub(last) >= ASK_AGAIN_AFTER),
        }
    }

    /// How many calls have come into the hand in this period.
    pub(super) fn arrived(&self) -> u64 {
        self.page.arrived()
    }

    /// Gives up waiting; see [`Page::give_up`].
    pub(super) fn give_up(&mut self, calls: u64, arrived: u64, now: Duration) -> bool {
        self.page.give_up(calls, arrived, now)
    }

    /// Whether a call has waited for the database in vain, and the row was not seen since.
    pub(super) fn is_late(&self) -> bool {
        self.page.is_late()
    }

    /// Whether calls wait for those in other nodes' hands.
    pub(super) fn is_recalling(&self) -> bool {
        self.page.recalling
    }

    /// Notes that another node waits for calls of a period since a moment, and says whether that is news.
    pub(super) fn want(&mut self, start: Timestamp, at: i64) -> bool {
        self.page.period.start() == start && self.page.want(at)
    }

    /// Whether there is something to report.
    pub(super) fn has_news(&self) -> bool {
        self.page.has_news()
    }

    /// Takes calls back that were not kept, so many of them on credit; those of another period are void.
    pub(super) fn refund(&mut self, calls: u64, on_credit: u64, period: BillingPeriod) {
        if self.page.period == period {
            self.page.refund(calls, on_credit);
        }
    }

    /// Notes that calls were used, so many of them on credit.
    pub(super) fn keep(&mut self, calls: u64, on_credit: u64, period: BillingPeriod) {
        self.page_of(period).keep(calls, on_credit);
    }

    fn page_of(&mut self, period: BillingPeriod) -> &mut Page {
        if self.page.period == period {
            return &mut self.page;
        }
        let known = self.overdue.iter().position(|page| page.period == period);
        let at = known.unwrap_or_else(|| {
            self.overdue.push(Page::new(period, self.page.limits));
            self.overdue.len() - 1
        });
        &mut self.overdue[at]
    }

    /// Says what the keeper shall settle with the database now, each ask for another period. When `closing`, all goes back.
    pub(super) fn prepare(&mut self, closing: bool, now: Duration) -> Vec<Ask> {
        let asked = std::mem::take(&mut self.asked);
        self.listed = false;
        let account = self.account;
        let mut overdue = std::mem::take(&mut self.overdue);
        let mut asks: Vec<Ask> = overdue
            .iter_mut()
            .map(|page| page.ask(account, 0, None))
            .collect();
        self.page.recalling = false;
        let demand = if closing {
            None
        } else {
            self.demand(asked, now)
        };
        let spare = self.spare(now);
        let demand = demand.filter(|_| spare == 0);
        let back = self.surplus(closing, demand.is_some(), now).max(spare);
        let demand = demand.map(|demand| Demand {
            in_hand: demand.in_hand - back,
            ..demand
        });
        if demand.is_some() {
            self.last_ask = Some(now);
        }
        if demand.is_some() || back > 0 || self.page.has_news() {
            asks.push(self.page.ask(account, back, demand));
        }
        asks
    }

    fn demand(&self, asked: bool, now: Duration) -> Option<Demand> {
        let page = &self.page;
        let busy = asked || self.waiting > 0;
        let first = self.needs_first_lease(now);
        // Full when it was seen last: the row has to be read again, whatever is in hand.
        let full = page.left() <= page.in_hand;
        let short = page.half_gone() || self.waiting > page.in_hand || full;
        (first || busy && short).then_some(Demand {
            in_hand: page.in_hand,
            waiting: self.waiting,
        })
    }

    /// Calls in hand that are of no use here.
    fn surplus(&self, closing: bool, wanted: bool, now: Duration) -> u64 {
        let page = &self.page;
        let useful = if closing || !wanted && (self.gone || self.is_idle(now)) {
            0
        } else {
            // Calls that were given back may make it more than a lease, and a plan that was lowered may allow less.
            page.left().min(page.level + self.waiting)
        };
        page.in_hand.saturating_sub(useful)
    }

    /// Calls in hand that another node waits for, where none wait here.
    fn spare(&mut self, now: Duration) -> u64 {
        let busy = self
            .last_take
            .is_some_and(|last| now.saturating_sub(last) < BUSY_WITHIN);
        let spare = self.page.spare(busy);
        let spare = if self.waiting > 0 { 0 } else { spare };
        metrics::recalled(usize::from(spare > 0));
        spare
    }

    /// Whether there has been no call for long.
    pub(super) fn is_idle(&self, now: Duration) -> bool {
        self.last_take
            .is_none_or(|last| now.saturating_sub(last) >= IDLE_AFTER)
    }

    /// Whether more is in hand than one lease, as after a bulk request that failed.
    pub(super) fn is_above_lease(&self) -> bool {
        self.page.in_hand > self.page.level + self.waiting
    }

    /// Takes over what the row says after `ask`; none where the ledger does not know the account.
    pub(super) fn settled(&mut self, ask: &Ask, settled: Option<Settled>) {
        if self.page.period == ask.period {
            self.page.settled(ask, settled);
        }
    }

    /// Takes back what the database has not taken.
    pub(super) fn undone(&mut self, ask: &Ask) {
        self.asked |= ask.demand.is_some();
        self.listed = true;
        let current = self.page.period == ask.period;
        if current || ask.used > 0 || ask.refused {
            self.page_of(ask.period).undone(ask);
        }
        if current {
            self.page.not_given_back(ask);
        }
    }
}
