//! Runs the lease task, the one task of a process that leases calls, reports usage and returns unused calls.
//!
//! An account that needs more leased calls (a refill) wakes the task. Each second the task reports usage and handles new accounts and new
//! billing periods. Between refills it settles the accounts that can wait (the backlog) in chunks, so that no refill waits long.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::Quotas;
use super::account_quota::AccountQuota;
use super::lease_settler::{CHUNK_SIZE, LeaseSettler};
use crate::accounts::{AccountId, AccountStore, KeyDirectory, KeyGrant, KeyTable};
use crate::limits::metrics;

/// How often usage is reported.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// The number of accounts to visit in a row before other tasks may run.
const YIELD_EVERY: usize = 1_000;

/// How often the task looks for lease holders that are idle: accounts that have leased calls here, but have not called for a while.
const IDLE_CHECK_INTERVAL: Duration = Duration::from_secs(60);

/// The time limit of returning calls when the process ends. It is short enough that the process ends before a service manager kills it,
/// even if a settlement is running when the stop begins. The exception is a network to the database that fails silently at that moment.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(8);

/// The pause between attempts to return calls while the database is unavailable.
const SHUTDOWN_RETRY_DELAY: Duration = Duration::from_millis(250);

/// The lease task, with the state that it keeps between rounds.
pub(crate) struct LeaseTask<'a> {
    quotas: &'a Quotas,
    directory: &'a KeyDirectory,
    settler: LeaseSettler<'a>,
    /// The keys in the directory when this task last read them.
    last_keys: Option<Arc<KeyTable>>,
    /// The end of each account's billing period.
    period_ends: BTreeSet<(Timestamp, AccountId)>,
    /// Accounts to settle when there is no other work, because many periods ended at once or an outage ended.
    backlog: Vec<Arc<AccountQuota>>,
    last_idle_check: Duration,
}

impl<'a> LeaseTask<'a> {
    pub(crate) fn new(
        quotas: &'a Quotas,
        store: &'a AccountStore,
        directory: &'a KeyDirectory,
    ) -> Self {
        quotas.refill_queue.set_closed(false);
        Self {
            quotas,
            directory,
            settler: LeaseSettler::new(quotas, store),
            last_keys: None,
            period_ends: BTreeSet::new(),
            backlog: Vec::new(),
            last_idle_check: quotas.elapsed(),
        }
    }

