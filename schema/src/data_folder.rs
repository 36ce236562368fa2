//! Manages the data folder: lists the generations, and reads and sets the current generation.
//!
//! ```text
//! DATA/CURRENT                        the name of the current generation, one line
//! DATA/lock                           locked by a process that changes anything except the accounts
//! DATA/generations/2021-09-15-1/      one generation: manifest.json, report.json, addresses/, places/
//! DATA/register/                      the state of the register; only the indexer uses it
//! DATA/accounts.db                    accounts and keys; only the service uses it
//! ```

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::files::{list_dir, remove_all, rename_synced};
use crate::{FileError, GenerationName};

/// The folder of the address index inside a generation.
pub const ADDRESSES_DIR: &str = "addresses";
/// The folder of the index of places inside a generation.
pub const PLACES_DIR: &str = "places";
/// The folder into which a generation is downloaded while it is pulled from a bucket.
pub const PULLING_DIR: &str = ".pulling";
/// Prefix of the name of a generation that is being deleted.
pub const REMOVING_PREFIX: &str = ".removing-";
const GENERATIONS_DIR: &str = "generations";
const CURRENT_FILE: &str = "CURRENT";

/// A data folder, which holds the generations.
#[derive(Debug, Clone)]
pub struct DataFolder(PathBuf);

/// Why a data folder cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum DataFolderError {
    /// A file or folder cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// `CURRENT` was written, but the folder could not be synced to disk.
    #[error(
        "{}: now names {name}, but may name the previous generation after a power cut: {source}",
        path.display()
    )]
    NotSynced {
        /// The path of `CURRENT`.
        path: PathBuf,
        /// The generation that `CURRENT` now names.
        name: GenerationName,
        /// The error of the system.
        source: io::Error,
    },
    /// `CURRENT` contains no generation name.
    #[error("{}: {reason}", path.display())]
    InvalidCurrent {
        /// The path of `CURRENT`.
        path: PathBuf,
        /// What is wrong with the content.
        reason: String,
    },
}

impl DataFolder {
    /// The data folder at `path`. It need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Creates the folder if it does not exist. Syncs the parent of a new folder, because without that the new folder could vanish in a
    /// power cut.
    ///
    /// # Errors
    /// If the folder cannot be created, or its parent cannot be synced.
    pub fn create(&self) -> Result<(), FileError> {
        let path = self.path();
        if path.is_dir() {
            return Ok(());
        }
        let create = || {
            fs::create_dir_all(path)?;
            match std::path::absolute(path)?.parent() {
                Some(parent) => File::open(parent)?.sync_all(),
                None => Ok(()),
            }
        };
        create().map_err(FileError::with_path(path))
    }

    /// Checks that the path still exists, so that a long-running process does not create the folder again.
    ///
    /// # Errors
    /// If the path does not exist or is not accessible, for example because a disk above it was unmounted. An empty mount point is not
    /// detected.
    pub fn check_accessible(&self) -> Result<(), FileError> {
        let path = self.path();
        fs::metadata(path)
            .map(drop)
            .map_err(FileError::with_path(path))
    }

    /// The folder that holds the generations.
    pub fn generations_path(&self) -> PathBuf {
        self.0.join(GENERATIONS_DIR)
    }

    /// The path of the folder of one generation. The folder need not exist.
    pub fn generation_path(&self, name: GenerationName) -> PathBuf {
        self.generations_path().join(name.to_string())
    }

    /// The current generation; `None` if no generation was ever set as current.
    ///
    /// # Errors
    /// If `CURRENT` exists, but is unreadable or contains no generation name.
    pub fn current_generation(&self) -> Result<Option<GenerationName>, DataFolderError> {
        let path = self.0.join(CURRENT_FILE);
        match fs::read_to_string(&path) {
            Ok(text) => match text.trim_end().parse() {
                Ok(name) => Ok(Some(name)),
                Err(bad) => Err(DataFolderError::InvalidCurrent {
                    path,
                    reason: format!(
                        "{bad}; serve a generation with `postduif index rollback --to`"
                    ),
                }),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(FileError::with_path(&path)(error).into()),
        }
    }

    /// Lists the generations, oldest stand first. Skips other files and folders.
    ///
    /// # Errors
    /// If the folder exists, but is unreadable.
    pub fn list_generations(&self) -> Result<Vec<GenerationName>, DataFolderError> {
        let entries = list_dir(&self.generations_path())?;
        let names = entries
            .iter()
            .filter_map(|(path, _)| path.file_name()?.to_str()?.parse().ok());
        let mut names: Vec<GenerationName> = names.collect();
        names.sort_unstable();
        Ok(names)
    }

    /// Deletes a generation. Renames its folder first, because a partly deleted generation must not have the name of a generation, even
    /// after a power cut.
    ///
    /// # Errors
    /// If the folder cannot be renamed or removed.
    pub fn delete_generation(&self, name: GenerationName) -> Result<(), FileError> {
        let removing = format!("{REMOVING_PREFIX}{name}");
        let removing = self.generations_path().join(removing);
        rename_synced(&self.generation_path(name), &removing)?;
        remove_all(&removing)
    }

    /// Makes this generation the current one. `CURRENT` contains either the old or the new name at every moment. When this
    /// function has succeeded, `CURRENT` still contains the new name after a power cut.
    ///
    /// # Errors
    /// If `CURRENT` cannot be replaced. It then keeps the old name. [`DataFolderError::NotSynced`] if `CURRENT` contains the new name,
    /// but may contain the old name after a power cut.
    pub fn set_current(&self, name: GenerationName) -> Result<(), DataFolderError> {
        let (path, next) = (self.0.join(CURRENT_FILE), self.0.join("CURRENT.next"));
        let publish = || {
            let mut file = File::create(&next)?;
            writeln!(file, "{name}")?;
            file.sync_all()?;
            fs::rename(&next, &path)
        };
        publish().map_err(FileError::with_path(&path))?;
        let synced = File::open(&self.0).and_then(|folder| folder.sync_all());
        synced.map_err(|source| DataFolderError::NotSynced { path, name, source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_folder_has_no_generations() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let data = DataFolder::new(folder.path().join("not there yet"));
        assert_eq!(data.current_generation().expect("readable"), None);
        assert_eq!(data.list_generations().expect("readable"), []);
    }

    #[test]
    fn the_current_generation_is_the_one_that_was_set_last() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let data = DataFolder::new(folder.path());
        for text in ["2021-09-15-1", "2021-09-15-2", "2021-09-15-1"] {
            let name = text.parse().expect("a name");
            data.set_current(name).expect("writable");
            assert_eq!(data.current_generation().expect("readable"), Some(name));
        }
    }

    #[test]
    fn a_current_file_that_contains_a_path_is_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join(CURRENT_FILE), "../../etc\n").expect("writes");
        let error = DataFolder::new(folder.path())
            .current_generation()
            .expect_err("no name")
            .to_string();
        assert!(
            error.contains("CURRENT") && error.contains("../../etc"),
            "{error}"
        );
    }

    #[test]
    fn only_generation_names_are_listed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let data = DataFolder::new(folder.path());
        for name in [
            "2021-09-16-1",
            "2021-09-15-10",
            "2021-09-15-9",
            ".building-77",
            "lost+found",
        ] {
            fs::create_dir_all(data.generations_path().join(name)).expect("writes");
        }
        let names: Vec<String> = data
            .list_generations()
            .expect("readable")
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(names, ["2021-09-15-9", "2021-09-15-10", "2021-09-16-1"]);
    }
}
