//! Following the ledger: a poll of its revision, a reload when that changed, and patience when the database is away.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::KeyDirectory;
use crate::accounts::{AccountStore, metrics};

/// How often the ledger is asked whether anything changed: a revoked key is dead within a second, with room to spare.
pub const KEY_POLL_INTERVAL: Duration = Duration::from_millis(250);

/// How long one poll may take before the database counts as away: a dead connection would otherwise hold it for minutes. On a new
/// connection to a server two seconds away it takes fourteen.
const POLL_TIMEOUT: Duration = Duration::from_secs(20);

impl KeyDirectory {
    /// Follows `ledger` until `stop` is cancelled, polling every `period`.
    ///
    /// While the database is away the keys go on as they were. That is logged once when it begins and once when it ends, and
    /// each failed poll is counted in `postduif_ledger_poll_failures_total`.
    pub async fn watch(&self, store: &AccountStore, period: Duration, stop: &CancellationToken) {
        let mut ticks = interval(period);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut unavailable = false;
        let follow = async {
            loop {
                ticks.tick().await;
                unavailable = self.poll(store, unavailable).await;
            }
        };
        stop.run_until_cancelled(follow).await;
    }

    /// Polls once and says whether the database is away.
    async fn poll(&self, store: &AccountStore, was_unavailable: bool) -> bool {
        let failure = match tokio::time::timeout(POLL_TIMEOUT, self.refresh(store)).await {
            Ok(Ok(changed)) => return self.log_poll(changed, was_unavailable),
            Ok(Err(error)) => anyhow::Error::from(error),
            Err(elapsed) => elapsed.into(),
        };
        metrics::count_poll_failure();
        if !was_unavailable {
            tracing::error!(
                error = format!("{failure:#}"),
                "accounts database is away; keys go on as they were"
            );
        }
        true
    }

    fn log_poll(&self, changed: bool, was_unavailable: bool) -> bool {
        if was_unavailable {
            tracing::info!("accounts database is back");
        }
        if changed {
            tracing::debug!(live_keys = self.len(), "keys reloaded");
        }
        false
    }
}
