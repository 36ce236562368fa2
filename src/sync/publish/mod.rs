//! Publishes the served generation to a bucket, from which other nodes serve it.
//!
//! A publisher uploads the files that the bucket lacks, then writes the manifest under the next number, then checks that all
//! files are still there. A publisher that is killed leaves nothing that nodes see, and the next one reuses its files. The
//! files stay open, so the generation can be deleted locally meanwhile. At the end, old publications and files are deleted.
//!
//! Several publishers may run at once, because a number is only written while it is free. A store without conditional writes
//! cannot guarantee that; the publisher then warns that only one of them may run at a time.

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

use crate::sync::{Bucket, BucketError, PublicationNumber, PublishedManifest};
use cleanup::BucketCleanup;
pub use error::BucketPublishError;
pub use outcome::PublishOutcome;
use publication_list::{PublicationList, PublicationSlot};
use source::PublishSource;
use upload::Uploader;

/// How many times another publisher may take the number before this one gives up.
const MAX_ATTEMPTS: usize = 10;

const FIRST_PUBLICATION_WARNING: &str = "this folder had no publications, so numbering starts at 1; if there were publications, check that the \
     right folder is mounted";

const NO_CONDITIONAL_PUT_WARNING: &str = "this store cannot keep two publishers apart (it has no conditional puts): run only one of them at a \
     time";

/// Publishes to a bucket.
#[derive(Debug, Clone)]
pub struct BucketPublisher {
    /// The bucket.
    pub bucket: Bucket,
    /// How many of the newest publications to keep.
    pub keep: NonZeroUsize,
    /// Minimum age of an unreferenced file before it is deleted. Must be longer than any publisher runs.
    pub sweep_after: Duration,
    /// Publish a state or layout that is older than the published one.
    pub accept_older: bool,
    /// Read every file that the bucket has, instead of trusting its name and size.
    pub verify_existing: bool,
}

impl BucketPublisher {
    /// Publishes the generation that `CURRENT` names, unless it already is the newest publication. Uploads the files of
    /// the generation that the bucket lacks, and deletes old publications and files.
    ///
    /// # Errors
    /// If the generation is refused or damaged, or the bucket fails.
    pub async fn run(
        &self,
        data: &DataFolder,
        progress: &dyn IndexProgress,
    ) -> Result<PublishOutcome, BucketPublishError> {
        let mut outcome = self.publish_served(data, progress).await?;
        let cleanup = BucketCleanup {
            bucket: &self.bucket,
            keep: self.keep,
            sweep_after: self.sweep_after,
        };
        if let Err(error) = cleanup.run(&mut outcome).await {
            outcome.warnings.push(format!(
                "published, but old publications and files could not be deleted: {error}"
            ));
        }
        Ok(outcome)
    }

    /// Publishes the served generation. If another command serves another generation and deletes this one meanwhile, starts
    /// again with that one.
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
            bucket: &self.bucket,
            sweep_after: self.sweep_after,
            progress,
        };
        let mut outcome = PublishOutcome::new(manifest);
        for _ in 0..MAX_ATTEMPTS {
            let publications = PublicationList::read(&self.bucket).await?;
            match publications.slot_for(manifest, self.accept_older)? {
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
                        // Another publisher's cleanup may have deleted files since the upload.
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

    /// Writes the manifest under a number, unless the number is taken. Returns whether the number now has exactly this manifest.
    async fn claim_number(
        &self,
        publication: PublicationNumber,
        manifest: &Manifest,
        outcome: &mut PublishOutcome,
    ) -> Result<bool, BucketError> {
        // A store without conditional writes would overwrite a publication that came during the upload.
        if self.find_published(publication).await?.is_none() {
            self.put_manifest(publication, manifest, outcome).await?;
        }
        let published = self.find_published(publication).await?;
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
            // An earlier attempt of this request may have succeeded without its response arriving.
            Err(error) if error.is_already_exists() => Ok(()),
            Err(error) if error.is_unsupported() => {
                outcome.warn_once(NO_CONDITIONAL_PUT_WARNING);
                let put = self.bucket.overwrite_manifest(publication, manifest);
                put.await
            }
            Err(error) => Err(error),
        }
    }

    /// Writes the same manifest a second time, and warns if the store accepts it: such a store would also let another publisher
    /// overwrite the manifest. The generation is published in any case.
    async fn probe_conditional_put(
        &self,
        publication: PublicationNumber,
        manifest: &Manifest,
        outcome: &mut PublishOutcome,
    ) {
        match self.bucket.create_manifest(publication, manifest).await {
            Err(error) if error.is_already_exists() => {}
            Ok(()) => outcome.warn_once(NO_CONDITIONAL_PUT_WARNING),
            Err(error) => outcome.warn_once(&format!(
                "cannot check whether this store keeps two publishers apart: {error}"
            )),
        }
    }

    async fn find_published(
        &self,
        publication: PublicationNumber,
    ) -> Result<Option<PublishedManifest>, BucketError> {
        match self.bucket.read_published_manifest(publication).await {
            Ok(published) => Ok(Some(published)),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error),
        }
    }
}
