//! Bringing one generation here: what another generation here has is linked, the rest is downloaded, and only when all of it is
//! on disk and as published does it get its name. Knows nothing of which publication is to be taken.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::sync::{Bucket, Publication};
use futures_util::{StreamExt as _, stream};
use postduif_schema::{GenerationName, Manifest, StoredFile};
use tokio::time::Instant;

use super::Puller;
use super::error::PullError;
use super::local_generations::{Prepared, Shelf};
use super::metrics;
use super::metrics::Way;

/// Files that are downloaded at once.
const AT_ONCE: usize = 8;

impl Puller {
    /// Brings a generation here, unless it is here already, and names it as the one to serve.
    pub(super) async fn take(
        &self,
        bucket: &Bucket,
        publication: Publication,
        manifest: &Manifest,
    ) -> Result<(), PullError> {
        let began = Instant::now();
        let generation = manifest.generation;
        let suspect = self.is_suspect(generation);
        let (live, wanted) = (self.live.snapshot(), manifest.clone());
        let is_here = self.on_disk(move |shelf| {
            let served = live.as_deref().and_then(|live| live.manifest());
            let is_here = shelf.has((publication, &wanted), suspect, served)?;
            if is_here {
                shelf.clear_pulling()?;
            }
            Ok(is_here)
        });
        let came = if is_here.await? {
            Prepared::default()
        } else {
            self.fetch(bucket, publication, manifest).await?
        };
        self.on_disk(move |shelf| shelf.serve(generation)).await?;
        self.asked.folder.notify_one();
        let seconds = began.elapsed().as_secs_f64();
        metrics::took(seconds);
        tracing::info!(
            publication = publication.number(),
            %generation,
            downloaded = came.missing.len(),
            downloaded_bytes = came.missing_bytes(),
            linked = came.linked.len(),
            seconds,
            "generation is taken"
        );
        Ok(())
    }

    /// Brings all of a generation to disk under its name. What came whole stays for the next try, unless the disk is full.
    async fn fetch(
        &self,
        bucket: &Bucket,
        publication: Publication,
        manifest: &Manifest,
    ) -> Result<Prepared, PullError> {
        let fetched = self.fetch_whole(bucket, publication, manifest).await;
        if fetched.as_ref().is_err_and(PullError::is_full) {
            self.on_disk(Shelf::clear_pulling).await?;
        }
        fetched
    }

    async fn fetch_whole(
        &self,
        bucket: &Bucket,
        publication: Publication,
        manifest: &Manifest,
    ) -> Result<Prepared, PullError> {
        let wanted = manifest.clone();
        let prepare = move |shelf: &Shelf| shelf.prepare((publication, &wanted));
        let prepared = self.on_disk(prepare).await?;
        for file in &prepared.linked {
            metrics::came(file, Way::Linked);
        }
        self.make_room(prepared.missing_bytes(), manifest.generation)
            .await?;
        self.download_all(bucket, &prepared).await?;
        let wanted = manifest.clone();
        self.on_disk(move |shelf| shelf.publish(wanted)).await?;
        Ok(prepared)
    }

    /// Has room for so many bytes, for which earlier generations may have to go before their time.
    async fn make_room(&self, wanted: u64, generation: GenerationName) -> Result<(), PullError> {
        let ask = || self.on_disk(move |shelf| shelf.has_room(wanted, generation));
        match ask().await {
            Err(PullError::Full { .. }) => {
                self.prune(0).await;
                ask().await
            }
            answer => answer,
        }
    }

    /// Once one fails no other begins, but those that are under way come to their end: they need not come twice.
    async fn download_all(&self, bucket: &Bucket, prepared: &Prepared) -> Result<(), PullError> {
        let failed = AtomicBool::new(false);
        let downloads = prepared.missing.iter();
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
        let outcomes = stream::iter(downloads).buffer_unordered(AT_ONCE);
        let outcomes: Vec<Result<(), PullError>> = outcomes.collect().await;
        outcomes.into_iter().collect()
    }

    /// Downloads the file at a place of the manifest. It has its name once all of it is here.
    async fn download(
        &self,
        bucket: &Bucket,
        at: usize,
        file: &StoredFile,
    ) -> Result<(), PullError> {
        let pulling = self.shelf.pulling();
        let (part, path) = (
            pulling.join(format!(".part-{at}")),
            pulling.join(&file.path),
        );
        bucket.download(file, &part).await?;
        let renamed = tokio::fs::rename(&part, &path).await;
        renamed.map_err(|source| PullError::Io { path, source })?;
        metrics::came(file, Way::Downloaded);
        Ok(())
    }

    /// Does what may take long on a thread of its own.
    pub(super) async fn on_disk<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Shelf) -> Result<T, PullError> + Send + 'static,
    ) -> Result<T, PullError> {
        let shelf = self.shelf.clone();
        tokio::task::spawn_blocking(move || work(&shelf))
            .await
            .unwrap_or(Err(PullError::Panicked))
    }
}
