//! One settlement: what many hands ask for, one transaction, and what each hand makes of the outcome.

use std::sync::Arc;
use std::time::Duration;

use super::account_quota::AccountQuota;
use super::lease_task::{CHUNK_SIZE, LeaseTask};
use crate::accounts::AccountStoreError;
use crate::accounts::store::{LeaseError, LeaseRequest, LeaseResult};
use crate::limits::metrics;

/// How long the database may take to answer a small question, a new connection included.
const PROBE_TIMEOUT: Duration = Duration::from_secs(15);

/// How long a row stays wanted, as far as the clocks of two nodes agree.
const RECALL_VALID_FOR: Duration = Duration::from_secs(60);

impl LeaseTask<'_> {
    /// Settles for accounts in chunks. Where the database is away the rest is owed.
    pub(super) async fn settle_all(&mut self, mut work: Vec<Arc<AccountQuota>>) {
        work.sort_unstable_by_key(|entry| entry.account_id);
        work.dedup_by_key(|entry| entry.account_id);
        for (number, chunk) in work.chunks(CHUNK_SIZE).enumerate() {
            if !self.settle(chunk, false).await {
                let rest = &work[number * CHUNK_SIZE..];
                self.retries.extend_from_slice(rest);
                rest.iter().for_each(|entry| self.update_totals(entry));
                return;
            }
        }
    }

    /// Settles for accounts in one transaction and says whether the database answered.
    pub(super) async fn settle(&mut self, accounts: &[Arc<AccountQuota>], closing: bool) -> bool {
        let elapsed = self.quotas.elapsed();
        let (mut owners, mut requests) = (Vec::new(), Vec::new());
        for entry in accounts {
            let mut lease = entry.lock_lease();
            // Read under the lock: a moment from before a turn would turn the page back.
            lease.roll_period(self.quotas.clock.now());
            for request in lease.prepare_requests(closing, elapsed) {
                owners.push(entry);
                requests.push(request);
            }
        }
        if requests.is_empty() {
            return true;
        }
        let outcome = self
            .store
            .settle_leases(&requests, self.quotas.clock.now())
            .await;
        let answered = match outcome {
            Ok(settled) => {
                self.apply_results(&owners, &requests, settled);
                self.on_store_reachable(closing);
                true
            }
            Err(unsettled) => {
                if let LeaseError::NotApplied(_) = unsettled {
                    rollback_requests(&owners, &requests);
                }
                self.on_store_failure(unsettled.into_inner());
                false
            }
        };
        for entry in accounts {
            self.update_totals(entry);
            entry.changed.notify_waiters();
        }
        answered
    }

    fn apply_results(
        &mut self,
        owners: &[&Arc<AccountQuota>],
        requests: &[LeaseRequest],
        results: Vec<Option<LeaseResult>>,
    ) {
        let mut granted = 0;
        for ((entry, request), result) in owners.iter().zip(requests).zip(results) {
            granted += result.map_or(0, |settled| settled.granted);
            entry.lock_lease().apply_result(request, result);
        }
        metrics::count_leased(granted);
    }

    /// Keeps the sums of all hands, and the lists of those with something in them and of those that wait for others.
    fn update_totals(&mut self, account: &Arc<AccountQuota>) {
        let mut lease = account.lock_lease();
        let counted = lease.available();
        let before = std::mem::replace(&mut lease.last_available, counted);
        self.unused_calls = (self.unused_calls + counted).saturating_sub(before);
        let on_credit = lease.unbooked_credit();
        let before = std::mem::replace(&mut lease.last_on_credit, on_credit);
        self.unbooked_credit = (self.unbooked_credit + on_credit).saturating_sub(before);
        // While the database is away they are owed.
        if lease.is_recalling() && !self.store_unavailable {
            self.recalling.push(account.clone());
        }
        if lease.available() > 0 {
            self.lease_holders
                .insert(account.account_id, account.clone());
        }
    }

    /// Accounts in hand that another node waits for.
    pub(super) async fn recalled_accounts(&mut self) -> Vec<Arc<AccountQuota>> {
        let since = self.quotas.clock.now() - RECALL_VALID_FOR;
        let marks = match tokio::time::timeout(PROBE_TIMEOUT, self.store.wanted(since)).await {
            Ok(Ok(wanted)) => wanted,
            Ok(Err(error)) => {
                self.on_store_failure(error);
                return Vec::new();
            }
            Err(_) => {
                self.on_store_failure(AccountStoreError::Timeout(PROBE_TIMEOUT));
                return Vec::new();
            }
        };
        let news = marks.into_iter().filter_map(|(account, start, at)| {
            let entry = self.lease_holders.get(&account)?;
            entry
                .lock_lease()
                .note_recall(start, at)
                .then(|| entry.clone())
        });
        news.collect()
    }

    /// Asks the database whether it is there, when there is nothing else to ask.
    pub(super) async fn probe(&mut self) {
        match tokio::time::timeout(PROBE_TIMEOUT, self.store.probe()).await {
            Ok(Ok(())) => self.on_store_reachable(false),
            Ok(Err(error)) => self.on_store_failure(error),
            Err(_) => self.on_store_failure(AccountStoreError::Timeout(PROBE_TIMEOUT)),
        }
    }

    fn on_store_reachable(&mut self, closing: bool) {
        metrics::set_database_unavailable(false);
        self.logged_read_only = false;
        if std::mem::take(&mut self.store_unavailable) {
            tracing::info!("accounts database is back; leases are taken again");
        }
        if !closing {
            self.quotas.refill_queue.set_store_unavailable(false);
        }
    }

    fn on_store_failure(&mut self, error: AccountStoreError) {
        metrics::failed_transactions().increment(1);
        metrics::set_database_unavailable(true);
        self.quotas.refill_queue.set_store_unavailable(true);
        let read_only = error.is_read_only();
        let was_unavailable = std::mem::replace(&mut self.store_unavailable, true);
        let was_read_only = std::mem::replace(&mut self.logged_read_only, read_only);
        let already_logged = was_unavailable && was_read_only == read_only;
        let error = format!("{:#}", anyhow::Error::from(error));
        if already_logged {
            tracing::debug!(error, "accounts database is still away");
        } else if read_only {
            tracing::error!(
                error,
                "accounts database is read-only; calls go on from what is in hand and then on credit, and nothing is lost"
            );
        } else {
            tracing::error!(
                error,
                "accounts database is away; calls go on from what is in hand and then on credit"
            );
        }
    }
}

fn rollback_requests(owners: &[&Arc<AccountQuota>], requests: &[LeaseRequest]) {
    for (entry, request) in owners.iter().zip(requests) {
        entry.lock_lease().rollback(request);
    }
}
