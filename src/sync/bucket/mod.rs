//! A bucket: where generations are published for other nodes, in an S3-compatible store or in a folder that all can reach.
//!
//! ```text
//! BUCKET/files/0f3c…e1                         one file of a generation, by its SHA-256; never changes
//! BUCKET/manifests/00000000000000000017.json   publication 17: the manifest of the generation that it names
//! ```
//!
//! The highest publication is the one that nodes shall serve. A publication is put under its number only where none has it yet,
//! after all its files, so what a reader finds is whole; going back to an earlier generation is one more publication of it.
//! Credentials and the endpoint of an S3-compatible store come from the variables that its own tools read (`AWS_ACCESS_KEY_ID`,
//! `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL` and so on).

mod bucket_url;
mod error;
mod listed_publication;
mod publication_number;
mod published_manifest;
mod store_error;
#[cfg(test)]
mod tests;
mod transfer;
mod unfinished_uploads;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::path::Path as Key;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions};

use postduif_schema::Manifest;

pub use bucket_url::{BadBucketUrl, BucketUrl};
pub use error::BucketError;
pub use listed_publication::ListedPublication;
pub use publication_number::PublicationNumber;
pub use published_manifest::{ManifestOutline, PublishedManifest};
pub use transfer::UploadFile;

const MANIFESTS_PREFIX: &str = "manifests";
const FILES_PREFIX: &str = "files";

/// How long one request that moves no file may take, with all that is tried again.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Larger than any manifest: one lists some dozens of files.
const MAX_MANIFEST_BYTES: usize = 16 << 20;

/// An open bucket. Cloning shares its connections.
#[derive(Debug, Clone)]
pub struct Bucket {
    store: Arc<dyn ObjectStore>,
    /// The same place, with more patience for what goes out.
    upload_store: Arc<dyn ObjectStore>,
    url: BucketUrl,
    /// What stands before every key.
    prefix: Key,
}

/// A file that is in a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BucketFile {
    /// Size in bytes.
    pub bytes: u64,
    /// When it was put there last, by the bucket's own clock.
    pub last_modified: SystemTime,
}

impl Bucket {
    /// Opens the bucket at a URL. Nothing is asked of it yet; a folder has to be there.
    ///
    /// # Errors
    /// When a folder is not there, or the settings of a store do not make sense.
    pub fn open(url: &BucketUrl) -> Result<Self, BucketError> {
        let bucket_url::ObjectStores {
            store,
            upload_store: uploads,
            prefix,
        } = bucket_url::open_stores(url)?;
        Ok(Self {
            store,
            upload_store: uploads,
            url: url.clone(),
            prefix,
        })
    }

    /// Where it is.
    #[must_use]
    pub const fn url(&self) -> &BucketUrl {
        &self.url
    }

    /// The publications after this one, in order; all of them when there is none to come after.
    ///
    /// # Errors
    /// When the bucket cannot be listed.
    pub async fn publication_numbers(
        &self,
        after: Option<PublicationNumber>,
    ) -> Result<Vec<PublicationNumber>, BucketError> {
        let listed = self.list_publications(after).await?;
        Ok(listed.iter().map(|listed| listed.publication).collect())
    }

    /// The manifest of a publication, checked by its own checksum.
    ///
    /// # Errors
    /// [`BucketError::is_missing`] when there is no such publication, [`BucketError::OtherLayout`] when it was made by a
    /// postduif with another layout, [`BucketError::Manifest`] when it is damaged.
    pub async fn read_manifest(
        &self,
        publication: PublicationNumber,
    ) -> Result<Manifest, BucketError> {
        self.read_published_manifest(publication).await?.manifest
    }

    /// What stands under the number of a publication, whoever made it.
    ///
    /// # Errors
    /// [`BucketError::is_missing`] when there is no such publication.
    pub async fn read_published_manifest(
        &self,
        publication: PublicationNumber,
    ) -> Result<PublishedManifest, BucketError> {
        let key = self.manifest_key(publication);
        // Without a range, of which an empty object has none: it is damaged, and no failure of the store.
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

    /// Publishes a manifest under this number, if nobody has published under it yet. All its files must be there.
    ///
    /// # Errors
    /// [`BucketError::is_taken`] when the number is taken; [`BucketError::is_unsupported`] when the store cannot put what is
    /// not there yet.
    pub async fn create_manifest(
        &self,
        publication: PublicationNumber,
        manifest: &Manifest,
    ) -> Result<(), BucketError> {
        self.write_manifest(publication, manifest, PutMode::Create)
            .await
    }

    /// The same, but over whatever stands there: for a store that cannot do better.
    ///
    /// # Errors
    /// When the bucket refuses or does not answer.
    pub async fn overwrite_manifest(
        &self,
        publication: PublicationNumber,
        manifest: &Manifest,
    ) -> Result<(), BucketError> {
        self.write_manifest(publication, manifest, PutMode::Overwrite)
            .await
    }

    async fn write_manifest(
        &self,
        publication: PublicationNumber,
        manifest: &Manifest,
        mode: PutMode,
    ) -> Result<(), BucketError> {
        let key = self.manifest_key(publication);
        let bytes = manifest.to_bytes().into();
        let put = self.store.put_opts(&key, bytes, PutOptions::from(mode));
        self.with_timeout(&key, "writing", put).await.map(drop)
    }

    /// Takes a publication away. One that is not there is no matter.
    ///
    /// # Errors
    /// When the bucket refuses or does not answer.
    pub async fn delete_manifest(&self, publication: PublicationNumber) -> Result<(), BucketError> {
        self.delete_object(&self.manifest_key(publication)).await
    }

    /// Every file that is there, by its SHA-256 in hex.
    ///
    /// # Errors
    /// When the bucket cannot be listed.
    pub async fn list_files(&self) -> Result<HashMap<String, BucketFile>, BucketError> {
        let folder = self.prefix.clone().join(FILES_PREFIX);
        let listed = self.store.list(Some(&folder));
        let named = listed.map_ok(|object: ObjectMeta| {
            let name = object.location.filename()?.to_owned();
            let kept = BucketFile {
                bytes: object.size,
                last_modified: object.last_modified.into(),
            };
            let is_file = transfer::is_sha256_hex(&name) && self.file_key(&name) == object.location;
            is_file.then_some((name, kept))
        });
        let named = named.filter_map(async |object| object.transpose());
        self.with_timeout(&folder, "listing", named.try_collect())
            .await
    }

    /// Takes a file away. One that is not there is no matter.
    ///
    /// # Errors
    /// When the bucket refuses or does not answer.
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

    /// Waits for a request, but not for ever.
    async fn with_timeout<T>(
        &self,
        key: &Key,
        doing: &'static str,
        request: impl Future<Output = object_store::Result<T>>,
    ) -> Result<T, BucketError> {
        let place = || self.object_url(key);
        match tokio::time::timeout(REQUEST_TIMEOUT, request).await {
            Ok(done) => done.map_err(|source| BucketError::from_store(doing, place(), source)),
            Err(_) => Err(BucketError::Timeout {
                doing,
                place: place(),
                seconds: REQUEST_TIMEOUT.as_secs(),
            }),
        }
    }

    fn manifest_key(&self, publication: PublicationNumber) -> Key {
        let folder = self.prefix.clone().join(MANIFESTS_PREFIX);
        folder.join(publication.file_name())
    }

    fn file_key(&self, sha256: &str) -> Key {
        self.prefix.clone().join(FILES_PREFIX).join(sha256)
    }

    /// A key as people find it.
    fn object_url(&self, key: &Key) -> String {
        self.url.object_url(&self.prefix, key)
    }
}
