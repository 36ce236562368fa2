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
pub(super) use super::quota::lease_task::LeaseTask;
pub use super::quota::permit::QuotaPermit;

use crate::accounts::{AccountId, KeyGrant};
use crate::clock::Clock;
use crate::limits::metrics;
use account_quota::{AccountQuota, RefillQueue};
use local_lease::{LocalLease, QuotaOutcome};

/// How long a call waits for a refill. A refill takes some milliseconds, on a disk that is very busy more than a second; who
/// waits longer than this waits for a database in trouble, and is better told so: clients give up after five seconds.
const LEASE_WAIT_TIMEOUT: Duration = Duration::from_secs(3);

/// The bundles of all accounts that this node has seen; shared by the requests and the keeper. Sandbox calls count towards
/// none and have no business here.
#[derive(Debug)]
pub struct Quotas {
    clock: Clock,
    /// Never shrinks: an account that was closed costs some hundred bytes until the process ends.
    accounts: RwLock<HashMap<AccountId, Arc<AccountQuota>>>,
    refill_queue: Arc<RefillQueue>,
    /// Whether there is no ledger to lease from: all that a plan allows is in hand.
    standalone: bool,
}

/// What the quota headers say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotaStatus {
    /// The bundle.
    pub limit: u64,
    /// What is left of it; nothing while calls are served by grace.
    pub remaining: u64,
    /// When the billing period ends.
    pub reset: Timestamp,
}

/// Calls that cannot be had without waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TryReserveError {
    /// So many calls are not left of the bundle and its grace.
    Exhausted,
    /// They are not in hand, but may be had from the database.
    Pending,
}

/// Calls that cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReserveError {
    /// So many calls are not left of the bundle and its grace.
    #[error("the bundle is used up")]
    Exhausted,
    /// They are not in hand, and the database does not answer.
    #[error("the accounts database is away")]
    Unavailable,
}

