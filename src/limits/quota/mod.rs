//! Counts every account's calls against the monthly allowance of its plan (quota and grace), on any number of nodes. A call does not wait
//! for the database if the local lease of its node has calls.
//!
//! A node leases calls from the account's row in the database and serves them from its local lease in memory. The row is on disk before the
//! first of the leased calls is served. One lease task in each process does all the work with the database: it refills local leases before
//! they are empty, reports usage, returns unused calls and puts notices into the outbox. A node that dies loses its unused calls, which are
//! at most one lease of each account that called recently. If all calls of the row are leased and other nodes have unused calls, the row
//! gets a recall mark, and those nodes return the calls that they can spare.
//!
//! Calls are served on credit if the local lease is used up and the database is unavailable, or slower than a call can wait. The credit of
//! a node is a quarter of the calls that were free in the row at the last settlement. If those were no more than a tenth of the allowance,
//! the node has no credit. If the node has not seen the row in this period, its credit is a fiftieth of the allowance. Credit is booked
//! once, when the database is available again. So an allowance can be exceeded only during an outage, and by at most the credit of all
//! nodes together. A single node exceeds no allowance if it saw the row in this period and lives until its credit is booked.
//!
//! Source: contract.md, section Limits; decisions.md, sections Order of checks, Headers and Plans.

mod account_quota;
mod credit;
mod lease_settler;
mod lease_task;
mod local_lease;
mod outcome;
mod period_usage;
mod permit;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use jiff::Timestamp;

pub(crate) use lease_task::LeaseTask;
pub use outcome::{QuotaOutcome, QuotaRefusal, QuotaStatus};
pub use permit::QuotaPermit;

use crate::accounts::{AccountId, KeyGrant};
use crate::clock::Clock;
use crate::limits::metrics;
use account_quota::{AccountQuota, RefillQueue};
use local_lease::LocalLease;

/// How long a call waits for a refill. A refill takes milliseconds, or more than a second on a very busy disk. If it takes longer than
/// this, the database has a problem. Waiting longer would not help, because clients give up after five seconds.
const LEASE_WAIT_TIMEOUT: Duration = Duration::from_secs(3);

/// Maximum time that a response without a call waits for the row of its account, which the quota headers are made from.
const STATUS_WAIT_TIMEOUT: Duration = Duration::from_secs(1);

/// The quotas of all accounts on this node, shared by the requests and the lease task. Sandbox calls are not counted here.
#[derive(Debug)]
pub struct Quotas {
    clock: Clock,
    /// Never shrinks. A closed account uses a few hundred bytes until the process ends.
    accounts: RwLock<HashMap<AccountId, Arc<AccountQuota>>>,
    refill_queue: Arc<RefillQueue>,
    /// For tests and benches: there is no store to lease from, and the whole allowance is available locally. Always false in the service.
    standalone: bool,
}

impl Quotas {
    /// Quotas without accounts. The lease task and the first call of each account add them.
    pub fn new(clock: Clock) -> Self {
        Self {
            clock,
            accounts: RwLock::default(),
            refill_queue: Arc::default(),
            standalone: false,
        }
    }

    /// Quotas without a store, for tests and benches. Each account has its whole allowance on this node, in each billing period.
    pub fn standalone(clock: Clock) -> Self {
        Self {
            standalone: true,
            ..Self::new(clock)
        }
    }

    /// The current values of the quota headers. Never waits, and reserves nothing.
    pub fn status(&self, grant: &KeyGrant) -> QuotaStatus {
        let Some(account) = self.find(grant.account_id) else {
            let mut lease = self.new_lease(grant, self.clock.now());
            self.update_lease(&mut lease, grant);
            return lease.current.status();
        };
        let mut lease = account.lock_lease();
        self.update_lease(&mut lease, grant);
        lease.current.status()
    }

    /// Whether [`Self::status`] knows the calls of this period that the account made before this node first reserved one for it.
    pub fn is_status_known(&self, grant: &KeyGrant) -> bool {
        self.find(grant.account_id).is_some_and(|account| {
            let mut lease = account.lock_lease();
            self.update_lease(&mut lease, grant);
            lease.current.leased.is_some()
        })
    }

