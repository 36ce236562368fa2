//! Shares the files of the previous generation with the next generation.

use std::fs;
use std::path::Path;

use postduif_schema::FileError;

use crate::publish::PublishError;

/// Files that tantivy replaces with every commit. They are copied and not linked. tantivy renames a new file over the old file; with a
/// copy, the previous generation would stay the same even if tantivy wrote to the old file.
const REPLACED_FILES: [&str; 2] = ["meta.json", ".managed.json"];

/// Hard-links every file of an index, except lock files, into another folder. Copies the files that a commit replaces, and a file that
/// cannot be linked.
pub(super) fn share_index_files(from: &Path, to: &Path) -> Result<(), PublishError> {
    share_files(from, to, |name, file, target| {
        if REPLACED_FILES.contains(&name) {
            fs::copy(file, target).map(drop)
        } else {
            link_or_copy(file, target)
        }
    })
}

/// Hard-links every file of a folder, except lock files, into another folder. Copies a file that cannot be linked.
pub(super) fn link_files(from: &Path, to: &Path) -> Result<(), PublishError> {
    share_files(from, to, |_, file, target| link_or_copy(file, target))
}

/// Hard-links a file. Copies the file if the file system or the user's rights do not permit a link.
fn link_or_copy(file: &Path, target: &Path) -> std::io::Result<()> {
    fs::hard_link(file, target).or_else(|error| {
        tracing::warn!(file = %file.display(), %error, "cannot hard-link an unchanged file; copying it, which needs as much disk again");
        fs::copy(file, target).map(drop)
    })
}

/// Calls `share` with the name, the path and the new path of every file in `from`, except lock files.
fn share_files(
    from: &Path,
    to: &Path,
    share: impl Fn(&str, &Path, &Path) -> std::io::Result<()>,
) -> Result<(), PublishError> {
    for entry in fs::read_dir(from).map_err(FileError::with_path(from))? {
        let file = entry.map_err(FileError::with_path(from))?.path();
        let name = file.file_name().and_then(|name| name.to_str());
        let Some(name) = name.filter(|name| !name.ends_with(".lock")) else {
            continue;
        };
        let target = to.join(name);
        share(name, &file, &target).map_err(|source| {
            let error = FileError::with_path(&file)(source);
            match error.is_disk_full() {
                // The disk of the new file is full.
                true => FileError {
                    path: target,
                    ..error
                },
                false => error,
            }
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_reported_with_the_new_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
        for path in [&from, &to] {
            fs::create_dir(path).expect("a new folder");
        }
        fs::write(from.join("meta.json"), "{}").expect("writes");
        std::os::unix::fs::symlink("/dev/full", to.join("meta.json")).expect("links");
        let error = share_index_files(&from, &to).expect_err("no room");
        let PublishError::File(error) = error else {
            panic!("{error}");
        };
        assert!(error.is_disk_full(), "{error}");
        assert_eq!(error.path, to.join("meta.json"));
    }
}
