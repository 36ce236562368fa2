//! Monthly bundles: every account's calls are counted against what its plan allows, on any number of nodes, and no call waits
//! for the database while its node has something in hand.
//!
//! A node takes leases from the account's row, on disk before they are served from, and serves from its [`Hand`] in memory. One
//! [keeper](Bundles::keep) for each process does all the work with the database: it tops hands up before they are empty,
//! reports what was used, gives back what is of no use and puts notices into the outbox. A node that dies loses what it had in
//! hand, one lease at most of each account that called lately. Where the row is full and others hold calls, the row is marked,
//! and they give back what they can spare.
//!
//! While the database is away, or slower than a call can wait, and the hand is empty, calls are served on [credit]: up to a
//! quarter of what was free in the row when the node saw it last, if that was more than a tenth of the allowance; up to a
//! fiftieth of the allowance where it did not see the row in this period. They are booked once when the database is back. So an
//! allowance is exceeded by an outage alone, and by what all nodes gave on credit together at most: a quarter of what was free
//! for each node that serves the account. One node that serves it alone, saw the row in this period and lives to book exceeds
//! nothing, because it saw the row as it is.
//! Rules: contract.md, Limits; decisions.md, Order of checks, Headers and Plans.

mod account_quota;
mod credit;
mod lease_round;
mod lease_task;
mod local_lease;
mod period_usage;
mod permit;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use jiff::Timestamp;

#[cfg(test)]
pub(super) use super::quota::lease_task::Keeper;
pub use super::quota::permit::Taken;

use crate::accounts::{AccountId, Admission};
use crate::clock::Clock;
use crate::limits::metrics;
use account_quota::{Desk, Entry};
use local_lease::{Hand, Verdict};

/// How long a call waits for a refill. A refill takes some milliseconds, on a disk that is very busy more than a second; who
/// waits longer than this waits for a database in trouble, and is better told so: clients give up after five seconds.
const PATIENCE: Duration = Duration::from_secs(3);

/// The bundles of all accounts that this node has seen; shared by the requests and the keeper. Sandbox calls count towards
/// none and have no business here.
#[derive(Debug)]
pub struct Bundles {
    clock: Clock,
    /// Never shrinks: an account that was closed costs some hundred bytes until the process ends.
    entries: RwLock<HashMap<AccountId, Arc<Entry>>>,
    desk: Arc<Desk>,
    /// Whether there is no ledger to lease from: all that a plan allows is in hand.
    alone: bool,
}

/// What the quota headers say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The bundle.
    pub limit: u64,
    /// What is left of it; nothing while calls are served by grace.
    pub remaining: u64,
    /// When the billing period ends.
    pub reset: Timestamp,
}

/// Calls that cannot be had without waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotNow {
    /// So many calls are not left of the bundle and its grace.
    Exhausted,
    /// They are not in hand, but may be had from the database.
    Wait,
}

/// Calls that cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// So many calls are not left of the bundle and its grace.
    #[error("the bundle is used up")]
    Exhausted,
    /// They are not in hand, and the database does not answer.
    #[error("the accounts database is away")]
    Unavailable,
}

