//! Reloads the served generation from the data folder. When `CURRENT` names another generation, opens that generation while the old one is
//! served, and then replaces the old one.
//!
//! File system events make a reload quick. A poll every few seconds finds the changes for which the system sends no event, such as changes
//! on network mounts. A generation that does not open is logged once, and the old one stays in service.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use notify::{RecursiveMode, Watcher as _};
use postduif_schema::{DataFolder, DataFolderError, GenerationName, OpenGenerationError};
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::own_thread::{ThreadError, run_on_own_thread};
use super::{CurrentSnapshot, ReloadFailure, Snapshot, metrics};

/// Time between two checks of the data folder if no event is received.
pub const RELOAD_POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Time before a generation that did not open is tried again. The time is long, because each attempt reads all files of the generation.
const RELOAD_RETRY_INTERVAL: Duration = Duration::from_secs(60);

/// Checks a data folder and puts its current generation into a [`CurrentSnapshot`].
pub struct Reloader {
    data: DataFolder,
    current_snapshot: Arc<CurrentSnapshot>,
    /// The generation that did not open, and the time from which it may be tried again.
    retry_after: Option<(GenerationName, Instant)>,
    /// The previous snapshot. The next check drops it on the thread that reads the data folder, because freeing the dictionaries
    /// takes milliseconds and must not delay a request.
    retired_snapshot: Option<Arc<Snapshot>>,
    /// Requests a check now, even if the generation failed recently.
    trigger: Arc<Notify>,
    /// Whether the data folder was checked at least once.
    has_checked: bool,
    /// The limit of each snapshot's [`SuggestionCache`](crate::search::SuggestionCache).
    suggestion_cache_bytes: usize,
}

/// The result of a check of the data folder.
enum ReloadCheck {
    /// The current generation is already served, or the data folder has no generation yet.
    Unchanged,
    /// The current generation failed to open recently, so this check did not try it again.
    BackingOff,
    /// Another generation is current and was opened.
    Opened(Box<Snapshot>),
}

