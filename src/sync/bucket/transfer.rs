//! Files on their way to a bucket and from it. Every byte is hashed on the way, so what has a name is what it says.

use std::path::{Path, PathBuf};

use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::{ObjectStoreExt as _, WriteMultipart};
use sha2::{Digest as _, Sha256};
use tokio::fs::File;
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _, AsyncWriteExt as _};

use super::{Bucket, BucketError};
use postduif_schema::FileEntry;

/// How much is read at once, and what a part of a large file has in S3, which takes no less than 5 MiB.
const PART_BYTES: u64 = 8 << 20;

/// Parts of one file that are under way at once.
const MAX_PARTS_IN_FLIGHT: usize = 2;

/// What puts a damaged file right.
const REPAIR_HINT: &str =
    "on the machine that publishes, `postduif index publish --check` puts it there anew";

/// Whether a name in the bucket is that of a file.
pub(super) fn is_sha256_hex(name: &str) -> bool {
    name.len() == 64
        && name
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// A file of a generation that is open to be uploaded: it can be read to its end even when its name is taken away meanwhile.
#[derive(Debug)]
pub struct UploadFile {
    /// As its manifest lists it.
    pub entry: FileEntry,
    path: PathBuf,
    file: std::fs::File,
}

impl UploadFile {
    /// Opens a file of the generation in `folder`.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(file: &FileEntry, folder: &Path) -> Result<Self, BucketError> {
        let path = folder.join(&file.path);
        match std::fs::File::open(&path) {
            Ok(open) => Ok(Self {
                entry: file.clone(),
                path,
                file: open,
            }),
            Err(source) => Err(BucketError::Io { path, source }),
        }
    }

    /// From its begin. One at a time: all share one place in the file.
    async fn part_reader(&self) -> Result<PartReader<'_>, BucketError> {
        let failed = |source| BucketError::Io {
            path: self.path.clone(),
            source,
        };
        let mut file = File::from_std(self.file.try_clone().map_err(failed)?);
        file.rewind().await.map_err(failed)?;
        Ok(PartReader {
            path: &self.path,
            file,
            hasher: ContentHasher::default(),
        })
    }
}

impl Bucket {
    /// Puts one file of the generation in `folder` into the bucket. It has its name there once all of it has come and was
    /// what the manifest says; before that nobody sees it.
    ///
    /// # Errors
    /// When the file is not as its manifest says, or the bucket refuses.
    pub async fn upload(&self, file: &FileEntry, folder: &Path) -> Result<(), BucketError> {
        self.upload_with_progress(&UploadFile::open(file, folder)?, &|_| {})
            .await
    }

    /// The same for a file that is open. `sent` is told of every part that is on its way, in bytes.
    ///
    /// # Errors
    /// Likewise.
    pub async fn upload_with_progress(
        &self,
        from: &UploadFile,
        on_progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), BucketError> {
        let (file, mut parts) = (&from.entry, from.part_reader().await?);
        let key = self.file_key(&file.sha256);
        let refused = |error| BucketError::from_store("writing", self.object_url(&key), error);
        let other = |reason| BucketError::ContentMismatch {
            place: from.path.display().to_string(),
            reason,
        };
        if file.bytes <= PART_BYTES {
            let all = parts.read_part().await?;
            parts.read_part().await?;
            parts.hasher.check(file).map_err(other)?;
            let put = self.upload_store.put(&key, all.into()).await;
            put.map_err(refused)?;
            on_progress(file.bytes);
            return Ok(());
        }
        let upload = self
            .upload_store
            .put_multipart(&key)
            .await
            .map_err(refused)?;
        let part_bytes = usize::try_from(PART_BYTES).unwrap_or(usize::MAX);
        let mut upload = WriteMultipart::new_with_chunk_size(upload, part_bytes);
        let all = async {
            loop {
                let part = parts.read_part().await?;
                if part.is_empty() {
                    return parts.hasher.check(file).map_err(other);
                }
                upload
                    .wait_for_capacity(MAX_PARTS_IN_FLIGHT)
                    .await
                    .map_err(refused)?;
                on_progress(part.len() as u64);
                upload.put(part.into());
            }
        };
        match all.await {
            Ok(()) => upload.finish().await.map(drop).map_err(refused),
            Err(error) => {
                // What has come so far is thrown away; if even that fails it stays without a name.
                upload.abort().await.ok();
                Err(error)
            }
        }
    }

