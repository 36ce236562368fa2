//! One file of a generation, as its manifest lists it, and the file on disk held against that.

use std::fs::File;
use std::io::{self, BufReader, Read as _};
use std::path::{Component, Path};
use std::time::{Instant, SystemTime};

use sha2::{Digest as _, Sha256};

use crate::ManifestError;
use crate::verification_cache::{FileFingerprint, VerificationCache};

/// One file of a generation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct FileEntry {
    /// Relative to the generation's folder, with `/` between parts.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 in hex.
    pub sha256: String,
}

impl FileEntry {
    /// Compares the file on disk, below a generation's folder: its size, then its SHA-256.
    ///
    /// # Errors
    /// When it is missing or not as published, or its path leads out of the folder.
    pub fn verify(&self, folder: &Path) -> Result<(), ManifestError> {
        self.verify_with_cache(&VerificationCache::default(), folder)
            .map(drop)
    }

    /// Whether its path stays below the folder that it is relative to.
    #[must_use]
    pub fn has_safe_path(&self) -> bool {
        let inside = |part| matches!(part, Component::Normal(_));
        !self.path.is_empty() && Path::new(&self.path).components().all(inside)
    }

    /// Compares the file on disk. Its size is looked at before it is read, and a path that leads out of the folder or to
    /// something else than a file is refused.
    pub(crate) fn verify_with_cache(
        &self,
        cache: &VerificationCache,
        folder: &Path,
    ) -> Result<Option<(FileFingerprint, Instant)>, ManifestError> {
        let path = folder.join(&self.path);
        let other = |reason| ManifestError::ContentMismatch {
            path: path.clone(),
            reason,
        };
        if !self.has_safe_path() {
            return Err(other("leads out of the generation's folder".into()));
        }
        let metadata = path
            .symlink_metadata()
            .map_err(|source| ManifestError::Io {
                path: path.clone(),
                source,
            })?;
        if !metadata.is_file() {
            return Err(other("not a file".into()));
        }
        let (found, expected) = (metadata.len(), self.bytes);
        if found != expected {
            return Err(other(format!("{found} bytes, published with {expected}")));
        }
        let fingerprint = FileFingerprint::new(&metadata, &self.sha256);
        let now = Instant::now();
        if let Some(hashed) = cache.hashed_at(&fingerprint, now) {
            return Ok(Some((fingerprint, hashed)));
        }
        // What is written while it is read could bear the same time afterwards.
        let fact = fingerprint
            .is_settled(SystemTime::now())
            .then_some(fingerprint);
        let (found, expected) = (Self::from_disk(folder, &self.path)?.sha256, &self.sha256);
        if found != *expected {
            return Err(other(format!("SHA-256 {found}, published with {expected}")));
        }
        Ok(fact.map(|fact| (fact, now)))
    }

    /// Measures and hashes the file at `path` in a generation's folder.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn from_disk(folder: &Path, path: &str) -> Result<Self, ManifestError> {
        let full = folder.join(path);
        let (bytes, sha256) =
            hash_file(&full).map_err(|source| ManifestError::Io { path: full, source })?;
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
            return Ok((bytes, hex::encode(&hasher.finalize())));
        }
        hasher.update(&buffer[..read]);
        bytes += read as u64;
    }
}
