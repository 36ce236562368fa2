//! What is old is taken away: publications that are too many, files that none names, and what was left unfinished.
//!
//! A file that another publisher is about to name is young, or that publisher puts it anew; what was taken away all the same
//! it finds missing afterwards. Publications of other layouts protect their files too.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::sync::{BucketError, Look, Publication};

use super::publication_list::Shelf;
use super::{InBucket, TRIES, ToBucket};

impl ToBucket {
    pub(super) async fn tidy(&self, told: &mut InBucket) -> Result<(), BucketError> {
        for _ in 0..TRIES {
            if self.try_tidy(told).await? {
                return Ok(());
            }
        }
        told.warnings.push(format!(
            "what is old was not all taken away: {TRIES} times others published meanwhile; they, or the next publication, do it"
        ));
        Ok(())
    }

    /// Whether it came to its end; not when there is a new publication meanwhile. Publications go last: what they name stays
    /// once more, for those who read it and for a publisher that still counts on it.
    async fn try_tidy(&self, told: &mut InBucket) -> Result<bool, BucketError> {
        let shelf = Shelf::read(&self.bucket).await?;
        // Never later than the bucket's own clock: one here that is ahead would make old what others are bringing just now.
        let now = shelf
            .touched()
            .map_or(UNIX_EPOCH, |touched| touched.min(SystemTime::now()));
        let before = now - self.sweep_after;
        self.bucket.remove_unfinished(before).await?;
        if !self.sweep(&shelf, before, told).await? || self.has_more_than(&shelf).await? {
            return Ok(false);
        }
        for Look { publication, .. } in shelf.beyond(self.keep.get()) {
            self.bucket.remove_manifest(*publication).await?;
            told.removed_publications.push(*publication);
        }
        Ok(true)
    }

    /// Takes away the files from before then that nothing names; whether it came to its end.
    async fn sweep(
        &self,
        shelf: &Shelf,
        before: SystemTime,
        told: &mut InBucket,
    ) -> Result<bool, BucketError> {
        let named = match shelf.named() {
            Ok(named) => named,
            Err(publication) => {
                told.warn_once(&unreadable(publication));
                return Ok(true);
            }
        };
        let mut old = self.bucket.files().await?;
        old.retain(|name, kept| kept.since < before && !named.contains(name.as_str()));
        for name in old.keys() {
            // A publication that came a moment ago may name it.
            if self.has_more_than(shelf).await? {
                return Ok(false);
            }
            self.bucket.remove_file(name).await?;
            told.removed_files += 1;
        }
        Ok(true)
    }

    async fn has_more_than(&self, shelf: &Shelf) -> Result<bool, BucketError> {
        let after = self.bucket.publications(shelf.highest()).await?;
        Ok(!after.is_empty())
    }
}

fn unreadable(publication: Publication) -> String {
    format!(
        "old files stay: publication {publication} cannot be read, so nobody knows which files it names; it goes away itself once \
         newer ones have come"
    )
}
