//! What is old is taken away: publications that are too many, files that none names, and what was left unfinished.
//!
//! A file that another publisher is about to name is young, or that publisher puts it anew; what was taken away all the same
//! it finds missing afterwards. Publications of other layouts protect their files too.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::sync::{BucketError, PublicationNumber, PublishedManifest};

use super::publication_list::PublicationList;
use super::{BucketPublisher, MAX_ATTEMPTS, PublishOutcome};

impl BucketPublisher {
    pub(super) async fn clean_up(&self, outcome: &mut PublishOutcome) -> Result<(), BucketError> {
        for _ in 0..MAX_ATTEMPTS {
            if self.try_clean_up(outcome).await? {
                return Ok(());
            }
        }
        outcome.warnings.push(format!(
            "what is old was not all taken away: {MAX_ATTEMPTS} times others published meanwhile; they, or the next publication, do it"
        ));
        Ok(())
    }

    /// Whether it came to its end; not when there is a new publication meanwhile. Publications go last: what they name stays
    /// once more, for those who read it and for a publisher that still counts on it.
    async fn try_clean_up(&self, outcome: &mut PublishOutcome) -> Result<bool, BucketError> {
        let publications = PublicationList::read(&self.bucket).await?;
        // Never later than the bucket's own clock: one here that is ahead would make old what others are bringing just now.
        let now = publications
            .last_modified()
            .map_or(UNIX_EPOCH, |touched| touched.min(SystemTime::now()));
        let before = now - self.sweep_after;
        self.bucket.delete_unfinished_uploads(before).await?;
        if !self
            .delete_unreferenced_files(&publications, before, outcome)
            .await?
            || self.has_newer_publication(&publications).await?
        {
            return Ok(false);
        }
        for PublishedManifest { publication, .. } in publications.older_than_newest(self.keep.get())
        {
            self.bucket.delete_manifest(*publication).await?;
            outcome.removed_publications.push(*publication);
        }
        Ok(true)
    }

    /// Takes away the files from before then that nothing names; whether it came to its end.
    async fn delete_unreferenced_files(
        &self,
        publications: &PublicationList,
        before: SystemTime,
        outcome: &mut PublishOutcome,
    ) -> Result<bool, BucketError> {
        let referenced = match publications.referenced_files() {
            Ok(named) => named,
            Err(publication) => {
                outcome.warn_once(&unreadable_warning(publication));
                return Ok(true);
            }
        };
        let mut old = self.bucket.list_files().await?;
        old.retain(|name, kept| kept.last_modified < before && !referenced.contains(name.as_str()));
        for name in old.keys() {
            // A publication that came a moment ago may name it.
            if self.has_newer_publication(publications).await? {
                return Ok(false);
            }
            self.bucket.delete_file(name).await?;
            outcome.removed_files += 1;
        }
        Ok(true)
    }

    async fn has_newer_publication(
        &self,
        publications: &PublicationList,
    ) -> Result<bool, BucketError> {
        let after = self
            .bucket
            .publication_numbers(publications.highest())
            .await?;
        Ok(!after.is_empty())
    }
}

fn unreadable_warning(publication: PublicationNumber) -> String {
    format!(
        "old files stay: publication {publication} cannot be read, so nobody knows which files it names; it goes away itself once \
         newer ones have come"
    )
}
