//! The publications that are in a bucket, and what may come after them.

use std::collections::HashSet;
use std::time::SystemTime;

use crate::sync::{Bucket, BucketError, ListedPublication, Look, Publication};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use postduif_schema::{LAYOUT_VERSION, Manifest};

use super::ToBucketError;

const LOOKS_AT_ONCE: usize = 4;

/// Every publication, in order.
pub(super) struct Shelf {
    looks: Vec<Look>,
    /// The highest number that was listed, whether or not it could be looked at.
    highest: Option<Publication>,
    touched: Option<SystemTime>,
}

/// Where a generation is, or shall be.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It is the newest publication.
    There(Publication),
    /// The number that it may take.
    Free(Publication),
}

impl Shelf {
    pub(super) async fn read(bucket: &Bucket) -> Result<Self, BucketError> {
        let listed = bucket.listed(None).await?;
        let highest = listed.last().map(|last| last.publication);
        let touched = listed.iter().map(ListedPublication::since).max();
        let looks = stream::iter(listed).map(async |ListedPublication { publication, .. }| {
            match bucket.look(publication).await {
                Ok(look) => Ok(Some(look)),
                // Taken away meanwhile by a janitor.
                Err(error) if error.is_missing() => Ok(None),
                Err(error) => Err(error),
            }
        });
        let looks: Vec<Option<Look>> = looks.buffered(LOOKS_AT_ONCE).try_collect().await?;
        Ok(Self {
            looks: looks.into_iter().flatten().collect(),
            highest,
            touched,
        })
    }

    /// When the last publication was put there, by the bucket's own clock.
    pub(super) const fn touched(&self) -> Option<SystemTime> {
        self.touched
    }

    pub(super) const fn highest(&self) -> Option<Publication> {
        self.highest
    }

    /// All but the newest.
    pub(super) fn beyond(&self, keep: usize) -> &[Look] {
        &self.looks[..self.looks.len().saturating_sub(keep)]
    }

    /// The files that publications name; none when one of them cannot be read, which could name any file.
    pub(super) fn named(&self) -> Result<HashSet<&str>, Publication> {
        let mut named = HashSet::new();
        for look in &self.looks {
            let files = look.outline.files.as_ref().ok_or(look.publication)?;
            named.extend(files.iter().map(String::as_str));
        }
        Ok(named)
    }

    /// Whether any publication names a file, as far as they can be read.
    pub(super) fn names(&self, sha256: &str) -> bool {
        let mut all = self.looks.iter().filter_map(|l| l.outline.files.as_ref());
        all.any(|files| files.contains(sha256))
    }

    /// Where this generation belongs.
    ///
    /// # Errors
    /// When it must not be published here.
    pub(super) fn place_for(
        &self,
        manifest: &Manifest,
        accept_older: bool,
    ) -> Result<Place, ToBucketError> {
        let newest = self.looks.last();
        if let Some(newest) = newest
            && newest.is(manifest)
            && Some(newest.publication) == self.highest
        {
            return Ok(Place::There(newest.publication));
        }
        self.check_name(manifest)?;
        self.check_newest(manifest, accept_older)?;
        match self.highest {
            None => Ok(Place::Free(Publication::FIRST)),
            Some(highest) if highest.next() == highest => {
                Err(ToBucketError::NoNumberLeft { highest })
            }
            Some(highest) => Ok(Place::Free(highest.next())),
        }
    }

    /// A name stands for one content: nodes that have it would not fetch it again.
    fn check_name(&self, manifest: &Manifest) -> Result<(), ToBucketError> {
        let name = manifest.generation;
        let is_other = |look: &&Look| match &look.manifest {
            Ok(found) => found.generation == name && found.checksum != manifest.checksum,
            Err(BucketError::OtherLayout { .. }) => {
                look.outline.generation == Some(name.to_string())
            }
            // Damaged: to publish the generation once more is what helps.
            Err(_) => false,
        };
        match self.looks.iter().find(is_other) {
            Some(look) => Err(ToBucketError::OtherOfThatName {
                generation: name,
                publication: look.publication,
            }),
            None => Ok(()),
        }
    }

    /// What nodes serve is not replaced by something that it did not grow into. Damaged publications are looked past, as
    /// nodes cannot serve them.
    fn check_newest(&self, manifest: &Manifest, accept_older: bool) -> Result<(), ToBucketError> {
        for look in self.looks.iter().rev() {
            let publication = look.publication;
            let newest = match &look.manifest {
                Ok(newest) => newest,
                Err(BucketError::OtherLayout { found, .. }) => {
                    let is_newer = *found > LAYOUT_VERSION && !accept_older;
                    return if is_newer {
                        let found = *found;
                        Err(ToBucketError::NewerLayout { publication, found })
                    } else {
                        Ok(())
                    };
                }
                Err(_) => continue,
            };
            if newest.area != manifest.area {
                return Err(ToBucketError::OtherArea { publication });
            }
            if state(newest) > state(manifest) && !accept_older {
                return Err(ToBucketError::Older {
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

fn state(manifest: &Manifest) -> (jiff::civil::Date, u64, jiff::Timestamp) {
    (manifest.stand, manifest.sequence, manifest.created_at)
}
