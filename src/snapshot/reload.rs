//! Following the data folder: when `CURRENT` names another generation, open it beside the old one and swap.
//!
//! The file system's events are a hint that makes it quick; a poll finds what they miss (network mounts send none). A
//! generation that does not open is logged once and the old one goes on being served.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use notify::{RecursiveMode, Watcher as _};
use postduif_schema::{DataFolder, GenerationName, OpenError, StoreError};
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{FailedReload, Live, Snapshot, metrics};

/// How long a new generation stays unseen at most when no event comes.
pub const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// How long a generation that failed is left alone: trying reads all its files.
const RETRY_INTERVAL: Duration = Duration::from_secs(60);

/// Keeps a [`Live`] at the current generation of a data folder.
pub struct Reloader {
    data: DataFolder,
    live: Arc<Live>,
    /// The generation that failed and when it may be tried again.
    resting: Option<(GenerationName, Instant)>,
    /// The snapshot served before. It is let go a look later, on a blocking thread: giving back its dictionaries takes
    /// milliseconds, which no request should pay.
    retired: Option<Arc<Snapshot>>,
    /// Notified by whoever wants the folder looked at now, whatever failed before.
    asked: Arc<Notify>,
}

/// What a look at the data folder found.
enum Look {
    /// The current generation is the one that is served, or there is none.
    Same,
    /// The current generation failed a moment ago.
    Resting,
    /// Another generation, opened.
    Next(Box<Snapshot>),
}

#[derive(Debug, thiserror::Error)]
enum LookError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{error}")]
    Open {
        generation: GenerationName,
        error: Box<OpenError>,
    },
    #[error("{}: nothing there names a generation any more; is what belongs there mounted?", .0.display())]
    Gone(PathBuf),
    #[error("opening the generation panicked")]
    Panicked(#[from] tokio::task::JoinError),
}

impl Reloader {
    /// Will keep `live` at the current generation of `data`, and look at once when `asked`.
    #[must_use]
    pub fn new(data: DataFolder, live: Arc<Live>, asked: Arc<Notify>) -> Self {
        Self {
            data,
            live,
            resting: None,
            retired: None,
            asked,
        }
    }

    /// Looks once: opens and serves the current generation when it is not the one that is served.
    pub async fn look(&mut self) {
        let (data, retired) = (self.data.clone(), self.retired.take());
        let live = self.live.clone();
        let _opening = live.opening().await;
        let served = live.snapshot();
        let resting = self
            .resting
            .filter(|(_, until)| Instant::now() < *until)
            .map(|(generation, _)| generation);
        let looked = tokio::task::spawn_blocking(move || {
            drop(retired);
            look(&data, served.as_deref(), resting)
        });
        match looked.await.unwrap_or_else(|panicked| Err(panicked.into())) {
            Ok(Look::Resting) => {}
            Ok(Look::Same) => self.live.set_failed(None),
            Ok(Look::Next(snapshot)) => self.serve(*snapshot),
            Err(error) => self.fail(&error),
        }
    }

    /// Looks at every hint and at least every [`POLL_INTERVAL`], until `stop` is cancelled.
    pub async fn follow(mut self, stop: CancellationToken) {
        let (hint, asked) = (Arc::new(Notify::new()), self.asked.clone());
        let _watcher = watch(&self.data, &hint).inspect_err(
            |error| tracing::warn!(%error, "no events from the data folder; it is polled alone"),
        );
        let follow = async {
            loop {
                self.look().await;
                // Every end is fine: a hint, or the time that passed without one.
                tokio::select! {
                    () = hint.notified() => {}
                    () = asked.notified() => self.resting = None,
                    () = tokio::time::sleep(POLL_INTERVAL) => {}
                }
            }
        };
        stop.run_until_cancelled(follow).await;
    }

    fn serve(&mut self, snapshot: Snapshot) {
        metrics::served(&snapshot);
        let generation = snapshot
            .manifest()
            .map(|manifest| manifest.generation.to_string());
        tracing::info!(
            generation,
            addresses = snapshot.address_count(),
            trees_built = snapshot.trees_built(),
            "generation is served"
        );
        self.retired = self.live.swap(snapshot);
        self.resting = None;
        self.live.set_failed(None);
    }

    fn fail(&mut self, error: &LookError) {
        if !matches!(error, LookError::Gone(_)) {
            metrics::failed();
        }
        let failed = FailedReload {
            generation: error.generation(),
            error: error.to_string(),
        };
        let before = self.live.failed();
        let is_new = before.is_none_or(|before| *before != failed);
        self.resting = failed
            .generation
            .map(|generation| (generation, Instant::now() + RETRY_INTERVAL));
        self.live.set_failed(Some(failed));
        if is_new {
            let error = error.to_string();
            tracing::error!(
                error,
                "generation cannot be served; what was served before goes on"
            );
        }
    }
}

impl LookError {
    fn generation(&self) -> Option<GenerationName> {
        match self {
            Self::Store(_) | Self::Gone(_) | Self::Panicked(_) => None,
            Self::Open { generation, .. } => Some(*generation),
        }
    }
}

fn look(
    data: &DataFolder,
    served: Option<&Snapshot>,
    resting: Option<GenerationName>,
) -> Result<Look, LookError> {
    let serving = served.and_then(|snapshot| Some(snapshot.manifest()?.generation));
    match data.current()? {
        None if serving.is_some() => Err(LookError::Gone(data.path().to_owned())),
        None => Ok(Look::Same),
        current if current == serving => Ok(Look::Same),
        current if current == resting => Ok(Look::Resting),
        Some(generation) => match Snapshot::open(data, generation, served) {
            Ok(snapshot) => Ok(Look::Next(Box::new(snapshot))),
            Err(error) => Err(LookError::Open {
                generation,
                error: Box::new(error),
            }),
        },
    }
}

/// Watches the folder itself, because `CURRENT` is renamed into place. Reading makes events too; those are no hint.
fn watch(data: &DataFolder, hint: &Arc<Notify>) -> notify::Result<notify::RecommendedWatcher> {
    let hint = hint.clone();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| !event.kind.is_access()) {
            hint.notify_one();
        }
    })?;
    watcher.watch(data.path(), RecursiveMode::NonRecursive)?;
    Ok(watcher)
}
