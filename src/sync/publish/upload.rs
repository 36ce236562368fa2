//! The files of a generation that a bucket lacks.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use crate::sync::{BucketError, BucketFile, UploadFile};
use futures_util::{StreamExt as _, stream};

use super::BucketPublisher;
use super::publication_list::PublicationList;
use super::source::PublishSource;
use postduif_schema::{IndexProgress, IndexStep};

/// Files that are under way at once. Each has some parts under way.
const MAX_CONCURRENT_UPLOADS: usize = 4;

/// What was brought.
pub(super) struct UploadCounts {
    pub(super) files: u64,
    /// Their sizes together.
    pub(super) bytes: u64,
}

impl BucketPublisher {
    /// Brings every file that is not there, or not as it should be; with `check` those that are there are read for it.
    pub(super) async fn upload_missing(
        &self,
        source: &PublishSource,
        publications: &PublicationList,
        verify_existing: bool,
        progress: &dyn IndexProgress,
    ) -> Result<UploadCounts, BucketError> {
        let existing = self.bucket.list_files().await?;
        let is_missing = |file: &&UploadFile| self.needs_upload(file, &existing, publications);
        let (mut missing, present): (Vec<_>, Vec<_>) = source.files.iter().partition(is_missing);
        if verify_existing {
            missing.extend(self.find_damaged(present, progress).await?);
        }
        let sizes = missing.iter().map(|file| file.entry.bytes);
        let bytes = sizes.fold(0, u64::saturating_add);
        let files = missing.len() as u64;
        if files > 0 {
            progress.begin(IndexStep::Upload, bytes);
            self.upload_files(missing, progress).await?;
            progress.end(IndexStep::Upload);
        }
        Ok(UploadCounts { files, bytes })
    }

    /// Which of these are not in the bucket as they were published.
    async fn find_damaged<'a>(
        &self,
        files: Vec<&'a UploadFile>,
        progress: &dyn IndexProgress,
    ) -> Result<Vec<&'a UploadFile>, BucketError> {
        progress.begin(IndexStep::VerifyBeforeUpload, 0);
        let mut damaged = Vec::new();
        for file in files {
            if !self.bucket.is_intact(&file.entry).await? {
                damaged.push(file);
            }
        }
        progress.end(IndexStep::VerifyBeforeUpload);
        Ok(damaged)
    }

    /// One that nothing names could be taken away by a janitor before this publication names it, unless it is young.
    fn needs_upload(
        &self,
        file: &UploadFile,
        existing: &HashMap<String, BucketFile>,
        publications: &PublicationList,
    ) -> bool {
        let name = &file.entry.sha256;
        let Some(kept) = existing.get(name) else {
            return true;
        };
        let age = SystemTime::now().duration_since(kept.last_modified);
        let is_old = age.unwrap_or_default() > self.sweep_after / 2;
        kept.bytes != file.entry.bytes || is_old && !publications.references(name)
    }

    /// After a failure those that are under way come to their end: what is dropped half-way leaves parts in a store.
    async fn upload_files(
        &self,
        files: Vec<&UploadFile>,
        progress: &dyn IndexProgress,
    ) -> Result<(), BucketError> {
        let failed = AtomicBool::new(false);
        let on_progress = |bytes| progress.advance(IndexStep::Upload, bytes);
        // Made before the stream is: a closure in it would have to be one for all lifetimes, which the compiler cannot tell.
        let uploads: Vec<_> = files
            .into_iter()
            .map(|file| self.upload_one(file, &on_progress, &failed))
            .collect();
        let uploads = stream::iter(uploads).buffer_unordered(MAX_CONCURRENT_UPLOADS);
        let done: Vec<Result<(), BucketError>> = uploads.collect().await;
        done.into_iter().collect()
    }

    async fn upload_one(
        &self,
        file: &UploadFile,
        on_progress: &(dyn Fn(u64) + Sync),
        failed: &AtomicBool,
    ) -> Result<(), BucketError> {
        if failed.load(Ordering::Relaxed) {
            return Ok(());
        }
        let put = self.bucket.upload_with_progress(file, on_progress).await;
        failed.fetch_or(put.is_err(), Ordering::Relaxed);
        put
    }
}
