//! Pulls generations from a bucket to which another postduif publishes them.
//!
//! Each poll looks for the newest publication with a layout that this postduif can read, fetches the files that the data folder
//! lacks, and makes the generation current. The reloader then opens and serves the generation, as it does after a local build. A
//! generation gets its name only after all its files are on disk and verified. After a failure, the service continues with the
//! generation that it serves. While the puller runs, no other process may change the data folder.

mod download;
mod error;
mod local_generations;
pub mod metrics;
mod state;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use postduif_schema::{DataFolder, GenerationName, LockError, Manifest};
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::snapshot::CurrentSnapshot;
use crate::sync::{Bucket, BucketUrl, ListedPublication, PublicationNumber};
use download::GenerationPuller;
use error::{PullError, PullFailure};
use local_generations::LocalGenerations;
use state::{MAX_BUCKET_DELAY, PullState, next_delay};

/// Which bucket to pull from, how often to poll it, and how many generations to keep.
#[derive(Debug, Clone)]
pub struct PullConfig {
    /// The URL of the bucket.
    pub bucket: BucketUrl,
    /// Time between two polls.
    pub interval: Duration,
    /// How many generations to keep on disk, at least 1. During a pull there is one more, if the disk has enough space.
    pub keep_generations: usize,
}

/// Wakes the task that polls the data folder and the task that polls the bucket.
#[derive(Debug, Clone, Default)]
pub struct ReloadTriggers {
    /// Wakes the reloader of the data folder.
    pub data_folder: Arc<Notify>,
    bucket: Arc<Notify>,
}

impl ReloadTriggers {
    /// Makes both tasks poll now.
    pub fn notify_all(&self) {
        self.bucket.notify_one();
        self.data_folder.notify_one();
    }
}

/// Status of pulling, for the operator.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PullStatus {
    /// The number of the newest publication in the last listing of the bucket.
    pub newest: Option<PublicationNumber>,
    /// The number of the served publication; `None` before this process serves a generation that it pulled.
    pub served: Option<PublicationNumber>,
    /// The layout of the newest publication, if this postduif cannot read it.
    pub refused_layout: Option<u32>,
    /// Why the last poll failed; `None` if it succeeded.
    pub failed: Option<String>,
}

/// Polls a bucket and pulls its newest publication into a data folder.
pub struct Puller {
    config: PullConfig,
    /// The open bucket; `None` until opening it succeeds.
    bucket: Option<Bucket>,
    puller: GenerationPuller,
    current_snapshot: Arc<CurrentSnapshot>,
    triggers: ReloadTriggers,
    status: watch::Sender<PullStatus>,
    state: PullState,
    served_publication: Option<PublicationNumber>,
    last_failure: Option<PullFailure>,
    /// The generation that failed to open and was then verified against its publication.
    verified_generation: Option<GenerationName>,
}

/// The outcome of a poll, or of an attempt to pull one publication.
enum PullOutcome {
    Pulled,
    /// There is no newer publication that this postduif can read.
    NothingToPull,
    /// An earlier attempt to pull the publication failed, and it is not yet time for a retry.
    BackingOff(PullFailure),
}

