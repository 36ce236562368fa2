//! Taking generations from a bucket, in which another postduif publishes them.
//!
//! A round looks for the newest publication that this postduif reads, brings to the data folder what it lacks, and names it as
//! the one to serve; the reloader opens, checks and swaps it like any other. Nothing bears a generation's name before all of it
//! is on disk and as published, and whatever goes wrong, what is served goes on. The folder is this process's alone to change.

mod download;
mod error;
mod local_generations;
pub mod metrics;
mod state;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use crate::sync::{Bucket, BucketUrl, ListedPublication, PublicationNumber};
use futures_util::FutureExt as _;
use postduif_schema::{DataFolder, GenerationName, LockError};
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::snapshot::CurrentSnapshot;
use error::{PullError, PullFailure};
use local_generations::LocalGenerations;
use state::{Backoff, PullState};

/// Where generations are taken from, how often that is looked at, and how many stay.
#[derive(Debug, Clone)]
pub struct PullConfig {
    /// The bucket.
    pub bucket: BucketUrl,
    /// Between looks.
    pub interval: Duration,
    /// Generations to keep on disk, at least 1. While another one comes there is one more of them, where the disk has room.
    pub keep_generations: usize,
}

/// Wakes those who follow generations, from the data folder and from a bucket.
#[derive(Debug, Clone, Default)]
pub struct ReloadTriggers {
    /// Has the data folder looked at.
    pub data_folder: Arc<Notify>,
    bucket: Arc<Notify>,
}

impl ReloadTriggers {
    /// Has everything looked at now.
    pub fn notify_all(&self) {
        self.bucket.notify_one();
        self.data_folder.notify_one();
    }
}

/// How the taking of generations goes, for the operator.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PullStatus {
    /// The highest publication that was seen.
    pub newest: Option<PublicationNumber>,
    /// The one that is served, once this process has taken it.
    pub served: Option<PublicationNumber>,
    /// The layout of the newest one, where this postduif does not read it.
    pub refused_layout: Option<u32>,
    /// Why the last round failed; none when it went well.
    pub failed: Option<String>,
}

/// Keeps a data folder at the newest publication of a bucket.
pub struct Puller {
    config: PullConfig,
    /// None until it could be opened.
    bucket: Option<Bucket>,
    generations: LocalGenerations,
    current_snapshot: Arc<CurrentSnapshot>,
    triggers: ReloadTriggers,
    status: watch::Sender<PullStatus>,
    state: PullState,
    served_publication: Option<PublicationNumber>,
    last_failure: Option<PullFailure>,
    /// The generation that was read whole because it did not open, and was as published.
    verified_generation: Option<GenerationName>,
}

/// What came of a round, or of one publication in it.
enum PullOutcome {
    Pulled,
    /// There is nothing to take that this postduif reads.
    NothingToPull,
    /// What there is to take failed before, and is left alone for a while.
    BackingOff(PullFailure),
}

impl Puller {
    /// Will keep `data` at the newest publication, once it [follows](Self::follow). From now on the folder is this process's
    /// alone to change.
    ///
    /// # Errors
    /// When another process changes it, or it cannot be written.
    pub fn new(
        data: DataFolder,
        config: PullConfig,
        current_snapshot: Arc<CurrentSnapshot>,
        triggers: ReloadTriggers,
    ) -> Result<Self, LockError> {
        Ok(Self {
            generations: LocalGenerations::acquire(data)?,
            config,
            bucket: None,
            current_snapshot,
            triggers,
            status: watch::Sender::default(),
            state: PullState::default(),
            served_publication: None,
            last_failure: None,
            verified_generation: None,
        })
    }

    /// The status, updated after each round.
    #[must_use]
    pub fn status(&self) -> watch::Receiver<PullStatus> {
        self.status.subscribe()
    }

    /// Looks and takes, until `stop` is cancelled; what is under way then is left as it is.
    pub async fn run(mut self, stop: CancellationToken) {
        let follow = async {
            let mut backoff = Backoff::new(self.config.interval, Backoff::MAX_FOR_BUCKET);
            loop {
                let outcome = catch_panic(self.pull_once()).await;
                let wait = match &outcome {
                    Err(error) if error.cause().slows_polling() => backoff.after_failure(),
                    _ => backoff.after_success(),
                };
                self.record_outcome(outcome);
                if self.wait_for_next(wait).await {
                    // Whatever was seen and failed before.
                    self.state.reset();
                }
            }
        };
        stop.run_until_cancelled(follow).await;
    }