    /// Reads one file of a publication to its end: whether it is as it was published. One that is not there is not.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn is_intact(&self, file: &FileEntry) -> Result<bool, BucketError> {
        let key = self.file_key(&file.sha256);
        let read = async {
            let mut parts = self.store.get(&key).await?.into_stream();
            let mut hasher = ContentHasher::default();
            while let Some(part) = parts.try_next().await? {
                hasher.update(&part);
            }
            Ok(hasher)
        };
        match read.await {
            Ok(seen) => Ok(seen.check(file).is_ok()),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(BucketError::from_store(
                "reading",
                self.object_url(&key),
                error,
            )),
        }
    }

    /// Writes one file of a publication to `path`, which must not be there yet, and brings it to disk. What is not as the
    /// manifest says is not left behind.
    ///
    /// # Errors
    /// When it is not in the bucket or not as published, or cannot be written.
    pub async fn download(&self, file: &FileEntry, path: &Path) -> Result<(), BucketError> {
        let written = self.write_download(file, path).await;
        if written.is_err() {
            // What fails here is told by what failed before.
            tokio::fs::remove_file(path).await.ok();
        }
        written
    }

    async fn write_download(&self, file: &FileEntry, path: &Path) -> Result<(), BucketError> {
        let failed = |source| BucketError::Io {
            path: path.to_owned(),
            source,
        };
        let key = self.file_key(&file.sha256);
        let refused = |error| BucketError::from_store("reading", self.object_url(&key), error);
        let other = |reason| BucketError::ContentMismatch {
            place: self.object_url(&key),
            reason: format!("{reason}; {REPAIR_HINT}"),
        };
        let found = self.store.get(&key).await.map_err(refused)?;
        let mut to = File::create_new(path).await.map_err(failed)?;
        let (mut parts, mut hasher) = (found.into_stream(), ContentHasher::default());
        while let Some(part) = parts.next().await {
            let part = part.map_err(refused)?;
            hasher.update(&part);
            if hasher.bytes > file.bytes {
                return Err(other(format!(
                    "more than the {} bytes published",
                    file.bytes
                )));
            }
            to.write_all(&part).await.map_err(failed)?;
        }
        hasher.check(file).map_err(other)?;
        to.sync_all().await.map_err(failed)
    }
}

/// A file on this machine, part by part.
struct PartReader<'a> {
    path: &'a Path,
    file: File,
    hasher: ContentHasher,
}

impl PartReader<'_> {
    /// The next part; an empty one is the end.
    async fn read_part(&mut self) -> Result<Vec<u8>, BucketError> {
        let mut part = Vec::new();
        let read = (&mut self.file)
            .take(PART_BYTES)
            .read_to_end(&mut part)
            .await;
        read.map_err(|source| BucketError::Io {
            path: self.path.to_owned(),
            source,
        })?;
        self.hasher.update(&part);
        Ok(part)
    }
}

/// What has passed by.
#[derive(Default)]
struct ContentHasher {
    bytes: u64,
    sha256: Sha256,
}

impl ContentHasher {
    fn update(&mut self, part: &[u8]) {
        self.bytes += part.len() as u64;
        self.sha256.update(part);
    }

    /// Whether it was this file; else in what it differs.
    fn check(self, file: &FileEntry) -> Result<(), String> {
        let (found, expected) = (self.bytes, file.bytes);
        if found != expected {
            return Err(format!("{found} bytes, published with {expected}"));
        }
        let (found, expected) = (hex::encode(&self.sha256.finalize()), &file.sha256);
        if found != *expected {
            return Err(format!("SHA-256 {found}, published with {expected}"));
        }
        Ok(())
    }
}
