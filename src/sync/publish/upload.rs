//! The files of a generation that a bucket lacks.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use crate::sync::{BucketError, Kept, OpenFile};
use futures_util::{StreamExt as _, stream};

use super::ToBucket;
use super::publication_list::Shelf;
use super::source::Source;
use postduif_schema::{Progress, Step};

/// Files that are under way at once. Each has some parts under way.
const FILES_AT_ONCE: usize = 4;

/// What was brought.
pub(super) struct Brought {
    pub(super) files: u64,
    /// Their sizes together.
    pub(super) bytes: u64,
}

impl ToBucket {
    /// Brings every file that is not there, or not as it should be; with `check` those that are there are read for it.
    pub(super) async fn bring(
        &self,
        source: &Source,
        shelf: &Shelf,
        check: bool,
        progress: &dyn Progress,
    ) -> Result<Brought, BucketError> {
        let there = self.bucket.files().await?;
        let is_missing = |file: &&OpenFile| self.is_missing(file, &there, shelf);
        let (mut missing, present): (Vec<_>, Vec<_>) = source.files.iter().partition(is_missing);
        if check {
            missing.extend(self.damaged(present, progress).await?);
        }
        let sizes = missing.iter().map(|file| file.listed.bytes);
        let bytes = sizes.fold(0, u64::saturating_add);
        let files = missing.len() as u64;
        if files > 0 {
            progress.begin(Step::Upload, bytes);
            self.upload(missing, progress).await?;
            progress.end(Step::Upload);
        }
        Ok(Brought { files, bytes })
    }

    /// Which of these are not in the bucket as they were published.
    async fn damaged<'a>(
        &self,
        files: Vec<&'a OpenFile>,
        progress: &dyn Progress,
    ) -> Result<Vec<&'a OpenFile>, BucketError> {
        progress.begin(Step::Check, 0);
        let mut damaged = Vec::new();
        for file in files {
            if !self.bucket.is_sound(&file.listed).await? {
                damaged.push(file);
            }
        }
        progress.end(Step::Check);
        Ok(damaged)
    }

    /// One that nothing names could be taken away by a janitor before this publication names it, unless it is young.
    fn is_missing(&self, file: &OpenFile, there: &HashMap<String, Kept>, shelf: &Shelf) -> bool {
        let name = &file.listed.sha256;
        let Some(kept) = there.get(name) else {
            return true;
        };
        let age = SystemTime::now().duration_since(kept.since);
        let is_old = age.unwrap_or_default() > self.sweep_after / 2;
        kept.bytes != file.listed.bytes || is_old && !shelf.names(name)
    }

    /// After a failure those that are under way come to their end: what is dropped half-way leaves parts in a store.
    async fn upload(
        &self,
        files: Vec<&OpenFile>,
        progress: &dyn Progress,
    ) -> Result<(), BucketError> {
        let failed = AtomicBool::new(false);
        let sent = |bytes| progress.advance(Step::Upload, bytes);
        // Made before the stream is: a closure in it would have to be one for all lifetimes, which the compiler cannot tell.
        let uploads: Vec<_> = files
            .into_iter()
            .map(|file| self.upload_one(file, &sent, &failed))
            .collect();
        let uploads = stream::iter(uploads).buffer_unordered(FILES_AT_ONCE);
        let done: Vec<Result<(), BucketError>> = uploads.collect().await;
        done.into_iter().collect()
    }

    async fn upload_one(
        &self,
        file: &OpenFile,
        sent: &(dyn Fn(u64) + Sync),
        failed: &AtomicBool,
    ) -> Result<(), BucketError> {
        if failed.load(Ordering::Relaxed) {
            return Ok(());
        }
        let put = self.bucket.upload_open(file, sent).await;
        failed.fetch_or(put.is_err(), Ordering::Relaxed);
        put
    }
}
