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

use crate::sync::{Bucket, BucketUrl, ListedPublication, Publication};
use futures_util::FutureExt as _;
use postduif_schema::{DataFolder, GenerationName, LockError};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::snapshot::Live;
use error::{Failed, PullError};
use local_generations::Shelf;
use state::{Patience, Seen};

/// Where generations are taken from, how often that is looked at, and how many stay.
#[derive(Debug, Clone)]
pub struct PullFrom {
    /// The bucket.
    pub bucket: BucketUrl,
    /// Between looks.
    pub every: Duration,
    /// Generations to keep on disk, at least 1. While another one comes there is one more of them, where the disk has room.
    pub keep: usize,
}

/// Wakes those who follow generations, from the data folder and from a bucket.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Has the data folder looked at.
    pub folder: Arc<Notify>,
    bucket: Arc<Notify>,
}

impl Asked {
    /// Has everything looked at now.
    pub fn look(&self) {
        self.bucket.notify_one();
        self.folder.notify_one();
    }
}

/// How the taking of generations goes, for the operator.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Pulled {
    /// The highest publication that was seen.
    pub newest: Option<Publication>,
    /// The one that is served, once this process has taken it.
    pub served: Option<Publication>,
    /// The layout of the newest one, where this postduif does not read it.
    pub refused_layout: Option<u32>,
    /// Why the last round failed; none when it went well.
    pub failed: Option<String>,
}

/// Keeps a data folder at the newest publication of a bucket.
pub struct Puller {
    from: PullFrom,
    /// None until it could be opened.
    bucket: Option<Bucket>,
    shelf: Shelf,
    live: Arc<Live>,
    asked: Asked,
    seen: Seen,
    served: Option<Publication>,
    failed: Option<Failed>,
    /// The generation that was read whole because it did not open, and was as published.
    cleared: Option<GenerationName>,
}

/// What came of a round, or of one publication in it.
enum Round {
    Taken,
    /// There is nothing to take that this postduif reads.
    Nothing,
    /// What there is to take failed before, and is left alone for a while.
    Waits(Failed),
}

impl Puller {
    /// Will keep `data` at the newest publication, once it [follows](Self::follow). From now on the folder is this process's
    /// alone to change.
    ///
    /// # Errors
    /// When another process changes it, or it cannot be written.
    pub fn new(
        data: DataFolder,
        from: PullFrom,
        live: Arc<Live>,
        asked: Asked,
    ) -> Result<Self, LockError> {
        Ok(Self {
            shelf: Shelf::lock(data)?,
            from,
            bucket: None,
            live,
            asked,
            seen: Seen::default(),
            served: None,
            failed: None,
            cleared: None,
        })
    }

    /// Looks and takes, until `stop` is cancelled; what is under way then is left as it is.
    pub async fn follow(mut self, stop: CancellationToken) {
        let follow = async {
            let mut patience = Patience::up_to(self.from.every, Patience::WITH_A_BUCKET);
            loop {
                let outcome = caught(self.round()).await;
                let wait = match &outcome {
                    Err(error) if error.cause().stops_looking() => patience.after_failure(),
                    _ => patience.after_success(),
                };
                self.tell(outcome);
                if self.rest(wait).await {
                    // Whatever was seen and failed before.
                    self.seen.forget();
                }
            }
        };
        stop.run_until_cancelled(follow).await;
    }

    async fn round(&mut self) -> Result<Round, PullError> {
        let bucket = self.bucket().await?;
        let later = self.seen.look(&bucket).await?;
        // What opens may be looked into again, should it ever fail to.
        self.cleared = self.cleared.filter(|_| self.live.failed().is_some());
        let round = self.take_newest(&bucket, later).await?;
        if !matches!(round, Round::Taken)
            && let Some((taken, manifest)) = self.seen.taken.clone()
            && self.is_suspect(manifest.generation)
            && let Round::Taken = self.attempt(&bucket, taken).await?
        {
            self.cleared = Some(manifest.generation);
        }
        Ok(round)
    }

    async fn bucket(&mut self) -> Result<Bucket, PullError> {
        if let Some(bucket) = &self.bucket {
            return Ok(bucket.clone());
        }
        let url = self.from.bucket.clone();
        let opened = self.on_disk(move |_| Ok(Bucket::open(&url)?)).await?;
        Ok(self.bucket.insert(opened).clone())
    }

    /// Takes the newest of these. Where nothing is served, and only there, an earlier one is better than none.
    async fn take_newest(
        &mut self,
        bucket: &Bucket,
        later: Vec<ListedPublication>,
    ) -> Result<Round, PullError> {
        let (is_bare, mut first) = (self.is_bare(), None);
        for listed in later {
            let publication = listed.publication.number();
            let outcome = match self.attempt(bucket, listed).await {
                Ok(Round::Nothing) => continue,
                Err(error) if !error.cause().rests() => return Err(error),
                outcome => outcome,
            };
            if let (true, Err(error)) = (is_bare, &outcome) {
                tracing::warn!(
                    publication,
                    %error,
                    "a publication cannot be taken, and nothing is served: an earlier one is taken until it can be"
                );
            }
            let is_end = !is_bare || matches!(outcome, Ok(Round::Taken));
            first.get_or_insert(outcome);
            if is_end {
                break;
            }
        }
        first.unwrap_or(Ok(Round::Nothing))
    }

