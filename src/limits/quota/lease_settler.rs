//! Settles many local leases in one transaction, and applies the results to the leases.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::Quotas;
use super::account_quota::AccountQuota;
use crate::accounts::{
    AccountId, AccountStore, AccountStoreError, LeaseRequest, LeaseResult, TransactionError,
    recall_marks, settle_leases, with_timeout,
};
use crate::limits::metrics;

/// The number of accounts in one transaction. In such chunks a hundred thousand accounts take only seconds, and no other task waits
/// long for SQLite's only connection.
pub(super) const CHUNK_SIZE: usize = 200;

/// How long the database may take to answer a small query. This includes opening a connection.
const PROBE_TIMEOUT: Duration = Duration::from_secs(15);

/// How long a recall mark is valid. The time is long enough for two nodes with different clocks.
const RECALL_VALID_FOR: Duration = Duration::from_secs(60);

/// Settles local leases with the database, and keeps track of whether the database is available.
pub(super) struct LeaseSettler<'a> {
    quotas: &'a Quotas,
    store: &'a AccountStore,
    /// Accounts that could not be settled.
    pub(super) retries: Vec<Arc<AccountQuota>>,
    /// Accounts with unused leased calls.
    pub(super) lease_holders: HashMap<AccountId, Arc<AccountQuota>>,
    /// Accounts that wait until other nodes return unused calls.
    pub(super) recalling: Vec<Arc<AccountQuota>>,
    /// The unused leased calls of all accounts, as of each account's last settlement.
    pub(super) unused_calls: u64,
    /// The calls on credit of all accounts, as of each account's last settlement.
    pub(super) unbooked_credit: u64,
    pub(super) store_unavailable: bool,
    /// True if the current outage is logged as a read-only database.
    logged_read_only: bool,
}

impl<'a> LeaseSettler<'a> {
    pub(super) fn new(quotas: &'a Quotas, store: &'a AccountStore) -> Self {
        let accounts = quotas.all_accounts().into_iter();
        Self {
            quotas,
            store,
            retries: Vec::new(),
            lease_holders: accounts
                .map(|account| (account.account_id, account))
                .collect(),
            recalling: Vec::new(),
            unused_calls: 0,
            unbooked_credit: 0,
            store_unavailable: false,
            logged_read_only: false,
        }
    }

    /// Settles accounts in chunks. If the database is unavailable, keeps the remaining accounts for a retry.
    pub(super) async fn settle_all(&mut self, mut work: Vec<Arc<AccountQuota>>) {
        work.sort_unstable_by_key(|account| account.account_id);
        work.dedup_by_key(|account| account.account_id);
        for (number, chunk) in work.chunks(CHUNK_SIZE).enumerate() {
            if !self.settle(chunk, false).await {
                let rest = &work[number * CHUNK_SIZE..];
                self.retries.extend_from_slice(rest);
                rest.iter().for_each(|account| self.update_totals(account));
                return;
            }
        }
    }

    /// Settles accounts in one transaction. Returns true if the database answered.
    pub(super) async fn settle(&mut self, accounts: &[Arc<AccountQuota>], closing: bool) -> bool {
        let elapsed = self.quotas.elapsed();
        let (mut accounts_by_request, mut requests) = (Vec::new(), Vec::new());
        for account in accounts {
            let mut lease = account.lock_lease();
            // Reads the clock under the lock, because a stale time could roll the billing period back.
            lease.roll_period(self.quotas.clock.now());
            for request in lease.prepare_requests(closing, elapsed) {
                accounts_by_request.push(account);
                requests.push(request);
            }
        }
        if requests.is_empty() {
            return true;
        }
        let now = self.quotas.clock.now();
        let answered = match settle_leases(self.store, &requests, now).await {
            Ok(results) => {
                apply_results(&accounts_by_request, &requests, results);
                self.on_store_reachable(closing);
                true
            }
            Err(error) => {
                if let TransactionError::NotApplied(_) = error {
                    rollback_requests(&accounts_by_request, &requests);
                }
                self.on_store_failure(error.into_inner());
                false
            }
        };
        for account in accounts {
            self.update_totals(account);
            account.changed.notify_waiters();
        }
        answered
    }

