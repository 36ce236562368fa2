//! Publications as a bucket lists them: enough to see, without reading it, that one was put anew. Knows nothing of what is in
//! them.

use std::time::SystemTime;

use futures_util::TryStreamExt as _;
use object_store::ObjectMeta;

use super::{Bucket, BucketError, MANIFESTS_PREFIX, PublicationNumber};

/// A publication in a bucket's list. Equal to an earlier listing of it as long as nobody put it anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPublication {
    /// Which one.
    pub publication: PublicationNumber,
    /// Its size, time and tag.
    object: ObjectMeta,
}

impl ListedPublication {
    /// When it was put there, by the bucket's own clock.
    #[must_use]
    pub fn last_modified(&self) -> SystemTime {
        self.object.last_modified.into()
    }
}

impl Bucket {
    /// The publications after this one, in order; all of them when there is none to come after.
    ///
    /// # Errors
    /// When the bucket cannot be listed.
    pub async fn list_publications(
        &self,
        after: Option<PublicationNumber>,
    ) -> Result<Vec<ListedPublication>, BucketError> {
        let folder = self.prefix.clone().join(MANIFESTS_PREFIX);
        let objects = match after {
            Some(after) => self
                .store
                .list_with_offset(Some(&folder), &self.manifest_key(after)),
            None => self.store.list(Some(&folder)),
        };
        let objects: Vec<ObjectMeta> = self
            .with_timeout(&folder, "listing", objects.try_collect())
            .await?;
        let listed = objects.into_iter().filter_map(|object| {
            let publication = PublicationNumber::from_file_name(object.location.filename()?)?;
            // Lists go into folders, and not every store begins where it is told to.
            let is_one = object.location == self.manifest_key(publication);
            let is_later = after.is_none_or(|after| publication > after);
            (is_one && is_later).then_some(ListedPublication {
                publication,
                object,
            })
        });
        let mut listed: Vec<ListedPublication> = listed.collect();
        listed.sort_unstable_by_key(|listed| listed.publication);
        Ok(listed)
    }
}