impl Quotas {
    /// Bundles of nobody yet; accounts come with the keeper and with their first calls.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self {
            clock,
            accounts: RwLock::default(),
            refill_queue: Arc::default(),
            standalone: false,
        }
    }

    /// Bundles that follow no ledger: everyone has in hand what his plan allows, anew in each period.
    #[must_use]
    pub fn standalone(clock: Clock) -> Self {
        Self {
            standalone: true,
            ..Self::new(clock)
        }
    }

    /// What the headers say now. Never waits and takes nothing.
    #[must_use]
    pub fn status(&self, grant: &KeyGrant) -> QuotaStatus {
        let Some(entry) = self.find(grant.account_id) else {
            let mut lease = self.new_lease(grant, self.clock.now());
            self.update_lease(&mut lease, grant);
            return lease.status();
        };
        let mut lease = entry.lock_lease();
        self.update_lease(&mut lease, grant);
        lease.status()
    }

    /// Takes calls, all or none, if they are in hand. Never waits. Where it says [`NotNow::Wait`], a refill is under way.
    ///
    /// # Errors
    /// [`NotNow`] when they are not. What is exhausted is counted in `postduif_leases_refused_total`.
    pub fn try_reserve(
        &self,
        grant: &KeyGrant,
        calls: u32,
    ) -> Result<QuotaPermit, TryReserveError> {
        self.try_reserve_from(self.get_or_create(grant), grant, calls)
    }

    /// Takes calls, all or none. Waits for a refill where that can help, three seconds at most, and not at all while the database is
    /// known to be away; then they may be had on credit.
    ///
    /// # Errors
    /// [`Refused`], counted in `postduif_leases_refused_total`.
    pub async fn reserve(&self, grant: &KeyGrant, calls: u32) -> Result<QuotaPermit, ReserveError> {
        self.reserve_until(grant, calls, tokio::time::sleep(LEASE_WAIT_TIMEOUT))
            .await
    }

    /// Takes calls, and waits for them until `too_late` ends.
    pub(super) async fn reserve_until(
        &self,
        grant: &KeyGrant,
        calls: u32,
        deadline: impl Future<Output = ()>,
    ) -> Result<QuotaPermit, ReserveError> {
        let account = self.get_or_create(grant);
        match self.try_reserve_from(account.clone(), grant, calls) {
            Ok(taken) => Ok(taken),
            Err(TryReserveError::Exhausted) => Err(ReserveError::Exhausted),
            Err(TryReserveError::Pending) => {
                self.wait_for_lease(&account, grant, calls, deadline).await
            }
        }
    }

    async fn wait_for_lease(
        &self,
        account: &Arc<AccountQuota>,
        grant: &KeyGrant,
        calls: u32,
        deadline: impl Future<Output = ()>,
    ) -> Result<QuotaPermit, ReserveError> {
        let _waiting = account.add_waiting(calls);
        let granted_before = account.lock_lease().granted_calls();
        let refills = async {
            loop {
                let changed = account.changed.notified();
                tokio::pin!(changed);
                // From here on no change is missed, also not one before the attempt below.
                changed.as_mut().enable();
                match self.try_reserve_from(account.clone(), grant, calls) {
                    Ok(taken) => return Ok(taken),
                    Err(TryReserveError::Exhausted) => return Err(ReserveError::Exhausted),
                    Err(TryReserveError::Pending) if self.refill_queue.is_store_unavailable() => {
                        return self.reserve_on_credit(account, grant, calls);
                    }
                    Err(TryReserveError::Pending) => {}
                }
                let store_timed_out = account.lock_lease().has_store_timed_out();
                match store_timed_out
                    .then(|| self.try_reserve_on_credit(account, grant, calls))
                    .flatten()
                {
                    Some(taken) => return Ok(taken),
                    None => changed.await,
                }
            }
        };
        tokio::select! {
            biased;
            taken = refills => taken,
            () = deadline => self.on_wait_timeout(account, grant, calls, granted_before),
        }
    }

    /// What is said to calls that have waited long enough, while so many had `arrived` when they began.
    fn on_wait_timeout(
        &self,
        account: &Arc<AccountQuota>,
        grant: &KeyGrant,
        calls: u32,
        granted_before: u64,
    ) -> Result<QuotaPermit, ReserveError> {
        let elapsed = self.elapsed();
        let exceeds_remaining =
            account
                .lock_lease()
                .on_wait_timeout(calls.into(), granted_before, elapsed);
        if !exceeds_remaining {
            return self.reserve_on_credit(account, grant, calls);
        }
        // Who waits beside this one has now waited in vain too.
        account.changed.notify_waiters();
        match self.try_reserve_from(account.clone(), grant, calls) {
            Ok(taken) => Ok(taken),
            Err(TryReserveError::Exhausted) => Err(ReserveError::Exhausted),
            Err(TryReserveError::Pending) => {
                metrics::refused_attempts("exhausted").increment(1);
                Err(ReserveError::Exhausted)
            }
        }
    }

    fn reserve_on_credit(
        &self,
        account: &Arc<AccountQuota>,
        grant: &KeyGrant,
        calls: u32,
    ) -> Result<QuotaPermit, ReserveError> {
        self.try_reserve_on_credit(account, grant, calls)
            .ok_or_else(|| {
                metrics::refused_attempts("unavailable").increment(1);
                ReserveError::Unavailable
            })
    }

    /// Takes calls, those that are not in hand on credit.
    fn try_reserve_on_credit(
        &self,
        account: &Arc<AccountQuota>,
        grant: &KeyGrant,
        calls: u32,
    ) -> Option<QuotaPermit> {
        if self.refill_queue.is_closed() {
            return None;
        }
        let mut lease = account.lock_lease();
        self.update_lease(&mut lease, grant);
        let on_credit = lease.reserve_on_credit(calls.into(), self.elapsed())?;
        metrics::count_credit(on_credit);
        Some(QuotaPermit::new(account.clone(), &lease, calls, on_credit))
    }

    fn try_reserve_from(
        &self,
        account: Arc<AccountQuota>,
        grant: &KeyGrant,
        calls: u32,
    ) -> Result<QuotaPermit, TryReserveError> {
        let elapsed = self.elapsed();
        let mut lease = account.lock_lease();
        self.update_lease(&mut lease, grant);
        let outcome = lease.reserve(calls.into(), elapsed);
        if lease.needs_refill(outcome, elapsed) {
            account.queue_refill(&mut lease);
        }
        if lease.has_unreported() {
            account.queue_report(&mut lease);
        }
        match outcome {
            QuotaOutcome::Granted => {
                let taken = QuotaPermit::new(account.clone(), &lease, calls, 0);
                drop(lease);
                Ok(taken)
            }
            // While the database is away nobody gives anything back.
            QuotaOutcome::PendingElsewhere if !self.refill_queue.is_store_unavailable() => {
                Err(TryReserveError::Pending)
            }
            QuotaOutcome::Exhausted | QuotaOutcome::PendingElsewhere => {
                drop(lease);
                metrics::refused_attempts("exhausted").increment(1);
                Err(TryReserveError::Exhausted)
            }
            QuotaOutcome::Pending => Err(TryReserveError::Pending),
        }
    }

    /// The clock is read under the hand's lock: a moment from before a turn would turn the page back.
    fn update_lease(&self, lease: &mut LocalLease, grant: &KeyGrant) {
        lease.roll_period(self.clock.now());
        lease.set_limits(grant.plan.limits());
        if self.standalone {
            lease.grant_all();
        }
    }

    /// How many of an account's calls are in hand.
    #[cfg(test)]
    pub(super) fn available(&self, grant: &KeyGrant) -> u64 {
        self.get_or_create(grant).lock_lease().available()
    }

    /// Time that the clock has seen pass, which never goes back.
    fn elapsed(&self) -> Duration {
        governor::clock::Clock::now(&self.clock)
    }

    fn len(&self) -> usize {
        self.accounts
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }

    fn all_accounts(&self) -> Vec<Arc<AccountQuota>> {
        let entries = self.accounts.read().unwrap_or_else(PoisonError::into_inner);
        entries.values().cloned().collect()
    }

    fn find(&self, account: AccountId) -> Option<Arc<AccountQuota>> {
        let entries = self.accounts.read().unwrap_or_else(PoisonError::into_inner);
        entries.get(&account).cloned()
    }

    fn get_or_create(&self, grant: &KeyGrant) -> Arc<AccountQuota> {
        self.find(grant.account_id).unwrap_or_else(|| {
            let lease = self.new_lease(grant, self.clock.now());
            let mut entries = self
                .accounts
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            let made = || {
                Arc::new(AccountQuota::new(
                    grant.account_id,
                    lease,
                    self.refill_queue.clone(),
                ))
            };
            entries.entry(grant.account_id).or_insert_with(made).clone()
        })
    }

    fn new_lease(&self, grant: &KeyGrant, now: Timestamp) -> LocalLease {
        LocalLease::new(
            grant.account_id,
            grant.billing_anchor,
            grant.plan.limits(),
            now,
        )
    }
}
