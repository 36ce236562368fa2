//! From the tally to the ledger, every second: never doubled, and while the database is away kept in memory.
//!
//! Where the database fails in the middle of a commit nobody can say whether it was carried out. Such a batch is not added
//! again: usage then shows too little, by one batch at most, never too much. It is logged and counted.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;

use super::counters::CountsBySlot;
use super::{UsageRecorder, metrics};
use crate::accounts::{AccountStore, AccountStoreError, AddUsageError, UsageCounts, UsageSlot};

/// How often counts are added to the ledger: what a killed process loses.
const FLUSH_INTERVAL: Duration = Duration::from_secs(1);

/// How long the last flush may take once the process stops.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// Rows of one transaction.
const BATCH_ROWS: usize = 500;

pub(super) struct Flusher {
    recorder: Arc<UsageRecorder>,
    store: AccountStore,
    /// Drained from the tally and not yet in the ledger.
    pending: CountsBySlot,
    database_unreachable: bool,
}

impl Flusher {
    pub(super) fn new(recorder: Arc<UsageRecorder>, store: AccountStore) -> Self {
        Self {
            recorder,
            store,
            pending: CountsBySlot::new(),
            database_unreachable: false,
        }
    }

    /// Flushes every second until `stop` is cancelled, and then a last time.
    pub(super) async fn run(mut self, stop: &CancellationToken) {
        let late = async {
            stop.cancelled().await;
            sleep(STOP_TIMEOUT).await;
        };
        // A flush that has begun is not cut by the stop itself: its outcome would be in doubt.
        tokio::select! {
            () = self.flush_until(stop) => {}
            () = late => {}
        }
        let lost: u64 = self.pending.values().map(|counts| counts.calls).sum();
        if lost > 0 {
            tracing::error!(
                calls = lost,
                "stopped before all usage was in the accounts database"
            );
        }
    }

    async fn flush_until(&mut self, stop: &CancellationToken) {
        let mut ticks = interval(FLUSH_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while stop.run_until_cancelled(ticks.tick()).await.is_some() {
            self.flush().await;
        }
        self.flush().await;
    }

    /// Adds all there is, batch by batch, until one fails.
    pub(super) async fn flush(&mut self) {
        self.recorder.counters.drain_into(&mut self.pending);
        while !self.pending.is_empty() {
            let batch: Vec<(UsageSlot, UsageCounts)> = self
                .pending
                .iter()
                .take(BATCH_ROWS)
                .map(|(slot, counts)| (*slot, *counts))
                .collect();
            match self.store.add_usage(&batch).await {
                Ok(unknown) => {
                    self.remove_pending(&batch);
                    self.on_flush_success();
                    if !unknown.is_empty() {
                        tracing::error!(
                            ?unknown,
                            "usage of keys that are not in the accounts database is lost"
                        );
                    }
                }
                Err(AddUsageError::NotApplied(error)) => {
                    return self.on_flush_failure(&error.into());
                }
                Err(AddUsageError::InDoubt(error)) => {
                    self.remove_pending(&batch);
                    record_in_doubt(&batch, error);
                    return self.on_flush_failure(&anyhow::anyhow!("a commit was not answered"));
                }
            }
        }
    }

    fn remove_pending(&mut self, batch: &[(UsageSlot, UsageCounts)]) {
        for (slot, _) in batch {
            self.pending.remove(slot);
        }
    }

    fn on_flush_success(&mut self) {
        if std::mem::take(&mut self.database_unreachable) {
            tracing::info!("usage reaches the accounts database again");
        }
    }

    fn on_flush_failure(&mut self, error: &anyhow::Error) {
        metrics::count_flush_failure();
        if !std::mem::replace(&mut self.database_unreachable, true) {
            let error = format!("{error:#}");
            tracing::error!(
                error,
                "usage does not reach the accounts database; it is kept in memory"
            );
        }
    }
}

fn record_in_doubt(batch: &[(UsageSlot, UsageCounts)], error: AccountStoreError) {
    let calls: u64 = batch.iter().map(|(_, counts)| counts.calls).sum();
    metrics::count_in_doubt(calls);
    let error = format!("{:#}", anyhow::Error::from(error));
    tracing::error!(
        calls,
        error,
        "a commit of usage was not answered; it is not tried again"
    );
}
