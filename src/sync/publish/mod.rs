//! The generation that is served, on its way to a bucket from which other nodes serve it.
//!
//! First the files that the bucket lacks, then the manifest under the next number, then a look whether all of it is still
//! there. Whoever is killed on the way leaves nothing that nodes see, and files that the next one need not bring again. What
//! is published can go away locally meanwhile: its files are held open. Afterwards the janitor takes away what is old.
//!
//! Several publishers may run at once, as a number is only taken where nobody has it. A store without conditional puts cannot
//! promise that; it is told of in a warning, and then only one publisher may run at a time.

mod cleanup;
mod error;
mod publication_list;
mod source;
#[cfg(test)]
mod tests;
mod upload;

use std::fmt;
use std::num::NonZeroUsize;
use std::time::Duration;

use crate::sync::{Bucket, BucketError, PublicationNumber};
use postduif_schema::{DataFolder, GenerationName, Manifest};
use serde::Serialize;

pub use super::publish::error::BucketPublishError;
use postduif_schema::IndexProgress;
use publication_list::{PublicationList, PublicationSlot};
use source::PublishSource;

/// How often a number may be taken by another publisher before this one gives up.
const MAX_ATTEMPTS: usize = 10;

const FIRST_PUBLICATION_WARNING: &str = "nothing had been published in this folder, so publications begin at 1; if some had, it is not the one \
     that was meant: is what belongs there mounted?";

const NO_CONDITIONAL_PUT_WARNING: &str = "this store cannot keep two publishers apart (it has no conditional puts): see to it that no more \
     than one of them runs at a time";

/// Publishes to a bucket.
#[derive(Debug, Clone)]
pub struct BucketPublisher {
    /// Where to.
    pub bucket: Bucket,
    /// How many of the newest publications stay.
    pub keep: NonZeroUsize,
    /// How old a file must be that no publication names before it is taken away. Longer than any publisher is at work.
    pub sweep_after: Duration,
    /// Publish a state that is older than the published one, or of an older layout.
    pub accept_older: bool,
    /// Read every file that is there already, rather than trust its name and size.
    pub verify_existing: bool,
}

/// What is in the bucket now, and what was done for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PublishOutcome {
    /// The newest publication, which is of this generation.
    pub publication: PublicationNumber,
    /// The generation that is served here.
    pub generation: GenerationName,
    /// Whether it was published just now; else it had been before.
    pub is_new: bool,
    /// Files that were brought for it.
    pub uploaded_files: u64,
    /// Their sizes together.
    pub uploaded_bytes: u64,
    /// Files of it that were there.
    pub shared_files: u64,
    /// Files that were missing or damaged although they had been brought, and were brought again.
    pub repaired_files: u64,
    /// Publications that were too many.
    pub removed_publications: Vec<PublicationNumber>,
    /// Files that nothing named any more.
    pub removed_files: u64,
    /// What somebody should know of.
    pub warnings: Vec<String>,
}

impl BucketPublisher {
    /// Publishes the generation that `CURRENT` names, unless it is the newest publication already; puts right what is missing
    /// of it, and takes away what is old.
    ///
    /// # Errors
    /// When it must not be published, is not sound, or the bucket fails.
    pub async fn run(
        &self,
        data: &DataFolder,
        progress: &dyn IndexProgress,
    ) -> Result<PublishOutcome, BucketPublishError> {
        let mut outcome = self.publish_served(data, progress).await?;
        if let Err(error) = self.clean_up(&mut outcome).await {
            outcome.warnings.push(format!(
                "it is published, but what is old could not be taken away: {error}"
            ));
        }
        Ok(outcome)
    }

