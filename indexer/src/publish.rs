//! A new generation on its way from an unfinished folder to being served, and what can be done with those that are there.
//!
//! Everything is made under a name that nobody reads, checked, and brought to disk; then it is renamed into place. A crash
//! at any point leaves the generation that was served, and the next build clears what was left unfinished.

use std::fs::{self, File, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::register::Register;
use postduif_schema::{
    ADDRESSES, DataFolder, Generation, GenerationName, Manifest, ManifestError, OpenError, PLACES,
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
        make_data_folder(data.path())?;
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

    /// Points `CURRENT` at the generation that was made before the one that is served, or at the named one, once it is
    /// verified. A damaged `CURRENT` does not stand in the way of a named one.
    ///
    /// # Errors
    /// When there is no such generation, or it is damaged.
    pub fn rollback(&self, to: Option<GenerationName>) -> Result<GenerationName, PublishError> {
        let target = match to {
            Some(name) => name,
            None => self.made_before_current()?,
        };
        verify(&self.data, target)?;
        self.data.set_current(target)?;
        Ok(target)
    }

    fn made_before_current(&self) -> Result<GenerationName, PublishError> {
        let none = |reason: String| PublishError::NoGeneration {
            path: self.data.path().to_owned(),
            reason,
        };
        let current = self.data.current()?;
        let current = current.ok_or_else(|| none("no generation is served yet".into()))?;
        let mut made = self.by_time()?;
        let at = made.iter().position(|&name| name == current);
        made.truncate(at.unwrap_or(0));
        let none_before = || none(format!("no generation before {current}, which is served"));
        made.pop().ok_or_else(none_before)
    }

    /// Every generation, the one made first first. One whose manifest does not read counts as made before all others.
    fn by_time(&self) -> Result<Vec<GenerationName>, PublishError> {
        let mut generations = self.data.generations()?;
        generations.sort_by_cached_key(|&name| {
            let manifest = Manifest::read(&self.data.generation_path(name));
            (manifest.ok().map(|manifest| manifest.created_at), name)
        });
        Ok(generations)
    }

    /// Deletes all but the `keep` generations made last, the one that is served, and the one that the register belongs to.
    /// Says which.
    ///
    /// # Errors
    /// When a folder cannot be deleted.
    pub fn prune(&self, keep: usize) -> Result<Vec<GenerationName>, PublishError> {
        let needed = [self.data.current()?, self.of_register()];
        let mut doomed = self.by_time()?;
        doomed.truncate(doomed.len().saturating_sub(keep));
        doomed.retain(|&name| !needed.contains(&Some(name)));
        for &name in &doomed {
            // Renamed first: half a generation must not bear a name, not even after a power cut.
            let unfinished = unfinished_path(&self.data, name);
            rename(&self.data.generation_path(name), &unfinished)?;
            fs::remove_dir_all(&unfinished).map_err(|source| PublishError::Io {
                path: unfinished,
                source,
            })?;
        }
        Ok(doomed)
    }

    /// The generation that the register's state was made into; a register that does not open needs none.
    fn of_register(&self) -> Option<GenerationName> {
        let path = register_path(&self.data);
        let register = path.is_file().then(|| Register::open(&path))?;
        let head = register.and_then(|register| register.read()?.head());
        head.ok().map(|head| head.generation)
    }

    /// Begins the next generation of a stand; what an earlier build left unfinished is cleared.
    pub(crate) fn begin(&self, stand: jiff::civil::Date) -> Result<Unfinished<'_>, PublishError> {
        let generations = self.data.generations()?;
        let last = generations
            .iter()
            .filter(|name| name.stand() == stand)
            .map(|name| name.number())
            .max();
        let name = GenerationName::new(stand, last.unwrap_or(0).saturating_add(1));
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
        for index in [ADDRESSES, PLACES] {
            make_folder(&unfinished.folder().join(index))?;
        }
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
        unfinished_path(&self.exclusive.data, self.name)
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
    /// never older than what is served; should the last step fail, the generation stays beside its register, unserved.
    pub(crate) fn publish(self) -> Result<(), PublishError> {
        let data = &self.exclusive.data;
        let published = data.generation_path(self.name);
        sync_all(&self.folder())?;
        rename(&self.folder(), &published)?;
        if let Err(error) = rename(&self.register_path(), &register_path(data)) {
            // Without its register it must not be found under a name; what is dropped clears it.
            rename(&published, &self.folder())?;
            return Err(error);
        }
        Ok(data.set_current(self.name)?)
    }
}

/// Where a generation is while it bears no name that anybody reads.
fn unfinished_path(data: &DataFolder, name: GenerationName) -> PathBuf {
    data.generations_path().join(format!("{UNFINISHED}{name}"))
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

/// Makes the data folder and brings its own name to disk, which the first generation's safety rests on.
fn make_data_folder(path: &Path) -> Result<(), PublishError> {
    if path.is_dir() {
        return Ok(());
    }
    make_folder(path)?;
    let absolute = std::path::absolute(path);
    let parent = absolute.as_ref().ok().and_then(|path| path.parent());
    let synced = parent.map_or(Ok(()), |parent| File::open(parent)?.sync_all());
    synced.map_err(|source| PublishError::Io {
        path: path.to_owned(),
        source,
    })
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
