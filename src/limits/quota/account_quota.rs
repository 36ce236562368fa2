//! An account's hand with its lock, and the desk where requests leave notes for the keeper.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::local_lease::LocalLease;
use crate::accounts::AccountId;

/// One account on this node.
#[derive(Debug)]
pub(super) struct AccountQuota {
    pub(super) account_id: AccountId,
    lease: Mutex<LocalLease>,
    /// Told when calls have come into the hand, or will not come.
    pub(super) changed: Notify,
    refill_queue: Arc<RefillQueue>,
}

/// Where requests leave notes. A lock on it is taken after the lock on a hand, never before.
#[derive(Debug, Default)]
pub(super) struct RefillQueue {
    refills: Mutex<Vec<Arc<AccountQuota>>>,
    reports: Mutex<Vec<Arc<AccountQuota>>>,
    /// Told when there is a new note about a refill; reports wait for their second.
    pub(super) wake: Notify,
    store_unavailable: AtomicBool,
    closed: AtomicBool,
}

impl AccountQuota {
    pub(super) fn new(
        account_id: AccountId,
        lease: LocalLease,
        refill_queue: Arc<RefillQueue>,
    ) -> Self {
        Self {
            account_id,
            lease: Mutex::new(lease),
            changed: Notify::new(),
            refill_queue,
        }
    }

    /// The hand. Nothing that holds it can panic half-way, so it is whole even where a lock is poisoned.
    pub(super) fn lock_lease(&self) -> MutexGuard<'_, LocalLease> {
        self.lease.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the keeper for a refill, once until it has come.
    pub(super) fn queue_refill(self: &Arc<Self>, lease: &mut LocalLease) {
        if !std::mem::replace(&mut lease.refill_queued, true) {
            push(&self.refill_queue.refills, self.clone());
            self.refill_queue.wake.notify_one();
        }
    }

    /// Notes that there is something to report.
    pub(super) fn queue_report(self: &Arc<Self>, lease: &mut LocalLease) {
        if !std::mem::replace(&mut lease.report_queued, true) {
            push(&self.refill_queue.reports, self.clone());
        }
    }

    /// Counts calls as waiting while the result lives.
    pub(super) fn add_waiting(&self, calls: u32) -> WaitingCalls<'_> {
        self.lock_lease().waiting += u64::from(calls);
        WaitingCalls {
            account: self,
            calls,
        }
    }
}

/// Calls that wait; they no longer do when this is dropped.
#[derive(Debug)]
pub(super) struct WaitingCalls<'a> {
    account: &'a AccountQuota,
    calls: u32,
}

impl Drop for WaitingCalls<'_> {
    fn drop(&mut self) {
        self.account.lock_lease().waiting -= u64::from(self.calls);
    }
}

impl RefillQueue {
    /// Whether nobody keeps the bundles any more: what is taken now would never be booked.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    pub(super) fn set_closed(&self, closed: bool) {
        self.closed.store(closed, Ordering::Relaxed);
        self.set_store_unavailable(closed);
    }

    /// Whether the database is known to be away, or nobody keeps the bundles any more.
    pub(super) fn is_store_unavailable(&self) -> bool {
        self.store_unavailable.load(Ordering::Relaxed)
    }

    pub(super) fn set_store_unavailable(&self, unavailable: bool) {
        self.store_unavailable.store(unavailable, Ordering::Relaxed);
    }

    /// The accounts to refill.
    pub(super) fn take_refills(&self) -> Vec<Arc<AccountQuota>> {
        std::mem::take(&mut *self.refills.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The accounts to report.
    pub(super) fn take_reports(&self) -> Vec<Arc<AccountQuota>> {
        std::mem::take(&mut *self.reports.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn push(queue: &Mutex<Vec<Arc<AccountQuota>>>, account: Arc<AccountQuota>) {
    let mut list = queue.lock().unwrap_or_else(PoisonError::into_inner);
    list.push(account);
}
