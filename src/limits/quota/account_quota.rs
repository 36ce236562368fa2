//! An account's hand with its lock, and the desk where requests leave notes for the keeper.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::local_lease::Hand;
use crate::accounts::AccountId;

/// One account on this node.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) account: AccountId,
    hand: Mutex<Hand>,
    /// Told when calls have come into the hand, or will not come.
    pub(super) changed: Notify,
    desk: Arc<Desk>,
}

/// Where requests leave notes. A lock on it is taken after the lock on a hand, never before.
#[derive(Debug, Default)]
pub(super) struct Desk {
    refills: Mutex<Vec<Arc<Entry>>>,
    reports: Mutex<Vec<Arc<Entry>>>,
    /// Told when there is a new note about a refill; reports wait for their second.
    pub(super) wake: Notify,
    away: AtomicBool,
    closed: AtomicBool,
}

impl Entry {
    pub(super) fn new(account: AccountId, hand: Hand, desk: Arc<Desk>) -> Self {
        Self {
            account,
            hand: Mutex::new(hand),
            changed: Notify::new(),
            desk,
        }
    }

    /// The hand. Nothing that holds it can panic half-way, so it is whole even where a lock is poisoned.
    pub(super) fn hand(&self) -> MutexGuard<'_, Hand> {
        self.hand.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the keeper for a refill, once until it has come.
    pub(super) fn ask(self: &Arc<Self>, hand: &mut Hand) {
        if !std::mem::replace(&mut hand.asked, true) {
            push(&self.desk.refills, self.clone());
            self.desk.wake.notify_one();
        }
    }

    /// Notes that there is something to report.
    pub(super) fn list(self: &Arc<Self>, hand: &mut Hand) {
        if !std::mem::replace(&mut hand.listed, true) {
            push(&self.desk.reports, self.clone());
        }
    }

    /// Counts calls as waiting while the result lives.
    pub(super) fn waiting(&self, calls: u32) -> Waiting<'_> {
        self.hand().waiting += u64::from(calls);
        Waiting { entry: self, calls }
    }
}

/// Calls that wait; they no longer do when this is dropped.
#[derive(Debug)]
pub(super) struct Waiting<'a> {
    entry: &'a Entry,
    calls: u32,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.entry.hand().waiting -= u64::from(self.calls);
    }
}

impl Desk {
    /// Whether nobody keeps the bundles any more: what is taken now would never be booked.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    pub(super) fn set_closed(&self, closed: bool) {
        self.closed.store(closed, Ordering::Relaxed);
        self.set_away(closed);
    }

    /// Whether the database is known to be away, or nobody keeps the bundles any more.
    pub(super) fn is_away(&self) -> bool {
        self.away.load(Ordering::Relaxed)
    }

    pub(super) fn set_away(&self, away: bool) {
        self.away.store(away, Ordering::Relaxed);
    }

    /// The accounts to refill.
    pub(super) fn refills(&self) -> Vec<Arc<Entry>> {
        std::mem::take(&mut *self.refills.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The accounts to report.
    pub(super) fn reports(&self) -> Vec<Arc<Entry>> {
        std::mem::take(&mut *self.reports.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn push(list: &Mutex<Vec<Arc<Entry>>>, entry: Arc<Entry>) {
    let mut list = list.lock().unwrap_or_else(PoisonError::into_inner);
    list.push(entry);
}
