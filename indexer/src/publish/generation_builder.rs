//! A generation on its way: a folder under a name that nobody reads, until it is published.

use std::path::PathBuf;

use postduif_schema::{FileEntry, Generation, GenerationName, Manifest};

use super::shared_files::{SharedFiles, prepare_files, remove_all, rename_synced, sync_tree};
use super::{
    BUILDING_PREFIX, DataDirWriter, PublishError, REGISTER_DIR, building_path, register_path,
};

/// A generation that is being made. Dropped before it is published, it leaves nothing behind.
pub(crate) struct GenerationBuilder<'a> {
    pub(super) writer: &'a DataDirWriter,
    pub(super) name: GenerationName,
}

impl GenerationBuilder<'_> {
    pub(crate) fn name(&self) -> GenerationName {
        self.name
    }

    pub(crate) fn folder(&self) -> PathBuf {
        building_path(&self.writer.data, self.name)
    }

    /// Puts the account of how it was made into it.
    pub(crate) fn write_report(&self, json: &[u8]) -> Result<(), PublishError> {
        let path = self.folder().join("report.json");
        std::fs::write(&path, json).map_err(|source| PublishError::Io { path, source })
    }

    pub(crate) fn building_register_path(&self) -> PathBuf {
        self.writer
            .data
            .path()
            .join(REGISTER_DIR)
            .join(format!("{BUILDING_PREFIX}{}", self.name))
    }

    /// Settles every file that is there and describes it, for the manifest.
    pub(crate) fn describe_files(&self) -> Result<Vec<FileEntry>, PublishError> {
        self.describe_files_except(&SharedFiles::empty())
    }

    /// The same for a generation made of another one: what it shares with that one is not touched, and stands in the list as
    /// it was published.
    pub(crate) fn describe_files_incremental(
        &self,
        base: &Manifest,
    ) -> Result<Vec<FileEntry>, PublishError> {
        self.describe_files_except(&self.shared_files(base))
    }

    fn describe_files_except(
        &self,
        shared: &SharedFiles<'_>,
    ) -> Result<Vec<FileEntry>, PublishError> {
        let folder = self.folder();
        let mut files = Vec::new();
        for path in prepare_files(&folder, shared)? {
            let known = shared.get(&folder.join(&path))?.cloned();
            files.push(known.map_or_else(|| FileEntry::from_disk(&folder, &path), Ok)?);
        }
        Ok(files)
    }

    fn shared_files<'m>(&self, base: &'m Manifest) -> SharedFiles<'m> {
        let folder = self.writer.data.generation_path(base.generation);
        SharedFiles::new(base, &folder)
    }

    /// Checks what was written as `index verify` does.
    pub(crate) fn verify(&self) -> Result<Generation, PublishError> {
        Ok(Generation::open(&self.folder(), self.name)?)
    }

    /// The same, but for the files of `base`, which was checked when it was opened.
    pub(crate) fn verify_incremental(&self, base: &Manifest) -> Result<Generation, PublishError> {
        Ok(Generation::open_incremental(
            base,
            &self.folder(),
            self.name,
        )?)
    }

    /// Brings everything to disk, renames it into place and serves it. The register goes before `CURRENT`, so that it is
    /// never older than what is served; should the last step fail, the generation stays beside its register, unserved.
    pub(crate) fn publish(self) -> Result<(), PublishError> {
        let data = &self.writer.data;
        let published = data.generation_path(self.name);
        sync_tree(&self.folder(), &SharedFiles::empty())?;
        rename_synced(&self.folder(), &published)?;
        if let Err(error) = rename_synced(&self.building_register_path(), &register_path(data)) {
            // Without its register it must not be found under a name; what is dropped clears it.
            rename_synced(&published, &self.folder())?;
            return Err(error);
        }
        Ok(data.set_current(self.name)?)
    }

    /// The same for a generation made of another one, whose register is changed where it is: all folders come to disk, and
    /// those files that were not published with `base`, which brought its own there. Should the last step fail, the
    /// generation stays under its name, unserved.
    pub(crate) fn publish_incremental(self, base: &Manifest) -> Result<(), PublishError> {
        let data = &self.writer.data;
        sync_tree(&self.folder(), &self.shared_files(base))?;
        rename_synced(&self.folder(), &data.generation_path(self.name))?;
        Ok(data.set_current(self.name)?)
    }
}

impl Drop for GenerationBuilder<'_> {
    fn drop(&mut self) {
        for leftover in [self.folder(), self.building_register_path()] {
            if leftover.exists()
                && let Err(error) = remove_all(&leftover)
            {
                tracing::warn!(path = %leftover.display(), %error, "an unfinished build could not be cleared; the next one will");
            }
        }
    }
}
