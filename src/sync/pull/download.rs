//! Fetches one generation to disk. Hard-links the files that another local generation has, and downloads the others. Gives the
//! generation its name only after all files are verified and synced. Does not decide which publication to pull.

use std::sync::Arc;

use postduif_schema::{FileEntry, FileError, GenerationName, Manifest};

use super::error::PullError;
use super::local_generations::{LocalGenerations, PullPlan};
use super::metrics::{self, FileTransfer};
use crate::snapshot::CurrentSnapshot;
use crate::sync::bucket::{download, run_transfers};
use crate::sync::{Bucket, PublicationNumber};

/// Maximum number of files that are downloaded at once.
const PARALLEL_DOWNLOADS: usize = 8;

/// Fetches generations into the data folder, and deletes generations that are no longer needed.
pub(super) struct GenerationPuller {
    pub(super) generations: LocalGenerations,
    pub(super) current_snapshot: Arc<CurrentSnapshot>,
}

impl GenerationPuller {
    /// Fetches a generation unless it is already present. Returns the files that were fetched. After a failure, complete files
    /// stay for the next attempt, unless the disk is full.
    pub(super) async fn fetch(
        &self,
        bucket: &Bucket,
        (publication, manifest): (PublicationNumber, &Manifest),
        must_verify: bool,
    ) -> Result<PullPlan, PullError> {
        let (snapshot, wanted) = (self.current_snapshot.load_full(), manifest.clone());
        let is_present = self.run_blocking(move |generations| {
            let served = snapshot.as_deref().and_then(|snapshot| snapshot.manifest());
            let is_present =
                generations.check_present((publication, &wanted), must_verify, served)?;
            if is_present {
                generations.clear_pulling()?;
            }
            Ok(is_present)
        });
        if is_present.await? {
            return Ok(PullPlan::default());
        }
        let fetched = self.pull_missing(bucket, publication, manifest).await;
        if fetched.as_ref().is_err_and(PullError::is_disk_full) {
            self.run_blocking(LocalGenerations::clear_pulling).await?;
        }
        fetched
    }

    async fn pull_missing(
        &self,
        bucket: &Bucket,
        publication: PublicationNumber,
        manifest: &Manifest,
    ) -> Result<PullPlan, PullError> {
        let wanted = manifest.clone();
        let plan_fetch =
            move |generations: &LocalGenerations| generations.plan_fetch((publication, &wanted));
        let plan = self.run_blocking(plan_fetch).await?;
        for file in &plan.linked {
            metrics::count_file(file, FileTransfer::Linked);
        }
        self.ensure_free_space(plan.missing_bytes(), manifest.generation)
            .await?;
        let downloads = plan.missing.iter();
        let downloads = downloads.map(|(index, file)| self.download(bucket, *index, file));
        run_transfers(downloads.collect(), PARALLEL_DOWNLOADS).await?;
        let wanted = manifest.clone();
        self.run_blocking(move |generations| generations.finish_pulled(wanted))
            .await?;
        Ok(plan)
    }

    /// Deletes earlier generations if the disk has too little space for a new one. Fails if the space is still too little.
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
            Err(PullError::DiskFull(_)) => {
                self.prune(0).await;
                check_free_space().await
            }
            result => result,
        }
    }

    /// Downloads the file with this index in the manifest under a temporary name, and renames it once it is complete.
    async fn download(
        &self,
        bucket: &Bucket,
        index: usize,
        file: &FileEntry,
    ) -> Result<(), PullError> {
        let pulling = self.generations.pulling_path();
        let (part, path) = (
            pulling.join(format!(".part-{index}")),
            pulling.join(&file.path),
        );
        download(bucket, file, &part).await?;
        let renamed = tokio::fs::rename(&part, &path).await;
        renamed.map_err(FileError::with_path(&path))?;
        metrics::count_file(file, FileTransfer::Downloaded);
        Ok(())
    }

    /// Deletes old generations and logs the result. Keeps the `keep` generations that were pulled last, the current one and the
    /// served one.
    pub(super) async fn prune(&self, keep: usize) {
        // While this guard exists, no generation can be opened. So only the current generation and the served one can be in use.
        let _open_guard = self.current_snapshot.lock_opening().await;
        let served = self.current_snapshot.load_full();
        let served = served.and_then(|served| Some(served.manifest()?.generation));
        let pruned = self
            .run_blocking(move |generations| generations.prune(keep, served))
            .await;
        match pruned {
            Ok(deleted) => {
                for generation in deleted {
                    tracing::info!(%generation, "deleted an old generation");
                }
            }
            Err(error) => {
                tracing::warn!(%error, "cannot delete old generations; will retry after the next pull");
            }
        }
    }

    /// Runs file operations on a blocking thread.
    pub(super) async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&LocalGenerations) -> Result<T, PullError> + Send + 'static,
    ) -> Result<T, PullError> {
        let generations = self.generations.clone();
        tokio::task::spawn_blocking(move || work(&generations))
            .await
            .unwrap_or_else(|error| Err(error.into()))
    }
}
