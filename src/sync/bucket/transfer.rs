//! Files on their way to a bucket and from it. Every byte is hashed on the way, so what has a name is what it says.

use std::path::{Path, PathBuf};

use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::{ObjectStoreExt as _, WriteMultipart};
use sha2::{Digest as _, Sha256};
use tokio::fs::File;
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _, AsyncWriteExt as _};

use super::{Bucket, BucketError};
use postduif_schema::StoredFile;

/// How much is read at once, and what a part of a large file has in S3, which takes no less than 5 MiB.
const PART: u64 = 8 << 20;

/// Parts of one file that are under way at once.
const PARTS_AT_ONCE: usize = 2;

/// What puts a damaged file right.
const CHECK: &str =
    "on the machine that publishes, `postduif index publish --check` puts it there anew";

/// Whether a name in the bucket is that of a file.
pub(super) fn is_sha256(name: &str) -> bool {
    name.len() == 64
        && name
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// A file of a generation that is open to be uploaded: it can be read to its end even when its name is taken away meanwhile.
#[derive(Debug)]
pub struct OpenFile {
    /// As its manifest lists it.
    pub listed: StoredFile,
    path: PathBuf,
    open: std::fs::File,
}

impl OpenFile {
    /// Opens a file of the generation in `folder`.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(file: &StoredFile, folder: &Path) -> Result<Self, BucketError> {
        let path = folder.join(&file.path);
        match std::fs::File::open(&path) {
            Ok(open) => Ok(Self {
                listed: file.clone(),
                path,
                open,
            }),
            Err(source) => Err(BucketError::Io { path, source }),
        }
    }

    /// From its begin. One at a time: all share one place in the file.
    async fn parts(&self) -> Result<Parts<'_>, BucketError> {
        let failed = |source| BucketError::Io {
            path: self.path.clone(),
            source,
        };
        let mut file = File::from_std(self.open.try_clone().map_err(failed)?);
        file.rewind().await.map_err(failed)?;
        Ok(Parts {
            path: &self.path,
            file,
            seen: Seen::default(),
        })
    }
}

impl Bucket {
    /// Puts one file of the generation in `folder` into the bucket. It has its name there once all of it has come and was
    /// what the manifest says; before that nobody sees it.
    ///
    /// # Errors
    /// When the file is not as its manifest says, or the bucket refuses.
    pub async fn upload(&self, file: &StoredFile, folder: &Path) -> Result<(), BucketError> {
        self.upload_open(&OpenFile::open(file, folder)?, &|_| {})
            .await
    }

    /// The same for a file that is open. `sent` is told of every part that is on its way, in bytes.
    ///
    /// # Errors
    /// Likewise.
    pub async fn upload_open(
        &self,
        from: &OpenFile,
        sent: &(dyn Fn(u64) + Sync),
    ) -> Result<(), BucketError> {
        let (file, mut parts) = (&from.listed, from.parts().await?);
        let key = self.file_key(&file.sha256);
        let refused = |error| BucketError::of_store("writing", self.place(&key), error);
        let other = |reason| BucketError::OtherContent {
            place: from.path.display().to_string(),
            reason,
        };
        if file.bytes <= PART {
            let all = parts.next().await?;
            parts.next().await?;
            parts.seen.is(file).map_err(other)?;
            let put = self.uploads.put(&key, all.into()).await;
            put.map_err(refused)?;
            sent(file.bytes);
            return Ok(());
        }
        let upload = self.uploads.put_multipart(&key).await.map_err(refused)?;
        let part_bytes = usize::try_from(PART).unwrap_or(usize::MAX);
        let mut upload = WriteMultipart::new_with_chunk_size(upload, part_bytes);
        let all = async {
            loop {
                let part = parts.next().await?;
                if part.is_empty() {
                    return parts.seen.is(file).map_err(other);
                }
                upload
                    .wait_for_capacity(PARTS_AT_ONCE)
                    .await
                    .map_err(refused)?;
                sent(part.len() as u64);
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
    pub async fn is_sound(&self, file: &StoredFile) -> Result<bool, BucketError> {
        let key = self.file_key(&file.sha256);
        let read = async {
            let mut parts = self.store.get(&key).await?.into_stream();
            let mut seen = Seen::default();
            while let Some(part) = parts.try_next().await? {
                seen.add(&part);
            }
            Ok(seen)
        };
        match read.await {
            Ok(seen) => Ok(seen.is(file).is_ok()),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(BucketError::of_store("reading", self.place(&key), error)),
        }
    }

    /// Writes one file of a publication to `path`, which must not be there yet, and brings it to disk. What is not as the
    /// manifest says is not left behind.
    ///
    /// # Errors
    /// When it is not in the bucket or not as published, or cannot be written.
    pub async fn download(&self, file: &StoredFile, path: &Path) -> Result<(), BucketError> {
        let written = self.write(file, path).await;
        if written.is_err() {
            // What fails here is told by what failed before.
            tokio::fs::remove_file(path).await.ok();
        }
        written
    }

    async fn write(&self, file: &StoredFile, path: &Path) -> Result<(), BucketError> {
        let failed = |source| BucketError::Io {
            path: path.to_owned(),
            source,
        };
        let key = self.file_key(&file.sha256);
        let refused = |error| BucketError::of_store("reading", self.place(&key), error);
        let other = |reason| BucketError::OtherContent {
            place: self.place(&key),
            reason: format!("{reason}; {CHECK}"),
        };
        let found = self.store.get(&key).await.map_err(refused)?;
        let mut to = File::create_new(path).await.map_err(failed)?;
        let (mut parts, mut seen) = (found.into_stream(), Seen::default());
        while let Some(part) = parts.next().await {
            let part = part.map_err(refused)?;
            seen.add(&part);
            if seen.bytes > file.bytes {
                return Err(other(format!(
                    "more than the {} bytes published",
                    file.bytes
                )));
            }
            to.write_all(&part).await.map_err(failed)?;
        }
        seen.is(file).map_err(other)?;
        to.sync_all().await.map_err(failed)
    }
}

/// A file on this machine, part by part.
struct Parts<'a> {
    path: &'a Path,
    file: File,
    seen: Seen,
}

impl Parts<'_> {
    /// The next part; an empty one is the end.
    async fn next(&mut self) -> Result<Vec<u8>, BucketError> {
        let mut part = Vec::new();
        let read = (&mut self.file).take(PART).read_to_end(&mut part).await;
        read.map_err(|source| BucketError::Io {
            path: self.path.to_owned(),
            source,
        })?;
        self.seen.add(&part);
        Ok(part)
    }
}

/// What has passed by.
#[derive(Default)]
struct Seen {
    bytes: u64,
    hasher: Sha256,
}

impl Seen {
    fn add(&mut self, part: &[u8]) {
        self.bytes += part.len() as u64;
        self.hasher.update(part);
    }

    /// Whether it was this file; else in what it differs.
    fn is(self, file: &StoredFile) -> Result<(), String> {
        let (found, expected) = (self.bytes, file.bytes);
        if found != expected {
            return Err(format!("{found} bytes, published with {expected}"));
        }
        let (found, expected) = (hex::encode(&self.hasher.finalize()), &file.sha256);
        if found != *expected {
            return Err(format!("SHA-256 {found}, published with {expected}"));
        }
        Ok(())
    }
}
