//! Moves a file out of the inbox, but not if another file has replaced it after the last scan.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::cli::index::inbox_layout::STAGING_DIR;
use crate::cli::index::watch::archive_dir::{MAX_NAME_BYTES, MAX_SAME_NAME, numbered_name};
use crate::cli::index::watch::stamp::InboxFileStamp;

/// Moves a file to the staging folder, where other programs do not replace it. Returns `None` if the file does not have the given
/// stamp.
pub(super) fn stage(
    inbox: &Path,
    name: &OsStr,
    stamp: InboxFileStamp,
) -> io::Result<Option<PathBuf>> {
    let path = inbox.join(name);
    if !InboxFileStamp::from_path(&path).is_ok_and(|found| found == stamp) {
        return Ok(None);
    }
    let folder = inbox.join(STAGING_DIR);
    fs::create_dir_all(&folder)?;
    let staged = folder.join(name);
    if staged.symlink_metadata().is_ok() {
        put_back(inbox, &staged)?;
    }
    match fs::rename(path, &staged) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    }
    // Another program may have replaced the file between the check and the move.
    if InboxFileStamp::from_path(&staged)?.is_same_file(&stamp) {
        return Ok(Some(staged));
    }
    put_back(inbox, &staged)?;
    Ok(None)
}

/// Moves a staged file back to its name in the inbox. Adds a number if the name is in use.
pub(super) fn put_back(inbox: &Path, staged: &Path) -> io::Result<()> {
    let name = staged.file_name().ok_or(ErrorKind::InvalidInput)?;
    for number in 1..MAX_SAME_NAME {
        let path = inbox.join(numbered_name(name, number, MAX_NAME_BYTES));
        // Use a hard link, because a rename would replace another file of this name.
        match fs::hard_link(staged, &path) {
            Ok(()) => return fs::remove_file(staged),
            Err(_) if path.symlink_metadata().is_ok() => {}
            // The file system has no hard links, or the file belongs to another user.
            Err(_) => return fs::rename(staged, path),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Moves back every file that an interrupted run left in the staging folder.
pub(super) fn put_back_all(inbox: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(inbox.join(STAGING_DIR)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let path = entry?.path();
        let file = path.display();
        match put_back(inbox, &path) {
            Ok(()) => tracing::info!(%file, "put a file of an interrupted run back into the inbox"),
            Err(error) => {
                tracing::warn!(%file, %error, "cannot put a file of an interrupted run back into the inbox");
            }
        }
    }
    Ok(())
}
