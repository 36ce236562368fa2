//! The snapshot of the moment, and the failure of the moment if there is one.

use std::sync::Arc;

use arc_swap::{ArcSwapOption, Guard};
use postduif_schema::GenerationName;
use tokio::sync::{Mutex, MutexGuard, Notify};

use super::{Snapshot, metrics};
use crate::sync::Pulled;

/// What is served now. Empty until the first generation is published; readers take no lock.
#[derive(Default)]
pub struct Live {
    snapshot: ArcSwapOption<Snapshot>,
    failed: ArcSwapOption<FailedReload>,
    pulled: ArcSwapOption<Pulled>,
    swapped: Notify,
    /// Held while a generation is being opened.
    opening: Mutex<()>,
}

/// What one request answers from. Taking hold of it changes nothing that threads share, not even a count of who holds it.
pub struct Held(Guard<Option<Arc<Snapshot>>>);

impl Held {
    /// A hold on a snapshot that is not swapped.
    #[must_use]
    pub fn of(snapshot: Arc<Snapshot>) -> Self {
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
pub struct FailedReload {
    /// The generation that does not open; none when not even its name can be read.
    pub generation: Option<GenerationName>,
    /// What is wrong with it.
    pub error: String,
}

impl Live {
    /// Serves a fixed snapshot, which nothing reloads.
    #[must_use]
    pub fn fixed(snapshot: Snapshot) -> Self {
        Self {
            snapshot: ArcSwapOption::from_pointee(snapshot),
            ..Self::default()
        }
    }

    /// The snapshot to answer one request from.
    #[must_use]
    pub fn hold(&self) -> Held {
        Held(self.snapshot.load())
    }

    /// The snapshot of the moment; none before the first was published.
    #[must_use]
    pub fn snapshot(&self) -> Option<Arc<Snapshot>> {
        self.snapshot.load_full()
    }

    /// Why the current generation is not served; none when it is.
    #[must_use]
    pub fn failed(&self) -> Option<Arc<FailedReload>> {
        self.failed.load_full()
    }

    /// How the taking of generations goes; none where they are taken from nowhere.
    #[must_use]
    pub fn pulled(&self) -> Option<Arc<Pulled>> {
        self.pulled.load_full()
    }

    /// Serves `next` from now on and gives back what was served before.
    pub(crate) fn swap(&self, next: Snapshot) -> Option<Arc<Snapshot>> {
        let before = self.snapshot.swap(Some(Arc::new(next)));
        self.swapped.notify_one();
        before
    }

    /// Waits until something was swapped since this was last waited for. One may wait.
    pub(crate) async fn swapped(&self) {
        self.swapped.notified().await;
    }

    /// Waits until no generation is being opened, and keeps it so.
    pub(crate) async fn opening(&self) -> MutexGuard<'_, ()> {
        self.opening.lock().await
    }

    /// Remembers how the taking of generations goes.
    pub(crate) fn set_pulled(&self, pulled: Pulled) {
        self.pulled.store(Some(Arc::new(pulled)));
    }

    /// Remembers a failure, or that there is none any more.
    pub(crate) fn set_failed(&self, failed: Option<FailedReload>) {
        metrics::is_failing(failed.is_some());
        self.failed.store(failed.map(Arc::new));
    }
}