    /// Updates the totals, the lease holders and the recalling accounts for one account.
    fn update_totals(&mut self, account: &Arc<AccountQuota>) {
        let mut lease = account.lock_lease();
        let available = lease.current.available;
        let before = std::mem::replace(&mut lease.available_in_total, available);
        self.unused_calls = (self.unused_calls + available).saturating_sub(before);
        let on_credit = lease.unbooked_credit();
        let before = std::mem::replace(&mut lease.credit_in_total, on_credit);
        self.unbooked_credit = (self.unbooked_credit + on_credit).saturating_sub(before);
        // While the database is unavailable, the account is in `retries` instead.
        if lease.current.is_recalling && !self.store_unavailable {
            self.recalling.push(account.clone());
        }
        if lease.current.available > 0 {
            self.lease_holders
                .insert(account.account_id, account.clone());
        }
    }

    /// The lease holders with calls that another node has recalled since the last check.
    pub(super) async fn recalled_accounts(&mut self) -> Vec<Arc<AccountQuota>> {
        let since = self.quotas.clock.now() - RECALL_VALID_FOR;
        let marks = match with_timeout(PROBE_TIMEOUT, recall_marks(self.store, since)).await {
            Ok(marks) => marks,
            Err(error) => {
                self.on_store_failure(error);
                return Vec::new();
            }
        };
        let recalled = marks.into_iter().filter_map(|mark| {
            let account = self.lease_holders.get(&mark.account_id)?;
            account
                .lock_lease()
                .note_recall(&mark)
                .then(|| account.clone())
        });
        recalled.collect()
    }

    /// Checks whether the database is available again. Called when there is nothing to settle.
    pub(super) async fn probe(&mut self) {
        match with_timeout(PROBE_TIMEOUT, self.store.probe()).await {
            Ok(()) => self.on_store_reachable(false),
            Err(error) => self.on_store_failure(error),
        }
    }

    fn on_store_reachable(&mut self, closing: bool) {
        metrics::DATABASE_UNAVAILABLE.set_flag(false);
        self.logged_read_only = false;
        if std::mem::take(&mut self.store_unavailable) {
            tracing::info!("accounts database is available again; leasing calls from it");
        }
        if !closing {
            self.quotas.refill_queue.set_store_unavailable(false);
        }
    }

    fn on_store_failure(&mut self, error: AccountStoreError) {
        metrics::LEASE_FAILURES.add(1);
        metrics::DATABASE_UNAVAILABLE.set_flag(true);
        self.quotas.refill_queue.set_store_unavailable(true);
        let read_only = error.is_read_only();
        let was_unavailable = std::mem::replace(&mut self.store_unavailable, true);
        let was_read_only = std::mem::replace(&mut self.logged_read_only, read_only);
        let already_logged = was_unavailable && was_read_only == read_only;
        let error = format!("{:#}", anyhow::Error::from(error));
        if already_logged {
            tracing::debug!(error, "accounts database is still unavailable");
        } else if read_only {
            tracing::error!(
                error,
                "accounts database is read-only; serving calls from local leases, then on credit; all calls are booked later"
            );
        } else {
            tracing::error!(
                error,
                "accounts database is unavailable; serving calls from local leases, then on credit"
            );
        }
    }
}

fn apply_results(
    accounts_by_request: &[&Arc<AccountQuota>],
    requests: &[LeaseRequest],
    results: Vec<Option<LeaseResult>>,
) {
    let mut granted = 0;
    for ((account, request), result) in accounts_by_request.iter().zip(requests).zip(results) {
        granted += result.map_or(0, |result| result.granted);
        account.lock_lease().apply_result(request, result);
    }
    metrics::LEASED_CALLS.add(granted);
}

fn rollback_requests(accounts_by_request: &[&Arc<AccountQuota>], requests: &[LeaseRequest]) {
    for (account, request) in accounts_by_request.iter().zip(requests) {
        account.lock_lease().rollback(request);
    }
}