    async fn pull_once(&mut self) -> Result<PullOutcome, PullError> {
        let bucket = self.open_bucket().await?;
        let later = self.state.list_newer(&bucket).await?;
        // What opens may be looked into again, should it ever fail to.
        self.verified_generation = self
            .verified_generation
            .filter(|_| self.current_snapshot.reload_failure().is_some());
        let round = self.pull_newest(&bucket, later).await?;
        if !matches!(round, PullOutcome::Pulled)
            && let Some((last_pulled, manifest)) = self.state.last_pulled.clone()
            && self.needs_verification(manifest.generation)
            && let PullOutcome::Pulled = self.try_pull(&bucket, last_pulled).await?
        {
            self.verified_generation = Some(manifest.generation);
        }
        Ok(round)
    }

    async fn open_bucket(&mut self) -> Result<Bucket, PullError> {
        if let Some(bucket) = &self.bucket {
            return Ok(bucket.clone());
        }
        let url = self.config.bucket.clone();
        let opened = self.run_blocking(move |_| Ok(Bucket::open(&url)?)).await?;
        Ok(self.bucket.insert(opened).clone())
    }

    /// Takes the newest of these. Where nothing is served, and only there, an earlier one is better than none.
    async fn pull_newest(
        &mut self,
        bucket: &Bucket,
        later: Vec<ListedPublication>,
    ) -> Result<PullOutcome, PullError> {
        let (has_nothing_to_serve, mut first) = (self.has_nothing_to_serve(), None);
        for listed in later {
            let publication = listed.publication.get();
            let outcome = match self.try_pull(bucket, listed).await {
                Ok(PullOutcome::NothingToPull) => continue,
                Err(error) if !error.cause().backs_off_publication() => return Err(error),
                outcome => outcome,
            };
            if let (true, Err(error)) = (has_nothing_to_serve, &outcome) {
                tracing::warn!(
                    publication,
                    %error,
                    "a publication cannot be taken, and nothing is served: an earlier one is taken until it can be"
                );
            }
            let is_end = !has_nothing_to_serve || matches!(outcome, Ok(PullOutcome::Pulled));
            first.get_or_insert(outcome);
            if is_end {
                break;
            }
        }
        first.unwrap_or(Ok(PullOutcome::NothingToPull))
    }

    /// Whether nothing is served, and nothing that is named is about to be.
    fn has_nothing_to_serve(&self) -> bool {
        let has_current = || matches!(self.generations.current_generation(), Ok(Some(_)));
        self.current_snapshot.load_full().is_none()
            && (self.current_snapshot.reload_failure().is_some() || !has_current())
    }

    /// Takes a publication, unless it failed a moment ago.
    async fn try_pull(
        &mut self,
        bucket: &Bucket,
        listed: ListedPublication,
    ) -> Result<PullOutcome, PullError> {
        let publication = listed.publication;
        if let Some(failed) = self.state.active_failure(publication) {
            return Ok(PullOutcome::BackingOff(failed));
        }
        let outcome = self.read_and_pull(bucket, listed).await;
        if let Err(error) = &outcome {
            self.state
                .record_failure(publication, error, self.config.interval);
        }
        outcome
    }

    async fn read_and_pull(
        &mut self,
        bucket: &Bucket,
        listed: ListedPublication,
    ) -> Result<PullOutcome, PullError> {
        let Some(manifest) = self.state.read_manifest(bucket, listed.publication).await? else {
            return Ok(PullOutcome::NothingToPull);
        };
        self.pull_generation(bucket, listed.publication, &manifest)
            .await?;
        self.state.record_pulled(listed, manifest);
        // And not only once it is served: it may not open.
        self.update_status_and_prune().await;
        Ok(PullOutcome::Pulled)
    }

    /// Whether a generation does not open although it is named, and it was not looked into yet.
    fn needs_verification(&self, generation: GenerationName) -> bool {
        let failed = self
            .current_snapshot
            .reload_failure()
            .and_then(|failed| failed.generation);
        failed == Some(generation) && self.verified_generation != failed
    }

