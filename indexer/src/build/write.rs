//! Writing what a stand makes: the address index and the register, side by side.

use std::path::Path;
use std::thread;

use postduif_schema::{ADDRESSES, Counts, PLACES, PlaceWriter, Stamp};

use super::error::BuildError;
use crate::address_index::AddressWriter;
use crate::assemble::{Assembler, LeftOutCounts, count_left_out};
use crate::candidates::Candidates;
use crate::day::Day;
use crate::extract::Stand;
use crate::municipalities::Municipalities;
use crate::po_boxes::BoxRange;
use crate::publish::Unfinished;
use crate::register::{Contents, Head, Register};
use crate::register_places::Places;
use crate::reverse_links::Links;
use crate::sample::Sample;
use postduif_schema::{Progress, Step};

/// Addresses between two words of progress.
const TELL_EVERY: u64 = 4096;

/// What a build has read and joined.
pub(super) struct Material<'a> {
    pub(super) stand: &'a Stand,
    pub(super) municipalities: &'a Municipalities,
    pub(super) boxes: &'a [BoxRange],
    pub(super) places: &'a Places,
}

/// What went into the index.
#[derive(Default)]
pub(super) struct Written {
    pub(super) counts: Counts,
    pub(super) without_location: u64,
    /// References to panden that the register does not have.
    pub(super) panden_missing: u64,
    pub(super) left_out: LeftOutCounts,
    pub(super) sample: Sample,
}

impl Material<'_> {
    /// Writes index and register side by side.
    pub(super) fn write(
        &self,
        unfinished: &Unfinished<'_>,
        progress: &dyn Progress,
    ) -> Result<(Written, Register), BuildError> {
        let links = Links::of(self.stand);
        let head = Head {
            stand: self.stand.date,
            area: self.stand.area.clone(),
            sequence: 0,
            generation: unfinished.name(),
        };
        let contents = Contents {
            head: &head,
            stand: self.stand,
            links: &links,
            municipalities: &self.municipalities.table(),
            boxes: self.boxes,
        };
        thread::scope(|scope| {
            let register = scope.spawn(|| {
                let objects = self
                    .stand
                    .read
                    .objects
                    .values()
                    .map(|counts| counts.kept)
                    .sum();
                progress.begin(Step::Register, objects);
                let register = Register::create(&unfinished.register_path(), &contents, progress);
                progress.end(Step::Register);
                register
            });
            let written = self.write_index(&unfinished.folder(), &links, progress);
            let register = register
                .join()
                .expect("writing the register does not panic");
            Ok((written?, register?))
        })
    }

    fn write_index(
        &self,
        folder: &Path,
        links: &Links,
        progress: &dyn Progress,
    ) -> Result<Written, BuildError> {
        let day = Day::from(self.stand.date);
        let candidates = Candidates::new(self.stand, links, day);
        let mut writer = AddressWriter::create(&folder.join(ADDRESSES))?;
        let mut gathered = postduif_schema::Places::default();
        let mut written = Written {
            sample: Sample::of(candidates.len()),
            ..Written::default()
        };
        progress.begin(Step::Index, candidates.len() as u64);
        let assembler = Assembler::new(self.places);
        for (done, candidate) in (1_u64..).zip(candidates.iter()) {
            let pand = |id| {
                let pand = self.stand.panden.on(id, day).copied();
                written.panden_missing += u64::from(pand.is_none());
                pand
            };
            match assembler.assemble(&candidate, pand) {
                Ok(Some(address)) => {
                    writer.add(&address)?;
                    gathered.add(&address);
                    written.counts.addresses += 1;
                    written.without_location += u64::from(address.location.is_none());
                    written.sample.offer(candidate.id);
                }
                Ok(None) => {}
                Err(reason) => count_left_out(&mut written.left_out, reason, candidate.id),
            }
            if done.is_multiple_of(TELL_EVERY) {
                progress.advance(Step::Index, TELL_EVERY);
            }
        }
        for address in self.boxes.iter().flat_map(BoxRange::addresses) {
            writer.add(&address)?;
            gathered.add(&address);
            written.counts.po_boxes += 1;
        }
        written.counts.addresses += written.counts.po_boxes;
        // Both end on one thread each, so they end together.
        thread::scope(|scope| {
            let places = scope.spawn(|| self.write_places(gathered, &folder.join(PLACES)));
            writer.finish(Stamp::of_build(self.stand.date))?;
            places.join().expect("writing places does not panic")
        })?;
        progress.end(Step::Index);
        Ok(written)
    }

    fn write_places(&self, places: postduif_schema::Places, folder: &Path) -> tantivy::Result<()> {
        let short_names = |id| self.places.street(id)?.short_name.clone();
        let writer = PlaceWriter {
            short_names: &short_names,
        };
        writer.write(places, folder)
    }
}
