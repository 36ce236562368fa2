//! Lists, reads, writes and deletes the objects of a bucket. `transfer.rs` copies files to and from a bucket.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::path::Path as Key;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions};
use postduif_schema::Manifest;

use super::bucket_url::{BucketUrl, ObjectStores, open_stores};
use super::published_manifest::is_sha256_hex;
use super::{BucketError, ManifestOutline, PublicationNumber, PublishedManifest};

pub(super) const MANIFESTS_PREFIX: &str = "manifests";
pub(super) const FILES_PREFIX: &str = "files";

/// Time limit of a request that transfers no file. It includes retries.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum number of bytes of a manifest. The rest of a larger manifest is not read, so such a manifest counts as damaged. A manifest
/// lists some dozens of files and is normally much smaller.
const MAX_MANIFEST_BYTES: usize = 16 << 20;

/// An open bucket. Clones share its connections.
#[derive(Debug, Clone)]
pub struct Bucket {
    pub(super) store: Arc<dyn ObjectStore>,
    /// The same store as `store`, with a longer timeout for uploads.
    pub(super) upload_store: Arc<dyn ObjectStore>,
    url: BucketUrl,
    /// The prefix of every key.
    prefix: Key,
}

/// A file in a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BucketFile {
    /// Size in bytes.
    pub bytes: u64,
    /// When the file was last written, by the bucket's clock.
    pub last_modified: SystemTime,
}

/// One publication in a listing of a bucket. If two listings have equal entries for a number, the publication was not overwritten
/// between the two listings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPublication {
    /// The number of the publication.
    pub publication: PublicationNumber,
    /// Size, time and entity tag of the manifest.
    object: ObjectMeta,
}

impl ListedPublication {
    /// When the publication was written, by the bucket's clock.
    pub fn last_modified(&self) -> SystemTime {
        self.object.last_modified.into()
    }
}

impl Bucket {
    /// Opens the bucket at a URL without sending a request. The folder of a `file:` URL must exist.
    ///
    /// # Errors
    /// If the folder does not exist, or the settings of the store are invalid.
    pub fn open(url: &BucketUrl) -> Result<Self, BucketError> {
        let ObjectStores {
            store,
            upload_store,
            prefix,
        } = open_stores(url)?;
        Ok(Self {
            store,
            upload_store,
            url: url.clone(),
            prefix,
        })
    }

    /// The URL that the bucket was opened with.
    pub const fn url(&self) -> &BucketUrl {
        &self.url
    }

