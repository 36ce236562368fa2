//! Copies files to and from a bucket. Hashes every byte during the copy. A file gets its final name only if its content is right.

use std::path::{Path, PathBuf};

use futures_util::stream::FuturesUnordered;
use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::{ObjectStoreExt as _, WriteMultipart};
use postduif_schema::files::read_only_permissions;
use postduif_schema::{FileEntry, FileError};
use sha2::{Digest as _, Sha256};
use tokio::fs::File;
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _, AsyncWriteExt as _};

use super::{Bucket, BucketError};

/// Bytes that are read at once, and the part size of a multipart upload. S3 accepts parts below 5 MiB only as the last part.
const PART_BYTES: u64 = 8 << 20;

/// Maximum number of parts of one file that are uploaded at once.
const MAX_PARTS_IN_FLIGHT: usize = 2;

/// Says in an error how to repair a damaged file.
const REPAIR_HINT: &str =
    "to upload it again, run `postduif index publish --check` on the machine that publishes";

/// An open file of a generation that is to be uploaded. If the file is deleted meanwhile, its content can still be read.
#[derive(Debug)]
pub struct UploadFile {
    /// The entry of the file in the manifest.
    pub entry: FileEntry,
    path: PathBuf,
    file: std::fs::File,
}

impl UploadFile {
    /// Opens a file of the generation in `folder`.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open(entry: &FileEntry, folder: &Path) -> Result<Self, BucketError> {
        let path = folder.join(&entry.path);
        match std::fs::File::open(&path) {
            Ok(file) => Ok(Self {
                entry: entry.clone(),
                path,
                file,
            }),
            Err(error) => Err(FileError::with_path(&path)(error).into()),
        }
    }

    /// Reads from the start of the file. Use only one reader at a time, because all readers share one file position.
    async fn part_reader(&self) -> Result<PartReader<'_>, BucketError> {
        let io_error = FileError::with_path(&self.path);
        let mut file = File::from_std(self.file.try_clone().map_err(&io_error)?);
        file.rewind().await.map_err(io_error)?;
        Ok(PartReader {
            path: &self.path,
            file,
            hasher: ContentHasher::default(),
        })
    }
}

/// Uploads an open file. The file gets its name in the bucket only after all its content has arrived and matches its entry.
/// Calls `on_progress` with the number of bytes of each part.
///
/// # Errors
/// If the file does not match its entry, or the store refuses.
pub async fn upload(
    bucket: &Bucket,
    from: &UploadFile,
    on_progress: &(dyn Fn(u64) + Sync),
) -> Result<(), BucketError> {
    let (entry, mut parts) = (&from.entry, from.part_reader().await?);
    let key = bucket.file_key(&entry.sha256);
    let store_error = |error| BucketError::from_store("writing", bucket.object_url(&key), error);
    let mismatch = |reason| BucketError::ContentMismatch {
        location: from.path.display().to_string(),
        reason,
    };
    if entry.bytes <= PART_BYTES {
        let all = parts.read_part().await?;
        parts.read_part().await?;
        parts.hasher.check(entry).map_err(mismatch)?;
        let put = bucket.upload_store.put(&key, all.into()).await;
        put.map_err(store_error)?;
        on_progress(entry.bytes);
        return Ok(());
    }
    let upload = bucket
        .upload_store
        .put_multipart(&key)
        .await
        .map_err(store_error)?;
    let part_bytes = usize::try_from(PART_BYTES).unwrap_or(usize::MAX);
    let mut upload = WriteMultipart::new_with_chunk_size(upload, part_bytes);
    let all = async {
        loop {
            let part = parts.read_part().await?;
            if part.is_empty() {
                return parts.hasher.check(entry).map_err(mismatch);
            }
            upload
                .wait_for_capacity(MAX_PARTS_IN_FLIGHT)
                .await
                .map_err(store_error)?;
            on_progress(part.len() as u64);
            upload.put(part.into());
        }
    };
    match all.await {
        Ok(()) => upload.finish().await.map(drop).map_err(store_error),
        Err(error) => {
            // If aborting fails too, the parts stay in the store as an unfinished upload.
            upload.abort().await.ok();
            Err(error)
        }
    }
}