impl Bundles {
    /// Bundles of nobody yet; accounts come with the keeper and with their first calls.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self {
            clock,
            entries: RwLock::default(),
            desk: Arc::default(),
            alone: false,
        }
    }

    /// Bundles that follow no ledger: everyone has in hand what his plan allows, anew in each period.
    #[must_use]
    pub fn fixed(clock: Clock) -> Self {
        Self {
            alone: true,
            ..Self::new(clock)
        }
    }

    /// What the headers say now. Never waits and takes nothing.
    #[must_use]
    pub fn standing(&self, whose: &Admission) -> Standing {
        let Some(entry) = self.find(whose.account) else {
            let mut hand = self.unseen(whose, self.clock.now());
            self.bring_up_to_now(&mut hand, whose);
            return hand.standing();
        };
        let mut hand = entry.hand();
        self.bring_up_to_now(&mut hand, whose);
        hand.standing()
    }

    /// Takes calls, all or none, if they are in hand. Never waits. Where it says [`NotNow::Wait`], a refill is under way.
    ///
    /// # Errors
    /// [`NotNow`] when they are not. What is exhausted is counted in `postduif_leases_refused_total`.
    pub fn try_take(&self, whose: &Admission, calls: u32) -> Result<Taken, NotNow> {
        self.attempt(self.entry(whose), whose, calls)
    }

    /// Takes calls, all or none. Waits for a refill where that can help, three seconds at most, and not at all while the database is
    /// known to be away; then they may be had on credit.
    ///
    /// # Errors
    /// [`Refused`], counted in `postduif_leases_refused_total`.
    pub async fn take(&self, whose: &Admission, calls: u32) -> Result<Taken, Refused> {
        self.take_before(whose, calls, tokio::time::sleep(PATIENCE))
            .await
    }

    /// Takes calls, and waits for them until `too_late` ends.
    pub(super) async fn take_before(
        &self,
        whose: &Admission,
        calls: u32,
        too_late: impl Future<Output = ()>,
    ) -> Result<Taken, Refused> {
        let entry = self.entry(whose);
        match self.attempt(entry.clone(), whose, calls) {
            Ok(taken) => Ok(taken),
            Err(NotNow::Exhausted) => Err(Refused::Exhausted),
            Err(NotNow::Wait) => self.wait(&entry, whose, calls, too_late).await,
        }
    }

    async fn wait(
        &self,
        entry: &Arc<Entry>,
        whose: &Admission,
        calls: u32,
        too_late: impl Future<Output = ()>,
    ) -> Result<Taken, Refused> {
        let _waiting = entry.waiting(calls);
        let arrived = entry.hand().arrived();
        let refills = async {
            loop {
                let changed = entry.changed.notified();
                tokio::pin!(changed);
                // From here on no change is missed, also not one before the attempt below.
                changed.as_mut().enable();
                match self.attempt(entry.clone(), whose, calls) {
                    Ok(taken) => return Ok(taken),
                    Err(NotNow::Exhausted) => return Err(Refused::Exhausted),
                    Err(NotNow::Wait) if self.desk.is_away() => {
                        return self.on_credit(entry, whose, calls);
                    }
                    Err(NotNow::Wait) => {}
                }
                let late = entry.hand().is_late();
                match late.then(|| self.lend(entry, whose, calls)).flatten() {
                    Some(taken) => return Ok(taken),
                    None => changed.await,
                }
            }
        };
        tokio::select! {
            biased;
            taken = refills => taken,
            () = too_late => self.too_late(entry, whose, calls, arrived),
        }
    }

    /// What is said to calls that have waited long enough, while so many had `arrived` when they began.
    fn too_late(
        &self,
        entry: &Arc<Entry>,
        whose: &Admission,
        calls: u32,
        arrived: u64,
    ) -> Result<Taken, Refused> {
        let passed = self.passed();
        let others_hold_them = entry.hand().give_up(calls.into(), arrived, passed);
        if !others_hold_them {
            return self.on_credit(entry, whose, calls);
        }
        // Who waits beside this one has now waited in vain too.
        entry.changed.notify_waiters();
        match self.attempt(entry.clone(), whose, calls) {
            Ok(taken) => Ok(taken),
            Err(NotNow::Exhausted) => Err(Refused::Exhausted),
            Err(NotNow::Wait) => {
                metrics::lease_refused("exhausted").increment(1);
                Err(Refused::Exhausted)
            }
        }
    }

    fn on_credit(
        &self,
        entry: &Arc<Entry>,
        whose: &Admission,
        calls: u32,
    ) -> Result<Taken, Refused> {
        self.lend(entry, whose, calls).ok_or_else(|| {
            metrics::lease_refused("unavailable").increment(1);
            Refused::Unavailable
        })
    }

    /// Takes calls, those that are not in hand on credit.
    fn lend(&self, entry: &Arc<Entry>, whose: &Admission, calls: u32) -> Option<Taken> {
        if self.desk.is_closed() {
            return None;
        }
        let mut hand = entry.hand();
        self.bring_up_to_now(&mut hand, whose);
        let credit = hand.take_on_credit(calls.into(), self.passed())?;
        metrics::on_credit(credit);
        Some(Taken::new(entry.clone(), &hand, calls, credit))
    }

    fn attempt(&self, entry: Arc<Entry>, whose: &Admission, calls: u32) -> Result<Taken, NotNow> {
        let passed = self.passed();
        let mut hand = entry.hand();
        self.bring_up_to_now(&mut hand, whose);
        let verdict = hand.take(calls.into(), passed);
        if hand.wants_refill(verdict, passed) {
            entry.ask(&mut hand);
        }
        if hand.has_news() {
            entry.list(&mut hand);
        }
        match verdict {
            Verdict::Taken => {
                let taken = Taken::new(entry.clone(), &hand, calls, 0);
                drop(hand);
                Ok(taken)
            }
            // While the database is away nobody gives anything back.
            Verdict::Elsewhere if !self.desk.is_away() => Err(NotNow::Wait),
            Verdict::Exhausted | Verdict::Elsewhere => {
                drop(hand);
                metrics::lease_refused("exhausted").increment(1);
                Err(NotNow::Exhausted)
            }
            Verdict::Wait => Err(NotNow::Wait),
        }
    }

    /// The clock is read under the hand's lock: a moment from before a turn would turn the page back.
    fn bring_up_to_now(&self, hand: &mut Hand, whose: &Admission) {
        hand.turn(self.clock.now());
        hand.obey(whose.plan.limits());
        if self.alone {
            hand.hold_all();
        }
    }

    /// How many of an account's calls are in hand.
    #[cfg(test)]
    pub(super) fn in_hand(&self, whose: &Admission) -> u64 {
        self.entry(whose).hand().in_hand()
    }

    /// Time that the clock has seen pass, which never goes back.
    fn passed(&self) -> Duration {
        governor::clock::Clock::now(&self.clock)
    }

    fn len(&self) -> usize {
        self.entries
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }

    fn all(&self) -> Vec<Arc<Entry>> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        entries.values().cloned().collect()
    }

    fn find(&self, account: AccountId) -> Option<Arc<Entry>> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        entries.get(&account).cloned()
    }

    fn entry(&self, whose: &Admission) -> Arc<Entry> {
        self.find(whose.account).unwrap_or_else(|| {
            let hand = self.unseen(whose, self.clock.now());
            let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
            let made = || Arc::new(Entry::new(whose.account, hand, self.desk.clone()));
            entries.entry(whose.account).or_insert_with(made).clone()
        })
    }

    fn unseen(&self, whose: &Admission, now: Timestamp) -> Hand {
        Hand::new(whose.account, whose.anchor, whose.plan.limits(), now)
    }
}
