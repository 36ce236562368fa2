//! Defines the entry of a file in a manifest, and compares it with the file on disk.

use std::fs::File;
use std::io::{self, BufReader, Read as _};
use std::path::{Component, Path};
use std::time::{Instant, SystemTime};

use sha2::{Digest as _, Sha256};

use crate::verification_cache::{FileFingerprint, VerificationCache};
use crate::{FileError, ManifestError};

/// The entry of one file of a generation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct FileEntry {
    /// Path of the file relative to the generation's folder, with `/` between parts.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of the content, in hex.
    pub sha256: String,
}

impl FileEntry {
    /// Compares the file in a generation's folder with this entry: its size, then its SHA-256.
    ///
    /// # Errors
    /// If the file is missing or differs, or the path leads out of the folder.
    pub fn verify(&self, folder: &Path) -> Result<(), ManifestError> {
        self.verify_with_cache(&VerificationCache::default(), folder)
            .map(drop)
    }

    /// Whether the path of the entry stays inside the generation's folder.
    #[must_use]
    pub fn has_safe_path(&self) -> bool {
        let inside = |part| matches!(part, Component::Normal(_));
        !self.path.is_empty() && Path::new(&self.path).components().all(inside)
    }

    /// Like [`verify`](Self::verify), but does not hash an unchanged file that is in the cache. Returns the entry to add to the cache;
    /// `None` if the file was written so recently that a later write could leave the same modification time.
    pub(crate) fn verify_with_cache(
        &self,
        cache: &VerificationCache,
        folder: &Path,
    ) -> Result<Option<(FileFingerprint, Instant)>, ManifestError> {
        let path = folder.join(&self.path);
        let mismatch = |reason| ManifestError::ContentMismatch {
            path: path.clone(),
            reason,
        };
        if !self.has_safe_path() {
            return Err(mismatch("leads out of the generation's folder".into()));
        }
        let metadata = path
            .symlink_metadata()
            .map_err(FileError::with_path(&path))?;
        if !metadata.is_file() {
            return Err(mismatch("not a file".into()));
        }
        let (found, expected) = (metadata.len(), self.bytes);
        if found != expected {
            return Err(mismatch(format!(
                "{found} bytes, published with {expected}"
            )));
        }
        let fingerprint = FileFingerprint::new(&metadata, &self.sha256);
        let now = Instant::now();
        if let Some(hashed) = cache.hashed_at(&fingerprint, now) {
            return Ok(Some((fingerprint, hashed)));
        }
        // Decide this before the file is read, because a write during the read could leave the same modification time.
        let cacheable = fingerprint
            .is_settled(SystemTime::now())
            .then_some(fingerprint);
        let (found, expected) = (Self::from_disk(folder, &self.path)?.sha256, &self.sha256);
        if found != *expected {
            return Err(mismatch(format!(
                "SHA-256 {found}, published with {expected}"
            )));
        }
        Ok(cacheable.map(|fingerprint| (fingerprint, now)))
    }

    /// Creates the entry of the file at `path` in a generation's folder.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn from_disk(folder: &Path, path: &str) -> Result<Self, ManifestError> {
        let full = folder.join(path);
        let (bytes, sha256) = hash_file(&full).map_err(FileError::with_path(&full))?;
        Ok(Self {
            path: path.to_owned(),
            bytes,
            sha256,
        })
    }
}

fn hash_file(path: &Path) -> io::Result<(u64, String)> {
    let mut reader = BufReader::with_capacity(0, File::open(path)?);
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    let mut bytes = 0;
    loop {
        let read = reader.read(&mut buffer)?;
        if read == 0 {
            return Ok((bytes, hex::encode(hasher.finalize())));
        }
        hasher.update(&buffer[..read]);
        bytes += read as u64;
    }
}
