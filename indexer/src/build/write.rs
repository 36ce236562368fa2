//! Writes the address index and the register of a stand in parallel.

use std::path::Path;
use std::thread;

use postduif_schema::{
    ADDRESSES_DIR, BagId, GenerationCounts, IndexProgress, IndexStep, PLACES_DIR, PlaceWriter,
    PlacesBuilder, RegisterVersion,
};

use super::error::BuildError;
use super::verify::AddressSample;
use crate::address_index::AddressIndexWriter;
use crate::assemble::{
    AddressAssembler, AssemblyCandidate, LeftOutCounts, LeftOutReason, count_left_out,
};
use crate::candidates::AssemblyCandidates;
use crate::day::Day;
use crate::extract::StandTables;
use crate::municipalities::MunicipalityDirectory;
use crate::po_boxes::PoBoxRange;
use crate::publish::GenerationBuilder;
use crate::register::{Register, RegisterContents, RegisterHead};
use crate::register_places::RegisterPlaces;
use crate::reverse_links::ReverseLinks;

/// Progress is reported each time this many nummeraanduidingen were handled.
const PROGRESS_INTERVAL: u64 = 4096;

/// Writes the index and the register from the tables of a stand.
pub(super) struct BuildWriter<'a> {
    pub(super) stand: &'a StandTables,
    pub(super) municipalities: &'a MunicipalityDirectory,
    pub(super) po_boxes: &'a [PoBoxRange],
    pub(super) places: &'a RegisterPlaces,
}

/// Counts of the index that was written.
#[derive(Default)]
pub(super) struct BuildIndexSummary {
    pub(super) counts: GenerationCounts,
    pub(super) without_location: u64,
    /// References to panden that the delivery does not have.
    pub(super) missing_panden: u64,
    pub(super) left_out: LeftOutCounts,
    pub(super) sample: AddressSample,
}

impl BuildWriter<'_> {
    /// Writes index and register in parallel.
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
        let mut gathered_places = PlacesBuilder::default();
        let mut summary = BuildIndexSummary {
            sample: AddressSample::new(candidates.len()),
            ..BuildIndexSummary::default()
        };
        progress.begin(IndexStep::Index, candidates.len() as u64);
        let assembler =
            AddressAssembler::new(self.places).with_rejected(Some(&self.stand.rejected));
        for (done, candidate) in (1_u64..).zip(candidates.iter()) {
            let pand = |id| {
                let pand = self.stand.panden.state_on(id, day).copied();
                let is_missing = pand.is_none()
                    && !self.stand.rejected.contains(&BagId::get(id))
                    && !self.stand.panden.contains(id);
                summary.missing_panden += u64::from(is_missing);
                pand
            };
            match assembler.assemble(&candidate, pand) {
                Ok(Some(address)) => {
                    writer.add(&address)?;
                    gathered_places.add_address(&address);
                    summary.counts.addresses += 1;
                    summary.without_location += u64::from(address.location.is_none());
                    summary.sample.offer(candidate.id, true);
                }
                Ok(None) => {}
                Err(reason) => {
                    let reason = self.explain_missing(&candidates, &candidate, reason);
                    count_left_out(&mut summary.left_out, reason, candidate.id);
                }
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
        // The last steps of writing places and of writing addresses use one thread each, so they run in parallel.
        thread::scope(|scope| {
            let places =
                scope.spawn(|| self.write_places(gathered_places, &folder.join(PLACES_DIR)));
            writer.finish(RegisterVersion::from_full_build(self.stand.date))?;
            places.join().expect("writing places does not panic")
        })?;
        progress.end(IndexStep::Index);
        Ok(summary)
    }

    /// Returns `reason`, or [`NotInForce`](LeftOutReason::NotInForce) if the stand has the missing object, but from a later day on.
    fn explain_missing(
        &self,
        candidates: &AssemblyCandidates<'_>,
        candidate: &AssemblyCandidate<'_>,
        reason: LeftOutReason,
    ) -> LeftOutReason {
        let stand = self.stand;
        let begins_later = match (reason, candidate.nummeraanduiding) {
            (LeftOutReason::Missing, None) => stand.nummeraanduidingen.contains(candidate.id),
            (LeftOutReason::WithoutObject, Some(_)) => candidates.has_later_object(candidate),
            (LeftOutReason::StreetMissing, Some(number)) => {
                stand.openbare_ruimten.contains(number.ligt_aan)
            }
            (LeftOutReason::TownMissing, Some(number)) => {
                let street = self.places.street(number.ligt_aan);
                let town = number.ligt_in.or(street.map(|street| street.woonplaats));
                town.is_some_and(|town| stand.woonplaatsen.contains(town))
            }
            _ => false,
        };
        match begins_later {
            true => LeftOutReason::NotInForce,
            false => reason,
        }
    }

    fn write_places(&self, places: PlacesBuilder, folder: &Path) -> tantivy::Result<()> {
        let short_names = |id| self.places.street(id)?.short_name.clone();
        let writer = PlaceWriter {
            short_names: &short_names,
        };
        writer.write(places, folder)
    }
}
