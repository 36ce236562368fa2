//! A new generation on its way from an unfinished folder to being served, and what can be done with those that are there.
//!
//! Everything is made under a name that nobody reads, checked, and brought to disk; then it is renamed into place. A crash
//! at any point leaves the generation that was served, and the next build clears what was left unfinished.

use std::fs::{self, File, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use postduif_schema::{
    ADDRESSES, DataFolder, Generation, GenerationName, Manifest, ManifestError, OpenError,
    StoreError, StoredFile,
};

/// What stands before the name of something unfinished.
const UNFINISHED: &str = ".building-";
const REGISTER: &str = "register";

/// A data folder that cannot be written, or a generation that is not as it was made.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// A file or folder.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// `CURRENT` or the list of generations.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A manifest that cannot be written, or a file for it that cannot be read.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A generation that is not as it was made.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Another process writes to the folder.
    #[error("{}: another postduif index command is at work on this folder; wait for it to end", path.display())]
    Busy {
        /// The data folder.
        path: PathBuf,
    },
    /// No generation of that name, or none to go back to.
    #[error("{}: {reason}", path.display())]
    NoGeneration {
        /// The data folder.
        path: PathBuf,
        /// What is missing.
        reason: String,
    },
}

/// The right to change a data folder; one process at a time has it, and it ends with the process.
pub struct Exclusive {
    data: DataFolder,
    _lock: File,
}

impl Exclusive {
    /// Takes the right, and makes the folder when it is not there.
    ///
    /// # Errors
    /// When another process has it, or the folder cannot be written.
    pub fn take(data: &DataFolder) -> Result<Self, PublishError> {
        make_folder(data.path())?;
        let path = data.path().join("lock");
        let lock = File::create(&path).map_err(|source| PublishError::Io {
            path: path.clone(),
            source,
        })?;
        match lock.try_lock() {
            Ok(()) => Ok(Self {
                data: data.clone(),
                _lock: lock,
            }),
            Err(TryLockError::WouldBlock) => Err(PublishError::Busy {
                path: data.path().to_owned(),
            }),
            Err(TryLockError::Error(source)) => Err(PublishError::Io { path, source }),
        }
    }

    /// Points `CURRENT` at the generation before the one that is served, or at the named one, once it is verified.
    ///
    /// # Errors
    /// When there is no such generation, or it is damaged.
    pub fn rollback(&self, to: Option<GenerationName>) -> Result<GenerationName, PublishError> {
        let generations = self.data.generations()?;
        let none = |reason: String| PublishError::NoGeneration {
            path: self.data.path().to_owned(),
            reason,
        };
        let current = self
            .data
            .current()?
            .ok_or_else(|| none("no generation is served yet".into()))?;
        let target = match to {
            Some(name) if generations.contains(&name) => name,
            Some(name) => {
                return Err(none(format!(
                    "no generation {name}; `postduif index list` shows those there are"
                )));
            }
            None => {
                let earlier = generations.into_iter().rfind(|&name| name < current);
                earlier.ok_or_else(|| {
                    none(format!("no generation before {current}, which is served"))
                })?
            }
        };
        verify(&self.data, target)?;
        self.data.set_current(target)?;
        Ok(target)
    }

    /// Deletes all but the newest `keep` generations and the one that is served. Says which.
    ///
    /// # Errors
    /// When a folder cannot be deleted.
    pub fn prune(&self, keep: usize) -> Result<Vec<GenerationName>, PublishError> {
        let generations = self.data.generations()?;
        let current = self.data.current()?;
        let oldest = &generations[..generations.len().saturating_sub(keep)];
        let doomed: Vec<GenerationName> = oldest
            .iter()
            .copied()
            .filter(|&name| Some(name) != current)
            .collect();
        for &name in &doomed {
            // Renamed first: half a generation must not bear a name.
            let unfinished = self
                .data
                .generations_path()
                .join(format!("{UNFINISHED}{name}"));
            let path = self.data.generation_path(name);
            fs::rename(&path, &unfinished).map_err(|source| PublishError::Io { path, source })?;
            fs::remove_dir_all(&unfinished).map_err(|source| PublishError::Io {
                path: unfinished,
                source,
            })?;
        }
        Ok(doomed)
    }

    /// Begins the next generation of a stand; what an earlier build left unfinished is cleared.
    pub(crate) fn begin(&self, stand: jiff::civil::Date) -> Result<Unfinished<'_>, PublishError> {
        let generations = self.data.generations()?;
        let last = generations
            .iter()
            .filter(|name| name.stand() == stand)
            .map(|name| name.number())
            .max();
        let name = GenerationName::new(stand, last.unwrap_or(0) + 1);
        for folder in [
            self.data.generations_path(),
            self.data.path().join(REGISTER),
        ] {
            make_folder(&folder)?;
            clear_unfinished(&folder)?;
        }
        let unfinished = Unfinished {
            exclusive: self,
            name,
        };
        make_folder(&unfinished.folder().join(ADDRESSES))?;
        Ok(unfinished)
    }
}

