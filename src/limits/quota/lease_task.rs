//! The keeper: the one task of a process that takes leases, reports and gives back.
//!
//! It is woken by an account that needs a refill; each second it reports what was used, sees new accounts and new periods; and
//! in between it works off what can wait, a chunk at a time, so that it holds up no refill.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::Quotas;
use super::account_quota::AccountQuota;
use crate::accounts::directory::LiveKeys;
use crate::accounts::{AccountId, AccountStore, KeyDirectory, KeyGrant};
use crate::limits::metrics;

/// How often it reports.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Accounts in one transaction: enough that a hundred thousand take seconds, few enough that SQLite's only connection is soon
/// free again.
pub(super) const CHUNK_SIZE: usize = 200;

/// Accounts looked at before other tasks get their turn.
const YIELD_EVERY: usize = 1_000;

/// How often accounts with something in hand are looked at: do they still call?
const IDLE_CHECK_INTERVAL: Duration = Duration::from_secs(60);

/// How long giving back may take when the process ends. With what is under way then it stays below the time after which a
/// service manager kills, unless the road to the database falls silent just then; what nobody can hear is not waited for.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(8);

/// The pause between attempts to give back while the database is away.
const SHUTDOWN_RETRY_DELAY: Duration = Duration::from_millis(250);

impl Quotas {
    /// Keeps the bundles until `stop` is cancelled; then reports what was used and gives back what is in hand, in bounded time.
    /// Requests should have ended by then: what is taken afterwards is refused, and what is kept afterwards is not reported.
    ///
    /// An account gets its first lease with its first call, and gives back what it has in hand when nobody calls for long: so a
    /// node that dies takes nothing from those who did not call. While the database is away calls go on from what is in
    /// hand. That is logged once when it begins and once when it ends, and each failed attempt is counted in
    /// `postduif_leases_failures_total`.
    pub async fn run_lease_task(
        &self,
        store: &AccountStore,
        directory: &KeyDirectory,
        stop: &CancellationToken,
    ) {
        let mut task = LeaseTask::new(self, store, directory);
        let mut ticks = interval(REPORT_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            // While the database is away only the tick tries it.
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                _ = ticks.tick() => task.tick().await,
                () = self.refill_queue.wake.notified(), if !task.store_unavailable => task.refill().await,
                () = std::future::ready(()), if task.has_backlog() => task.process_backlog().await,
            }
        }
        task.shut_down().await;
    }
}