    /// Lists the publications after `after`, or all publications if `after` is `None`. They are sorted by number.
    ///
    /// # Errors
    /// If the bucket cannot be listed, or the server is not a store.
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
        if objects.is_empty() && self.url.local_folder().is_none() {
            self.check_is_store().await?;
        }
        let listed = objects.into_iter().filter_map(|object| {
            let publication = PublicationNumber::from_file_name(object.location.filename()?)?;
            // Skip objects that were not asked for: a listing includes subfolders, and some stores ignore the offset.
            let is_manifest = object.location == self.manifest_key(publication);
            let is_later = after.is_none_or(|after| publication > after);
            (is_manifest && is_later).then_some(ListedPublication {
                publication,
                object,
            })
        });
        let mut listed: Vec<ListedPublication> = listed.collect();
        listed.sort_unstable_by_key(|listed| listed.publication);
        Ok(listed)
    }

    /// Checks that the server is a store, by a key that no object has. object_store takes a web page with status 200 for an empty listing;
    /// a server that sends such a page for every path sends it for this key too.
    async fn check_is_store(&self) -> Result<(), BucketError> {
        let key = self.prefix.clone().join("no-such-object");
        match self.with_timeout(&key, "reading", self.store.head(&key)).await {
            Err(error) if error.is_not_found() || error.is_access_denied() => Ok(()),
            Err(error) if !error.lacks_headers() => Err(error),
            _ => Err(BucketError::Unusable {
                url: self.url.to_string(),
                reason: "the server answers, but is not a store: it has an answer for an object that does not exist, as a web site has. \
                         Check AWS_ENDPOINT_URL, and that no proxy or login page answers in place of the store"
                    .into(),
            }),
        }
    }

    /// Reads the manifest of a publication and verifies its checksum.
    ///
    /// # Errors
    /// [`BucketError::is_not_found`] if there is no such publication, [`BucketError::LayoutMismatch`] if this postduif cannot read
    /// its layout, [`BucketError::Manifest`] if the manifest is damaged.
    pub async fn read_manifest(
        &self,
        publication: PublicationNumber,
    ) -> Result<Manifest, BucketError> {
        self.read_published_manifest(publication).await?.manifest
    }

    /// Reads a publication of any layout; `None` if there is no such publication.
    pub(in crate::sync) async fn find_publication(
        &self,
        publication: PublicationNumber,
    ) -> Result<Option<PublishedManifest>, BucketError> {
        match self.read_published_manifest(publication).await {
            Ok(published) => Ok(Some(published)),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads a publication of any layout.
    ///
    /// # Errors
    /// [`BucketError::is_not_found`] if there is no such publication.
    pub async fn read_published_manifest(
        &self,
        publication: PublicationNumber,
    ) -> Result<PublishedManifest, BucketError> {
        let key = self.manifest_key(publication);
        // Do not request a range. A store refuses any range of an empty object, but an empty manifest must be reported as damaged.
        let read = async {
            let mut parts = self.store.get(&key).await?.into_stream();
            let mut bytes = Vec::new();
            while bytes.len() <= MAX_MANIFEST_BYTES
                && let Some(part) = parts.try_next().await?
            {
                bytes.extend_from_slice(&part);
            }
            Ok(bytes)
        };
        let bytes = self.with_timeout(&key, "reading", read).await?;
        let manifest = Manifest::from_bytes(&bytes, self.object_url(&key).as_ref());
        Ok(PublishedManifest {
            publication,
            manifest: manifest.map_err(|error| BucketError::from_manifest(publication, error)),
            outline: ManifestOutline::parse(&bytes),
            bytes,
        })
    }

    /// Writes a manifest under a free number. The bucket must already have all files of the manifest.
    ///
    /// # Errors
    /// [`BucketError::is_already_exists`] if the number is taken. Also if the store has no conditional writes.
    pub async fn create_manifest(
        &self,
        publication: PublicationNumber,
        manifest: &Manifest,
    ) -> Result<(), BucketError> {
        let key = self.manifest_key(publication);
        let bytes = manifest.to_bytes().into();
        let put = self
            .store
            .put_opts(&key, bytes, PutOptions::from(PutMode::Create));
        self.with_timeout(&key, "writing", put).await.map(drop)
    }

    /// Deletes the manifest of a publication, if it exists.
    ///
    /// # Errors
    /// If the store refuses or does not answer.
    pub async fn delete_manifest(&self, publication: PublicationNumber) -> Result<(), BucketError> {
        self.delete_object(&self.manifest_key(publication)).await
    }

    /// Lists the files of all generations in the bucket. The keys of the map are the SHA-256 of the files in hex.
    ///
    /// # Errors
    /// If the bucket cannot be listed.
    pub async fn list_files(&self) -> Result<HashMap<String, BucketFile>, BucketError> {
        let folder = self.prefix.clone().join(FILES_PREFIX);
        let listed = self.store.list(Some(&folder));
        let named = listed.map_ok(|object: ObjectMeta| {
            let name = object.location.filename()?.to_owned();
            let file = BucketFile {
                bytes: object.size,
                last_modified: object.last_modified.into(),
            };
            let is_file = is_sha256_hex(&name) && self.file_key(&name) == object.location;
            is_file.then_some((name, file))
        });
        let named = named.filter_map(async |object| object.transpose());
        self.with_timeout(&folder, "listing", named.try_collect())
            .await
    }

    /// Deletes a file, if it exists.
    ///
    /// # Errors
    /// If the store refuses or does not answer.
    pub async fn delete_file(&self, sha256: &str) -> Result<(), BucketError> {
        self.delete_object(&self.file_key(sha256)).await
    }

    async fn delete_object(&self, key: &Key) -> Result<(), BucketError> {
        match self
            .with_timeout(key, "removing", self.store.delete(key))
            .await
        {
            Err(error) if error.is_not_found() => Ok(()),
            removed => removed,
        }
    }

    /// Runs a request, and returns an error if it takes longer than [`REQUEST_TIMEOUT`].
    async fn with_timeout<T>(
        &self,
        key: &Key,
        operation: &'static str,
        request: impl Future<Output = object_store::Result<T>>,
    ) -> Result<T, BucketError> {
        let url = || self.object_url(key);
        match tokio::time::timeout(REQUEST_TIMEOUT, request).await {
            Ok(done) => done.map_err(|source| BucketError::from_store(operation, url(), source)),
            Err(_) => Err(BucketError::Timeout {
                operation,
                url: url(),
                seconds: REQUEST_TIMEOUT.as_secs(),
            }),
        }
    }

    fn manifest_key(&self, publication: PublicationNumber) -> Key {
        let folder = self.prefix.clone().join(MANIFESTS_PREFIX);
        folder.join(publication.file_name())
    }

    pub(super) fn file_key(&self, sha256: &str) -> Key {
        self.prefix.clone().join(FILES_PREFIX).join(sha256)
    }

    /// The URL of an object, for messages.
    pub(super) fn object_url(&self, key: &Key) -> String {
        self.url.object_url(&self.prefix, key)
    }
}
