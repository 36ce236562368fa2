//! The second half: from what is other to the generation that shows it.
//!
//! It is made and checked before the register is written, so that a disk or a base that fails leaves all as it was. Between
//! the register's commit and the last rename the register notes what is left to do, and the next run does it, whatever that
//! one was started for.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::thread::{self, JoinHandle};

use postduif_schema::{
    AddressIndex, BagId, DataFolder, Generation, GenerationName, Manifest, OpenGenerationError,
    OpenbareRuimte as Street, PlacesBuilder as PlacesOf, RegisterVersion,
};

use super::changes::AddressJoiner;
use super::{ApplyError, ApplySession};
use crate::assemble::AddressAssembler;
use crate::build::{BuildError, check_places};
use crate::day::Day;
use crate::join::join_address;
use crate::municipalities::MunicipalityDirectory;
use crate::next::{AddressChange, NextGenerationSummary, NextGenerationWriter};
use crate::publish::{DataDirWriter, GenerationBuilder};
use crate::register::{PendingGeneration, Register, RegisterHead, RegisterOverlay};
use crate::register_places::RegisterPlaces;

/// About this many addresses are looked at again before they are served.
const SAMPLE_SIZE: usize = 1000;

/// The generation that the next one continues.
pub(super) struct BaseGeneration {
    generation: Generation,
    places: PlacesOf,
    folder: PathBuf,
}

/// A base that is being opened while other things are done.
pub(super) struct BaseGenerationTask(Option<JoinHandle<Result<BaseGeneration, ApplyError>>>);

impl BaseGenerationTask {
    pub(super) fn wait(mut self) -> Result<BaseGeneration, ApplyError> {
        let handle = self.0.take().expect("it is waited for once");
        handle.join().expect("opening a generation does not panic")
    }
}

/// A delivery that turns out to be unsound leaves nothing behind that reads a generation without the lock.
impl Drop for BaseGenerationTask {
    fn drop(&mut self) {
        if let Some(handle) = self.0.take() {
            // What became of it makes no difference.
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
        // All of it: what is damaged must not be merged into the next one, with a checksum of its own then.
        let generation = Generation::open(&folder, name).map_err(damaged_error)?;
        let places = postduif_schema::load_places(&generation.places).map_err(|source| {
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

    /// The same on a thread of its own: for the country it takes as long as reading a delivery.
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

/// A generation that is yet to be made.
pub(super) struct PlannedGeneration {
    /// What the register says of itself with it.
    pub(super) head: RegisterHead,
    pub(super) base: BaseGeneration,
    pub(super) changes: Vec<AddressChange>,
    /// Streets whose names may be other.
    pub(super) renamed_streets: BTreeSet<BagId<Street>>,
    pub(super) places: RegisterPlaces,
}

impl PlannedGeneration {
    /// Writes addresses and places where nobody finds them yet.
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
            stamp: stamp(&self.head),
        };
        let summary = writer.write(&builder)?;
        Ok((builder, summary))
    }

    /// Puts the account and the manifest beside them, and checks all of it: every file, the counts, and that some of the
    /// addresses that are other read back as the register gives them.
    pub(super) fn finalize(
        &self,
        builder: &GenerationBuilder<'_>,
        summary: &NextGenerationSummary,
        (report, register): (&str, &RegisterOverlay<'_>),
    ) -> Result<(), ApplyError> {
        builder.write_report(report.as_bytes())?;
        summary.write_manifest(builder, self.base.manifest())?;
        let generation = builder.verify_incremental(self.base.manifest())?;
        check_places(&generation.places, generation.manifest.counts.addresses)?;
        let assembler = AddressAssembler::new(&self.places);
        let day = Day::from(self.head.stand);
        let stride = self.changes.len().div_ceil(SAMPLE_SIZE).max(1);
        for change in self.changes.iter().step_by(stride) {
            let id = change.id().expect("one side is there");
            let nummeraanduiding = BagId::from_number(id.get()).expect("no box is ever changed");
            let joined = join_address(register, &assembler, nummeraanduiding, day)?;
            if generation.addresses.get_by_id(id)? != joined.address.unwrap_or(None) {
                return Err(BuildError::ReadBackMismatch { id }.into());
            }
        }
        Ok(())
    }

    /// Serves it, and clears what the register notes of it.
    pub(super) fn publish(
        &self,
        builder: GenerationBuilder<'_>,
        register: &Register,
    ) -> Result<(), ApplyError> {
        builder.publish_incremental(self.base.manifest())?;
        Ok(register.clear_pending()?)
    }
}

fn stamp(head: &RegisterHead) -> RegisterVersion {
    RegisterVersion {
        stand: head.stand,
        sequence: head.sequence,
    }
}

impl ApplySession {
    /// Finishes what an earlier run left between the register and what is served, and says what is served then.
    pub(super) fn finish_interrupted(&self) -> Result<Option<GenerationName>, ApplyError> {
        let reader = self.register.reader()?;
        let Some(pending) = reader.pending()? else {
            return Ok(None);
        };
        let head = reader.head()?;
        let generation = head.generation;
        tracing::warn!(
            %generation,
            "an earlier run was cut short; the generation that it was about to serve comes first"
        );
        if self.data.generation_path(generation).is_dir() {
            self.serve_finished(&head)?;
            return Ok(Some(generation));
        }
        let register = RegisterOverlay::new(&reader);
        let planned = self.plan_pending(&register, head, &pending)?;
        let (builder, summary) = planned.write(&self.data_writer)?;
        planned.finalize(&builder, &summary, (&pending.report, &register))?;
        planned.publish(builder, &self.register)?;
        Ok(Some(generation))
    }

    /// It bears its name, so it is whole; but it must be the one that the register means.
    fn serve_finished(&self, head: &RegisterHead) -> Result<(), ApplyError> {
        let generation = BaseGeneration::open(&self.data, head.generation)?;
        if generation.manifest().register_version() != stamp(head) {
            return Err(ApplyError::BaseMissing {
                generation: head.generation,
                path: self.data.generations_path(),
            });
        }
        self.data_writer.set_current(head.generation)?;
        Ok(self.register.clear_pending()?)
    }

    fn plan_pending(
        &self,
        register: &RegisterOverlay<'_>,
        head: RegisterHead,
        pending: &PendingGeneration,
    ) -> Result<PlannedGeneration, ApplyError> {
        let reader = register.reader();
        let base = BaseGeneration::open(&self.data, pending.base)?;
        let joiner = AddressJoiner {
            register,
            relations: &reader.relations()?,
            municipalities: &MunicipalityDirectory::from_register(reader.municipality_table()?),
            day: Day::from(head.stand),
        };
        let (addresses, streets) = (
            pending.nummeraanduidingen().collect(),
            pending.openbare_ruimten().collect(),
        );
        let places = joiner.load_places(&addresses, &streets)?;
        let change_set = joiner.find_changes(&addresses, &places, base.addresses())?;
        Ok(PlannedGeneration {
            head,
            base,
            changes: change_set.changes,
            renamed_streets: streets,
            places,
        })
    }
}