/// What the keeper remembers between rounds.
pub(crate) struct LeaseTask<'a> {
    pub(super) quotas: &'a Quotas,
    pub(super) store: &'a AccountStore,
    directory: &'a KeyDirectory,
    /// The directory as it was when it was read last.
    last_keys: Option<LiveKeys>,
    /// When each account's period ends.
    period_ends: BTreeSet<(Timestamp, AccountId)>,
    /// Accounts that can wait until nothing else is to be done: when many periods turn at once, or after an outage.
    backlog: Vec<Arc<AccountQuota>>,
    /// Accounts whose settlement failed.
    pub(super) retries: Vec<Arc<AccountQuota>>,
    /// Accounts with something in hand.
    pub(super) lease_holders: HashMap<AccountId, Arc<AccountQuota>>,
    /// Accounts for which calls wait that are in other nodes' hands.
    pub(super) recalling: Vec<Arc<AccountQuota>>,
    last_idle_check: Duration,
    /// Calls in hand, as each account had them when it was settled last.
    pub(super) unused_calls: u64,
    /// Calls on credit, counted likewise.
    pub(super) unbooked_credit: u64,
    pub(super) store_unavailable: bool,
    /// Whether it was told that the database takes no writes.
    pub(super) logged_read_only: bool,
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
            store,
            directory,
            last_keys: None,
            period_ends: BTreeSet::new(),
            backlog: Vec::new(),
            retries: Vec::new(),
            lease_holders: quotas
                .all_accounts()
                .into_iter()
                .map(|entry| (entry.account_id, entry))
                .collect(),
            recalling: Vec::new(),
            last_idle_check: quotas.elapsed(),
            unused_calls: 0,
            unbooked_credit: 0,
            store_unavailable: false,
            logged_read_only: false,
        }
    }

    /// The work of each second.
    pub(crate) async fn tick(&mut self) {
        self.sync_directory().await;
        self.roll_periods();
        let mut work = std::mem::take(&mut self.retries);
        self.backlog
            .extend(work.drain(CHUNK_SIZE.min(work.len())..));
        work.extend(self.quotas.refill_queue.take_refills());
        work.extend(self.quotas.refill_queue.take_reports());
        work.append(&mut self.recalling);
        work.extend(self.idle_accounts());
        self.settle_all(work).await;
        if !self.lease_holders.is_empty() && !self.store_unavailable {
            let wanted = self.recalled_accounts().await;
            self.settle_all(wanted).await;
        }
        if self.store_unavailable && self.retries.is_empty() {
            self.probe().await;
        }
        self.set_gauges();
    }

    /// Tops up the accounts that asked, and works off a chunk of the backlog, so that it never waits for long.
    pub(crate) async fn refill(&mut self) {
        let work = self.quotas.refill_queue.take_refills();
        self.settle_all(work).await;
        if self.has_backlog() {
            self.process_backlog().await;
        }
    }

    fn has_backlog(&self) -> bool {
        !self.store_unavailable && !self.backlog.is_empty()
    }

    /// Works off a chunk of the backlog.
    pub(crate) async fn process_backlog(&mut self) {
        let rest = self.backlog.len().saturating_sub(CHUNK_SIZE);
        let chunk = self.backlog.split_off(rest);
        self.settle_all(chunk).await;
    }

    /// Sees new accounts, and accounts that lost their last live key.
    async fn sync_directory(&mut self) {
        let live = self.directory.live_keys();
        if self
            .last_keys
            .as_ref()
            .is_some_and(|seen| seen.is_same(&live))
        {
            return;
        }
        let mut accounts = HashSet::new();
        for (number, grant) in live.grants().enumerate() {
            if number % YIELD_EVERY == 0 {
                tokio::task::yield_now().await;
            }
            if accounts.insert(grant.account_id) {
                self.sync_grant(grant);
            }
        }
        for (number, entry) in self.quotas.all_accounts().into_iter().enumerate() {
            if number % YIELD_EVERY == 0 {
                tokio::task::yield_now().await;
            }
            let mut lease = entry.lock_lease();
            lease.has_no_live_key = lease.is_tracked && !accounts.contains(&entry.account_id);
            if lease.has_no_live_key && lease.available() > 0 {
                entry.queue_report(&mut lease);
            }
        }
        self.last_keys = Some(live);
    }

    fn sync_grant(&mut self, grant: &KeyGrant) {
        let entry = self.quotas.get_or_create(grant);
        let mut lease = entry.lock_lease();
        lease.set_limits(grant.plan.limits());
        let has_key_again = std::mem::take(&mut lease.has_no_live_key);
        if has_key_again {
            entry.queue_refill(&mut lease);
        }
        if !std::mem::replace(&mut lease.is_tracked, true) {
            self.period_ends
                .insert((lease.period().end(), entry.account_id));
        }
    }

    /// Sees the accounts whose period has ended.
    fn roll_periods(&mut self) {
        let (now, elapsed) = (self.quotas.clock.now(), self.quotas.elapsed());
        while self.period_ends.first().is_some_and(|(end, _)| *end <= now) {
            let Some((_, account)) = self.period_ends.pop_first() else {
                return;
            };
            let Some(entry) = self.quotas.find(account) else {
                continue;
            };
            let mut lease = entry.lock_lease();
            lease.roll_period(now);
            self.period_ends.insert((lease.period().end(), account));
            if lease.needs_first_lease(elapsed) {
                self.backlog.push(entry.clone());
            }
        }
    }

    /// Accounts that have something in hand and no calls: at times, because looking at them costs.
    fn idle_accounts(&mut self) -> Vec<Arc<AccountQuota>> {
        let elapsed = self.quotas.elapsed();
        let early = elapsed.saturating_sub(self.last_idle_check) < IDLE_CHECK_INTERVAL;
        if early || self.store_unavailable {
            return Vec::new();
        }
        self.last_idle_check = elapsed;
        self.lease_holders
            .retain(|_, entry| entry.lock_lease().available() > 0);
        let idle = self.lease_holders.values();
        idle.filter(|entry| entry.lock_lease().is_idle(elapsed))
            .cloned()
            .collect()
    }

    fn set_gauges(&self) {
        metrics::set_unused_calls(self.unused_calls);
        metrics::set_unbooked_credit(self.unbooked_credit);
        metrics::set_account_count(self.quotas.len());
    }

    /// Reports all that was used and gives back all that is in hand.
    pub(crate) async fn shut_down(&mut self) {
        // From here on nobody waits for a refill, nor gets credit that would never be booked.
        self.quotas.refill_queue.set_closed(true);
        let deadline = Instant::now() + SHUTDOWN_TIMEOUT;
        let mut remaining = self.quotas.all_accounts();
        remaining.sort_unstable_by_key(|entry| entry.account_id);
        loop {
            let settling = self.settle_remaining(&mut remaining);
            let in_time = tokio::time::timeout_at(deadline, settling).await.is_ok();
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
            "calls in hand could not be given back, and calls used not be reported: the accounts database is away"
        );
    }

    async fn settle_remaining(&mut self, remaining: &mut Vec<Arc<AccountQuota>>) {
        while !remaining.is_empty() {
            let rest = remaining.len().saturating_sub(CHUNK_SIZE);
            if !self.settle(&remaining[rest..], true).await {
                return;
            }
            remaining.truncate(rest);
        }
    }
}
