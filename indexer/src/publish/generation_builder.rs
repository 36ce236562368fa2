//! Builds a generation in a folder that no reader uses, and publishes it.

use std::path::PathBuf;

use jiff::Timestamp;
use postduif_schema::files::{remove_all, rename_synced};
use postduif_schema::{
    Area, DataFolder, FileEntry, FileError, Generation, GenerationCounts, GenerationName,
    LAYOUT_VERSION, Manifest, RegisterVersion, VerificationCache,
};

use super::build_order::creation_time;
use super::error::PublishError;
use super::paths::{BUILDING_PREFIX, REGISTER_DIR, REPORT_FILE, register_path};
use super::shared_files::{SharedFiles, prepare_files, sync_tree};

/// A generation being built. If this value is dropped before the generation is published, its files are deleted.
pub(crate) struct GenerationBuilder<'a> {
    pub(super) data: &'a DataFolder,
    pub(super) name: GenerationName,
}

impl GenerationBuilder<'_> {
    pub(crate) fn name(&self) -> GenerationName {
        self.name
    }

    /// The folder of the unfinished generation. No reader uses it.
    pub(crate) fn folder(&self) -> PathBuf {
        let name = format!("{BUILDING_PREFIX}{}", self.name);
        self.data.generations_path().join(name)
    }

    /// Writes the report of the build into the generation.
    pub(crate) fn write_report(&self, json: &str) -> Result<(), PublishError> {
        let path = self.folder().join(REPORT_FILE);
        Ok(std::fs::write(&path, json).map_err(FileError::with_path(&path))?)
    }

    pub(crate) fn building_register_path(&self) -> PathBuf {
        self.data
            .path()
            .join(REGISTER_DIR)
            .join(format!("{BUILDING_PREFIX}{}", self.name))
    }

    /// Writes the manifest of a generation, which is built from `base` if that is given. All other files must be in the folder.
    pub(crate) fn write_manifest(
        &self,
        version: RegisterVersion,
        area: &Area,
        counts: GenerationCounts,
        base: Option<&Manifest>,
    ) -> Result<Manifest, PublishError> {
        let manifest = Manifest {
            layout_version: LAYOUT_VERSION,
            generation: self.name,
            stand: version.stand,
            sequence: version.sequence,
            area: area.clone(),
            created_at: creation_time(self.data, Timestamp::now())?,
            counts,
            files: self.describe_files(base)?,
            checksum: String::new(),
        };
        Ok(manifest.write(&self.folder())?)
    }

    /// Makes every file read-only, and readable for the service. Returns the entries of the files for the manifest. If the generation is
    /// built from `base`, does not touch the files that it shares with `base`, and copies their entries.
    pub(crate) fn describe_files(
        &self,
        base: Option<&Manifest>,
    ) -> Result<Vec<FileEntry>, PublishError> {
        let shared = base.map_or_else(SharedFiles::empty, |base| self.shared_files(base));
        let folder = self.folder();
        let mut files = Vec::new();
        for path in prepare_files(&folder, &shared)? {
            let known = shared.get(&folder.join(&path))?.cloned();
            files.push(known.map_or_else(|| FileEntry::from_disk(&folder, &path), Ok)?);
        }
        Ok(files)
    }

    fn shared_files<'m>(&self, base: &'m Manifest) -> SharedFiles<'m> {
        let folder = self.data.generation_path(base.generation);
        SharedFiles::new(base, &folder)
    }

    /// Verifies the written generation in the same way as `index verify`, but does not hash files that are in the cache and unchanged.
    pub(crate) fn verify(&self, cache: &VerificationCache) -> Result<Generation, PublishError> {
        Ok(Generation::open_with_cache(
            cache,
            &self.folder(),
            self.name,
        )?)
    }

    /// Syncs the generation to disk, gives its folder the final name, and makes it current. Puts the new register in place before
    /// writing `CURRENT`, so that the register is never older than the current generation. If writing `CURRENT` fails, the new
    /// generation and its register stay in the data folder, and the previous generation stays current.
    pub(crate) fn publish(self) -> Result<(), PublishError> {
        let data = self.data;
        let published = data.generation_path(self.name);
        sync_tree(&self.folder(), &SharedFiles::empty())?;
        rename_synced(&self.folder(), &published)?;
        if let Err(error) = rename_synced(&self.building_register_path(), &register_path(data)) {
            // Rename the generation back, because its register is not in place. Dropping the builder then deletes the generation.
            rename_synced(&published, &self.folder())?;
            return Err(error.into());
        }
        Ok(data.set_current(self.name)?)
    }

    /// Like [`publish`](Self::publish), for a generation that is built from `base`. The register was updated in its file, so this function
    /// puts no new register in place. Syncs all folders, and the files that are not shared with `base`. If writing `CURRENT` fails, the new
    /// generation stays in the data folder, and the previous generation stays current.
    pub(crate) fn publish_incremental(self, base: &Manifest) -> Result<(), PublishError> {
        let data = self.data;
        sync_tree(&self.folder(), &self.shared_files(base))?;
        rename_synced(&self.folder(), &data.generation_path(self.name))?;
        Ok(data.set_current(self.name)?)
    }
}

impl Drop for GenerationBuilder<'_> {
    fn drop(&mut self) {
        for leftover in [self.folder(), self.building_register_path()] {
            if let Err(error) = remove_all(&leftover) {
                tracing::warn!(%error, "cannot delete an unfinished build; the next build will");
            }
        }
    }
}