    /// Waits for the next round, and tidies up whenever another generation is served. Says whether somebody asked for it.
    async fn wait_for_next(&mut self, wait: Duration) -> bool {
        let end = Instant::now() + wait;
        let (current_snapshot, bucket_trigger) =
            (self.current_snapshot.clone(), self.triggers.bucket.clone());
        loop {
            tokio::select! {
                () = bucket_trigger.notified() => return true,
                () = current_snapshot.wait_for_swap() => self.update_status_and_prune().await,
                () = sleep_until(end) => return false,
            }
        }
    }

    async fn update_status_and_prune(&mut self) {
        self.update_status();
        self.prune_generations(self.config.keep_generations).await;
    }

    /// Deletes all but the `keep` generations that were taken last, the one that is named and the one that is served.
    async fn prune_generations(&self, keep: usize) {
        // While this is held nothing is being opened, so what is neither named nor served is nobody's.
        let _open_guard = self.current_snapshot.lock_opening().await;
        let served = self.current_snapshot.load_full();
        let served = served.and_then(|served| Some(served.manifest()?.generation));
        let pruned = self
            .run_blocking(move |generations| generations.prune(keep, served))
            .await;
        match pruned {
            Ok(deleted) => {
                for generation in deleted {
                    tracing::info!(%generation, "generation is deleted; later ones are kept");
                }
            }
            Err(error) => {
                tracing::warn!(%error, "earlier generations could not be deleted; tried again after the next one");
            }
        }
    }

    /// Logs a failure when it begins or has another cause, and when it is over. The metrics come last, so
    /// that the log and the pages are up to date when they change.
    fn record_outcome(&mut self, outcome: Result<PullOutcome, PullError>) {
        let (failed, cause) = match outcome {
            Ok(PullOutcome::BackingOff(failed)) => (Some(failed), None),
            Ok(PullOutcome::Pulled | PullOutcome::NothingToPull) => (None, None),
            Err(error) => (Some(PullFailure::from_error(&error)), Some(error.cause())),
        };
        let before = self.last_failure.as_ref().map(|failed| failed.cause);
        match &failed {
            Some(PullFailure {
                cause,
                message: told,
            }) if before != Some(*cause) => tracing::error!(
                error = told,
                cause = cause.label(),
                "the newest generation cannot be taken; what is served goes on, and it is tried again, at once on SIGHUP"
            ),
            None if before.is_some() => tracing::info!("generations can be taken again"),
            _ => {}
        }
        let is_failing = failed.is_some();
        self.last_failure = failed;
        self.update_status();
        metrics::set_failing(is_failing);
        if let Some(cause) = cause {
            metrics::count_failure(cause);
        }
    }

    /// Shows which publications there are and which one is served.
    fn update_status(&mut self) {
        let live = self.current_snapshot.load_full();
        let live = live.as_deref().and_then(|live| live.manifest());
        if let Some((taken, manifest)) = &self.state.last_pulled
            && live == Some(manifest)
        {
            self.served_publication = Some(taken.publication);
        }
        let refused_layout = self.state.unsupported_layout();
        self.status.send_replace(PullStatus {
            newest: self.state.newest,
            served: self.served_publication,
            refused_layout,
            failed: self
                .last_failure
                .as_ref()
                .map(|failed| failed.message.clone()),
        });
        metrics::set_publications(self.state.newest, self.served_publication);
        metrics::set_layout_unsupported(refused_layout.is_some());
    }
}

/// A fault of ours ends one round, and not all that would come after it. What a round leaves half done the next one finds.
async fn catch_panic<T>(round: impl Future<Output = Result<T, PullError>>) -> Result<T, PullError> {
    let outcome = AssertUnwindSafe(round).catch_unwind().await;
    outcome.unwrap_or(Err(PullError::Panicked))
}

#[cfg(test)]
mod tests {
    use super::error::PullFailureCause;
    use super::*;

    #[tokio::test]
    async fn a_round_that_panics_is_a_failed_one() {
        let round = catch_panic(async {
            let taken: Result<(), PullError> = Ok(());
            assert!(taken.is_err(), "a fault");
            taken
        });
        assert_eq!(
            round.await.expect_err("it failed").cause(),
            PullFailureCause::Internal
        );
    }
}