    /// Another command may serve another generation meanwhile and delete this one; then it is the turn of that one.
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
        let mut outcome = PublishOutcome::new(manifest);
        for _ in 0..MAX_ATTEMPTS {
            let publications = PublicationList::read(&self.bucket).await?;
            match publications.slot_for(manifest, self.accept_older)? {
                PublicationSlot::Published(publication) => {
                    outcome.publication = publication;
                    let brought = self
                        .upload_missing(source, &publications, self.verify_existing, progress)
                        .await?;
                    outcome.shared_files = source.files.len() as u64 - brought.files;
                    outcome.record_repairs(brought.files);
                    return Ok(outcome);
                }
                PublicationSlot::Free(publication) => {
                    source.verify(progress).await?;
                    let brought = self
                        .upload_missing(source, &publications, self.verify_existing, progress)
                        .await?;
                    outcome.uploaded_files += brought.files;
                    outcome.uploaded_bytes += brought.bytes;
                    if self
                        .claim_number(publication, manifest, &mut outcome)
                        .await?
                    {
                        outcome.publication = publication;
                        outcome.is_new = true;
                        // A janitor elsewhere may have been at work in between.
                        let publications = PublicationList::read(&self.bucket).await?;
                        let again = self
                            .upload_missing(source, &publications, false, progress)
                            .await?;
                        outcome.shared_files =
                            (source.files.len() as u64).saturating_sub(outcome.uploaded_files);
                        outcome.record_repairs(again.files);
                        return Ok(outcome);
                    }
                }
            }
        }
        Err(BucketPublishError::Contended {
            tries: MAX_ATTEMPTS,
        })
    }

    /// Puts the manifest under a number; whether it is this one that stands there then.
    async fn claim_number(
        &self,
        publication: PublicationNumber,
        manifest: &Manifest,
        outcome: &mut PublishOutcome,
    ) -> Result<bool, BucketError> {
        // A store that knows no conditions would let it be put over what came while files were brought.
        if self.find_published(publication).await?.is_none() {
            self.put_manifest(publication, manifest, outcome).await?;
        }
        let there = self.find_published(publication).await?;
        Ok(there.is_some_and(|there| there.matches(manifest)))
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
            // The answer to an earlier try of this very request may have been lost.
            Err(error) if error.is_already_exists() => Ok(()),
            Err(error) if error.is_unsupported() => {
                outcome.warn_once(NO_CONDITIONAL_PUT_WARNING);
                let put = self.bucket.overwrite_manifest(publication, manifest);
                put.await
            }
            Err(error) => Err(error),
        }
    }

    /// Puts the same once more: a store that takes it would also let another publisher put over it. It is published in any
    /// case.
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
                "it is not known whether this store keeps two publishers apart: {error}"
            )),
        }
    }

    async fn find_published(
        &self,
        publication: PublicationNumber,
    ) -> Result<Option<crate::sync::PublishedManifest>, BucketError> {
        match self.bucket.read_published_manifest(publication).await {
            Ok(look) => Ok(Some(look)),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl PublishOutcome {
    fn new(manifest: &Manifest) -> Self {
        Self {
            publication: PublicationNumber::FIRST,
            generation: manifest.generation,
            is_new: false,
            uploaded_files: 0,
            uploaded_bytes: 0,
            shared_files: 0,
            repaired_files: 0,
            removed_publications: Vec::new(),
            removed_files: 0,
            warnings: Vec::new(),
        }
    }

    fn record_repairs(&mut self, files: u64) {
        self.repaired_files = files;
        if files > 0 {
            self.warnings.push(format!(
                "{files} files of publication {} were missing or damaged, and were put again; nodes that found them so try again \
                 by themselves",
                self.publication
            ));
        }
    }

    fn warn_once(&mut self, warning: &str) {
        if !self.warnings.iter().any(|known| known == warning) {
            self.warnings.push(warning.to_owned());
        }
    }
}

/// For people, without the warnings.
impl fmt::Display for PublishOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (generation, publication) = (self.generation, self.publication);
        if self.is_new {
            let megabytes = self.uploaded_bytes.div_ceil(1_000_000);
            write!(
                f,
                "{generation} is publication {publication}: {} files brought ({megabytes} MB), {} were there",
                self.uploaded_files, self.shared_files
            )?;
        } else {
            write!(
                f,
                "{generation} is the newest publication already, {publication}"
            )?;
        }
        if !self.removed_publications.is_empty() || self.removed_files > 0 {
            let publications = self.removed_publications.len();
            write!(
                f,
                "; {publications} old publications and {} files were taken away",
                self.removed_files
            )?;
        }
        Ok(())
    }
}
