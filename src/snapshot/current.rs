//! Holds the snapshot that the service serves, and the reason if a newer one cannot be served.

use std::sync::Arc;

use arc_swap::{ArcSwapOption, Guard};
use postduif_schema::GenerationName;
use tokio::sync::{Mutex, MutexGuard, Notify};

use super::{Snapshot, metrics};

/// The snapshot that is served. Empty until the first generation is published. Loading the snapshot takes no lock.
#[derive(Default)]
pub struct CurrentSnapshot {
    snapshot: ArcSwapOption<Snapshot>,
    reload_failure: ArcSwapOption<ReloadFailure>,
    swap_notify: Notify,
    /// Locked while a generation is being opened.
    open_lock: Mutex<()>,
}

/// The snapshot of one request. Loading a snapshot does not write to memory that threads share, not even to a reference count.
pub struct SnapshotGuard(Guard<Option<Arc<Snapshot>>>);

impl SnapshotGuard {
    /// Wraps a snapshot that is never replaced.
    pub fn from_arc(snapshot: Arc<Snapshot>) -> Self {
        Self(Guard::from_inner(Some(snapshot)))
    }

    /// The snapshot; `None` before the first one is published.
    pub fn get(&self) -> Option<&Snapshot> {
        self.0.as_deref()
    }
}

/// Why the current generation of the data folder is not served.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ReloadFailure {
    /// The generation that does not open; `None` if the failure has another cause.
    pub generation: Option<GenerationName>,
    /// The error message.
    pub error: String,
}

impl CurrentSnapshot {
    /// Serves a fixed snapshot that is never reloaded.
    pub fn from_snapshot(snapshot: Snapshot) -> Self {
        Self {
            snapshot: ArcSwapOption::from_pointee(snapshot),
            ..Self::default()
        }
    }

    /// The snapshot for one request.
    #[must_use]
    pub fn load(&self) -> SnapshotGuard {
        SnapshotGuard(self.snapshot.load())
    }

    /// The current snapshot; `None` before the first one is published.
    pub fn load_full(&self) -> Option<Arc<Snapshot>> {
        self.snapshot.load_full()
    }

    /// Why the current generation of the data folder is not served; `None` if the last attempt to serve it did not fail.
    pub fn reload_failure(&self) -> Option<Arc<ReloadFailure>> {
        self.reload_failure.load_full()
    }

    /// Replaces the snapshot and returns the previous one.
    pub(crate) fn swap(&self, next: Snapshot) -> Option<Arc<Snapshot>> {
        let before = self.snapshot.swap(Some(Arc::new(next)));
        self.swap_notify.notify_one();
        before
    }

    /// Waits for the next [`swap`](Self::swap). Returns at once if a swap happened since the last call. Supports one waiting task.
    pub(crate) async fn wait_for_swap(&self) {
        self.swap_notify.notified().await;
    }

    /// Waits until no generation is being opened. While the returned guard lives, no generation can be opened.
    pub(crate) async fn lock_opening(&self) -> MutexGuard<'_, ()> {
        self.open_lock.lock().await
    }

    /// Sets or clears the reason why the current generation is not served.
    pub(crate) fn set_reload_failure(&self, failure: Option<ReloadFailure>) {
        metrics::RELOAD_FAILING.set_flag(failure.is_some());
        self.reload_failure.store(failure.map(Arc::new));
    }
}