    /// Reads the account's row, so that [`Self::status`] is right. Waits for at most a second, and not while the database is unavailable.
    pub async fn read_status(&self, grant: &KeyGrant) {
        let account = self.get_or_create(grant);
        let read = async {
            loop {
                let changed = account.changed.notified();
                tokio::pin!(changed);
                // From here on no notification is missed.
                changed.as_mut().enable();
                if self.is_status_known(grant) || self.refill_queue.is_store_unavailable() {
                    return;
                }
                account.queue_refill(&mut account.lock_lease());
                changed.await;
            }
        };
        tokio::time::timeout(STATUS_WAIT_TIMEOUT, read).await.ok();
    }

    /// Reserves either all `calls` of the local lease or none. Never waits, and never returns [`QuotaRefusal::Unavailable`]. After
    /// [`QuotaRefusal::Pending`], [`Self::reserve`] waits for the refill. Counts a refusal in `postduif_leases_refused_total`.
    pub fn try_reserve(&self, grant: &KeyGrant, calls: u32) -> QuotaOutcome<QuotaPermit> {
        self.try_reserve_from(&self.get_or_create(grant), grant, calls)
    }

    /// Reserves either all `calls` or none. Waits up to three seconds for a refill if a refill can help. While the database is known to be
    /// unavailable, grants calls on credit instead of waiting. Never returns [`QuotaRefusal::Pending`]. Counts a refusal in
    /// `postduif_leases_refused_total`.
    pub async fn reserve(&self, grant: &KeyGrant, calls: u32) -> QuotaOutcome<QuotaPermit> {
        self.reserve_until(grant, calls, tokio::time::sleep(LEASE_WAIT_TIMEOUT))
            .await
    }

    /// Reserves calls, and waits for a refill until `deadline` completes.
    async fn reserve_until(
        &self,
        grant: &KeyGrant,
        calls: u32,
        deadline: impl Future<Output = ()>,
    ) -> QuotaOutcome<QuotaPermit> {
        let account = self.get_or_create(grant);
        match self.try_reserve_from(&account, grant, calls) {
            Err(QuotaRefusal::Pending) => {
                self.wait_for_lease(&account, grant, calls, deadline).await
            }
            outcome => outcome,
        }
    }

    async fn wait_for_lease(
        &self,
        account: &Arc<AccountQuota>,
        grant: &KeyGrant,
        calls: u32,
        deadline: impl Future<Output = ()>,
    ) -> QuotaOutcome<QuotaPermit> {
        let _waiting = account.add_waiting(calls);
        let granted_before = account.lock_lease().current.granted_calls;
        let refills = async {
            loop {
                let changed = account.changed.notified();
                tokio::pin!(changed);
                // From here on no notification is missed, not even one that comes before the next attempt.
                changed.as_mut().enable();
                match self.try_reserve_from(account, grant, calls) {
                    Err(QuotaRefusal::Pending) if self.refill_queue.is_store_unavailable() => {
                        return self.reserve_on_credit(account, grant, calls);
                    }
                    Err(QuotaRefusal::Pending) => {}
                    outcome => return outcome,
                }
                let store_timed_out = account.lock_lease().current.store_timed_out;
                if store_timed_out
                    && let Ok(permit) = self.try_reserve_on_credit(account, grant, calls)
                {
                    return Ok(permit);
                }
                changed.await;
            }
        };
        tokio::select! {
            biased;
            outcome = refills => outcome,
            () = deadline => self.on_wait_timeout(account, grant, calls, granted_before),
        }
    }

    /// The outcome for calls that have waited until the timeout. `granted_before` is the number of calls that the row had granted when the
    /// wait began.
    fn on_wait_timeout(
        &self,
        account: &Arc<AccountQuota>,
        grant: &KeyGrant,
        calls: u32,
        granted_before: u64,
    ) -> QuotaOutcome<QuotaPermit> {
        let elapsed = self.elapsed();
        let exceeds_remaining =
            account
                .lock_lease()
                .current
                .on_wait_timeout(calls.into(), granted_before, elapsed);
        if !exceeds_remaining {
            return self.reserve_on_credit(account, grant, calls);
        }
        // Wakes the other calls that wait for this account, because waiting does not help them either.
        account.changed.notify_waiters();
        match self.try_reserve_from(account, grant, calls) {
            Err(QuotaRefusal::Pending) => {
                metrics::REFUSED_ATTEMPTS.counter("exhausted").increment(1);
                let mut lease = account.lock_lease();
                let now = self.update_lease(&mut lease, grant);
                Err(lease.current.exhausted(now))
            }
            outcome => outcome,
        }
    }