/// Reads one file of a publication from the bucket, and compares size and SHA-256 with `entry`. Returns `false` if the file is
/// missing or differs.
///
/// # Errors
/// If the file cannot be read.
pub(crate) async fn is_intact(bucket: &Bucket, entry: &FileEntry) -> Result<bool, BucketError> {
    let key = bucket.file_key(&entry.sha256);
    let read = async {
        let mut parts = bucket.store.get(&key).await?.into_stream();
        let mut hasher = ContentHasher::default();
        while let Some(part) = parts.try_next().await? {
            hasher.update(&part);
        }
        Ok(hasher)
    };
    match read.await {
        Ok(hasher) => Ok(hasher.check(entry).is_ok()),
        Err(object_store::Error::NotFound { .. }) => Ok(false),
        Err(error) => Err(BucketError::from_store(
            "reading",
            bucket.object_url(&key),
            error,
        )),
    }
}

/// Downloads one file of a publication to the new, read-only file `path` and syncs it to disk. Deletes the file after
/// any error.
///
/// # Errors
/// If the bucket lacks the file, the file differs from its entry, or `path` cannot be written.
pub(crate) async fn download(
    bucket: &Bucket,
    entry: &FileEntry,
    path: &Path,
) -> Result<(), BucketError> {
    let written = write_download(bucket, entry, path).await;
    if written.is_err() {
        // The error of the download is reported, so an error of the removal is ignored.
        tokio::fs::remove_file(path).await.ok();
    }
    written
}

async fn write_download(
    bucket: &Bucket,
    entry: &FileEntry,
    path: &Path,
) -> Result<(), BucketError> {
    let io_error = FileError::with_path(path);
    let key = bucket.file_key(&entry.sha256);
    let store_error = |error| BucketError::from_store("reading", bucket.object_url(&key), error);
    let mismatch = |reason| BucketError::ContentMismatch {
        location: bucket.object_url(&key),
        reason: format!("{reason}; {REPAIR_HINT}"),
    };
    let found = bucket.store.get(&key).await.map_err(store_error)?;
    let mut to = File::create_new(path).await.map_err(&io_error)?;
    let (mut parts, mut hasher) = (found.into_stream(), ContentHasher::default());
    while let Some(part) = parts.next().await {
        let part = part.map_err(store_error)?;
        hasher.update(&part);
        if hasher.bytes > entry.bytes {
            return Err(mismatch(format!(
                "more than the published {} bytes",
                entry.bytes
            )));
        }
        to.write_all(&part).await.map_err(&io_error)?;
    }
    hasher.check(entry).map_err(mismatch)?;
    to.set_permissions(read_only_permissions())
        .await
        .map_err(&io_error)?;
    Ok(to.sync_all().await.map_err(io_error)?)
}

/// Reads a local file in parts and hashes it.
struct PartReader<'a> {
    path: &'a Path,
    file: File,
    hasher: ContentHasher,
}

impl PartReader<'_> {
    /// The next part; empty at the end of the file.
    async fn read_part(&mut self) -> Result<Vec<u8>, BucketError> {
        let mut part = Vec::new();
        let read = (&mut self.file)
            .take(PART_BYTES)
            .read_to_end(&mut part)
            .await;
        read.map_err(FileError::with_path(self.path))?;
        self.hasher.update(&part);
        Ok(part)
    }
}

/// Runs transfers, at most `limit` at once, and returns the first error. After an error no transfer starts, but those that have started
/// finish: a dropped upload leaves parts in the store, and a dropped download must be repeated.
pub(in crate::sync) async fn run_transfers<E>(
    transfers: Vec<impl Future<Output = Result<(), E>>>,
    limit: usize,
) -> Result<(), E> {
    let mut waiting = transfers.into_iter();
    let mut running: FuturesUnordered<_> = waiting.by_ref().take(limit).collect();
    let mut outcome = Ok(());
    while let Some(result) = running.next().await {
        outcome = outcome.and(result);
        if outcome.is_ok() {
            running.extend(waiting.next());
        }
    }
    outcome
}

/// Size and SHA-256 of a file that is read in parts.
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

    /// Compares size and SHA-256 with those of an entry. The error says what differs.
    fn check(self, entry: &FileEntry) -> Result<(), String> {
        let (found, expected) = (self.bytes, entry.bytes);
        if found != expected {
            return Err(format!("{found} bytes, published with {expected}"));
        }
        let (found, expected) = (hex::encode(self.sha256.finalize()), &entry.sha256);
        if found != *expected {
            return Err(format!("SHA-256 {found}, published with {expected}"));
        }
        Ok(())
    }
}
