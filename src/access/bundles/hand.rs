//! What a node has in hand for one account: calls it may serve without asking anybody. Pure bookkeeping, no waiting and no
//! clock of its own.
//!
//! Invariant: a row's `leased` counts a call before it comes into a hand and until after it has left the hand again, so what
//! all nodes have in hand and have served together is never above it.

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;

use super::{BillingPeriod, Standing, sizes};
use crate::access::ledger::{Ask, Settled};
use crate::access::{AccountId, Limits};
use sizes::Demand;

/// How long an account may be without calls before it gives back what it has in hand: another node may need it.
pub(super) const IDLE_AFTER: Duration = Duration::from_secs(600);

/// How often a bundle that is used up is asked about again: another node may have given back.
const ASK_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// What became of an attempt to take calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// They are the caller's.
    Taken,
    /// So many are not left.
    Exhausted,
    /// They may be had from the row.
    Wait,
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
    /// In the keeper's list of accounts to refill.
    pub(super) asked: bool,
    /// In the keeper's list of accounts to report.
    pub(super) listed: bool,
}

/// One billing period of the account.
#[derive(Debug)]
struct Page {
    period: BillingPeriod,
    limits: Limits,
    /// The row as it was seen last, with what was done to it since; none before it was seen.
    leased: Option<u64>,
    in_hand: u64,
    /// What the last refill aimed at.
    level: u64,
    /// Calls used and not yet reported.
    unreported: u64,
    /// Whether a call was refused since the last report.
    refused: bool,
    /// The highest notice known to be in the outbox.
    told: u8,
}

impl Page {
    fn new(period: BillingPeriod, limits: Limits) -> Self {
        Self {
            period,
            limits,
            leased: None,
            in_hand: 0,
            level: 0,
            unreported: 0,
            refused: false,
            told: 0,
        }
    }

    /// Calls that this node must take for served: those of other nodes, in their hands or not, are among them.
    fn spent(&self) -> u64 {
        self.leased.unwrap_or(0).saturating_sub(self.in_hand)
    }

    fn left(&self) -> u64 {
        self.limits.allowance().saturating_sub(self.spent())
    }

    fn half_gone(&self) -> bool {
        self.in_hand * 2 <= self.level
    }

    fn has_news(&self) -> bool {
        self.unreported > 0 || self.refused
    }

    fn ask(&mut self, account: AccountId, back: u64, demand: Option<Demand>) -> Ask {
        self.in_hand -= back;
        self.leased = self.leased.map(|leased| leased.saturating_sub(back));
        Ask {
            account,
            period: self.period,
            limits: self.limits,
            used: std::mem::take(&mut self.unreported),
            back,
            demand,
            refused: std::mem::take(&mut self.refused),
            told: self.told,
        }
    }
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
            self.page.unreported = again.unreported;
            self.page.refused = again.refused;
            self.page.told = again.told;
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
        let bundle = u64::from(self.page.limits.calls_per_month.get());
        Standing {
            limit: bundle,
            remaining: bundle.saturating_sub(self.page.spent()),
            reset: self.page.period.end(),
        }
    }

    pub(super) fn period(&self) -> BillingPeriod {
        self.page.period
    }

    pub(super) fn in_hand(&self) -> u64 {
        self.page.in_hand
    }

    /// Whether the account shall get its first lease of this period before anybody asks: where it was called lately.
    pub(super) fn needs_first_lease(&self, now: Duration) -> bool {
        self.page.leased.is_none() && !self.gone && !self.is_idle(now)
    }

    /// Takes calls if they are in hand and the plan allows them, whatever is in hand.
    pub(super) fn take(&mut self, calls: u64, now: Duration) -> Verdict {
        let page = &mut self.page;
        if page.leased.is_some() && calls > page.left() {
            page.refused |= page.left() == 0 && page.told < 100;
            return Verdict::Exhausted;
        }
        if page.leased.is_none() || page.in_hand < calls {
            return Verdict::Wait;
        }
        page.in_hand -= calls;
        self.last_take = Some(now);
        Verdict::Taken
    }

    /// Whether the keeper shall refill, after a take with this outcome.
    pub(super) fn wants_refill(&self, after: Verdict, now: Duration) -> bool {
        match after {
            Verdict::Wait => true,
            // The row was full when it was seen last: asking is for those who are refused.
            Verdict::Taken => self.page.half_gone() && self.page.left() > self.page.in_hand,
            Verdict::Exhausted => self
                .last_ask
                .is_none_or(|last| now.saturating_sub(last) >= ASK_AGAIN_AFTER),
        }
    }

    /// Whether there is something to report.
    pub(super) fn has_news(&self) -> bool {
        self.page.has_news()
    }

    /// Takes calls back that were not kept; those of another period are void.
    pub(super) fn refund(&mut self, calls: u64, period: BillingPeriod) {
        if self.page.period == period {
            self.page.in_hand += calls;
        }
    }

    /// Notes that calls were used.
    pub(super) fn keep(&mut self, calls: u64, period: BillingPeriod) {
        self.page_of(period).unreported += calls;
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
        let demand = if closing {
            None
        } else {
            self.demand(asked, now)
        };
        let back = self.surplus(closing, demand.is_some(), now);
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
        let page = &mut self.page;
        if page.period != ask.period {
            return;
        }
        let Some(settled) = settled else {
            // Nothing can be had for it; its keys are on their way out.
            page.leased = Some(page.limits.allowance() + page.in_hand);
            return;
        };
        page.leased = Some(settled.leased);
        page.in_hand += settled.granted;
        page.told = settled.told;
        if ask.demand.is_some() {
            page.level = settled.level;
        }
    }

    /// Takes back what the database has not taken.
    pub(super) fn undone(&mut self, ask: &Ask) {
        self.asked |= ask.demand.is_some();
        self.listed = true;
        let current = self.page.period == ask.period;
        if current || ask.used > 0 || ask.refused {
            let page = self.page_of(ask.period);
            page.unreported += ask.used;
            page.refused |= ask.refused;
            page.told = page.told.max(ask.told);
            if current {
                page.in_hand += ask.back;
                page.leased = page.leased.map(|leased| leased + ask.back);
            }
        }
    }
}