    /// Whether nothing is served, and nothing that is named is about to be.
    fn is_bare(&self) -> bool {
        let is_named = || matches!(self.shelf.current(), Ok(Some(_)));
        self.live.snapshot().is_none() && (self.live.failed().is_some() || !is_named())
    }

    /// Takes a publication, unless it failed a moment ago.
    async fn attempt(
        &mut self,
        bucket: &Bucket,
        listed: ListedPublication,
    ) -> Result<Round, PullError> {
        let publication = listed.publication;
        if let Some(failed) = self.seen.rests(publication) {
            return Ok(Round::Waits(failed));
        }
        let outcome = self.read_and_take(bucket, listed).await;
        if let Err(error) = &outcome {
            self.seen.failed(publication, error, self.from.every);
        }
        outcome
    }

    async fn read_and_take(
        &mut self,
        bucket: &Bucket,
        listed: ListedPublication,
    ) -> Result<Round, PullError> {
        let Some(manifest) = self.seen.read(bucket, listed.publication).await? else {
            return Ok(Round::Nothing);
        };
        self.take(bucket, listed.publication, &manifest).await?;
        self.seen.took(listed, manifest);
        // And not only once it is served: it may not open.
        self.tidy().await;
        Ok(Round::Taken)
    }

    /// Whether a generation does not open although it is named, and it was not looked into yet.
    fn is_suspect(&self, generation: GenerationName) -> bool {
        let failed = self.live.failed().and_then(|failed| failed.generation);
        failed == Some(generation) && self.cleared != failed
    }

    /// Waits for the next round, and tidies up whenever another generation is served. Says whether somebody asked for it.
    async fn rest(&mut self, wait: Duration) -> bool {
        let end = Instant::now() + wait;
        let (live, asked) = (self.live.clone(), self.asked.bucket.clone());
        loop {
            tokio::select! {
                () = asked.notified() => return true,
                () = live.swapped() => self.tidy().await,
                () = sleep_until(end) => return false,
            }
        }
    }

    async fn tidy(&mut self) {
        self.show();
        self.prune(self.from.keep).await;
    }

    /// Deletes all but the `keep` generations that were taken last, the one that is named and the one that is served.
    async fn prune(&self, keep: usize) {
        // While this is held nothing is being opened, so what is neither named nor served is nobody's.
        let _nothing_opens = self.live.opening().await;
        let served = self.live.snapshot();
        let served = served.and_then(|served| Some(served.manifest()?.generation));
        let pruned = self.on_disk(move |shelf| shelf.prune(keep, served)).await;
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
    fn tell(&mut self, outcome: Result<Round, PullError>) {
        let (failed, cause) = match outcome {
            Ok(Round::Waits(failed)) => (Some(failed), None),
            Ok(Round::Taken | Round::Nothing) => (None, None),
            Err(error) => (Some(Failed::by(&error)), Some(error.cause())),
        };
        let before = self.failed.as_ref().map(|failed| failed.cause);
        match &failed {
            Some(Failed { cause, told }) if before != Some(*cause) => tracing::error!(
                error = told,
                cause = cause.word(),
                "the newest generation cannot be taken; what is served goes on, and it is tried again, at once on SIGHUP"
            ),
            None if before.is_some() => tracing::info!("generations can be taken again"),
            _ => {}
        }
        let is_failing = failed.is_some();
        self.failed = failed;
        self.show();
        metrics::is_failing(is_failing);
        if let Some(cause) = cause {
            metrics::failed(cause);
        }
    }

    /// Shows which publications there are and which one is served.
    fn show(&mut self) {
        let live = self.live.snapshot();
        let live = live.as_deref().and_then(|live| live.manifest());
        if let Some((taken, manifest)) = &self.seen.taken
            && live == Some(manifest)
        {
            self.served = Some(taken.publication);
        }
        let refused_layout = self.seen.refused_layout();
        self.live.set_pulled(Pulled {
            newest: self.seen.newest,
            served: self.served,
            refused_layout,
            failed: self.failed.as_ref().map(|failed| failed.told.clone()),
        });
        metrics::publications(self.seen.newest, self.served);
        metrics::layout_refused(refused_layout.is_some());
    }
}

/// A fault of ours ends one round, and not all that would come after it. What a round leaves half done the next one finds.
async fn caught<T>(round: impl Future<Output = Result<T, PullError>>) -> Result<T, PullError> {
    let outcome = AssertUnwindSafe(round).catch_unwind().await;
    outcome.unwrap_or(Err(PullError::Panicked))
}

#[cfg(test)]
mod tests {
    use super::error::Cause;
    use super::*;

    #[tokio::test]
    async fn a_round_that_panics_is_a_failed_one() {
        let round = caught(async {
            let taken: Result<(), PullError> = Ok(());
            assert!(taken.is_err(), "a fault");
            taken
        });
        assert_eq!(round.await.expect_err("it failed").cause(), Cause::Fault);
    }
}
