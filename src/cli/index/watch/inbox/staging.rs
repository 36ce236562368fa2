//! Taking a file out of the inbox: the one that was seen, and no other that has its name by now.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::{Inbox, InboxFileStamp};
use crate::cli::index::watch::archive_dir::{MAX_NAME_BYTES, MAX_SAME_NAME, numbered_name};

/// What is taken lies here until it is moved on. Hidden, so it is no delivery.
const STAGING_DIR: &str = ".postduif-watch.taken";

impl Inbox {
    /// Takes a file out of the reach of those who write here; none when it is not the one that was seen. It has its name in a
    /// hidden folder then, to be moved on or put back.
    pub(in crate::cli::index::watch) fn stage(
        &self,
        name: &OsStr,
        stamp: InboxFileStamp,
    ) -> io::Result<Option<PathBuf>> {
        if !self.is_unchanged(name, stamp) {
            return Ok(None);
        }
        let folder = self.folder.join(STAGING_DIR);
        fs::create_dir_all(&folder)?;
        let staged = folder.join(name);
        if staged.symlink_metadata().is_ok() {
            self.put_back(&staged)?;
        }
        match fs::rename(self.file_path(name), &staged) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        }
        // Another may have taken its place after it was looked at.
        if InboxFileStamp::from_metadata(&staged.symlink_metadata()?).is_same_file(&stamp) {
            return Ok(Some(staged));
        }
        self.put_back(&staged)?;
        Ok(None)
    }

    /// Puts a file back under its name, with a number where another one has it by now.
    pub(in crate::cli::index::watch) fn put_back(&self, staged: &Path) -> io::Result<()> {
        let name = staged.file_name().ok_or(ErrorKind::InvalidInput)?;
        for number in 1..MAX_SAME_NAME {
            let path = self.file_path(&numbered_name(name, number, MAX_NAME_BYTES));
            // A link does not take the place of another file.
            match fs::hard_link(staged, &path) {
                Ok(()) => return fs::remove_file(staged),
                Err(_) if path.symlink_metadata().is_ok() => {}
                // A file system without links, or a file of somebody else.
                Err(_) => return fs::rename(staged, path),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// Puts back what a process that ended in the middle of a move left.
    pub(super) fn put_back_staged(&self) -> io::Result<()> {
        let entries = match fs::read_dir(self.folder.join(STAGING_DIR)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        for entry in entries {
            let path = entry?.path();
            match (self.put_back(&path), path.display()) {
                (Ok(()), file) => {
                    tracing::info!(%file, "left by a run that was cut short; put back into the inbox")
                }
                (Err(error), file) => {
                    tracing::warn!(%file, %error, "left by a run that was cut short; it cannot be put back")
                }
            }
        }
        Ok(())
    }
}
