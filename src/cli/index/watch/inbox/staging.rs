//! Taking a file out of the inbox: the one that was seen, and no other that has its name by now.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::{Inbox, Stamp};
use crate::cli::index::watch::archive_dir::{LONGEST_NAME, MOST, numbered};

/// What is taken lies here until it is moved on. Hidden, so it is no delivery.
const TAKEN: &str = ".postduif-watch.taken";

impl Inbox {
    /// Takes a file out of the reach of those who write here; none when it is not the one that was seen. It has its name in a
    /// hidden folder then, to be moved on or put back.
    pub(in crate::cli::index::watch) fn take(
        &self,
        name: &OsStr,
        seen: Stamp,
    ) -> io::Result<Option<PathBuf>> {
        if !self.is_as_seen(name, seen) {
            return Ok(None);
        }
        let folder = self.folder.join(TAKEN);
        fs::create_dir_all(&folder)?;
        let taken = folder.join(name);
        if taken.symlink_metadata().is_ok() {
            self.put_back(&taken)?;
        }
        match fs::rename(self.path_of(name), &taken) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        }
        // Another may have taken its place after it was looked at.
        if Stamp::of(&taken.symlink_metadata()?).is_of_same_file(&seen) {
            return Ok(Some(taken));
        }
        self.put_back(&taken)?;
        Ok(None)
    }

    /// Puts a file back under its name, with a number where another one has it by now.
    pub(in crate::cli::index::watch) fn put_back(&self, taken: &Path) -> io::Result<()> {
        let name = taken.file_name().ok_or(ErrorKind::InvalidInput)?;
        for number in 1..MOST {
            let path = self.path_of(&numbered(name, number, LONGEST_NAME));
            // A link does not take the place of another file.
            match fs::hard_link(taken, &path) {
                Ok(()) => return fs::remove_file(taken),
                Err(_) if path.symlink_metadata().is_ok() => {}
                // A file system without links, or a file of somebody else.
                Err(_) => return fs::rename(taken, path),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// Puts back what a process that ended in the middle of a move left.
    pub(super) fn put_back_all(&self) -> io::Result<()> {
        let entries = match fs::read_dir(self.folder.join(TAKEN)) {
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
