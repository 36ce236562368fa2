//! Bringing one generation here: what another generation here has is linked, the rest is downloaded, and only when all of it is
//! on disk and as published does it get its name. Knows nothing of which publication is to be taken.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::sync::{Bucket, PublicationNumber};
use futures_util::{StreamExt as _, stream};
use postduif_schema::{FileEntry, GenerationName, Manifest};
use tokio::time::Instant;

use super::Puller;
use super::error::PullError;
use super::local_generations::{FetchPlan, LocalGenerations};
use super::metrics;
use super::metrics::FileTransfer;

/// Files that are downloaded at once.
const PARALLEL_DOWNLOADS: usize = 8;

impl Puller {
    /// Brings a generation here, unless it is here already, and names it as the one to serve.
    pub(super) async fn pull_generation(
        &self,
        bucket: &Bucket,
        publication: PublicationNumber,
        manifest: &Manifest,
    ) -> Result<(), PullError> {
        let started = Instant::now();
        let generation = manifest.generation;
        let must_verify = self.needs_verification(generation);
        let (live, wanted) = (self.current_snapshot.load_full(), manifest.clone());
        let is_here = self.run_blocking(move |generations| {
            let served = live.as_deref().and_then(|live| live.manifest());
            let is_here = generations.check_present((publication, &wanted), must_verify, served)?;
            if is_here {
                generations.clear_pulling()?;
            }
            Ok(is_here)
        });
        let fetched = if is_here.await? {
            FetchPlan::default()
        } else {
            self.fetch_generation(bucket, publication, manifest).await?
        };
        self.run_blocking(move |generations| generations.set_current(generation))
            .await?;
        self.triggers.data_folder.notify_one();
        let seconds = started.elapsed().as_secs_f64();
        metrics::set_duration(seconds);
        tracing::info!(
            publication = publication.get(),
            %generation,
            downloaded = fetched.missing.len(),
            downloaded_bytes = fetched.missing_bytes(),
            linked = fetched.linked.len(),
            seconds,
            "generation is taken"
        );
        Ok(())
    }

    /// Brings all of a generation to disk under its name. What came whole stays for the next try, unless the disk is full.
    async fn fetch_generation(
        &self,
        bucket: &Bucket,
        publication: PublicationNumber,
        manifest: &Manifest,
    ) -> Result<FetchPlan, PullError> {
        let fetched = self.fetch_missing(bucket, publication, manifest).await;
        if fetched.as_ref().is_err_and(PullError::is_disk_full) {
            self.run_blocking(LocalGenerations::clear_pulling).await?;
        }
        fetched
    }

    async fn fetch_missing(
        &self,
        bucket: &Bucket,
        publication: PublicationNumber,
        manifest: &Manifest,
    ) -> Result<FetchPlan, PullError> {
        let wanted = manifest.clone();
        let plan_fetch =
            move |generations: &LocalGenerations| generations.plan_fetch((publication, &wanted));
        let plan = self.run_blocking(plan_fetch).await?;
        for file in &plan.linked {
            metrics::count_file(file, FileTransfer::Linked);
        }
        self.ensure_free_space(plan.missing_bytes(), manifest.generation)
            .await?;
        self.download_all(bucket, &plan).await?;
        let wanted = manifest.clone();
        self.run_blocking(move |generations| generations.finish_pulled(wanted))
            .await?;
        Ok(plan)
    }

    /// Has room for so many bytes, for which earlier generations may have to go before their time.
    async fn ensure_free_space(
        &self,
        needed_bytes: u64,
        generation: GenerationName,
    ) -> Result<(), PullError> {
        let check_free_space = || {
            self.run_blocking(move |generations| {
                generations.check_free_space(needed_bytes, generation)
            })
        };
        match check_free_space().await {
            Err(PullError::DiskFull { .. }) => {
                self.prune_generations(0).await;
                check_free_space().await
            }
            answer => answer,
        }
    }

    /// Once one fails no other begins, but those that are under way come to their end: they need not come twice.
    async fn download_all(&self, bucket: &Bucket, plan: &FetchPlan) -> Result<(), PullError> {
        let failed = AtomicBool::new(false);
        let downloads = plan.missing.iter();
        let downloads: Vec<_> = downloads
            .map(async |(at, file)| {
                if failed.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let outcome = self.download(bucket, *at, file).await;
                failed.fetch_or(outcome.is_err(), Ordering::Relaxed);
                outcome
            })
            .collect();
        let outcomes = stream::iter(downloads).buffer_unordered(PARALLEL_DOWNLOADS);
        let outcomes: Vec<Result<(), PullError>> = outcomes.collect().await;
        outcomes.into_iter().collect()
    }

    /// Downloads the file at a place of the manifest. It has its name once all of it is here.
    async fn download(
        &self,
        bucket: &Bucket,
        at: usize,
        file: &FileEntry,
    ) -> Result<(), PullError> {
        let pulling = self.generations.pulling_path();
        let (part, path) = (
            pulling.join(format!(".part-{at}")),
            pulling.join(&file.path),
        );
        bucket.download(file, &part).await?;
        let renamed = tokio::fs::rename(&part, &path).await;
        renamed.map_err(|source| PullError::Io { path, source })?;
        metrics::count_file(file, FileTransfer::Downloaded);
        Ok(())
    }

    /// Does what may take long on a thread of its own.
    pub(super) async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&LocalGenerations) -> Result<T, PullError> + Send + 'static,
    ) -> Result<T, PullError> {
        let generations = self.generations.clone();
        tokio::task::spawn_blocking(move || work(&generations))
            .await
            .unwrap_or(Err(PullError::Panicked))
    }
}
