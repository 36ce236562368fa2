//! Writes the next generation from the changed addresses.
//!
//! The generation is written and checked before the register is committed, so a failing disk or a damaged base generation changes
//! nothing. From the commit until the generation is published, the register records the remaining work. If the run is interrupted,
//! the next run does this work first.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::thread::{self, JoinHandle};

use postduif_schema::{
    AddressIndex, BagId, DataFolder, Generation, GenerationName, Manifest, OpenGenerationError,
    OpenbareRuimteKind, PlacesBuilder,
};

use super::error::ApplyError;
use crate::build::{AddressSample, check_places};
use crate::day::Day;
use crate::next::{AddressChange, NextGenerationSummary, NextGenerationWriter};
use crate::publish::{DataDirWriter, GenerationBuilder};
use crate::register::{Register, RegisterHead, RegisterOverlay};
use crate::register_places::RegisterPlaces;

/// The base generation, from which the next generation is made.
pub(super) struct BaseGeneration {
    generation: Generation,
    places: PlacesBuilder,
    folder: PathBuf,
}

/// The thread that opens a base generation.
pub(super) struct BaseGenerationTask(Option<JoinHandle<Result<BaseGeneration, ApplyError>>>);

impl BaseGenerationTask {
    pub(super) fn wait(mut self) -> Result<BaseGeneration, ApplyError> {
        let handle = self
            .0
            .take()
            .expect("only this method and `drop` take the handle");
        handle.join().expect("opening a generation does not panic")
    }
}

/// Waits for the thread to end. A refused delivery drops this task and then unlocks the data folder, but the thread may read the generation
/// only while the folder is locked.
impl Drop for BaseGenerationTask {
    fn drop(&mut self) {
        if let Some(handle) = self.0.take() {
            // The result is ignored, because the generation is not needed any more.
            handle.join().ok();
        }
    }
}

impl BaseGeneration {
    pub(super) fn open(data: &DataFolder, name: GenerationName) -> Result<Self, ApplyError> {
        let folder = data.generation_path(name);
        if !folder.is_dir() {
            return Err(ApplyError::BaseMissing {
                generation: name,
                path: data.generations_path(),
            });
        }
        let damaged_error = |source| ApplyError::BaseDamaged {
            generation: name,
            source: Box::new(source),
        };
        // Check every file, because damage that is merged into the next generation would get a valid checksum there.
        let generation = Generation::open(&folder, name).map_err(damaged_error)?;
        let places = generation.places.to_builder().map_err(|source| {
            damaged_error(OpenGenerationError::Index {
                generation: name,
                source,
            })
        })?;
        Ok(Self {
            generation,
            places,
            folder,
        })
    }

    /// Starts to open a base generation on another thread. For the country, this takes as long as reading a delivery, which the caller does
    /// at the same time.
    pub(super) fn open_in_background(
        data: &DataFolder,
        name: GenerationName,
    ) -> BaseGenerationTask {
        let data = data.clone();
        BaseGenerationTask(Some(thread::spawn(move || Self::open(&data, name))))
    }

    pub(super) fn addresses(&self) -> &AddressIndex {
        &self.generation.addresses
    }

    pub(super) fn manifest(&self) -> &Manifest {
        &self.generation.manifest
    }
}

/// All that the next generation is written from.
pub(super) struct PlannedGeneration {
    /// The head of the register after the changes. It has the name of the next generation.
    pub(super) head: RegisterHead,
    pub(super) base: BaseGeneration,
    pub(super) changes: Vec<AddressChange>,
    /// Streets that may have another name than in `base`.
    pub(super) renamed_streets: BTreeSet<BagId<OpenbareRuimteKind>>,
    pub(super) places: RegisterPlaces,
}

impl PlannedGeneration {
    /// Writes addresses and places into the folder of an unfinished generation.
    pub(super) fn write<'x>(
        &self,
        data_writer: &'x DataDirWriter,
    ) -> Result<(GenerationBuilder<'x>, NextGenerationSummary), ApplyError> {
        let builder = data_writer.begin_generation_as(self.head.generation)?;
        let writer = NextGenerationWriter {
            base: &self.base.generation,
            places: &self.base.places,
            base_folder: &self.base.folder,
            changes: &self.changes,
            renamed_streets: &self.renamed_streets,
            short_names: &|id| self.places.street(id)?.short_name.clone(),
            version: self.head.register_version(),
        };
        let summary = writer.write(&builder)?;
        Ok((builder, summary))
    }

    /// Adds the report and the manifest, and checks the generation: every file, the number of addresses in both indexes, and whether a
    /// sample of the changed addresses equals the register.
    pub(super) fn finalize(
        &self,
        builder: &GenerationBuilder<'_>,
        summary: &NextGenerationSummary,
        (report, register): (&str, &RegisterOverlay<'_>),
    ) -> Result<(), ApplyError> {
        builder.write_report(report)?;
        let (version, base) = (self.head.register_version(), self.base.manifest());
        builder.write_manifest(version, &base.area, summary.counts, Some(base))?;
        let generation = builder.verify(&self.base.generation.verification_cache)?;
        check_places(&generation.places, summary.counts.addresses)?;
        let mut sample = AddressSample::new(self.changes.len());
        for change in &self.changes {
            let id = change.id().expect("a change has at least one side");
            let id = BagId::from_number(id.get()).expect("mutations change no post-office box");
            sample.offer(id, change.after.is_some());
        }
        let day = Day::from(self.head.stand);
        Ok(sample.check(register, &generation.addresses, &self.places, day)?)
    }

    /// Publishes the generation, and clears the register's record of pending work.
    pub(super) fn publish(
        &self,
        builder: GenerationBuilder<'_>,
        register: &Register,
    ) -> Result<(), ApplyError> {
        builder.publish_incremental(self.base.manifest())?;
        register.clear_published();
        Ok(())
    }
}