#[derive(Debug, thiserror::Error)]
enum ReloadError {
    #[error(transparent)]
    DataFolder(#[from] DataFolderError),
    #[error("{error}")]
    Open {
        generation: GenerationName,
        error: Box<OpenGenerationError>,
    },
    #[error("{}: no current generation any more; check that the data folder is mounted", .0.display())]
    NoCurrentGeneration(PathBuf),
    #[error("checking for a new generation: {0}")]
    Thread(#[from] ThreadError),
}

impl Reloader {
    /// A reloader that also checks `data` each time `trigger` is notified.
    pub fn new(
        data: DataFolder,
        current_snapshot: Arc<CurrentSnapshot>,
        trigger: Arc<Notify>,
        suggestion_cache_bytes: usize,
    ) -> Self {
        Self {
            suggestion_cache_bytes,
            data,
            current_snapshot,
            retry_after: None,
            retired_snapshot: None,
            has_checked: false,
            trigger,
        }
    }

    /// Checks once: opens and serves the current generation if it is not yet served.
    pub async fn reload_if_changed(&mut self) {
        let (data, retired) = (self.data.clone(), self.retired_snapshot.take());
        let current_snapshot = self.current_snapshot.clone();
        let _opening = current_snapshot.lock_opening().await;
        let served = current_snapshot.load_full();
        let failed_generation = self
            .retry_after
            .filter(|(_, until)| Instant::now() < *until)
            .map(|(generation, _)| generation);
        let check = run_on_own_thread("reload", move || {
            drop(retired);
            check_current_generation(&data, served.as_deref(), failed_generation)
        });
        match check.await.unwrap_or_else(|error| Err(error.into())) {
            Ok(ReloadCheck::BackingOff) => {}
            Ok(ReloadCheck::Unchanged) => self.record_unchanged(),
            Ok(ReloadCheck::Opened(snapshot)) => {
                self.swap_in(snapshot.with_suggestion_cache(self.suggestion_cache_bytes));
            }
            Err(error) => self.record_failure(&error),
        }
        self.has_checked = true;
    }

    /// Checks the data folder at every event and at least every [`RELOAD_POLL_INTERVAL`], until `stop` is cancelled.
    pub async fn run(mut self, stop: CancellationToken) {
        let (fs_event, trigger) = (Arc::new(Notify::new()), self.trigger.clone());
        let _watcher = watch_data_folder(&self.data, &fs_event).inspect_err(
            |error| tracing::warn!(%error, "cannot watch the data folder for events; relying on the poll"),
        );
        let check_loop = async {
            loop {
                self.reload_if_changed().await;
                tokio::select! {
                    () = fs_event.notified() => {}
                    () = trigger.notified() => self.retry_after = None,
                    () = tokio::time::sleep(RELOAD_POLL_INTERVAL) => {}
                }
            }
        };
        stop.run_until_cancelled(check_loop).await;
    }

    fn swap_in(&mut self, snapshot: Snapshot) {
        let stand = snapshot.manifest().map(|manifest| manifest.stand);
        metrics::set_served(snapshot.address_count(), stand);
        let generation = snapshot
            .manifest()
            .map(|manifest| manifest.generation.to_string());
        tracing::info!(
            generation,
            addresses = snapshot.address_count(),
            trees_built = snapshot.trees_built(),
            "serving the generation"
        );
        self.retired_snapshot = self.current_snapshot.swap(snapshot);
        self.retry_after = None;
        self.current_snapshot.set_reload_failure(None);
    }

    fn record_unchanged(&mut self) {
        let is_served = self.current_snapshot.load_full().is_some();
        let has_failed = self.current_snapshot.reload_failure().is_some();
        if has_failed && is_served {
            tracing::info!("the data folder can be used again; its current generation is served");
        } else if (has_failed || !self.has_checked) && !is_served {
            tracing::warn!(
                "no generation yet, so look-ups answer 503. With `generations_from` the first one is pulled; otherwise run `postduif index build`"
            );
        }
        self.current_snapshot.set_reload_failure(None);
    }

    fn record_failure(&mut self, error: &ReloadError) {
        if !matches!(error, ReloadError::NoCurrentGeneration(_)) {
            metrics::RELOAD_FAILURES.add(1);
        }
        let failed = ReloadFailure {
            generation: error.generation(),
            error: error.to_string(),
        };
        let previous = self.current_snapshot.reload_failure();
        let is_new = previous.is_none_or(|previous| *previous != failed);
        self.retry_after = failed
            .generation
            .map(|generation| (generation, Instant::now() + RELOAD_RETRY_INTERVAL));
        self.current_snapshot.set_reload_failure(Some(failed));
        if is_new {
            let error = error.to_string();
            match self.current_snapshot.load_full() {
                Some(_) => tracing::error!(
                    error,
                    "cannot serve the current generation; still serving the previous one"
                ),
                None => tracing::error!(
                    error,
                    "cannot serve the current generation, and no other is loaded, so look-ups answer 503; if the generation is \
                     damaged, run `postduif index rollback` or build again"
                ),
            }
        }
    }
}

impl ReloadError {
    fn generation(&self) -> Option<GenerationName> {
        match self {
            Self::DataFolder(_) | Self::NoCurrentGeneration(_) | Self::Thread(_) => None,
            Self::Open { generation, .. } => Some(*generation),
        }
    }
}

fn check_current_generation(
    data: &DataFolder,
    served: Option<&Snapshot>,
    failed_generation: Option<GenerationName>,
) -> Result<ReloadCheck, ReloadError> {
    let serving = served.and_then(|snapshot| Some(snapshot.manifest()?.generation));
    match data.current_generation()? {
        None if serving.is_some() => Err(ReloadError::NoCurrentGeneration(data.path().to_owned())),
        None => Ok(ReloadCheck::Unchanged),
        current if current == serving => Ok(ReloadCheck::Unchanged),
        current if current == failed_generation => Ok(ReloadCheck::BackingOff),
        Some(generation) => match Snapshot::open(data, generation, served) {
            Ok(snapshot) => Ok(ReloadCheck::Opened(Box::new(snapshot))),
            Err(error) => Err(ReloadError::Open {
                generation,
                error: Box::new(error),
            }),
        },
    }
}

/// Watches the folder instead of the file `CURRENT`, because each update replaces that file by a rename. Ignores the events that
/// reading causes.
fn watch_data_folder(
    data: &DataFolder,
    fs_event: &Arc<Notify>,
) -> notify::Result<notify::RecommendedWatcher> {
    let fs_event = fs_event.clone();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| !event.kind.is_access()) {
            fs_event.notify_one();
        }
    })?;
    watcher.watch(data.path(), RecursiveMode::NonRecursive)?;
    Ok(watcher)
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn a_check_interrupted_by_shutdown_does_not_count_as_a_panic() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let current = Arc::new(CurrentSnapshot::default());
        let mut reloader = Reloader::new(
            DataFolder::new(folder.path()),
            current.clone(),
            Arc::default(),
            0,
        );
        let runtime = tokio::runtime::Builder::new_current_thread()
            .max_blocking_threads(1)
            .build()
            .expect("a runtime");
        // The only blocking thread is busy. Work that waits for this thread would be cancelled when the runtime ends.
        let (finish, busy) = std::sync::mpsc::channel::<()>();
        runtime.spawn_blocking(move || busy.recv());
        let mut check = pin!(reloader.reload_if_changed());
        let is_done = {
            let _entered = runtime.enter();
            check.as_mut().now_or_never().is_some()
        };
        runtime.shutdown_background();
        drop(finish);
        if !is_done {
            tokio::runtime::Builder::new_current_thread()
                .build()
                .expect("a runtime")
                .block_on(check);
        }
        assert_eq!(current.reload_failure(), None);
    }
}
