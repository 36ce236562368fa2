//! Adds the counts of requests and refusals to the accounts database every second. While the database is unreachable, the counts stay in
//! memory.
//!
//! If the database fails during a commit, it is unknown whether the commit was applied. The number of calls in that commit is logged and
//! counted in a metric, and its counts are not added again. So the stored usage may be too low by one batch for each such failure, but is
//! never too high.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;

use super::counters::PendingUsage;
use super::{UsageRecorder, metrics};
use crate::accounts::{
    AccountStore, AccountStoreError, RefusalCount, RefusalSlot, TransactionError, UsageCounts,
    UsageSlot, add_usage,
};

/// How often counts are added to the database. While the database accepts them, a killed process loses about one interval of counts. While
/// it does not, the counts wait in memory.
const FLUSH_INTERVAL: Duration = Duration::from_secs(1);

/// Maximum time from the start of a stop to the end of the last flush. Counts that are not added by then are lost.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// The maximum number of rows of each table in one transaction.
const BATCH_ROWS: usize = 500;

/// The rows that one transaction adds.
struct UsageBatch {
    counts: Vec<(UsageSlot, UsageCounts)>,
    refusals: Vec<(RefusalSlot, RefusalCount)>,
}

impl UsageBatch {
    fn from_pending(pending: &PendingUsage) -> Self {
        Self {
            counts: first_rows(&pending.counts),
            refusals: first_rows(&pending.refusals),
        }
    }

    fn remove_from(&self, pending: &mut PendingUsage) {
        for (slot, _) in &self.counts {
            pending.counts.remove(slot);
        }
        for (slot, _) in &self.refusals {
            pending.refusals.remove(slot);
        }
    }
}

fn first_rows<K: Copy, V: Copy>(rows: &HashMap<K, V>) -> Vec<(K, V)> {
    let rows = rows.iter().take(BATCH_ROWS);
    rows.map(|(slot, count)| (*slot, *count)).collect()
}

pub(super) struct Flusher {
    recorder: Arc<UsageRecorder>,
    store: AccountStore,
    /// Counts that have not been added to the database.
    pending: PendingUsage,
    database_unreachable: bool,
}

impl Flusher {
    pub(super) fn new(recorder: Arc<UsageRecorder>, store: AccountStore) -> Self {
        Self {
            recorder,
            store,
            pending: PendingUsage::default(),
            database_unreachable: false,
        }
    }

    /// Flushes every second until `stop` is cancelled, and then until all counts are in the database or `STOP_TIMEOUT` has passed.
    pub(super) async fn run(mut self, stop: &CancellationToken) {
        let stop_timeout = async {
            stop.cancelled().await;
            sleep(STOP_TIMEOUT).await;
        };
        // A stop does not interrupt a running flush, because it would then be unknown whether the commit was applied.
        tokio::select! {
            () = self.flush_until_stopped_and_empty(stop) => {}
            () = stop_timeout => {}
        }
        let lost: u64 = self
            .pending
            .counts
            .values()
            .map(|counts| counts.calls)
            .sum();
        if lost > 0 {
            tracing::error!(
                calls = lost,
                "stopped before all usage was in the accounts database"
            );
        }
    }

    async fn flush_until_stopped_and_empty(&mut self, stop: &CancellationToken) {
        let mut ticks = interval(FLUSH_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while stop.run_until_cancelled(ticks.tick()).await.is_some() {
            self.flush().await;
        }
        loop {
            self.flush().await;
            if self.pending.is_empty() {
                break;
            }
            ticks.tick().await;
        }
    }

    /// Adds all counts in batches, until a batch fails.
    pub(super) async fn flush(&mut self) {
        self.recorder.counters.drain_into(&mut self.pending);
        while !self.pending.is_empty() {
            let batch = UsageBatch::from_pending(&self.pending);
            match add_usage(&self.store, &batch.counts, &batch.refusals).await {
                Ok(unknown) => {
                    batch.remove_from(&mut self.pending);
                    self.on_flush_success();
                    if !unknown.is_empty() {
                        tracing::error!(
                            ?unknown,
                            "lost usage of keys that are not in the accounts database"
                        );
                    }
                }
                Err(TransactionError::NotApplied(error)) => {
                    return self.on_flush_failure(&error.into());
                }
                Err(TransactionError::InDoubt(error)) => {
                    batch.remove_from(&mut self.pending);
                    record_in_doubt(&batch.counts, error);
                    return self.on_flush_failure(&anyhow::anyhow!(
                        "the database did not confirm a commit"
                    ));
                }
            }
        }
    }

    fn on_flush_success(&mut self) {
        if std::mem::take(&mut self.database_unreachable) {
            tracing::info!("usage is written to the accounts database again");
        }
    }

    fn on_flush_failure(&mut self, error: &anyhow::Error) {
        metrics::FLUSH_FAILURES.add(1);
        if !std::mem::replace(&mut self.database_unreachable, true) {
            let error = format!("{error:#}");
            tracing::error!(
                error,
                "cannot write usage to the accounts database; keeping it in memory"
            );
        }
    }
}

fn record_in_doubt(counts: &[(UsageSlot, UsageCounts)], error: AccountStoreError) {
    let calls: u64 = counts.iter().map(|(_, counts)| counts.calls).sum();
    metrics::IN_DOUBT.add(calls);
    let error = format!("{:#}", anyhow::Error::from(error));
    tracing::error!(
        calls,
        error,
        "the database did not confirm a commit of usage; not retrying, so these calls may be missing"
    );
}
