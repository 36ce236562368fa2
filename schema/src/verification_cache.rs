//! Caches which files this process has verified.
//!
//! A generation shares most of its files with the previous generation, as hard links. A verified file is not hashed again for a week,
//! as long as its inode, size and modification time stay the same. So a write that restores the modification time, or a disk that
//! loses a sector, is noticed only after that week, at the next start, or by `postduif index verify`.

use std::collections::HashMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::time::{Duration, Instant, SystemTime};

/// A file is cached only if its last write was longer ago than this. Some file systems round times to this interval, so two writes
/// within it can leave the same modification time.
const MTIME_GRANULARITY: Duration = Duration::from_secs(2);

/// How long a hash is trusted. After that time the file is hashed again, because a disk can damage a file without a write.
const CACHE_TTL: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Verified files, and when each was hashed.
#[derive(Debug, Clone, Default)]
pub struct VerificationCache(HashMap<FileFingerprint, Instant>);

/// Identifies the content of a file. The change time (ctime) is not part of it, because a new hard link changes the ctime of a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct FileFingerprint {
    device: u64,
    inode: u64,
    bytes: u64,
    /// Seconds and nanoseconds.
    modified: (i64, i64),
    sha256: String,
}

impl FileFingerprint {
    pub(crate) fn new(file: &Metadata, sha256: &str) -> Self {
        Self {
            device: file.dev(),
            inode: file.ino(),
            bytes: file.len(),
            modified: (file.mtime(), file.mtime_nsec()),
            sha256: sha256.to_owned(),
        }
    }

    /// Whether the last write was so long before `now` that every write after `now` changes the modification time.
    pub(crate) fn is_settled(&self, now: SystemTime) -> bool {
        let now = now.duration_since(SystemTime::UNIX_EPOCH);
        let age = now.map(|now| i128::from(now.as_secs()) - i128::from(self.modified.0));
        age.is_ok_and(|age| age > i128::from(MTIME_GRANULARITY.as_secs()))
    }
}

impl VerificationCache {
    /// When the file was hashed; `None` if it must be hashed again.
    pub(crate) fn hashed_at(&self, fingerprint: &FileFingerprint, now: Instant) -> Option<Instant> {
        let hashed = *self.0.get(fingerprint)?;
        (now.duration_since(hashed) < CACHE_TTL).then_some(hashed)
    }

    pub(crate) fn extend(&mut self, entries: impl IntoIterator<Item = (FileFingerprint, Instant)>) {
        self.0.extend(entries);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileEntry;
    use std::fs::{self, File};
    use std::path::Path;

    /// Writes a file and sets its modification time to `hours` hours ago.
    fn write(path: &Path, content: &[u8], hours: u64) {
        fs::write(path, content).expect("writes");
        let file = File::options().write(true).open(path).expect("opens");
        let then = SystemTime::now() - Duration::from_secs(3600 * hours);
        file.set_modified(then).expect("sets");
    }

    #[test]
    fn a_replaced_or_modified_file_is_read_again() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [path, second] = ["a.fast", "b.fast"].map(|name| folder.path().join(name));
        write(&path, b"columns", 2);
        let stored = FileEntry::from_disk(folder.path(), "a.fast").expect("a file");
        let verify = |cache: &VerificationCache| stored.verify_with_cache(cache, folder.path());
        let mut cache = VerificationCache::default();
        cache.extend(verify(&cache).expect("undamaged"));

        fs::hard_link(&path, &second).expect("a second name");
        let linked = FileEntry {
            path: "b.fast".into(),
            ..stored.clone()
        };
        let verified = linked.verify_with_cache(&cache, folder.path());
        let (fingerprint, hashed) = verified.expect("the same file").expect("settled");
        let hashed_at = |now| cache.hashed_at(&fingerprint, now);
        assert_eq!(hashed_at(Instant::now()), Some(hashed));
        assert_eq!(hashed_at(hashed + CACHE_TTL), None);

        write(&path, b"Columns", 1);
        verify(&cache).expect_err("modified");
        write(&path, b"columns", 1);
        verify(&cache).expect("read again and undamaged");
        fs::remove_file(&path).expect("removes");
        write(&path, b"Columns", 2);
        verify(&cache).expect_err("another file");
    }

    #[test]
    fn a_recently_written_file_is_not_cached() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.fast");
        fs::write(&path, b"columns").expect("writes");
        let file = File::options().write(true).open(&path).expect("opens");
        let verify = |written: SystemTime| {
            file.set_modified(written).expect("sets");
            let stored = FileEntry::from_disk(folder.path(), "a.fast").expect("a file");
            stored.verify_with_cache(&VerificationCache::default(), folder.path())
        };
        // The modification time is in the future, so the file counts as recently written however long this test takes.
        let later = SystemTime::now() + Duration::from_secs(3600);
        assert_eq!(verify(later).expect("undamaged"), None);

        let written = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        let (fingerprint, _) = verify(written).expect("undamaged").expect("settled");
        let settled = |seconds| fingerprint.is_settled(written + Duration::from_secs(seconds));
        assert_eq!([0, 2, 3].map(settled), [false, false, true]);
    }
}
