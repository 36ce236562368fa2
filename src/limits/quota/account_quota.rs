//! Holds the local lease of an account with its lock, and the queue through which requests reach the lease task.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::local_lease::LocalLease;
use crate::accounts::AccountId;

/// The state of one account on this node.
#[derive(Debug)]
pub(super) struct AccountQuota {
    pub(super) account_id: AccountId,
    lease: Mutex<LocalLease>,
    /// Notified when calls were added to the lease, or when it is known that no calls will be added.
    pub(super) changed: Notify,
    refill_queue: Arc<RefillQueue>,
}

/// The accounts that wait for the lease task. Lock order: first the lock of a lease, then a lock of this queue.
#[derive(Debug, Default)]
pub(super) struct RefillQueue {
    refills: Mutex<Vec<Arc<AccountQuota>>>,
    usage_reports: Mutex<Vec<Arc<AccountQuota>>>,
    /// Notified for each new refill. It is not notified for usage reports, which wait for the next tick.
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

    pub(super) fn lock_lease(&self) -> MutexGuard<'_, LocalLease> {
        lock(&self.lease)
    }

    /// Queues a refill, unless a refill of this account is queued already.
    pub(super) fn queue_refill(self: &Arc<Self>, lease: &mut LocalLease) {
        if !std::mem::replace(&mut lease.refill_queued, true) {
            lock(&self.refill_queue.refills).push(self.clone());
            self.refill_queue.wake.notify_one();
        }
    }

    /// Queues a usage report, unless one of this account is queued already.
    pub(super) fn queue_usage_report(self: &Arc<Self>, lease: &mut LocalLease) {
        if !std::mem::replace(&mut lease.usage_report_queued, true) {
            lock(&self.refill_queue.usage_reports).push(self.clone());
        }
    }

    /// Counts calls as waiting until the returned guard is dropped.
    pub(super) fn add_waiting(&self, calls: u32) -> WaitingCalls<'_> {
        self.lock_lease().waiting += u64::from(calls);
        WaitingCalls {
            account: self,
            calls,
        }
    }
}

/// A guard for calls that wait for a lease. They count as waiting until the guard is dropped.
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
    /// True once the lease task has ended. Calls that are reserved from then on would never be booked.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Also marks the store as unavailable or available, because nothing reaches the store through a closed queue.
    pub(super) fn set_closed(&self, closed: bool) {
        self.closed.store(closed, Ordering::Relaxed);
        self.set_store_unavailable(closed);
    }

    /// True if the last attempt to reach the database failed, or the lease task has ended.
    pub(super) fn is_store_unavailable(&self) -> bool {
        self.store_unavailable.load(Ordering::Relaxed)
    }

    pub(super) fn set_store_unavailable(&self, unavailable: bool) {
        self.store_unavailable.store(unavailable, Ordering::Relaxed);
    }

    /// Returns the accounts to refill, and empties their list.
    pub(super) fn take_refills(&self) -> Vec<Arc<AccountQuota>> {
        std::mem::take(&mut *lock(&self.refills))
    }

    /// Returns the accounts with usage to report, and empties their list.
    pub(super) fn take_usage_reports(&self) -> Vec<Arc<AccountQuota>> {
        std::mem::take(&mut *lock(&self.usage_reports))
    }
}

/// Ignores poisoning, because no code panics while the value is half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
