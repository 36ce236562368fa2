//! The data folder: which generations there are and which one is served.
//!
//! ```text
//! DATA/CURRENT                        the name of the generation that is served, one line
//! DATA/lock                           held by whoever changes any of it but the accounts
//! DATA/generations/2021-09-15-1/      one generation: manifest.json, report.json, addresses/, places/
//! DATA/register/                      the state of the register, the indexer's alone
//! DATA/accounts.db                    accounts and keys, the service's alone
//! ```

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::GenerationName;

/// The folder of the address index inside a generation.
pub const ADDRESSES_DIR: &str = "addresses";
/// The folder of the index of places inside a generation.
pub const PLACES_DIR: &str = "places";
/// What stands beside the generations for the one that is on its way from a bucket.
pub const PULLING_DIR: &str = ".pulling";
/// What stands before the name of a generation that a service is deleting.
pub const REMOVING_PREFIX: &str = ".removing-";
const GENERATIONS_DIR: &str = "generations";
const CURRENT_FILE: &str = "CURRENT";

/// A folder with generations.
#[derive(Debug, Clone)]
pub struct DataFolder(PathBuf);

/// A data folder that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum DataFolderError {
    /// A file or folder.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// `CURRENT` names another generation now, but the folder could not be brought to disk.
    #[error(
        "{}: names {name} from now on, but after a power cut may name the generation before it: {source}",
        path.display()
    )]
    NotSynced {
        /// The file.
        path: PathBuf,
        /// What it names.
        name: GenerationName,
        /// Why.
        source: io::Error,
    },
    /// `CURRENT` holds something else than a name.
    #[error("{}: {reason}", path.display())]
    InvalidCurrent {
        /// The file.
        path: PathBuf,
        /// What it holds instead.
        reason: String,
    },
}

impl DataFolder {
    /// Speaks of the folder at `path`, whether or not it is there yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The folder that holds the generations.
    #[must_use]
    pub fn generations_path(&self) -> PathBuf {
        self.0.join(GENERATIONS_DIR)
    }

    /// The folder of one generation, whether or not it is there.
    #[must_use]
    pub fn generation_path(&self, name: GenerationName) -> PathBuf {
        self.generations_path().join(name.to_string())
    }

    /// The generation that is served; none before the first was published.
    ///
    /// # Errors
    /// When `CURRENT` is there but unreadable or holds no name.
    pub fn current_generation(&self) -> Result<Option<GenerationName>, DataFolderError> {
        let path = self.0.join(CURRENT_FILE);
        match fs::read_to_string(&path) {
            Ok(text) => match text.trim_end().parse() {
                Ok(name) => Ok(Some(name)),
                Err(bad) => Err(DataFolderError::InvalidCurrent {
                    path,
                    reason: format!("{bad}"),
                }),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(DataFolderError::Io { path, source }),
        }
    }

    /// Every generation, oldest first. What does not bear a generation's name is passed over.
    ///
    /// # Errors
    /// When the folder is there but unreadable.
    pub fn list_generations(&self) -> Result<Vec<GenerationName>, DataFolderError> {
        let path = self.generations_path();
        let entries = match fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => return Err(DataFolderError::Io { path, source }),
        };
        let names = entries.map(|entry| {
            Ok(entry?
                .file_name()
                .to_str()
                .and_then(|name| name.parse().ok()))
        });
        let names: io::Result<Vec<Option<GenerationName>>> = names.collect();
        let names = names.map_err(|source| DataFolderError::Io { path, source })?;
        let mut names: Vec<GenerationName> = names.into_iter().flatten().collect();
        names.sort_unstable();
        Ok(names)
    }

    /// Serves this generation from now on. Either the old name or the new one is there at every moment, and once this
    /// returns the new one survives a power cut.
    ///
    /// # Errors
    /// When the folder cannot be written; the old name then still holds. Or, as [`StoreError::NotSynced`], when the new name
    /// is there but may not survive a power cut.
    pub fn set_current(&self, name: GenerationName) -> Result<(), DataFolderError> {
        let (path, next) = (self.0.join(CURRENT_FILE), self.0.join("CURRENT.next"));
        let publish = || {
            let mut file = File::create(&next)?;
            writeln!(file, "{name}")?;
            file.sync_all()?;
            fs::rename(&next, &path)
        };
        publish().map_err(|source| DataFolderError::Io {
            path: path.clone(),
            source,
        })?;
        let synced = File::open(&self.0).and_then(|folder| folder.sync_all());
        synced.map_err(|source| DataFolderError::NotSynced { path, name, source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_folder_serves_nothing() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let data = DataFolder::new(folder.path().join("not there yet"));
        assert_eq!(data.current_generation().expect("readable"), None);
        assert_eq!(data.list_generations().expect("readable"), []);
    }

    #[test]
    fn current_moves_to_the_name_it_is_set_to() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let data = DataFolder::new(folder.path());
        for text in ["2021-09-15-1", "2021-09-15-2", "2021-09-15-1"] {
            let name = text.parse().expect("a name");
            data.set_current(name).expect("writable");
            assert_eq!(data.current_generation().expect("readable"), Some(name));
        }
    }

    #[test]
    fn a_current_that_leads_elsewhere_is_refused() {
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
    fn only_folders_with_a_name_are_generations() {
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