/// The register's file in a data folder.
#[must_use]
pub fn register_path(data: &DataFolder) -> PathBuf {
    data.path().join(REGISTER).join("register.redb")
}

/// Checks a generation: the manifest, size and SHA-256 of every file, that the index opens, and its count.
///
/// # Errors
/// Names the file that is damaged.
pub fn verify(data: &DataFolder, generation: GenerationName) -> Result<Manifest, PublishError> {
    let folder = data.generation_path(generation);
    if !folder.is_dir() {
        let reason =
            format!("no generation {generation}; `postduif index list` shows those there are");
        return Err(PublishError::NoGeneration {
            path: data.path().to_owned(),
            reason,
        });
    }
    Ok(Generation::open(&folder, generation)?.manifest)
}

/// A generation that is being made. Dropped before it is published, it leaves nothing behind.
pub(crate) struct Unfinished<'a> {
    exclusive: &'a Exclusive,
    name: GenerationName,
}

impl Unfinished<'_> {
    pub(crate) fn name(&self) -> GenerationName {
        self.name
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.exclusive
            .data
            .generations_path()
            .join(format!("{UNFINISHED}{}", self.name))
    }

    pub(crate) fn register_path(&self) -> PathBuf {
        self.exclusive
            .data
            .path()
            .join(REGISTER)
            .join(format!("{UNFINISHED}{}", self.name))
    }

    /// Settles every file that is there and describes it, for the manifest.
    pub(crate) fn files(&self) -> Result<Vec<StoredFile>, PublishError> {
        let folder = self.folder();
        let mut paths = Vec::new();
        settle_files(&folder, "", &mut paths)?;
        paths.sort_unstable();
        Ok(paths
            .iter()
            .map(|path| StoredFile::describe(&folder, path))
            .collect::<Result<_, _>>()?)
    }

    /// Checks what was written as `index verify` does.
    pub(crate) fn verify(&self) -> Result<Generation, PublishError> {
        Ok(Generation::open(&self.folder(), self.name)?)
    }

    /// Brings everything to disk, renames it into place and serves it. The register goes before `CURRENT`, so that it is
    /// never older than what is served.
    pub(crate) fn publish(self) -> Result<(), PublishError> {
        let data = &self.exclusive.data;
        sync_all(&self.folder())?;
        rename(&self.folder(), &data.generation_path(self.name))?;
        rename(&self.register_path(), &register_path(data))?;
        Ok(data.set_current(self.name)?)
    }
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        for leftover in [self.folder(), self.register_path()] {
            if leftover.exists()
                && let Err(error) = remove(&leftover)
            {
                tracing::warn!(path = %leftover.display(), %error, "an unfinished build could not be cleared; the next one will");
            }
        }
    }
}

/// Makes what the index writer left fit for readers, and lists it.
fn settle_files(folder: &Path, within: &str, into: &mut Vec<String>) -> Result<(), PublishError> {
    let failed = |source| PublishError::Io {
        path: folder.join(within),
        source,
    };
    for entry in fs::read_dir(folder.join(within)).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let path = format!("{within}{}", entry.file_name().to_string_lossy());
        if entry.file_type().map_err(failed)?.is_dir() {
            settle_files(folder, &format!("{path}/"), into)?;
        } else if path.ends_with(".lock") {
            // tantivy's locks are of no use to readers, and a published generation has no writer.
            fs::remove_file(entry.path()).map_err(failed)?;
        } else {
            // tantivy keeps some of its files to their owner; the service may run as another user.
            let readable = Permissions::from_mode(0o644);
            fs::set_permissions(entry.path(), readable).map_err(failed)?;
            into.push(path);
        }
    }
    Ok(())
}

fn clear_unfinished(folder: &Path) -> Result<(), PublishError> {
    let failed = |source| PublishError::Io {
        path: folder.to_owned(),
        source,
    };
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            remove(&entry.path()).map_err(|source| PublishError::Io {
                path: entry.path(),
                source,
            })?;
        }
    }
    Ok(())
}

fn remove(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    }
}

fn make_folder(path: &Path) -> Result<(), PublishError> {
    fs::create_dir_all(path).map_err(|source| PublishError::Io {
        path: path.to_owned(),
        source,
    })
}

/// Syncs every file and folder, deepest first.
fn sync_all(path: &Path) -> Result<(), PublishError> {
    let failed = |source| PublishError::Io {
        path: path.to_owned(),
        source,
    };
    if path.is_dir() {
        for entry in fs::read_dir(path).map_err(failed)? {
            sync_all(&entry.map_err(failed)?.path())?;
        }
    }
    File::open(path)
        .and_then(|file| file.sync_all())
        .map_err(failed)
}

fn rename(from: &Path, to: &Path) -> Result<(), PublishError> {
    let failed = |source| PublishError::Io {
        path: to.to_owned(),
        source,
    };
    fs::rename(from, to).map_err(failed)?;
    let folder = to
        .parent()
        .expect("both paths lie in a folder of the data folder");
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(failed)
}
