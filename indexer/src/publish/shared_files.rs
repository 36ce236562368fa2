//! Files and folders on the way to being published: cleared, settled, brought to disk, renamed.

use std::collections::HashMap;
use std::fs::{self, File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use postduif_schema::{FileEntry, Manifest, PULLING_DIR, REMOVING_PREFIX};

use super::{BUILDING_PREFIX, PublishError};

/// Which files of a generation are hard links to files of the published one that it is made of. Those must not change, not
/// even in their permissions.
pub(super) struct SharedFiles<'a>(HashMap<(u64, u64), &'a FileEntry>);

impl<'a> SharedFiles<'a> {
    pub(super) fn empty() -> Self {
        Self(HashMap::new())
    }

    /// The files of the generation in `folder`. One that is not there is not shared either.
    pub(super) fn new(base: &'a Manifest, folder: &Path) -> Self {
        let known = base.files.iter().filter_map(|file| {
            let there = folder.join(&file.path).symlink_metadata().ok()?;
            Some((file_id(&there), file))
        });
        Self(known.collect())
    }

    /// How the file was published, if it is such a link.
    pub(super) fn get(&self, path: &Path) -> Result<Option<&'a FileEntry>, PublishError> {
        let there = path.symlink_metadata().map_err(|source| PublishError::Io {
            path: path.to_owned(),
            source,
        })?;
        Ok(self.0.get(&file_id(&there)).copied())
    }
}

fn file_id(file: &Metadata) -> (u64, u64) {
    (file.dev(), file.ino())
}

/// Makes what the index writer left fit for readers, and lists it in the order of the paths.
pub(super) fn prepare_files(
    folder: &Path,
    shared: &SharedFiles<'_>,
) -> Result<Vec<String>, PublishError> {
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
) -> Result<(), PublishError> {
    let failed = |source| PublishError::Io {
        path: folder.join(within),
        source,
    };
    for entry in fs::read_dir(folder.join(within)).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let path = format!("{within}{}", entry.file_name().to_string_lossy());
        if entry.file_type().map_err(failed)?.is_dir() {
            prepare_files_in(folder, &format!("{path}/"), shared, into)?;
        } else if path.ends_with(".lock") {
            // tantivy's locks are of no use to readers, and a published generation has no writer.
            fs::remove_file(entry.path()).map_err(failed)?;
        } else {
            if shared.get(&entry.path())?.is_none() {
                // tantivy keeps some of its files to their owner; the service may run as another user.
                let readable = Permissions::from_mode(0o644);
                fs::set_permissions(entry.path(), readable).map_err(failed)?;
            }
            into.push(path);
        }
    }
    Ok(())
}

/// Clears what builds left here, and what a service did that took generations from a bucket before.
pub(super) fn remove_unfinished(folder: &Path) -> Result<(), PublishError> {
    let failed = |source| PublishError::Io {
        path: folder.to_owned(),
        source,
    };
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let is = |begin: &str| name.to_string_lossy().starts_with(begin);
        if [BUILDING_PREFIX, PULLING_DIR, REMOVING_PREFIX]
            .into_iter()
            .any(is)
        {
            remove_all(&entry.path()).map_err(|source| PublishError::Io {
                path: entry.path(),
                source,
            })?;
        }
    }
    Ok(())
}

pub(super) fn remove_all(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    }
}

pub(super) fn create_dir_all(path: &Path) -> Result<(), PublishError> {
    fs::create_dir_all(path).map_err(|source| PublishError::Io {
        path: path.to_owned(),
        source,
    })
}

/// Syncs every folder, and every file that was not brought to disk under another name; deepest first.
pub(super) fn sync_tree(path: &Path, shared: &SharedFiles<'_>) -> Result<(), PublishError> {
    let failed = |source| PublishError::Io {
        path: path.to_owned(),
        source,
    };
    if path.is_dir() {
        for entry in fs::read_dir(path).map_err(failed)? {
            sync_tree(&entry.map_err(failed)?.path(), shared)?;
        }
    } else if shared.get(path)?.is_some() {
        return Ok(());
    }
    File::open(path)
        .and_then(|file| file.sync_all())
        .map_err(failed)
}

pub(super) fn rename_synced(from: &Path, to: &Path) -> Result<(), PublishError> {
    let failed = |source| PublishError::Io {
        path: to.to_owned(),
        source,
    };
    fs::rename(from, to).map_err(failed)?;
    let folder = to
        .parent()
        .expect("both paths lie in a folder of the data folder");
    sync_dir(folder)
}

/// Brings the names in a folder to disk.
pub(super) fn sync_dir(path: &Path) -> Result<(), PublishError> {
    let synced = File::open(path).and_then(|folder| folder.sync_all());
    synced.map_err(|source| PublishError::Io {
        path: path.to_owned(),
        source,
    })
}
