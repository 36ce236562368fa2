//! A generation on its way: a folder under a name that nobody reads, until it is published.

use std::path::PathBuf;

use postduif_schema::{Generation, GenerationName, Manifest, StoredFile};

use super::shared_files::{Linked, remove, rename, settled_files, sync_all};
use super::{Exclusive, PublishError, REGISTER, UNFINISHED, register_path, unfinished_path};

/// A generation that is being made. Dropped before it is published, it leaves nothing behind.
pub(crate) struct Unfinished<'a> {
    pub(super) exclusive: &'a Exclusive,
    pub(super) name: GenerationName,
}

impl Unfinished<'_> {
    pub(crate) fn name(&self) -> GenerationName {
        self.name
    }

    pub(crate) fn folder(&self) -> PathBuf {
        unfinished_path(&self.exclusive.data, self.name)
    }

    /// Puts the account of how it was made into it.
    pub(crate) fn write_report(&self, json: &[u8]) -> Result<(), PublishError> {
        let path = self.folder().join("report.json");
        std::fs::write(&path, json).map_err(|source| PublishError::Io { path, source })
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
        self.describe(&Linked::none())
    }

    /// The same for a generation made of another one: what it shares with that one is not touched, and stands in the list as
    /// it was published.
    pub(crate) fn files_over(&self, base: &Manifest) -> Result<Vec<StoredFile>, PublishError> {
        self.describe(&self.linked(base))
    }

    fn describe(&self, linked: &Linked<'_>) -> Result<Vec<StoredFile>, PublishError> {
        let folder = self.folder();
        let mut files = Vec::new();
        for path in settled_files(&folder, linked)? {
            let known = linked.get(&folder.join(&path))?.cloned();
            files.push(known.map_or_else(|| StoredFile::describe(&folder, &path), Ok)?);
        }
        Ok(files)
    }

    fn linked<'m>(&self, base: &'m Manifest) -> Linked<'m> {
        let folder = self.exclusive.data.generation_path(base.generation);
        Linked::new(base, &folder)
    }

    /// Checks what was written as `index verify` does.
    pub(crate) fn verify(&self) -> Result<Generation, PublishError> {
        Ok(Generation::open(&self.folder(), self.name)?)
    }

    /// The same, but for the files of `base`, which was checked when it was opened.
    pub(crate) fn verify_over(&self, base: &Manifest) -> Result<Generation, PublishError> {
        Ok(Generation::open_over(base, &self.folder(), self.name)?)
    }

    /// Brings everything to disk, renames it into place and serves it. The register goes before `CURRENT`, so that it is
    /// never older than what is served; should the last step fail, the generation stays beside its register, unserved.
    pub(crate) fn publish(self) -> Result<(), PublishError> {
        let data = &self.exclusive.data;
        let published = data.generation_path(self.name);
        sync_all(&self.folder(), &Linked::none())?;
        rename(&self.folder(), &published)?;
        if let Err(error) = rename(&self.register_path(), &register_path(data)) {
            // Without its register it must not be found under a name; what is dropped clears it.
            rename(&published, &self.folder())?;
            return Err(error);
        }
        Ok(data.set_current(self.name)?)
    }

    /// The same for a generation made of another one, whose register is changed where it is: all folders come to disk, and
    /// those files that were not published with `base`, which brought its own there. Should the last step fail, the
    /// generation stays under its name, unserved.
    pub(crate) fn publish_over(self, base: &Manifest) -> Result<(), PublishError> {
        let data = &self.exclusive.data;
        sync_all(&self.folder(), &self.linked(base))?;
        rename(&self.folder(), &data.generation_path(self.name))?;
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
