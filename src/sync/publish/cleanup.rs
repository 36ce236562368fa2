//! Deletes old publications, files that no publication refers to, and leftovers of interrupted uploads from a bucket.
//!
//! A file to which no publication refers yet may belong to a publication that another publisher is about to write. So files younger
//! than `sweep_after` are not deleted, and a publisher does not reuse old unreferenced files but uploads them again. If the cleanup
//! still deletes a file that the other publisher needs, that publisher uploads the file again, because it checks all its files at the
//! end. Files to which publications of other layouts refer are kept too.

use std::time::{SystemTime, UNIX_EPOCH};

use super::BucketPublisher;
use super::outcome::PublishOutcome;
use super::publication_list::PublicationList;
use crate::sync::bucket::delete_unfinished_uploads;
use crate::sync::{BucketError, PublicationNumber, PublishedManifest};

/// How many times another publisher may interrupt the cleanup before the cleanup gives up.
const MAX_ATTEMPTS: usize = 10;

/// Deletes old publications and files from a bucket.
pub(super) struct BucketCleanup<'a>(pub(super) &'a BucketPublisher);

impl BucketCleanup<'_> {
    pub(super) async fn run(&self, outcome: &mut PublishOutcome) -> Result<(), BucketError> {
        for _ in 0..MAX_ATTEMPTS {
            if self.try_run(outcome).await? {
                return Ok(());
            }
        }
        outcome.warnings.push(format!(
            "cleanup incomplete: another publisher was active in all {MAX_ATTEMPTS} attempts; the next run of the publisher will finish it"
        ));
        Ok(())
    }

    /// Cleans up once. Returns `false` if another publisher wrote a publication meanwhile. Nodes may still be reading the files of an
    /// old publication, and another publisher may be about to refer to them. So the publication is deleted last, and its files are
    /// deleted only in the next run.
    async fn try_run(&self, outcome: &mut PublishOutcome) -> Result<bool, BucketError> {
        let publications = PublicationList::read(&self.0.bucket).await?;
        // If the local clock is ahead of the bucket's clock, files that other publishers are uploading now would look old. So the
        // time of the last publication is used if it is earlier than the local time.
        let now = publications
            .last_modified
            .map_or(UNIX_EPOCH, |modified| modified.min(SystemTime::now()));
        let before = now - self.0.sweep_after;
        delete_unfinished_uploads(&self.0.bucket, before).await?;
        if !self
            .delete_unreferenced_files(&publications, before, outcome)
            .await?
            || self.has_newer_publication(&publications).await?
        {
            return Ok(false);
        }
        for PublishedManifest { publication, .. } in
            publications.older_than_newest(self.0.keep.get())
        {
            self.0.bucket.delete_manifest(*publication).await?;
            outcome.removed_publications.push(*publication);
        }
        Ok(true)
    }

    /// Deletes unreferenced files that were last written before `before`. Returns `false` if another publisher wrote a publication
    /// meanwhile. If a publication cannot be read, deletes nothing, adds a warning and returns `true`.
    async fn delete_unreferenced_files(
        &self,
        publications: &PublicationList,
        before: SystemTime,
        outcome: &mut PublishOutcome,
    ) -> Result<bool, BucketError> {
        let referenced = match publications.referenced_files() {
            Ok(referenced) => referenced,
            Err(publication) => {
                outcome.warn_once(&unreadable_warning(publication));
                return Ok(true);
            }
        };
        let mut old = self.0.bucket.list_files().await?;
        old.retain(|name, file| file.last_modified < before && !referenced.contains(name.as_str()));
        for name in old.keys() {
            // Look before each file, because a publication that was written a moment ago may refer to the file.
            if self.has_newer_publication(publications).await? {
                return Ok(false);
            }
            self.0.bucket.delete_file(name).await?;
            outcome.removed_files += 1;
        }
        Ok(true)
    }

    async fn has_newer_publication(
        &self,
        publications: &PublicationList,
    ) -> Result<bool, BucketError> {
        let newer = self.0.bucket.list_publications(publications.highest);
        Ok(!newer.await?.is_empty())
    }
}

fn unreadable_warning(publication: PublicationNumber) -> String {
    format!(
        "old files are kept: publication {publication} cannot be read, so its files are unknown; the publication is deleted once \
                 there are enough newer ones"
    )
}
