//! The snapshot of the moment, and the failure of the moment if there is one.

use std::sync::Arc;

use arc_swap::{ArcSwapOption, Guard};
use postduif_schema::GenerationName;
use tokio::sync::{Mutex, MutexGuard, Notify};

use super::{Snapshot, metrics};

/// What is served now. Empty until the first generation is published; readers take no lock.
#[derive(Default)]
pub struct CurrentSnapshot {
    snapshot: ArcSwapOption<Snapshot>,
    reload_failure: ArcSwapOption<ReloadFailure>,
    swap_notify: Notify,
    /// Held while a generation is being opened.
    open_lock: Mutex<()>,
}

/// What one request answers from. Taking hold of it changes nothing that threads share, not even a count of who holds it.
pub struct SnapshotGuard(Guard<Option<Arc<Snapshot>>>);

impl SnapshotGuard {
    /// A hold on a snapshot that is not swapped.
    #[must_use]
    pub fn from_arc(snapshot: Arc<Snapshot>) -> Self {
        Self(Guard::from_inner(Some(snapshot)))
    }

    /// The snapshot; none before the first was published.
    #[must_use]
    pub fn get(&self) -> Option<&Snapshot> {
        self.0.as_deref()
    }
}

/// Why the data folder's current generation is not the one that is served.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ReloadFailure {
    /// The generation that does not open; none when not even its name can be read.
    pub generation: Option<GenerationName>,
    /// What is wrong with it.
    pub error: String,
}

impl CurrentSnapshot {
    /// Serves a fixed snapshot, which nothing reloads.
    #[must_use]
    pub fn from_snapshot(snapshot: Snapshot) -> Self {
        Self {
            snapshot: ArcSwapOption::from_pointee(snapshot),
            ..Self::default()
        }
    }

    /// The snapshot to answer one request from.
    #[must_use]
    pub fn load(&self) -> SnapshotGuard {
        SnapshotGuard(self.snapshot.load())
    }

    /// The snapshot of the moment; none before the first was published.
    #[must_use]
    pub fn load_full(&self) -> Option<Arc<Snapshot>> {
        self.snapshot.load_full()
    }

    /// Why the current generation is not served; none when it is.
    #[must_use]
    pub fn reload_failure(&self) -> Option<Arc<ReloadFailure>> {
        self.reload_failure.load_full()
    }

    /// Serves `next` from now on and gives back what was served before.
    pub(crate) fn swap(&self, next: Snapshot) -> Option<Arc<Snapshot>> {
        let before = self.snapshot.swap(Some(Arc::new(next)));
        self.swap_notify.notify_one();
        before
    }

    /// Waits until something was swapped since this was last waited for. One may wait.
    pub(crate) async fn wait_for_swap(&self) {
        self.swap_notify.notified().await;
    }

    /// Waits until no generation is being opened, and keeps it so.
    pub(crate) async fn lock_opening(&self) -> MutexGuard<'_, ()> {
        self.open_lock.lock().await
    }

    /// Remembers a failure, or that there is none any more.
    pub(crate) fn set_reload_failure(&self, failure: Option<ReloadFailure>) {
        metrics::set_reload_failing(failure.is_some());
        self.reload_failure.store(failure.map(Arc::new));
    }
}
