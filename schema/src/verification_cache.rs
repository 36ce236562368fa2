//! Files that this process has read whole, and what it found in them.
//!
//! From one generation to the next most files are the same ones under a second name. One that was hashed is not hashed again
//! for a week, as long as it is the same file and nobody has written to it since: it is what is being served. Whoever sets a
//! file's time back after writing to it, or a disk that loses a sector, is not noticed before that, the next start, or
//! `postduif index verify`.

use std::collections::HashMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::time::{Duration, Instant, SystemTime};

/// How old the last write to a file must be when it is read: file systems keep times in steps, some as large as this.
const MTIME_GRANULARITY: Duration = Duration::from_secs(2);

/// How long a file that was hashed is believed: disks lose what nobody wrote to.
const CACHE_TTL: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// What is known of files, and since when.
#[derive(Debug, Clone, Default)]
pub struct VerificationCache(HashMap<FileFingerprint, Instant>);

/// One file with this SHA-256. Not the time of its last change, which a second name changes too.
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

    /// Whether a write from `now` on gives the file another time.
    pub(crate) fn is_settled(&self, now: SystemTime) -> bool {
        let now = now.duration_since(SystemTime::UNIX_EPOCH);
        let age = now.map(|now| i128::from(now.as_secs()) - i128::from(self.modified.0));
        age.is_ok_and(|age| age > i128::from(MTIME_GRANULARITY.as_secs()))
    }
}

impl VerificationCache {
    /// When the file was hashed; none when that has to be done again.
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

    /// Writes a file, an hour ago as far as it tells.
    fn write(path: &Path, content: &[u8], hours: u64) {
        fs::write(path, content).expect("writes");
        let file = File::options().write(true).open(path).expect("opens");
        let then = SystemTime::now() - Duration::from_secs(3600 * hours);
        file.set_modified(then).expect("sets");
    }

    #[test]
    fn a_file_is_read_again_once_it_is_another_or_was_written_to() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [path, second] = ["a.fast", "b.fast"].map(|name| folder.path().join(name));
        write(&path, b"columns", 2);
        let stored = FileEntry::from_disk(folder.path(), "a.fast").expect("a file");
        let check = |known: &VerificationCache| stored.verify_with_cache(known, folder.path());
        let mut known = VerificationCache::default();
        known.extend(check(&known).expect("whole"));

        fs::hard_link(&path, &second).expect("a second name");
        let linked = FileEntry {
            path: "b.fast".into(),
            ..stored.clone()
        };
        let fact = linked.verify_with_cache(&known, folder.path());
        let (fact, hashed) = fact.expect("the same file").expect("settled");
        let believed = |at| known.hashed_at(&fact, at);
        assert_eq!(believed(Instant::now()), Some(hashed));
        assert_eq!(believed(hashed + CACHE_TTL), None);

        write(&path, b"Columns", 1);
        check(&known).expect_err("written to since");
        write(&path, b"columns", 1);
        check(&known).expect("read again, and whole");
        fs::remove_file(&path).expect("removes");
        write(&path, b"Columns", 2);
        check(&known).expect_err("another file");
    }

    #[test]
    fn what_was_written_a_moment_ago_is_not_remembered() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.fast");
        fs::write(&path, b"columns").expect("writes");
        let file = File::options().write(true).open(&path).expect("opens");
        let check = |written: SystemTime| {
            file.set_modified(written).expect("sets");
            let stored = FileEntry::from_disk(folder.path(), "a.fast").expect("a file");
            stored.verify_with_cache(&VerificationCache::default(), folder.path())
        };
        // However long this test takes, that is no time ago.
        let later = SystemTime::now() + Duration::from_secs(3600);
        assert_eq!(check(later).expect("whole"), None);

        let written = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        let (fact, _) = check(written).expect("whole").expect("settled");
        let settled = |seconds| fact.is_settled(written + Duration::from_secs(seconds));
        assert_eq!([0, 2, 3].map(settled), [false, false, true]);
    }
}
