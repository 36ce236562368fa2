//! Following the data folder: when `CURRENT` names another generation, open it beside the old one and swap.
//!
//! The file system's events are a hint that makes it quick; a poll finds what they miss (network mounts send none). A
//! generation that does not open is logged once and the old one goes on being served.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use notify::{RecursiveMode, Watcher as _};
use postduif_schema::{DataFolder, DataFolderError, GenerationName, OpenGenerationError};
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{CurrentSnapshot, ReloadFailure, Snapshot, metrics};

/// How long a new generation stays unseen at most when no event comes.
pub const RELOAD_POLL_INTERVAL: Duration = Duration::from_secs(2);

/// How long a generation that failed is left alone: trying reads all its files.
const RELOAD_RETRY_INTERVAL: Duration = Duration::from_secs(60);

/// Keeps a [`Live`] at the current generation of a data folder.
pub struct Reloader {
    data: DataFolder,
    current_snapshot: Arc<CurrentSnapshot>,
    /// The generation that failed and when it may be tried again.
    retry_after: Option<(GenerationName, Instant)>,
    /// The snapshot served before. It is let go a look later, on a blocking thread: giving back its dictionaries takes
    /// milliseconds, which no request should pay.
    retired_snapshot: Option<Arc<Snapshot>>,
    /// Notified by whoever wants the folder looked at now, whatever failed before.
    trigger: Arc<Notify>,
}

/// What a look at the data folder found.
enum ReloadCheck {
    /// The current generation is the one that is served, or there is none.
    Unchanged,
    /// The current generation failed a moment ago.
    BackingOff,
    /// Another generation, opened.
    Opened(Box<Snapshot>),
}

#[derive(Debug, thiserror::Error)]
enum ReloadError {
    #[error(transparent)]
    Store(#[from] DataFolderError),
    #[error("{error}")]
    Open {
        generation: GenerationName,
        error: Box<OpenGenerationError>,
    },
    #[error("{}: nothing there names a generation any more; is what belongs there mounted?", .0.display())]
    NoCurrentGeneration(PathBuf),
    #[error("opening the generation panicked")]
    Panicked(#[from] tokio::task::JoinError),
}

impl Reloader {
    /// Will keep `live` at the current generation of `data`, and look at once when `asked`.
    #[must_use]
    pub fn new(
        data: DataFolder,
        current_snapshot: Arc<CurrentSnapshot>,
        trigger: Arc<Notify>,
    ) -> Self {
        Self {
            data,
            current_snapshot,
            retry_after: None,
            retired_snapshot: None,
            trigger,
        }
    }

    /// Looks once: opens and serves the current generation when it is not the one that is served.
    pub async fn reload_if_changed(&mut self) {
        let (data, retired) = (self.data.clone(), self.retired_snapshot.take());
        let current_snapshot = self.current_snapshot.clone();
        let _opening = current_snapshot.lock_opening().await;
        let served = current_snapshot.load_full();
        let resting = self
            .retry_after
            .filter(|(_, until)| Instant::now() < *until)
            .map(|(generation, _)| generation);
        let looked = tokio::task::spawn_blocking(move || {
            drop(retired);
            check_current_generation(&data, served.as_deref(), resting)
        });
        match looked.await.unwrap_or_else(|panicked| Err(panicked.into())) {
            Ok(ReloadCheck::BackingOff) => {}
            Ok(ReloadCheck::Unchanged) => self.current_snapshot.set_reload_failure(None),
            Ok(ReloadCheck::Opened(snapshot)) => self.swap_in(*snapshot),
            Err(error) => self.record_failure(&error),
        }
    }

    /// Looks at every hint and at least every [`POLL_INTERVAL`], until `stop` is cancelled.
    pub async fn run(mut self, stop: CancellationToken) {
        let (fs_event, trigger) = (Arc::new(Notify::new()), self.trigger.clone());
        let _watcher = watch_data_folder(&self.data, &fs_event).inspect_err(
            |error| tracing::warn!(%error, "no events from the data folder; it is polled alone"),
        );
        let follow = async {
            loop {
                self.reload_if_changed().await;
                // Every end is fine: a hint, or the time that passed without one.
                tokio::select! {
                    () = fs_event.notified() => {}
                    () = trigger.notified() => self.retry_after = None,
                    () = tokio::time::sleep(RELOAD_POLL_INTERVAL) => {}
                }
            }
        };
        stop.run_until_cancelled(follow).await;
    }

    fn swap_in(&mut self, snapshot: Snapshot) {
        metrics::set_served(&snapshot);
        let generation = snapshot
            .manifest()
            .map(|manifest| manifest.generation.to_string());
        tracing::info!(
            generation,
            addresses = snapshot.address_count(),
            trees_built = snapshot.trees_built(),
            "generation is served"
        );
        self.retired_snapshot = self.current_snapshot.swap(snapshot);
        self.retry_after = None;
        self.current_snapshot.set_reload_failure(None);
    }

    fn record_failure(&mut self, error: &ReloadError) {
        if !matches!(error, ReloadError::NoCurrentGeneration(_)) {
            metrics::count_reload_failure();
        }
        let failed = ReloadFailure {
            generation: error.generation(),
            error: error.to_string(),
        };
        let before = self.current_snapshot.reload_failure();
        let is_new = before.is_none_or(|before| *before != failed);
        self.retry_after = failed
            .generation
            .map(|generation| (generation, Instant::now() + RELOAD_RETRY_INTERVAL));
        self.current_snapshot.set_reload_failure(Some(failed));
        if is_new {
            let error = error.to_string();
            tracing::error!(
                error,
                "generation cannot be served; what was served before goes on"
            );
        }
    }
}

impl ReloadError {
    fn generation(&self) -> Option<GenerationName> {
        match self {
            Self::Store(_) | Self::NoCurrentGeneration(_) | Self::Panicked(_) => None,
            Self::Open { generation, .. } => Some(*generation),
        }
    }
}

fn check_current_generation(
    data: &DataFolder,
    served: Option<&Snapshot>,
    resting: Option<GenerationName>,
) -> Result<ReloadCheck, ReloadError> {
    let serving = served.and_then(|snapshot| Some(snapshot.manifest()?.generation));
    match data.current_generation()? {
        None if serving.is_some() => Err(ReloadError::NoCurrentGeneration(data.path().to_owned())),
        None => Ok(ReloadCheck::Unchanged),
        current if current == serving => Ok(ReloadCheck::Unchanged),
        current if current == resting => Ok(ReloadCheck::BackingOff),
        Some(generation) => match Snapshot::open(data, generation, served) {
            Ok(snapshot) => Ok(ReloadCheck::Opened(Box::new(snapshot))),
            Err(error) => Err(ReloadError::Open {
                generation,
                error: Box::new(error),
            }),
        },
    }
}

/// Watches the folder itself, because `CURRENT` is renamed into place. Reading makes events too; those are no hint.
fn watch_data_folder(
    data: &DataFolder,
    fs_event: &Arc<Notify>,
) -> notify::Result<notify::RecommendedWatcher> {
    let hint = fs_event.clone();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| !event.kind.is_access()) {
            hint.notify_one();
        }
    })?;
    watcher.watch(data.path(), RecursiveMode::NonRecursive)?;
    Ok(watcher)
}
