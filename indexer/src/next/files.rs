//! Shares the files of the previous generation with the next generation.

use std::fs;
use std::path::Path;

use postduif_schema::FileError;

use crate::publish::PublishError;

/// Files that tantivy replaces with every commit, and that are therefore copied. tantivy renames a new file over the old file, but a
/// copy would be safe even if tantivy wrote to the old file.
const REPLACED_FILES: [&str; 2] = ["meta.json", ".managed.json"];

/// Hard-links every file of an index into another folder, but copies the files that a commit replaces.
pub(super) fn share_index_files(from: &Path, to: &Path) -> Result<(), PublishError> {
    for_each_file(from, |name| {
        let (file, target) = (from.join(name), to.join(name));
        if REPLACED_FILES.contains(&name) {
            fs::copy(&file, &target).map(drop)
        } else {
            link_or_copy(&file, &target)
        }
    })
}

/// Hard-links every file of a folder into another folder.
pub(super) fn link_files(from: &Path, to: &Path) -> Result<(), PublishError> {
    for_each_file(from, |name| link_or_copy(&from.join(name), &to.join(name)))
}

/// Hard-links a file. Copies the file if the file system or the user's rights do not permit a link.
fn link_or_copy(file: &Path, target: &Path) -> std::io::Result<()> {
    fs::hard_link(file, target).or_else(|error| {
        tracing::warn!(file = %file.display(), %error, "cannot hard-link an unchanged file; copying it, which needs as much disk again");
        fs::copy(file, target).map(drop)
    })
}

fn for_each_file(
    folder: &Path,
    act: impl Fn(&str) -> std::io::Result<()>,
) -> Result<(), PublishError> {
    for entry in fs::read_dir(folder).map_err(FileError::at(folder))? {
        let path = entry.map_err(FileError::at(folder))?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.filter(|name| !name.ends_with(".lock"));
        name.map_or(Ok(()), &act).map_err(FileError::at(&path))?;
    }
    Ok(())
}
