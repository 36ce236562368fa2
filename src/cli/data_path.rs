//! Checks that the data folder exists. A command refuses a folder that does not exist, unless the user asks to create it.
//!
//! Without this check, a command would create a new, empty data folder if the path is mistyped or a disk is not mounted. Every key
//! would then be unknown.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::anyhow;
use postduif_schema::DataFolder;

use super::CommandError;

/// What a command does with the data folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DataFolderUse {
    /// The command reads or writes an existing data folder. `--create-data` creates the folder first.
    Required,
    /// The command does not use the data folder. Even so, a path that is given on the command line must exist.
    Unused,
}

impl DataFolderUse {
    /// How a command on accounts uses the data folder. The accounts are in the data folder unless `database_url` is set.
    pub(super) fn by_accounts(database_url: Option<&str>) -> Self {
        match database_url {
            None => Self::Required,
            Some(_) => Self::Unused,
        }
    }
}

/// Creates the data folder if it does not exist.
pub(super) fn create(data: &DataFolder) -> Result<(), CommandError> {
    if data.path().exists() {
        return check_exists(data.path());
    }
    data.create()
        .map_err(|error| CommandError::Failed(error.into()))
}

/// Refuses a path that is not a folder. The error names the nearest existing path.
///
/// Ignores other errors, such as a missing permission, because the command itself reports them when it uses the folder.
pub(super) fn check_exists(data: &Path) -> Result<(), CommandError> {
    // Show the absolute path, because the operator of a service may not know its working directory.
    let path = std::path::absolute(data).unwrap_or_else(|_| data.to_owned());
    let shown = path.display();
    match fs::metadata(&path) {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(_) => Err(CommandError::Usage(anyhow!(
            "data: {shown} is a file; expected the path of a folder"
        ))),
        Err(error) if is_missing(error.kind()) => {
            let nearest = path.ancestors().skip(1).find(|ancestor| ancestor.exists());
            let nearest = nearest.unwrap_or(Path::new("/")).display();
            Err(CommandError::Usage(anyhow!(
                "data: the folder {shown} does not exist; the nearest existing path is {nearest}. Correct --data or mount the \
                 disk, or pass --create-data to create the folder"
            )))
        }
        Err(_) => Ok(()),
    }
}

/// Whether the error means that a path does not exist. With `NotADirectory`, a parent in the path is a file.
fn is_missing(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refusal(path: &Path) -> String {
        match check_exists(path) {
            Err(CommandError::Usage(error)) => error.to_string(),
            other => panic!("{}: {other:?}", path.display()),
        }
    }

    #[test]
    fn a_missing_folder_is_reported_with_the_nearest_existing_path() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path();
        fs::write(root.join("file"), "").expect("writes");
        let missing = |path: &str, nearest: &Path| {
            let path = root.join(path);
            let expected = format!(
                "the folder {} does not exist; the nearest existing path is {}. ",
                path.display(),
                nearest.display()
            );
            let found = refusal(&path);
            assert!(found.contains(&expected), "{found}");
            assert!(found.contains("--create-data"), "{found}");
        };
        missing("data", root);
        missing("a/b/c", root);
        missing("file/data", &root.join("file"));
        fs::create_dir_all(root.join("a/b")).expect("writes");
        missing("a/b/c", &root.join("a/b"));
        assert!(refusal(&root.join("file")).contains("is a file"));
        check_exists(root).expect("a folder, and not empty");
        check_exists(&root.join("a/b")).expect("an empty folder");
    }

    #[test]
    fn a_relative_path_is_reported_in_full() {
        let here = std::env::current_dir().expect("a working directory");
        let found = refusal(Path::new("no-such-folder/data"));
        let full = here.join("no-such-folder/data");
        assert!(found.contains(&*full.to_string_lossy()), "{found}");
        let nearest = format!("nearest existing path is {}. ", here.display());
        assert!(found.contains(&nearest), "{found}");
        check_exists(Path::new(".")).expect("the working directory exists");
    }

    #[cfg(unix)]
    #[test]
    fn a_dangling_link_counts_as_missing() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let link = folder.path().join("data");
        std::os::unix::fs::symlink(folder.path().join("unmounted"), &link).expect("writes");
        assert!(refusal(&link).contains("does not exist"));
    }
}