    /// Runs until `stop` is cancelled, then reports usage and returns unused calls within a time limit. Cancel `stop` only after all
    /// requests have ended: later reservations are refused, and later commits are not reported.
    ///
    /// An account gets its first lease with its first request, and returns unused calls when it is idle. So a node that dies loses no calls
    /// of accounts that made no requests. While the database is unavailable, calls are served from local leases. The task logs the start and
    /// the end of an outage once, and counts each failed attempt in `postduif_leases_failures_total`.
    pub(crate) async fn run(mut self, stop: &CancellationToken) {
        let mut ticks = interval(REPORT_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            // While the database is unavailable, only ticks try to reach it.
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                _ = ticks.tick() => self.tick().await,
                () = self.quotas.refill_queue.wake.notified(), if !self.settler.store_unavailable => self.refill().await,
                () = std::future::ready(()), if self.has_backlog() => self.process_backlog().await,
            }
        }
        self.shut_down().await;
    }

    /// Does the work of each second.
    pub(crate) async fn tick(&mut self) {
        self.track_accounts_in_force().await;
        self.roll_periods();
        let mut work = std::mem::take(&mut self.settler.retries);
        self.backlog
            .extend(work.drain(CHUNK_SIZE.min(work.len())..));
        work.extend(self.quotas.refill_queue.take_refills());
        work.extend(self.quotas.refill_queue.take_usage_reports());
        work.append(&mut self.settler.recalling);
        work.extend(self.idle_accounts());
        self.settler.settle_all(work).await;
        if !self.settler.lease_holders.is_empty() && !self.settler.store_unavailable {
            let recalled = self.settler.recalled_accounts().await;
            self.settler.settle_all(recalled).await;
        }
        if self.settler.store_unavailable && self.settler.retries.is_empty() {
            self.settler.probe().await;
        }
        self.set_gauges();
    }

    /// Refills the queued accounts and settles a chunk of the backlog, so that many refills do not delay the backlog.
    pub(crate) async fn refill(&mut self) {
        let work = self.quotas.refill_queue.take_refills();
        self.settler.settle_all(work).await;
        if self.has_backlog() {
            self.process_backlog().await;
        }
    }

    fn has_backlog(&self) -> bool {
        !self.settler.store_unavailable && !self.backlog.is_empty()
    }

    /// Settles a chunk of the backlog.
    pub(crate) async fn process_backlog(&mut self) {
        let rest = self.backlog.len().saturating_sub(CHUNK_SIZE);
        let chunk = self.backlog.split_off(rest);
        self.settler.settle_all(chunk).await;
    }

    /// Starts tracking new accounts, and queues accounts that lost their last live key, so that their unused calls are returned.
    async fn track_accounts_in_force(&mut self) {
        let live = self.directory.keys_in_force();
        let last = self.last_keys.as_ref();
        if last.is_some_and(|keys| Arc::ptr_eq(keys, &live)) {
            return;
        }
        let mut accounts = HashSet::new();
        for (number, grant) in live.live_environment_grants().enumerate() {
            if number % YIELD_EVERY == 0 {
                tokio::task::yield_now().await;
            }
            if accounts.insert(grant.account_id) {
                self.sync_grant(grant);
            }
        }
        for (number, account) in self.quotas.all_accounts().into_iter().enumerate() {
            if number % YIELD_EVERY == 0 {
                tokio::task::yield_now().await;
            }
            let mut lease = account.lock_lease();
            lease.has_no_live_key = lease.is_tracked && !accounts.contains(&account.account_id);
            if lease.has_no_live_key && lease.current.available > 0 {
                account.queue_usage_report(&mut lease);
            }
        }
        self.last_keys = Some(live);
    }

    fn sync_grant(&mut self, grant: &KeyGrant) {
        let account = self.quotas.get_or_create(grant);
        let mut lease = account.lock_lease();
        lease.set_limits(grant.plan.limits());
        let has_key_again = std::mem::take(&mut lease.has_no_live_key);
        if has_key_again {
            account.queue_refill(&mut lease);
        }
        if !std::mem::replace(&mut lease.is_tracked, true) {
            self.period_ends
                .insert((lease.current.period.end(), account.account_id));
        }
    }

    /// Moves each account that is past the end of its billing period to the current period.
    fn roll_periods(&mut self) {
        let (now, elapsed) = (self.quotas.clock.now(), self.quotas.elapsed());
        while self.period_ends.first().is_some_and(|(end, _)| *end <= now) {
            let Some((_, account_id)) = self.period_ends.pop_first() else {
                return;
            };
            let Some(account) = self.quotas.find(account_id) else {
                continue;
            };
            let mut lease = account.lock_lease();
            lease.roll_period(now);
            self.period_ends
                .insert((lease.current.period.end(), account_id));
            if lease.needs_first_lease(elapsed) {
                self.backlog.push(account.clone());
            }
        }
    }

    /// The lease holders without recent calls. Looks for them only once a minute, because it visits every lease holder.
    fn idle_accounts(&mut self) -> Vec<Arc<AccountQuota>> {
        let elapsed = self.quotas.elapsed();
        let early = elapsed.saturating_sub(self.last_idle_check) < IDLE_CHECK_INTERVAL;
        if early || self.settler.store_unavailable {
            return Vec::new();
        }
        self.last_idle_check = elapsed;
        self.settler
            .lease_holders
            .retain(|_, account| account.lock_lease().current.available > 0);
        let idle = self.settler.lease_holders.values();
        idle.filter(|account| account.lock_lease().is_idle(elapsed))
            .cloned()
            .collect()
    }

    fn set_gauges(&self) {
        metrics::UNUSED_CALLS.set_count(self.settler.unused_calls);
        metrics::UNBOOKED_CREDIT.set_count(self.settler.unbooked_credit);
        metrics::ACCOUNTS.set_count(self.quotas.len() as u64);
    }

    /// Reports all usage and returns all unused calls.
    pub(crate) async fn shut_down(&mut self) {
        // From here on, no call waits for a refill, and no call gets credit, which would never be booked.
        self.quotas.refill_queue.set_closed(true);
        let deadline = Instant::now() + SHUTDOWN_TIMEOUT;
        let mut remaining = self.quotas.all_accounts();
        remaining.sort_unstable_by_key(|account| account.account_id);
        loop {
            let work = self.settle_remaining(&mut remaining);
            let in_time = tokio::time::timeout_at(deadline, work).await.is_ok();
            if remaining.is_empty() {
                return;
            }
            if !in_time || Instant::now() + SHUTDOWN_RETRY_DELAY >= deadline {
                break;
            }
            tokio::time::sleep(SHUTDOWN_RETRY_DELAY).await;
        }
        tracing::error!(
            accounts = remaining.len(),
            "cannot return leased calls or report used ones before the process ends: the accounts database is unavailable"
        );
    }

    async fn settle_remaining(&mut self, remaining: &mut Vec<Arc<AccountQuota>>) {
        while !remaining.is_empty() {
            let rest = remaining.len().saturating_sub(CHUNK_SIZE);
            if !self.settler.settle(&remaining[rest..], true).await {
                return;
            }
            remaining.truncate(rest);
        }
    }
}
