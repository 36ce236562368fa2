//! Publishes new generations in the data folder. Also verifies and deletes existing generations, and rolls back to them.
//!
//! A build writes to a folder that no reader uses, verifies the generation, syncs it to disk, and then gives the folder its final
//! name. A crash at any point does not change the current generation, and the next build deletes the leftovers.

mod build_order;
mod error;
mod generation_builder;
mod paths;
mod shared_files;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use postduif_schema::files::{create_dir_all, remove_prefixed, sync_path};
use postduif_schema::{
    ADDRESSES_DIR, DataFolder, DataFolderLock, Generation, GenerationName, LockError, LockOwner,
    Manifest, PLACES_DIR, PULLING_DIR, REMOVING_PREFIX,
};

use crate::register::{Register, RegisterError};
use build_order::generations_by_age;
pub use build_order::previous_generation;
pub use error::PublishError;
pub(crate) use generation_builder::GenerationBuilder;
use paths::{BUILDING_PREFIX, REGISTER_DIR};
pub use paths::{REPORT_FILE, register_path};

/// Whether a stand is later than tomorrow. A stand of tomorrow is accepted, because the clock of a machine may be hours wrong.
fn is_in_future(stand: Date, now: Timestamp) -> bool {
    let today = now.to_zoned(TimeZone::UTC).date();
    today.tomorrow().is_ok_and(|tomorrow| stand > tomorrow)
}

/// A locked data folder. Only one process at a time can lock a data folder.
pub struct DataDirWriter {
    data: DataFolder,
    _lock: DataFolderLock,
}

impl DataDirWriter {
    /// Locks the folder, and creates it if it does not exist.
    ///
    /// # Errors
    /// If another process has locked the folder, or it cannot be written.
    pub fn lock(data: &DataFolder) -> Result<Self, PublishError> {
        Ok(Self {
            _lock: DataFolderLock::acquire(data, LockOwner::Index)?,
            data: data.clone(),
        })
    }

    /// Verifies the generation `to` and makes it the current one. If `to` is `None`, uses the [previous](previous_generation) one of the
    /// current one. If `to` is given, `CURRENT` may be damaged.
    ///
    /// # Errors
    /// If there is no such generation, or it is damaged.
    pub fn rollback(&self, to: Option<GenerationName>) -> Result<GenerationName, PublishError> {
        let target = match to {
            Some(name) => name,
            None => self.before_current()?,
        };
        verify_generation(&self.data, target)?;
        self.data.set_current(target)?;
        self.clear_completed_pending()?;
        Ok(target)
    }

    /// Clears the register's record of a pending run if the generation of that run is complete, because resuming the run would undo
    /// the rollback. Ignores a register that does not open, but returns an error if another process has it open.
    fn clear_completed_pending(&self) -> Result<(), PublishError> {
        let settle = || -> Result<(), RegisterError> {
            let register = Register::open(&register_path(&self.data))?;
            let reader = register.reader()?;
            let built = self.data.generation_path(reader.head()?.generation);
            if reader.pending()?.is_some() && built.is_dir() {
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

    /// Makes a complete generation the current one, after syncing its name to disk.
    pub(crate) fn set_current(&self, name: GenerationName) -> Result<(), PublishError> {
        sync_path(&self.data.generations_path())?;
        self.data.set_current(name)?;
        if is_in_future(name.stand(), Timestamp::now()) {
            tracing::warn!(
                generation = %name,
                "the served generation is dated in the future: until that day, every delivery counts as a repeat and changes nothing. \
                 Check the clock of this machine and the header of the delivery; after `postduif index rollback`, build again"
            );
        }
        Ok(())
    }

    fn before_current(&self) -> Result<GenerationName, PublishError> {
        let none = |reason: String| PublishError::NoGeneration {
            path: self.data.path().to_owned(),
            reason,
        };
        let current = self.data.current_generation()?;
        let current = current.ok_or_else(|| none("no generation is served yet".into()))?;
        previous_generation(&self.data, current)?.ok_or_else(|| {
            none(format!(
                "no generation before {current}, which is served; `postduif index list` lists the generations, and \
                 `postduif index rollback --to` serves another one"
            ))
        })
    }

    /// Deletes all generations except the `keep` newest, the current one, and those that the register needs. Returns the names of
    /// the deleted generations.
    ///
    /// # Errors
    /// If a folder cannot be deleted.
    pub fn prune(&self, keep: usize) -> Result<Vec<GenerationName>, PublishError> {
        let mut in_use = self.register_generations()?;
        in_use.extend(self.data.current_generation()?);
        let mut to_delete = generations_by_age(&self.data)?;
        to_delete.truncate(to_delete.len().saturating_sub(keep));
        to_delete.retain(|name| !in_use.contains(name));
        for &name in &to_delete {
            self.data.delete_generation(name)?;
        }
        Ok(to_delete)
    }

    /// The generation that was built from the register's state, and the base generation of a pending run. Empty if the register
    /// cannot be read. Returns an error if another process has the register open.
    fn register_generations(&self) -> Result<Vec<GenerationName>, PublishError> {
        let path = register_path(&self.data);
        let needed = || -> Result<Vec<GenerationName>, RegisterError> {
            Register::read_only(&path, |reader| {
                let base = reader.pending()?.and_then(|pending| pending.base());
                let head = reader.head()?.generation;
                Ok(base.into_iter().chain([head]).collect())
            })
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

    /// Starts the next generation of a stand. Deletes the leftovers of interrupted builds.
    pub(crate) fn begin_generation(
        &self,
        stand: jiff::civil::Date,
    ) -> Result<GenerationBuilder<'_>, PublishError> {
        self.begin_generation_as(self.next_name(stand)?)
    }

    /// Starts the generation `name`. Deletes the leftovers of interrupted builds.
    pub(crate) fn begin_generation_as(
        &self,
        name: GenerationName,
    ) -> Result<GenerationBuilder<'_>, PublishError> {
        for folder in [
            self.data.generations_path(),
            self.data.path().join(REGISTER_DIR),
        ] {
            create_dir_all(&folder)?;
            // The leftovers of interrupted builds, and of a service that pulled generations into this folder.
            remove_prefixed(&folder, &[BUILDING_PREFIX, PULLING_DIR, REMOVING_PREFIX])?;
        }
        let builder = GenerationBuilder {
            data: &self.data,
            name,
        };
        for index in [ADDRESSES_DIR, PLACES_DIR] {
            create_dir_all(&builder.folder().join(index))?;
        }
        Ok(builder)
    }
}

/// Verifies a generation: its manifest, the size and SHA-256 of every file, that its index opens, and its number of addresses.
///
/// # Errors
/// If the generation does not exist or is damaged. The error names the damaged file.
pub fn verify_generation(
    data: &DataFolder,
    generation: GenerationName,
) -> Result<Manifest, PublishError> {
    let folder = data.generation_path(generation);
    if !folder.is_dir() {
        let reason =
            format!("no generation {generation}; `postduif index list` lists the generations");
        return Err(PublishError::NoGeneration {
            path: data.path().to_owned(),
            reason,
        });
    }
    Ok(Generation::open(&folder, generation)?.manifest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stand_after_tomorrow_is_in_the_future() {
        let now: Timestamp = "2021-09-15T23:30:00Z".parse().expect("a time");
        for (stand, expected) in [
            ("2021-09-14", false),
            ("2021-09-16", false),
            ("2021-09-17", true),
            ("2121-09-15", true),
        ] {
            let stand: Date = stand.parse().expect("a date");
            assert_eq!(is_in_future(stand, now), expected, "{stand}");
        }
    }
}