impl Puller {
    /// Locks the data folder, so that no other process can change it. Call [`run`](Self::run) to start pulling.
    ///
    /// # Errors
    /// If another process has locked the folder, or the folder is not writable.
    pub fn new(
        data: DataFolder,
        config: PullConfig,
        current_snapshot: Arc<CurrentSnapshot>,
        triggers: ReloadTriggers,
    ) -> Result<Self, LockError> {
        Ok(Self {
            puller: GenerationPuller {
                generations: LocalGenerations::acquire(data)?,
                current_snapshot: current_snapshot.clone(),
            },
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

    /// The status, updated after each poll.
    #[must_use]
    pub fn status(&self) -> watch::Receiver<PullStatus> {
        self.status.subscribe()
    }

    /// Polls and pulls until `stop` is cancelled. An interrupted pull is continued after the next start.
    pub async fn run(mut self, stop: CancellationToken) {
        let poll = async {
            let interval = self.config.interval;
            let mut delay = None;
            loop {
                let outcome = catch_panic(self.pull_once()).await;
                let is_slowed = matches!(&outcome, Err(error) if error.cause().slows_polling());
                delay = is_slowed.then(|| next_delay(delay, interval, MAX_BUCKET_DELAY));
                self.record_outcome(outcome);
                if self.wait_for_next(delay.unwrap_or(interval)).await {
                    // The operator wants a retry now, so forget earlier failures and pulls.
                    self.state.reset();
                }
            }
        };
        stop.run_until_cancelled(poll).await;
    }

    async fn pull_once(&mut self) -> Result<PullOutcome, PullError> {
        let bucket = self.open_bucket().await?;
        let newer = self.state.list_newer(&bucket).await?;
        // If the last reload succeeded, forget which generation was verified. If that generation fails to open later, it is verified
        // again.
        self.verified_generation = self
            .verified_generation
            .filter(|_| self.current_snapshot.reload_failure().is_some());
        let outcome = self.pull_newest(&bucket, newer).await?;
        if !matches!(outcome, PullOutcome::Pulled)
            && let Some((last_pulled, manifest)) = self.state.last_pulled.clone()
            && self.needs_verification(manifest.generation)
            && let PullOutcome::Pulled = self.try_pull(&bucket, last_pulled).await?
        {
            self.verified_generation = Some(manifest.generation);
        }
        Ok(outcome)
    }

    async fn open_bucket(&mut self) -> Result<Bucket, PullError> {
        if let Some(bucket) = &self.bucket {
            return Ok(bucket.clone());
        }
        let url = self.config.bucket.clone();
        let opened = self
            .puller
            .run_blocking(move |_| Ok(Bucket::open(&url)?))
            .await?;
        Ok(self.bucket.insert(opened).clone())
    }

    /// Pulls the newest of these publications. If that fails, tries earlier ones, but only if no generation is served.
    async fn pull_newest(
        &mut self,
        bucket: &Bucket,
        newer: Vec<ListedPublication>,
    ) -> Result<PullOutcome, PullError> {
        let (has_nothing_to_serve, mut first) = (self.has_nothing_to_serve(), None);
        for listed in newer {
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
                    "cannot pull this publication, and no generation is served; trying an earlier publication"
                );
            }
            let is_done = !has_nothing_to_serve || matches!(outcome, Ok(PullOutcome::Pulled));
            first.get_or_insert(outcome);
            if is_done {
                break;
            }
        }
        first.unwrap_or(Ok(PullOutcome::NothingToPull))
    }

    /// Whether no generation is served and none is about to be served.
    fn has_nothing_to_serve(&self) -> bool {
        let has_current = || matches!(self.puller.generations.current_generation(), Ok(Some(_)));
        self.current_snapshot.load_full().is_none()
            && (self.current_snapshot.reload_failure().is_some() || !has_current())
    }

    /// Pulls a publication, unless it is backing off after a failure.
    async fn try_pull(
        &mut self,
        bucket: &Bucket,
        listed: ListedPublication,
    ) -> Result<PullOutcome, PullError> {
        let publication = listed.publication;
        if let Some(failure) = self.state.active_failure(publication) {
            return Ok(PullOutcome::BackingOff(failure));
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
        // Prune now too, and not only when the served generation changes: it does not change if the new generation fails to open.
        self.update_status_and_prune().await;
        Ok(PullOutcome::Pulled)
    }

    /// Fetches a generation, unless it is already present, and makes it the current one.
    async fn pull_generation(
        &self,
        bucket: &Bucket,
        publication: PublicationNumber,
        manifest: &Manifest,
    ) -> Result<(), PullError> {
        let started = Instant::now();
        let generation = manifest.generation;
        let must_verify = self.needs_verification(generation);
        let fetched = self
            .puller
            .fetch(bucket, (publication, manifest), must_verify)
            .await?;
        self.puller
            .run_blocking(move |generations| generations.set_current(generation))
            .await?;
        self.triggers.data_folder.notify_one();
        let seconds = started.elapsed().as_secs_f64();
        metrics::LAST_DURATION.set(seconds);
        tracing::info!(
            publication = publication.get(),
            %generation,
            downloaded = fetched.missing.len(),
            downloaded_bytes = fetched.missing_bytes(),
            linked = fetched.linked.len(),
            seconds,
            "pulled a generation"
        );
        Ok(())
    }

    /// Whether the generation failed to open and has not been verified since then.
    fn needs_verification(&self, generation: GenerationName) -> bool {
        let failed = self
            .current_snapshot
            .reload_failure()
            .and_then(|failed| failed.generation);
        failed == Some(generation) && self.verified_generation != failed
    }

    /// Waits until the next poll, and prunes when the served generation changes. Returns whether a trigger ended the wait.
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
        self.puller.prune(self.config.keep_generations).await;
    }

    /// Logs when pulling starts to fail, when the cause of the failure changes, and when pulling works again. Updates the
    /// metrics last, so that the log and the status are up to date when a metric changes.
    fn record_outcome(&mut self, outcome: Result<PullOutcome, PullError>) {
        let (failure, cause) = match outcome {
            Ok(PullOutcome::BackingOff(failure)) => (Some(failure), None),
            Ok(PullOutcome::Pulled | PullOutcome::NothingToPull) => (None, None),
            Err(error) => (Some(PullFailure::from_error(&error)), Some(error.cause())),
        };
        let before = self.last_failure.as_ref().map(|failure| failure.cause);
        let effect = match self.current_snapshot.load_full() {
            Some(_) => "still serving the current one",
            None => "no generation is served, so look-ups answer 503",
        };
        match &failure {
            Some(PullFailure { cause, message }) if before != Some(*cause) => tracing::error!(
                error = message,
                cause = cause.as_str(),
                "cannot pull the newest generation; {effect}. Will retry; SIGHUP retries now"
            ),
            None if before.is_some() => tracing::info!("pulling generations works again"),
            _ => {}
        }
        let is_failing = failure.is_some();
        self.last_failure = failure;
        self.update_status();
        metrics::PULL_FAILING.set_flag(is_failing);
        if let Some(cause) = cause {
            metrics::count_failure(cause);
        }
    }

    fn update_status(&mut self) {
        let snapshot = self.current_snapshot.load_full();
        let served = snapshot.as_deref().and_then(|snapshot| snapshot.manifest());
        if let Some((listed, manifest)) = &self.state.last_pulled
            && served == Some(manifest)
        {
            self.served_publication = Some(listed.publication);
        }
        let refused_layout = self.state.unsupported_layout();
        let failed = self.last_failure.as_ref();
        self.status.send_replace(PullStatus {
            newest: self.state.newest,
            served: self.served_publication,
            refused_layout,
            failed: failed.map(|failure| failure.message.clone()),
        });
        metrics::set_publications(self.state.newest, self.served_publication);
        metrics::LAYOUT_UNSUPPORTED.set_flag(refused_layout.is_some());
    }
}

/// Converts a panic into an error, so that a bug ends only the current poll. The next poll continues an incomplete pull.
async fn catch_panic<T>(poll: impl Future<Output = Result<T, PullError>>) -> Result<T, PullError> {
    let outcome = AssertUnwindSafe(poll).catch_unwind().await;
    outcome.unwrap_or(Err(PullError::Panicked))
}

#[cfg(test)]
mod tests {
    use super::error::PullFailureCause;
    use super::*;

    #[tokio::test]
    async fn a_panic_in_a_poll_is_an_internal_failure() {
        let poll = catch_panic(async {
            let pulled: Result<(), PullError> = Ok(());
            assert!(pulled.is_err(), "a bug");
            pulled
        });
        assert_eq!(
            poll.await.expect_err("the task panicked").cause(),
            PullFailureCause::Internal
        );
    }
}
