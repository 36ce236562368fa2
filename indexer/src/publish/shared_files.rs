//! Prepares the files of a generation for publishing: sets their permissions, deletes lock files, and syncs the files to disk.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use postduif_schema::files::{list_dir, read_only_permissions, remove_all, sync_path};
use postduif_schema::{FileEntry, FileError, Manifest};

/// The files that a new generation shares, as hard links, with the published generation from which it is built. The content and the
/// permissions of these files must not change. The keys are device and inode.
pub(super) struct SharedFiles<'a>(HashMap<(u64, u64), &'a FileEntry>);

impl<'a> SharedFiles<'a> {
    pub(super) fn empty() -> Self {
        Self(HashMap::new())
    }

    /// The files of the published generation in `folder`. Skips missing files.
    pub(super) fn new(base: &'a Manifest, folder: &Path) -> Self {
        let known = base.files.iter().filter_map(|file| {
            let found = folder.join(&file.path).symlink_metadata().ok()?;
            Some((file_id(&found), file))
        });
        Self(known.collect())
    }

    /// The entry of a shared file; `None` if the file is not shared.
    pub(super) fn get(&self, path: &Path) -> Result<Option<&'a FileEntry>, FileError> {
        let found = path
            .symlink_metadata()
            .map_err(FileError::with_path(path))?;
        Ok(self.0.get(&file_id(&found)).copied())
    }
}

fn file_id(file: &Metadata) -> (u64, u64) {
    (file.dev(), file.ino())
}

/// Deletes lock files, makes the other files read-only and readable for the service, and lists them in path order.
pub(super) fn prepare_files(
    folder: &Path,
    shared: &SharedFiles<'_>,
) -> Result<Vec<String>, FileError> {
    let mut paths = Vec::new();
    prepare_files_in(folder, "", shared, &mut paths)?;
    paths.sort_unstable();
    Ok(paths)
}

fn prepare_files_in(
    folder: &Path,
    within: &str,
    shared: &SharedFiles<'_>,
    into: &mut Vec<String>,
) -> Result<(), FileError> {
    for (full_path, is_folder) in list_dir(&folder.join(within))? {
        let name = full_path.file_name().unwrap_or_default();
        let path = format!("{within}{}", name.to_string_lossy());
        if is_folder {
            prepare_files_in(folder, &format!("{path}/"), shared, into)?;
        } else if path.ends_with(".lock") {
            // Delete tantivy's lock files; a published generation has no writer.
            remove_all(&full_path)?;
        } else {
            if shared.get(&full_path)?.is_none() {
                fs::set_permissions(&full_path, read_only_permissions())
                    .map_err(FileError::with_path(&full_path))?;
            }
            into.push(path);
        }
    }
    Ok(())
}

/// Syncs the file or folder at `path`. Syncs the content of a folder before the folder itself. Skips files that are shared.
pub(super) fn sync_tree(path: &Path, shared: &SharedFiles<'_>) -> Result<(), FileError> {
    if path.is_dir() {
        for (entry, _) in list_dir(path)? {
            sync_tree(&entry, shared)?;
        }
    } else if shared.get(path)?.is_some() {
        return Ok(());
    }
    sync_path(path)
}
