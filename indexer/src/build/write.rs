//! Writing what a stand makes: the address index and the register, side by side.

use std::path::Path;
use std::thread;

use postduif_schema::{ADDRESSES_DIR, GenerationCounts, PLACES_DIR, PlaceWriter, RegisterVersion};

use super::error::BuildError;
use crate::address_index::AddressIndexWriter;
use crate::assemble::{AddressAssembler, LeftOutCounts, count_left_out};
use crate::candidates::AssemblyCandidates;
use crate::day::Day;
use crate::extract::StandTables;
use crate::municipalities::MunicipalityDirectory;
use crate::po_boxes::PoBoxRange;
use crate::publish::GenerationBuilder;
use crate::register::{Register, RegisterContents, RegisterHead};
use crate::register_places::RegisterPlaces;
use crate::reverse_links::ReverseLinks;
use crate::sample::AddressSample;
use postduif_schema::{IndexProgress, IndexStep};

/// Addresses between two words of progress.
const PROGRESS_INTERVAL: u64 = 4096;

/// What a build has read and joined.
pub(super) struct BuildWriter<'a> {
    pub(super) stand: &'a StandTables,
    pub(super) municipalities: &'a MunicipalityDirectory,
    pub(super) po_boxes: &'a [PoBoxRange],
    pub(super) places: &'a RegisterPlaces,
}

/// What went into the index.
#[derive(Default)]
pub(super) struct BuildIndexSummary {
    pub(super) counts: GenerationCounts,
    pub(super) without_location: u64,
    /// References to panden that the register does not have.
    pub(super) missing_panden: u64,
    pub(super) left_out: LeftOutCounts,
    pub(super) sample: AddressSample,
}

impl BuildWriter<'_> {
    /// Writes index and register side by side.
    pub(super) fn write(
        &self,
        builder: &GenerationBuilder<'_>,
        progress: &dyn IndexProgress,
    ) -> Result<(BuildIndexSummary, Register), BuildError> {
        let links = ReverseLinks::from_stand(self.stand);
        let head = RegisterHead {
            stand: self.stand.date,
            area: self.stand.area.clone(),
            sequence: 0,
            generation: builder.name(),
        };
        let contents = RegisterContents {
            head: &head,
            stand: self.stand,
            links: &links,
            municipalities: &self.municipalities.to_table(),
            po_boxes: self.po_boxes,
        };
        thread::scope(|scope| {
            let register = scope.spawn(|| {
                let objects = self
                    .stand
                    .read_counts
                    .objects
                    .values()
                    .map(|counts| counts.kept)
                    .sum();
                progress.begin(IndexStep::Register, objects);
                let register =
                    Register::create(&builder.building_register_path(), &contents, progress);
                progress.end(IndexStep::Register);
                register
            });
            let summary = self.write_index(&builder.folder(), &links, progress);
            let register = register
                .join()
                .expect("writing the register does not panic");
            Ok((summary?, register?))
        })
    }

    fn write_index(
        &self,
        folder: &Path,
        links: &ReverseLinks,
        progress: &dyn IndexProgress,
    ) -> Result<BuildIndexSummary, BuildError> {
        let day = Day::from(self.stand.date);
        let candidates = AssemblyCandidates::new(self.stand, links, day);
        let mut writer = AddressIndexWriter::create(&folder.join(ADDRESSES_DIR))?;
        let mut gathered_places = postduif_schema::PlacesBuilder::default();
        let mut summary = BuildIndexSummary {
            sample: AddressSample::new(candidates.len()),
            ..BuildIndexSummary::default()
        };
        progress.begin(IndexStep::Index, candidates.len() as u64);
        let assembler = AddressAssembler::new(self.places);
        for (done, candidate) in (1_u64..).zip(candidates.iter()) {
            let pand = |id| {
                let pand = self.stand.panden.state_on(id, day).copied();
                summary.missing_panden += u64::from(pand.is_none());
                pand
            };
            match assembler.assemble(&candidate, pand) {
                Ok(Some(address)) => {
                    writer.add(&address)?;
                    gathered_places.add_address(&address);
                    summary.counts.addresses += 1;
                    summary.without_location += u64::from(address.location.is_none());
                    summary.sample.offer(candidate.id);
                }
                Ok(None) => {}
                Err(reason) => count_left_out(&mut summary.left_out, reason, candidate.id),
            }
            if done.is_multiple_of(PROGRESS_INTERVAL) {
                progress.advance(IndexStep::Index, PROGRESS_INTERVAL);
            }
        }
        for address in self.po_boxes.iter().flat_map(PoBoxRange::addresses) {
            writer.add(&address)?;
            gathered_places.add_address(&address);
            summary.counts.po_boxes += 1;
        }
        summary.counts.addresses += summary.counts.po_boxes;
        // Both end on one thread each, so they end together.
        thread::scope(|scope| {
            let places =
                scope.spawn(|| self.write_places(gathered_places, &folder.join(PLACES_DIR)));
            writer.finish(RegisterVersion::from_full_build(self.stand.date))?;
            places.join().expect("writing places does not panic")
        })?;
        progress.end(IndexStep::Index);
        Ok(summary)
    }

    fn write_places(
        &self,
        places: postduif_schema::PlacesBuilder,
        folder: &Path,
    ) -> tantivy::Result<()> {
        let short_names = |id| self.places.street(id)?.short_name.clone();
        let writer = PlaceWriter {
            short_names: &short_names,
        };
        writer.write(places, folder)
    }
}
