//! A new generation on its way from an unfinished folder to being served, and what can be done with those that are there.
//!
//! Everything is made under a name that nobody reads, checked, and brought to disk; then it is renamed into place. A crash
//! at any point leaves the generation that was served, and the next build clears what was left unfinished.

mod generation_builder;
mod shared_files;

use std::fs;
use std::io;
use std::path::PathBuf;

use postduif_schema::{
    ADDRESSES_DIR, DataFolder, DataFolderError, DataFolderLock, Generation, GenerationName,
    LockError, LockOwner, Manifest, ManifestError, OpenGenerationError, PLACES_DIR,
};

use crate::register::{Register, RegisterError};
pub(crate) use generation_builder::GenerationBuilder;
use shared_files::{create_dir_all, remove_unfinished, rename_synced, sync_dir};

/// What stands before the name of something unfinished.
const BUILDING_PREFIX: &str = ".building-";
const REGISTER_DIR: &str = "register";

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
    DataFolder(#[from] DataFolderError),
    /// A manifest that cannot be written, or a file for it that cannot be read.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A generation that is not as it was made.
    #[error(transparent)]
    Open(#[from] OpenGenerationError),
    /// Another process writes to the folder, or it cannot be locked.
    #[error(transparent)]
    Lock(#[from] LockError),
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
pub struct DataDirWriter {
    data: DataFolder,
    _lock: DataFolderLock,
}

impl DataDirWriter {
    /// Takes the right, and makes the folder when it is not there.
    ///
    /// # Errors
    /// When another process has it, or the folder cannot be written.
    pub fn lock(data: &DataFolder) -> Result<Self, PublishError> {
        Ok(Self {
            _lock: data.lock(LockOwner::Index)?,
            data: data.clone(),
        })
    }

    /// Points `CURRENT` at the generation that was made before the one that is served, or at the named one, once it is
    /// verified. A damaged `CURRENT` does not stand in the way of a named one.
    ///
    /// # Errors
    /// When there is no such generation, or it is damaged.
    pub fn rollback(&self, to: Option<GenerationName>) -> Result<GenerationName, PublishError> {
        let target = match to {
            Some(name) => name,
            None => self.previous_generation()?,
        };
        verify_generation(&self.data, target)?;
        self.data.set_current(target)?;
        self.settle_register()?;
        Ok(target)
    }

    /// A run that was cut short when all but its last note was done must not undo a rollback. A register that does not open
    /// stands in nobody's way.
    fn settle_register(&self) -> Result<(), PublishError> {
        let settle = || -> Result<(), RegisterError> {
            let register = Register::open(&register_path(&self.data))?;
            let reader = register.reader()?;
            let made = self.data.generation_path(reader.head()?.generation);
            if reader.pending()?.is_some() && made.is_dir() {
                register.clear_pending()?;
            }
            Ok(())
        };
        match settle() {
            Err(RegisterError::Busy { .. }) => Err(self.register_busy()),
            _ => Ok(()),
        }
    }

    fn register_busy(&self) -> PublishError {
        PublishError::Lock(LockError::Held {
            path: self.data.path().to_owned(),
            owner: LockOwner::Index,
        })
    }

    /// Serves a generation that bears its name already, once that is sure to survive a power cut.
    pub(crate) fn set_current(&self, name: GenerationName) -> Result<(), PublishError> {
        sync_dir(&self.data.generations_path())?;
        Ok(self.data.set_current(name)?)
    }

    fn previous_generation(&self) -> Result<GenerationName, PublishError> {
        let none = |reason: String| PublishError::NoGeneration {
            path: self.data.path().to_owned(),
            reason,
        };
        let current = self.data.current_generation()?;
        let current = current.ok_or_else(|| none("no generation is served yet".into()))?;
        let mut made = self.generations_by_age()?;
        let at = made.iter().position(|&name| name == current);
        made.truncate(at.unwrap_or(0));
        let none_before = || none(format!("no generation before {current}, which is served"));
        made.pop().ok_or_else(none_before)
    }

    /// Every generation, the one made first first. One whose manifest does not read counts as made before all others.
    fn generations_by_age(&self) -> Result<Vec<GenerationName>, PublishError> {
        let mut generations = self.data.list_generations()?;
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
        let mut in_use = self.register_generations()?;
        in_use.extend(self.data.current_generation()?);
        let mut to_delete = self.generations_by_age()?;
        to_delete.truncate(to_delete.len().saturating_sub(keep));
        to_delete.retain(|name| !in_use.contains(name));
        for &name in &to_delete {
            // Renamed first: half a generation must not bear a name, not even after a power cut.
            let unfinished = building_path(&self.data, name);
            rename_synced(&self.data.generation_path(name), &unfinished)?;
            fs::remove_dir_all(&unfinished).map_err(|source| PublishError::Io {
                path: unfinished,
                source,
            })?;
        }
        Ok(to_delete)
    }

    /// The generation that the register's state was made into, and the one that it is yet to be made from. A register that does
    /// not open needs none.
    fn register_generations(&self) -> Result<Vec<GenerationName>, PublishError> {
        let path = register_path(&self.data);
        let needed = || -> Result<Vec<GenerationName>, RegisterError> {
            let reader = Register::open_read_only(&path)?;
            let base = reader.pending()?.and_then(|pending| pending.base());
            Ok(base
                .into_iter()
                .chain([reader.head()?.generation])
                .collect())
        };
        if !path.is_file() {
            return Ok(Vec::new());
        }
        match needed() {
            Err(RegisterError::Busy { .. }) => Err(self.register_busy()),
            needed => Ok(needed.unwrap_or_default()),
        }
    }

    /// The name of the next generation of a stand.
    pub(crate) fn next_name(
        &self,
        stand: jiff::civil::Date,
    ) -> Result<GenerationName, PublishError> {
        let generations = self.data.list_generations()?;
        let of_stand = generations.iter().filter(|name| name.stand() == stand);
        let last = of_stand.map(|name| name.number()).max();
        let number = last.unwrap_or(0).saturating_add(1);
        Ok(GenerationName::new(stand, number))
    }

    /// Begins the next generation of a stand; what was left unfinished earlier is cleared.
    pub(crate) fn begin_generation(
        &self,
        stand: jiff::civil::Date,
    ) -> Result<GenerationBuilder<'_>, PublishError> {
        self.begin_generation_as(self.next_name(stand)?)
    }

    /// Begins a generation whose name was noted before; what was left unfinished earlier is cleared.
    pub(crate) fn begin_generation_as(
        &self,
        name: GenerationName,
    ) -> Result<GenerationBuilder<'_>, PublishError> {
        for folder in [
            self.data.generations_path(),
            self.data.path().join(REGISTER_DIR),
        ] {
            create_dir_all(&folder)?;
            remove_unfinished(&folder)?;
        }
        let unfinished = GenerationBuilder { writer: self, name };
        for index in [ADDRESSES_DIR, PLACES_DIR] {
            create_dir_all(&unfinished.folder().join(index))?;
        }
        Ok(unfinished)
    }
}

/// The register's file in a data folder.
#[must_use]
pub fn register_path(data: &DataFolder) -> PathBuf {
    data.path().join(REGISTER_DIR).join("register.redb")
}

/// Checks a generation: the manifest, size and SHA-256 of every file, that the index opens, and its count.
///
/// # Errors
/// Names the file that is damaged.
pub fn verify_generation(
    data: &DataFolder,
    generation: GenerationName,
) -> Result<Manifest, PublishError> {
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

/// Where a generation is while it bears no name that anybody reads.
fn building_path(data: &DataFolder, name: GenerationName) -> PathBuf {
    data.generations_path()
        .join(format!("{BUILDING_PREFIX}{name}"))
}
