//! The publications that are in a bucket, and what may come after them.

use std::collections::HashSet;
use std::time::SystemTime;

use crate::sync::{Bucket, BucketError, ListedPublication, PublicationNumber, PublishedManifest};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use postduif_schema::{LAYOUT_VERSION, Manifest};

use super::BucketPublishError;

const MAX_CONCURRENT_READS: usize = 4;

/// Every publication, in order.
pub(super) struct PublicationList {
    manifests: Vec<PublishedManifest>,
    /// The highest number that was listed, whether or not it could be looked at.
    highest: Option<PublicationNumber>,
    last_modified: Option<SystemTime>,
}

/// Where a generation is, or shall be.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PublicationSlot {
    /// It is the newest publication.
    Published(PublicationNumber),
    /// The number that it may take.
    Free(PublicationNumber),
}

impl PublicationList {
    pub(super) async fn read(bucket: &Bucket) -> Result<Self, BucketError> {
        let listed = bucket.list_publications(None).await?;
        let highest = listed.last().map(|last| last.publication);
        let last_modified = listed.iter().map(ListedPublication::last_modified).max();
        let manifests =
            stream::iter(listed).map(async |ListedPublication { publication, .. }| {
                match bucket.read_published_manifest(publication).await {
                    Ok(look) => Ok(Some(look)),
                    // Taken away meanwhile by a janitor.
                    Err(error) if error.is_not_found() => Ok(None),
                    Err(error) => Err(error),
                }
            });
        let manifests: Vec<Option<PublishedManifest>> = manifests
            .buffered(MAX_CONCURRENT_READS)
            .try_collect()
            .await?;
        Ok(Self {
            manifests: manifests.into_iter().flatten().collect(),
            highest,
            last_modified,
        })
    }

    /// When the last publication was put there, by the bucket's own clock.
    pub(super) const fn last_modified(&self) -> Option<SystemTime> {
        self.last_modified
    }

    pub(super) const fn highest(&self) -> Option<PublicationNumber> {
        self.highest
    }

    /// All but the newest.
    pub(super) fn older_than_newest(&self, keep: usize) -> &[PublishedManifest] {
        &self.manifests[..self.manifests.len().saturating_sub(keep)]
    }

    /// The files that publications name; none when one of them cannot be read, which could name any file.
    pub(super) fn referenced_files(&self) -> Result<HashSet<&str>, PublicationNumber> {
        let mut referenced = HashSet::new();
        for look in &self.manifests {
            let files = look.outline.files.as_ref().ok_or(look.publication)?;
            referenced.extend(files.iter().map(String::as_str));
        }
        Ok(referenced)
    }

    /// Whether any publication names a file, as far as they can be read.
    pub(super) fn references(&self, sha256: &str) -> bool {
        let mut all = self
            .manifests
            .iter()
            .filter_map(|l| l.outline.files.as_ref());
        all.any(|files| files.contains(sha256))
    }

    /// Where this generation belongs.
    ///
    /// # Errors
    /// When it must not be published here.
    pub(super) fn slot_for(
        &self,
        manifest: &Manifest,
        accept_older: bool,
    ) -> Result<PublicationSlot, BucketPublishError> {
        let newest = self.manifests.last();
        if let Some(newest) = newest
            && newest.matches(manifest)
            && Some(newest.publication) == self.highest
        {
            return Ok(PublicationSlot::Published(newest.publication));
        }
        self.check_name_unused(manifest)?;
        self.check_not_older(manifest, accept_older)?;
        match self.highest {
            None => Ok(PublicationSlot::Free(PublicationNumber::FIRST)),
            Some(highest) if highest.next() == highest => {
                Err(BucketPublishError::NumbersExhausted { highest })
            }
            Some(highest) => Ok(PublicationSlot::Free(highest.next())),
        }
    }

    /// A name stands for one content: nodes that have it would not fetch it again.
    fn check_name_unused(&self, manifest: &Manifest) -> Result<(), BucketPublishError> {
        let name = manifest.generation;
        let is_other = |look: &&PublishedManifest| match &look.manifest {
            Ok(found) => found.generation == name && found.checksum != manifest.checksum,
            Err(BucketError::LayoutMismatch { .. }) => {
                look.outline.generation == Some(name.to_string())
            }
            // Damaged: to publish the generation once more is what helps.
            Err(_) => false,
        };
        match self.manifests.iter().find(is_other) {
            Some(look) => Err(BucketPublishError::NameTaken {
                generation: name,
                publication: look.publication,
            }),
            None => Ok(()),
        }
    }

    /// What nodes serve is not replaced by something that it did not grow into. Damaged publications are looked past, as
    /// nodes cannot serve them.
    fn check_not_older(
        &self,
        manifest: &Manifest,
        accept_older: bool,
    ) -> Result<(), BucketPublishError> {
        for look in self.manifests.iter().rev() {
            let publication = look.publication;
            let newest = match &look.manifest {
                Ok(newest) => newest,
                Err(BucketError::LayoutMismatch { found, .. }) => {
                    let is_newer = *found > LAYOUT_VERSION && !accept_older;
                    return if is_newer {
                        let found = *found;
                        Err(BucketPublishError::NewerLayout { publication, found })
                    } else {
                        Ok(())
                    };
                }
                Err(_) => continue,
            };
            if newest.area != manifest.area {
                return Err(BucketPublishError::AreaMismatch { publication });
            }
            if recency_key(newest) > recency_key(manifest) && !accept_older {
                return Err(BucketPublishError::Older {
                    generation: manifest.generation,
                    publication,
                    newest: newest.generation,
                });
            }
            return Ok(());
        }
        Ok(())
    }
}

fn recency_key(manifest: &Manifest) -> (jiff::civil::Date, u64, jiff::Timestamp) {
    (manifest.stand, manifest.sequence, manifest.created_at)
}
