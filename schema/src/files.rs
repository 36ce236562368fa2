//! Provides file operations, with errors that name the path. A change survives a power cut only if the operation syncs it.

use std::fs::{self, File, FileType, Permissions};
use std::io;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// The error for a file or folder that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct FileError {
    /// The file or folder.
    pub path: PathBuf,
    /// The error of the system.
    pub source: io::Error,
}

impl FileError {
    /// Returns a function for `map_err` that adds the path to an error of the system.
    pub fn with_path(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self {
            path: path.to_owned(),
            source,
        }
    }

    /// Whether a write failed because the disk, or the user's quota on it, is full.
    #[must_use]
    pub fn is_disk_full(&self) -> bool {
        matches!(
            self.source.kind(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
        )
    }
}

/// Opens a regular file, or a link to one. Refuses a named pipe or a device before opening it, because reading it could wait forever.
///
/// # Errors
/// If the file cannot be opened. [`io::ErrorKind::InvalidInput`] if it is not a regular file; the message names its type.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let found = path.metadata()?.file_type();
    if found.is_file() {
        return File::open(path);
    }
    let kind = describe_file_type(found);
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        format!("it is {kind}; expected a regular file"),
    ))
}

fn describe_file_type(found: FileType) -> &'static str {
    if found.is_dir() {
        "a folder"
    } else if found.is_fifo() {
        "a named pipe"
    } else if found.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

/// Reads a regular file of UTF-8 text.
///
/// # Errors
/// As [`open_regular`], or if the content is not UTF-8.
pub fn read_regular_to_string(path: &Path) -> io::Result<String> {
    io::read_to_string(open_regular(path)?)
}

/// The permissions of a published file. Every user may read the file, because the service and the indexer may run as different users.
/// No user may write the file, because the service maps it into memory. Writing in place would change responses, and truncating the
/// file would kill the service.
pub fn read_only_permissions() -> Permissions {
    Permissions::from_mode(0o444)
}

/// Creates a folder and its parents, if they do not exist.
///
/// # Errors
/// If it cannot be created.
pub fn create_dir_all(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(FileError::with_path(path))
}

/// Lists the entries of a folder: the path of each entry, and whether the entry is a folder itself. The list is empty if the folder does
/// not exist.
///
/// # Errors
/// If it cannot be read.
pub fn list_dir(path: &Path) -> Result<Vec<(PathBuf, bool)>, FileError> {
    let list = || -> io::Result<Vec<(PathBuf, bool)>> {
        let entries = fs::read_dir(path)?.map(|entry| {
            let entry = entry?;
            Ok((entry.path(), entry.file_type()?.is_dir()))
        });
        entries.collect()
    };
    match list() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        listed => listed.map_err(FileError::with_path(path)),
    }
}

/// Removes a file, or a folder with everything in it, if it exists.
///
/// # Errors
/// If it cannot be removed.
pub fn remove_all(path: &Path) -> Result<(), FileError> {
    let removed = match path.symlink_metadata() {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(FileError::with_path(path)),
    }
}

/// Removes the entries of a folder that have a name with one of these prefixes.
///
/// # Errors
/// If the folder cannot be read, or an entry cannot be removed.
pub fn remove_prefixed(folder: &Path, prefixes: &[&str]) -> Result<(), FileError> {
    for (path, _) in list_dir(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if prefixes.iter().any(|prefix| name.starts_with(prefix)) {
            remove_all(&path)?;
        }
    }
    Ok(())
}

/// Renames a file or folder within one file system, and syncs the folder of its new name to disk.
///
/// # Errors
/// If it cannot be renamed or synced.
pub fn rename_synced(from: &Path, to: &Path) -> Result<(), FileError> {
    fs::rename(from, to).map_err(FileError::with_path(to))?;
    sync_path(to.parent().expect("the target of a rename has a parent"))
}

/// Syncs a file or folder to disk. Files that were created or renamed in a folder keep their names in a power cut only if the folder is
/// synced.
///
/// # Errors
/// If it cannot be opened or synced.
pub fn sync_path(path: &Path) -> Result<(), FileError> {
    let synced = File::open(path).and_then(|file| file.sync_all());
    synced.map_err(FileError::with_path(path))
}
