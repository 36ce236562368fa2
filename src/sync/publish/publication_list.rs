//! Lists the publications of a bucket, and decides whether and under which number a generation can be published.

use std::collections::HashSet;
use std::time::SystemTime;

use crate::sync::{Bucket, BucketError, ListedPublication, PublicationNumber, PublishedManifest};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use postduif_schema::{LAYOUT_VERSION, Manifest};

use super::error::BucketPublishError;

const MAX_CONCURRENT_READS: usize = 4;

/// All publications of a bucket.
pub struct PublicationList {
    /// The manifests, sorted by number.
    pub manifests: Vec<PublishedManifest>,
    /// The highest number in the listing, even if its manifest was deleted before it could be read.
    pub(super) highest: Option<PublicationNumber>,
    /// When the last publication was written, by the bucket's clock.
    pub(super) last_modified: Option<SystemTime>,
}

/// The number under which a generation is published or can be published.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PublicationSlot {
    /// The generation already is the newest publication.
    Published(PublicationNumber),
    /// The generation can be published under this number.
    Free(PublicationNumber),
}

impl PublicationList {
    /// Reads all publications.
    ///
    /// # Errors
    /// If the bucket fails.
    pub async fn read(bucket: &Bucket) -> Result<Self, BucketError> {
        let listed = bucket.list_publications(None).await?;
        let highest = listed.last().map(|last| last.publication);
        let last_modified = listed.iter().map(ListedPublication::last_modified).max();
        // The cleanup of another publisher may have deleted a publication since the listing.
        let manifests =
            stream::iter(listed).map(|listed| bucket.find_publication(listed.publication));
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

    /// All publications except the `keep` newest.
    pub(super) fn older_than_newest(&self, keep: usize) -> &[PublishedManifest] {
        &self.manifests[..self.manifests.len().saturating_sub(keep)]
    }

    /// SHA-256 of every file that publications refer to.
    ///
    /// # Errors
    /// Returns the number of a publication that cannot be read. Such a publication could refer to any file.
    pub(super) fn referenced_files(&self) -> Result<HashSet<&str>, PublicationNumber> {
        let mut referenced = HashSet::new();
        for published in &self.manifests {
            let files = published
                .outline
                .files
                .as_ref()
                .ok_or(published.publication)?;
            referenced.extend(files.iter().map(String::as_str));
        }
        Ok(referenced)
    }

    /// Whether a readable publication refers to a file.
    pub(super) fn references(&self, sha256: &str) -> bool {
        let mut all = self
            .manifests
            .iter()
            .filter_map(|published| published.outline.files.as_ref());
        all.any(|files| files.contains(sha256))
    }

    /// Decides under which number to publish a generation.
    ///
    /// # Errors
    /// If the generation must not be published.
    pub(super) fn find_slot(
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
                Err(BucketPublishError::Refused(format!(
                    "publication {highest} has the highest possible number, so no publication can follow it; nothing is published. \
                     postduif never reaches that number by itself: look with `postduif index publications`, and delete its manifest from \
                     the bucket"
                )))
            }
            Some(highest) => Ok(PublicationSlot::Free(highest.next())),
        }
    }

    /// Refuses a second generation of the same name, because nodes that have the first one would not pull the second.
    fn check_name_unused(&self, manifest: &Manifest) -> Result<(), BucketPublishError> {
        let name = manifest.generation;
        let is_other = |published: &&PublishedManifest| match &published.manifest {
            Ok(found) => found.generation == name && found.checksum != manifest.checksum,
            Err(BucketError::LayoutMismatch { .. }) => {
                published.outline.generation == Some(name.to_string())
            }
            // A damaged publication does not block its name, because publishing the generation again repairs the damage.
            Err(_) => false,
        };
        match self.manifests.iter().find(is_other) {
            Some(published) => Err(BucketPublishError::Refused(format!(
                "publication {} is another generation with the same name, {name}; nothing is published. Build again, so that the new \
                 generation gets the next name",
                published.publication
            ))),
            None => Ok(()),
        }
    }

    /// Refuses a generation that is older than the newest publication or covers another area. Nodes cannot serve a damaged
    /// publication, so damaged ones do not count as the newest.
    fn check_not_older(
        &self,
        manifest: &Manifest,
        accept_older: bool,
    ) -> Result<(), BucketPublishError> {
        for published in self.manifests.iter().rev() {
            let publication = published.publication;
            let newest = match &published.manifest {
                Ok(newest) => newest,
                Err(BucketError::LayoutMismatch { found, .. }) => {
                    let is_newer = *found > LAYOUT_VERSION && !accept_older;
                    return if is_newer {
                        Err(BucketPublishError::Refused(format!(
                            "publication {publication} has layout {found}, but this postduif makes the older layout {LAYOUT_VERSION}; \
                             nothing is published. Install the newer postduif here and build again, or publish with --accept-older to \
                             make nodes go back"
                        )))
                    } else {
                        Ok(())
                    };
                }
                Err(_) => continue,
            };
            if newest.area != manifest.area {
                return Err(BucketPublishError::Refused(format!(
                    "publication {publication} covers another area than the generation that is served here; nothing is published. \
                     Publish each area to a separate bucket or prefix"
                )));
            }
            if recency_key(newest) > recency_key(manifest) && !accept_older {
                return Err(BucketPublishError::Refused(format!(
                    "generation {} has an earlier state than {}, which is publication {publication}; nothing is published. To make \
                     nodes go back to the earlier state, as after `postduif index rollback`, publish with --accept-older",
                    manifest.generation, newest.generation
                )));
            }
            return Ok(());
        }
        Ok(())
    }
}

fn recency_key(manifest: &Manifest) -> (jiff::civil::Date, u64, jiff::Timestamp) {
    (manifest.stand, manifest.sequence, manifest.created_at)
}