    /// Like [`Self::try_reserve_on_credit`], but counts a refusal.
    fn reserve_on_credit(
        &self,
        account: &Arc<AccountQuota>,
        grant: &KeyGrant,
        calls: u32,
    ) -> QuotaOutcome<QuotaPermit> {
        let outcome = self.try_reserve_on_credit(account, grant, calls);
        if let Err(QuotaRefusal::Unavailable) = outcome {
            metrics::REFUSED_ATTEMPTS
                .counter("unavailable")
                .increment(1);
        }
        outcome
    }

    /// Reserves all `calls`: first those of the lease, the others on credit. Returns [`QuotaRefusal::Unavailable`] if the allowance or the
    /// credit does not suffice, or the lease task has ended.
    fn try_reserve_on_credit(
        &self,
        account: &Arc<AccountQuota>,
        grant: &KeyGrant,
        calls: u32,
    ) -> QuotaOutcome<QuotaPermit> {
        if self.refill_queue.is_closed() {
            return Err(QuotaRefusal::Unavailable);
        }
        let mut lease = account.lock_lease();
        self.update_lease(&mut lease, grant);
        let outcome = lease.reserve_on_credit(calls.into(), self.elapsed());
        outcome.map(|credit_calls| {
            metrics::CREDIT_CALLS.add(credit_calls);
            QuotaPermit::new(account.clone(), &lease, calls, credit_calls)
        })
    }

    fn try_reserve_from(
        &self,
        account: &Arc<AccountQuota>,
        grant: &KeyGrant,
        calls: u32,
    ) -> QuotaOutcome<QuotaPermit> {
        let elapsed = self.elapsed();
        let mut lease = account.lock_lease();
        let now = self.update_lease(&mut lease, grant);
        let mut outcome = lease.reserve(calls.into(), elapsed, now);
        if lease.needs_refill(&outcome, calls.into(), elapsed) {
            account.queue_refill(&mut lease);
        }
        if lease.current.has_unreported() {
            account.queue_usage_report(&mut lease);
        }
        // While the database is unavailable, no other node returns calls, so this call is refused at once. `PeriodUsage` must not decide
        // this: it would record the refusal, and a recorded refusal sends the notice that 100 % of the quota is used.
        if outcome == Err(QuotaRefusal::Pending)
            && lease.current.exceeds_remaining(calls.into())
            && self.refill_queue.is_store_unavailable()
        {
            outcome = Err(lease.current.exhausted(now));
        }
        if let Err(QuotaRefusal::Exhausted { .. }) = outcome {
            metrics::REFUSED_ATTEMPTS.counter("exhausted").increment(1);
        }
        outcome.map(|credit_calls| QuotaPermit::new(account.clone(), &lease, calls, credit_calls))
    }

    /// Applies the current time and the plan of the grant to the lease, and returns the time. Reads the clock under the lease's lock,
    /// because a stale time could roll the billing period back.
    fn update_lease(&self, lease: &mut LocalLease, grant: &KeyGrant) -> Timestamp {
        let now = self.clock.now();
        lease.roll_period(now);
        lease.set_limits(grant.plan.limits());
        if self.standalone {
            lease.grant_all();
        }
        now
    }

    /// Unused calls in the account's local lease.
    #[cfg(test)]
    pub(super) fn available(&self, grant: &KeyGrant) -> u64 {
        self.get_or_create(grant).lock_lease().current.available
    }

    /// The monotonic time of the clock.
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
        let accounts = self.accounts.read().unwrap_or_else(PoisonError::into_inner);
        accounts.values().cloned().collect()
    }

    fn find(&self, account: AccountId) -> Option<Arc<AccountQuota>> {
        let accounts = self.accounts.read().unwrap_or_else(PoisonError::into_inner);
        accounts.get(&account).cloned()
    }

    fn get_or_create(&self, grant: &KeyGrant) -> Arc<AccountQuota> {
        self.find(grant.account_id).unwrap_or_else(|| {
            let lease = self.new_lease(grant, self.clock.now());
            let mut accounts = self
                .accounts
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            let create = || {
                Arc::new(AccountQuota::new(
                    grant.account_id,
                    lease,
                    self.refill_queue.clone(),
                ))
            };
            accounts
                .entry(grant.account_id)
                .or_insert_with(create)
                .clone()
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
