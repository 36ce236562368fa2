//! The second half: from what is other to the generation that shows it.
//!
//! It is made and checked before the register is written, so that a disk or a base that fails leaves all as it was. Between
//! the register's commit and the last rename the register notes what is left to do, and the next run does it, whatever that
//! one was started for.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::thread::{self, JoinHandle};

use postduif_schema::{
    AddressIndex, BagId, DataFolder, Generation, GenerationName, Manifest, OpenError,
    OpenbareRuimte as Street, Places as PlacesOf, Stamp,
};

use super::changes::Joining;
use super::{ApplyError, Site};
use crate::assemble::Assembler;
use crate::build::{BuildError, check_places};
use crate::day::Day;
use crate::join::join;
use crate::municipalities::Municipalities;
use crate::next::{AddressChange, Next, Written};
use crate::publish::{Exclusive, Unfinished};
use crate::register::{Draft, Head, Pending, Register};
use crate::register_places::Places;

/// About this many addresses are looked at again before they are served.
const SAMPLE: usize = 1000;

/// The generation that the next one continues.
pub(super) struct Base {
    generation: Generation,
    places: PlacesOf,
    folder: PathBuf,
}

/// A base that is being opened while other things are done.
pub(super) struct Opening(Option<JoinHandle<Result<Base, ApplyError>>>);

impl Opening {
    pub(super) fn wait(mut self) -> Result<Base, ApplyError> {
        let opening = self.0.take().expect("it is waited for once");
        opening.join().expect("opening a generation does not panic")
    }
}

/// A delivery that turns out to be unsound leaves nothing behind that reads a generation without the lock.
impl Drop for Opening {
    fn drop(&mut self) {
        if let Some(opening) = self.0.take() {
            // What became of it makes no difference.
            opening.join().ok();
        }
    }
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
        let bad = |source| ApplyError::BadBase {
            generation: name,
            source: Box::new(source),
        };
        // All of it: what is damaged must not be merged into the next one, with a checksum of its own then.
        let generation = Generation::open(&folder, name).map_err(bad)?;
        let places = PlacesOf::from_index(&generation.places).map_err(|source| {
            bad(OpenError::Index {
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
    pub(super) fn begin(data: &DataFolder, name: GenerationName) -> Opening {
        let data = data.clone();
        Opening(Some(thread::spawn(move || Self::open(&data, name))))
    }

    pub(super) fn addresses(&self) -> &AddressIndex {
        &self.generation.addresses
    }

    pub(super) fn manifest(&self) -> &Manifest {
        &self.generation.manifest
    }
}

/// A generation that is yet to be made.
pub(super) struct Unmade {
    /// What the register says of itself with it.
    pub(super) head: Head,
    pub(super) base: Base,
    pub(super) changes: Vec<AddressChange>,
    /// Streets whose names may be other.
    pub(super) streets: BTreeSet<BagId<Street>>,
    pub(super) places: Places,
}

impl Unmade {
    /// Writes addresses and places where nobody finds them yet.
    pub(super) fn write<'x>(
        &self,
        exclusive: &'x Exclusive,
    ) -> Result<(Unfinished<'x>, Written), ApplyError> {
        let unfinished = exclusive.begin_named(self.head.generation)?;
        let next = Next {
            base: &self.base.generation,
            places: &self.base.places,
            base_folder: &self.base.folder,
            changes: &self.changes,
            renamed: &self.streets,
            short_names: &|id| self.places.street(id)?.short_name.clone(),
            stamp: stamp(&self.head),
        };
        let written = next.write(&unfinished)?;
        Ok((unfinished, written))
    }

    /// Puts the account and the manifest beside them, and checks all of it: every file, the counts, and that some of the
    /// addresses that are other read back as the register gives them.
    pub(super) fn seal(
        &self,
        unfinished: &Unfinished<'_>,
        written: &Written,
        (account, register): (&str, &Draft<'_>),
    ) -> Result<(), ApplyError> {
        unfinished.write_report(account.as_bytes())?;
        written.write_manifest(unfinished, self.base.manifest())?;
        let generation = unfinished.verify_over(self.base.manifest())?;
        check_places(&generation.places, generation.manifest.counts.addresses)?;
        let assembler = Assembler::new(&self.places);
        let day = Day::from(self.head.stand);
        let every = self.changes.len().div_ceil(SAMPLE).max(1);
        for change in self.changes.iter().step_by(every) {
            let id = change.id().expect("one side is there");
            let nummeraanduiding = BagId::from_number(id.get()).expect("no box is ever changed");
            let joined = join(register, &assembler, nummeraanduiding, day)?;
            if generation.addresses.by_id(id)? != joined.address.unwrap_or(None) {
                return Err(BuildError::ReadsBackOtherwise { id }.into());
            }
        }
        Ok(())
    }

    /// Serves it, and clears what the register notes of it.
    pub(super) fn publish(
        &self,
        unfinished: Unfinished<'_>,
        register: &Register,
    ) -> Result<(), ApplyError> {
        unfinished.publish_over(self.base.manifest())?;
        Ok(register.settle()?)
    }
}

fn stamp(head: &Head) -> Stamp {
    Stamp {
        stand: head.stand,
        sequence: head.sequence,
    }
}

impl Site {
    /// Finishes what an earlier run left between the register and what is served, and says what is served then.
    pub(super) fn finish(&self) -> Result<Option<GenerationName>, ApplyError> {
        let reader = self.register.read()?;
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
            self.serve(&head)?;
            return Ok(Some(generation));
        }
        let register = Draft::of(&reader);
        let unmade = self.unmade(&register, head, &pending)?;
        let (unfinished, written) = unmade.write(&self.exclusive)?;
        unmade.seal(&unfinished, &written, (&pending.account, &register))?;
        unmade.publish(unfinished, &self.register)?;
        Ok(Some(generation))
    }

    /// It bears its name, so it is whole; but it must be the one that the register means.
    fn serve(&self, head: &Head) -> Result<(), ApplyError> {
        let made = Base::open(&self.data, head.generation)?;
        if made.manifest().stamp() != stamp(head) {
            return Err(ApplyError::NoBase {
                generation: head.generation,
                path: self.data.generations_path(),
            });
        }
        self.exclusive.serve(head.generation)?;
        Ok(self.register.settle()?)
    }

    fn unmade(
        &self,
        register: &Draft<'_>,
        head: Head,
        pending: &Pending,
    ) -> Result<Unmade, ApplyError> {
        let reader = register.reader();
        let base = Base::open(&self.data, pending.base)?;
        let joining = Joining {
            register,
            relations: &reader.relations()?,
            municipalities: &Municipalities::of_register(reader.municipality_table()?),
            day: Day::from(head.stand),
        };
        let (addresses, streets) = (pending.addresses().collect(), pending.streets().collect());
        let places = joining.places(&addresses, &streets)?;
        let changes = joining.changes(&addresses, &places, base.addresses())?;
        Ok(Unmade {
            head,
            base,
            changes: changes.addresses,
            streets,
            places,
        })
    }
}
