//! Publishes the served generation to a bucket, from which other nodes pull it.
//!
//! A publisher uploads the files that the bucket lacks, writes the manifest under the next number, and checks that all files are
//! still there. At the end, it deletes old publications and files. If a publisher is killed before it writes the manifest, nodes
//! see nothing of the attempt, and the next publisher reuses the uploaded files. The local files stay open, so the generation
//! may be deleted locally during the upload.
//!
//! Several publishers may run at once, because a manifest is only written under a free number. A store that ignores the condition
//! of a write cannot guarantee this. With such a store, the publisher warns that only one publisher may run at a time.

mod cleanup;
mod error;
mod outcome;
mod publication_list;
mod source;
#[cfg(test)]
mod tests;
mod upload;

use std::num::NonZeroUsize;
use std::time::Duration;

use postduif_schema::{DataFolder, IndexProgress, Manifest};

use crate::sync::{Bucket, BucketError, PublicationNumber};
use cleanup::BucketCleanup;
pub use error::BucketPublishError;
pub use outcome::PublishOutcome;
pub use publication_list::PublicationList;
use publication_list::PublicationSlot;
use source::PublishSource;
use upload::Uploader;

/// How many times another publisher may take the next number before this publisher gives up.
const MAX_ATTEMPTS: usize = 10;

const FIRST_PUBLICATION_WARNING: &str = "this folder had no publications, so numbering starts at 1; if there were \
     publications, check that the right folder is mounted";

const IGNORED_CONDITION_WARNING: &str = "this store has no conditional puts, so a publisher could overwrite the \
     publication of another: run only one publisher at a time";

/// Publishes the served generation to a bucket.
#[derive(Debug, Clone)]
pub struct BucketPublisher {
    /// The bucket.
    pub bucket: Bucket,
    /// How many of the newest publications to keep.
    pub keep: NonZeroUsize,
    /// Minimum age at which an unreferenced file is deleted. Must be longer than any run of a publisher takes.
    pub sweep_after: Duration,
    /// Publish the generation even if its state or layout is older than that of the newest publication.
    pub accept_older: bool,
    /// Read and verify every file that the bucket already has, instead of comparing only name and size.
    pub verify_existing: bool,
}

impl BucketPublisher {
    /// Publishes the generation that `CURRENT` names, unless it already is the newest publication. Uploads the files that
    /// the bucket lacks, and deletes old publications and files.
    ///
    /// # Errors
    /// If the generation is refused or damaged, or the bucket fails.
    pub async fn run(
        &self,
        data: &DataFolder,
        progress: &dyn IndexProgress,
    ) -> Result<PublishOutcome, BucketPublishError> {
        let mut outcome = self.publish_served(data, progress).await?;
        if let Err(error) = BucketCleanup(self).run(&mut outcome).await {
            outcome.warnings.push(format!(
                "published, but old publications and files could not be deleted: {error}"
            ));
        }
        Ok(outcome)
    }

    /// Publishes the served generation. If this fails and the served generation changed meanwhile, tries again with the new one.
    async fn publish_served(
        &self,
        data: &DataFolder,
        progress: &dyn IndexProgress,
    ) -> Result<PublishOutcome, BucketPublishError> {
        for _ in 1..MAX_ATTEMPTS {
            let name = source::served_generation(data)?;
            let published = match PublishSource::open(data, name).await {
                Ok(source) => self.publish_source(&source, progress).await,
                Err(error) => Err(error),
            };
            if published.is_ok() || source::served_generation(data)? == name {
                return published;
            }
        }
        let source = PublishSource::open(data, source::served_generation(data)?).await?;
        self.publish_source(&source, progress).await
    }

    async fn publish_source(
        &self,
        source: &PublishSource,
        progress: &dyn IndexProgress,
    ) -> Result<PublishOutcome, BucketPublishError> {
        let manifest = &source.manifest;
        let uploader = Uploader {
            publisher: self,
            progress,
        };
        let mut outcome = PublishOutcome::new(manifest);
        for _ in 0..MAX_ATTEMPTS {
            let publications = PublicationList::read(&self.bucket).await?;
            match publications.find_slot(manifest, self.accept_older)? {
                PublicationSlot::Published(publication) => {
                    outcome.publication = publication;
                    let uploaded = uploader
                        .upload_missing(source, &publications, self.verify_existing)
                        .await?;
                    outcome.shared_files = source.files.len() as u64 - uploaded.files;
                    outcome.record_repairs(uploaded.files);
                    return Ok(outcome);
                }
                PublicationSlot::Free(publication) => {
                    source.verify(progress).await?;
                    let uploaded = uploader
                        .upload_missing(source, &publications, self.verify_existing)
                        .await?;
                    outcome.uploaded_files += uploaded.files;
                    outcome.uploaded_bytes += uploaded.bytes;
                    if self
                        .claim_number(publication, manifest, &mut outcome)
                        .await?
                    {
                        outcome.publication = publication;
                        outcome.is_new = true;
                        // The cleanup of another publisher may have deleted files since the upload.
                        let publications = PublicationList::read(&self.bucket).await?;
                        let repaired = uploader
                            .upload_missing(source, &publications, false)
                            .await?;
                        outcome.shared_files =
                            (source.files.len() as u64).saturating_sub(outcome.uploaded_files);
                        outcome.record_repairs(repaired.files);
                        return Ok(outcome);
                    }
                }
            }
        }
        Err(BucketPublishError::Contended {
            attempts: MAX_ATTEMPTS,
        })
    }

    /// Writes the manifest under a number, unless the number is taken. Returns whether the bucket now has this manifest under the
    /// number.
    async fn claim_number(
        &self,
        publication: PublicationNumber,
        manifest: &Manifest,
        outcome: &mut PublishOutcome,
    ) -> Result<bool, BucketError> {
        // Look first, because a store that ignores the condition would overwrite a publication that was written during the upload.
        if self.bucket.find_publication(publication).await?.is_none() {
            self.put_manifest(publication, manifest, outcome).await?;
        }
        let published = self.bucket.find_publication(publication).await?;
        Ok(published.is_some_and(|published| published.matches(manifest)))
    }

    async fn put_manifest(
        &self,
        publication: PublicationNumber,
        manifest: &Manifest,
        outcome: &mut PublishOutcome,
    ) -> Result<(), BucketError> {
        match self.bucket.create_manifest(publication, manifest).await {
            Ok(()) if self.bucket.url().local_folder().is_some() => {
                if publication == PublicationNumber::FIRST {
                    outcome.warn_once(FIRST_PUBLICATION_WARNING);
                }
                Ok(())
            }
            Ok(()) => {
                self.probe_conditional_put(publication, manifest, outcome)
                    .await;
                Ok(())
            }
            // An earlier attempt of this request may have succeeded although its response was lost. The caller compares the manifests.
            Err(error) if error.is_already_exists() => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Writes the same manifest a second time, and adds a warning if the store accepts it. Such a store would also let another
    /// publisher overwrite the manifest. The generation is published in any case.
    async fn probe_conditional_put(
        &self,
        publication: PublicationNumber,
        manifest: &Manifest,
        outcome: &mut PublishOutcome,
    ) {
        match self.bucket.create_manifest(publication, manifest).await {
            Err(error) if error.is_already_exists() => {}
            Ok(()) => outcome.warn_once(IGNORED_CONDITION_WARNING),
            Err(error) => outcome.warn_once(&format!(
                "cannot check whether this store keeps one publisher from overwriting the publication of another: {error}"
            )),
        }
    }
}
