//! The second half: from a register that is ahead of what is served to the generation that it is made into.
//!
//! Nothing here depends on the delivery: all it needs stands in the register, so a run that was cut short is finished by the
//! next one, whatever that one was started for.

use std::collections::BTreeSet;
use std::path::PathBuf;

use postduif_schema::{
    AddressIndex, BagId, DataFolder, Generation, GenerationName, Manifest, Stamp,
};

use super::changes::Joining;
use super::{ApplyError, Site};
use crate::assemble::Assembler;
use crate::build::{BuildError, check_places};
use crate::day::Day;
use crate::join::join;
use crate::municipalities::Municipalities;
use crate::next::{AddressChange, Next};
use crate::places::Places;
use crate::publish::{Exclusive, PublishError, Unfinished};
use crate::register::{Draft, Head, Pending, Register, RegisterReader};

/// About this many addresses are looked at again before they are served.
const SAMPLE: usize = 1000;

/// The generation that the next one continues.
pub(super) struct Base {
    generation: Generation,
    folder: PathBuf,
}

impl Base {
    pub(super) fn open(data: &DataFolder, name: GenerationName) -> Result<Self, ApplyError> {
        let folder = data.generation_path(name);
        if !folder.is_dir() {
            return Err(ApplyError::NoBase {
                generation: name,
                path: data.generations_path(),
            });
        }
        let generation = Generation::open_published(&folder, name).map_err(PublishError::from)?;
        Ok(Self { generation, folder })
    }

    pub(super) fn addresses(&self) -> &AddressIndex {
        &self.generation.addresses
    }

    pub(super) fn manifest(&self) -> &Manifest {
        &self.generation.manifest
    }
}

/// What the register holds and no generation shows yet.
pub(super) struct Unmade {
    pub(super) head: Head,
    pub(super) pending: Pending,
    pub(super) base: Base,
    pub(super) changes: Vec<AddressChange>,
    pub(super) places: Places,
}

impl Unmade {
    /// Writes the generation where nobody finds it yet.
    pub(super) fn write<'x>(&self, exclusive: &'x Exclusive) -> Result<Unfinished<'x>, ApplyError> {
        let unfinished = exclusive.begin_named(self.head.generation)?;
        let renamed: BTreeSet<_> = self.pending.streets().collect();
        let stamp = Stamp {
            stand: self.head.stand,
            sequence: self.head.sequence,
        };
        let next = Next {
            base: &self.base.generation,
            base_folder: &self.base.folder,
            changes: &self.changes,
            renamed: &renamed,
            short_names: &|id| self.places.street(id)?.short_name.clone(),
            stamp,
        };
        let written = next.write(&unfinished)?;
        unfinished.write_report(self.pending.account.as_bytes())?;
        written.write_manifest(&unfinished, self.base.manifest())?;
        Ok(unfinished)
    }

    /// Checks what was written, serves it, and clears the register's list.
    pub(super) fn publish(
        &self,
        unfinished: Unfinished<'_>,
        register: &Register,
    ) -> Result<(), ApplyError> {
        let generation = unfinished.verify()?;
        check_places(&generation.places, generation.manifest.counts.addresses)?;
        self.compare(&generation.addresses, register)?;
        drop(generation);
        unfinished.publish_over(self.base.manifest())?;
        Ok(register.settle()?)
    }

    /// Some of the addresses that are other, made again from the register, must be what the index gives.
    fn compare(&self, index: &AddressIndex, register: &Register) -> Result<(), ApplyError> {
        let reader = register.read()?;
        let (rows, assembler) = (Draft::of(&reader), Assembler::new(&self.places));
        let day = Day::from(self.head.stand);
        let every = self.changes.len().div_ceil(SAMPLE).max(1);
        for change in self.changes.iter().step_by(every) {
            let id = change.id().expect("one side is there");
            let nummeraanduiding = BagId::from_number(id.get()).expect("no box is ever changed");
            let joined = join(&rows, &assembler, nummeraanduiding, day)?;
            if index.by_id(id)? != joined.address.unwrap_or(None) {
                return Err(BuildError::ReadsBackOtherwise { id }.into());
            }
        }
        Ok(())
    }
}

impl Site {
    /// Finishes what an earlier run left between the register and what is served.
    pub(super) fn finish(&self) -> Result<(), ApplyError> {
        let reader = self.register.read()?;
        let Some(pending) = reader.pending()? else {
            return Ok(());
        };
        let head = reader.head()?;
        tracing::warn!(
            generation = %head.generation,
            "an earlier run was cut short; the generation that it was about to serve is made first"
        );
        if self.data.generation_path(head.generation).is_dir() {
            // It bears its name only when it is whole.
            self.data
                .set_current(head.generation)
                .map_err(PublishError::from)?;
            return Ok(self.register.settle()?);
        }
        let unmade = self.unmade(&reader, head, pending)?;
        drop(reader);
        unmade.publish(unmade.write(&self.exclusive)?, &self.register)
    }

    fn unmade(
        &self,
        reader: &RegisterReader,
        head: Head,
        pending: Pending,
    ) -> Result<Unmade, ApplyError> {
        let base = Base::open(&self.data, pending.base)?;
        let register = Draft::of(reader);
        let joining = Joining {
            register: &register,
            relations: &reader.relations()?,
            municipalities: &Municipalities::of_register(reader.municipality_table()?),
            day: Day::from(head.stand),
        };
        let (addresses, streets) = (pending.addresses().collect(), pending.streets().collect());
        let places = joining.places(&addresses, &streets)?;
        let changes = joining.changes(&addresses, &places, base.addresses())?;
        Ok(Unmade {
            head,
            pending,
            base,
            changes: changes.addresses,
            places,
        })
    }
}
