//! Defines the report of an applied delivery, and writes it as text and as JSON.

use std::fmt;
use std::path::Path;

use postduif_schema::GenerationName;
use serde::Serialize;

use super::changes::{AddressChangeSummary, ChangeCounts};
use super::register_update::RegisterUpdate;
use crate::assemble::LeftOutCounts;
use crate::delivery_header::MutationPeriod;
use crate::example_count::ExampleCount;
use crate::municipalities::unknown_codes;
use crate::mutations::{MutationCounts, MutationReadSummary};
use crate::next::NextGenerationSummary;
use crate::register::RegisterHead;
use crate::register_places::RegisterPlaces;
use crate::report::{
    LeftOutSummary, write_full_documents, write_overlaps, write_towns_without_relation,
    write_unknown_entries, write_unknown_municipalities,
};
use crate::resource_usage::ResourceUsage;

/// The report of one delivery.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApplyReport {
    /// The delivery's file name.
    pub delivery: String,
    /// The contents of the delivery in numbers.
    #[serde(flatten)]
    pub summary: MutationReadSummary,
    /// The new generation.
    pub generation: GenerationName,
    /// How many deliveries were applied since the full build, this one included.
    pub sequence: u64,
    /// Number of mutations of objects outside the register's area. These objects make no address.
    pub outside_area: u64,
    /// Towns that entered the register's area because their municipality changed. Their objects come only with an extract, not
    /// with mutations.
    pub towns_without_objects: Vec<String>,
    /// Versions of streets and nummeraanduidingen that entered the register's area from outside. Objects that refer to them come only with
    /// an extract, unless the delivery changes them.
    pub entered_versions: ExampleCount,
    /// Designated towns for which no row of the gemeente-woonplaats table holds. They keep their last municipality.
    pub towns_without_relation: Vec<String>,
    /// Municipalities that the table of municipalities lacks. Their towns keep their former municipality.
    pub unknown_municipalities: Vec<String>,
    /// Municipalities that the table of municipalities lacks, and that have a town without a known former municipality. The addresses of
    /// such a town are left out.
    pub unknown_municipalities_without_former: Vec<String>,
    /// Municipalities that are needed from a later day on and that the table of municipalities lacks.
    pub unknown_future_municipalities: Vec<String>,
    /// Versions that the register lacked, or had with another state than the delivery gives as the old state.
    pub version_mismatches: ExampleCount,
    /// Versions of changed objects that are in force together with a later version. The later version is used.
    pub overlapping_versions: ExampleCount,
    /// Addresses that the changes affect.
    pub affected_addresses: u64,
    /// How many of the affected addresses changed.
    #[serde(flatten)]
    pub change_counts: ChangeCounts,
    /// Affected nummeraanduidingen that make no address, by reason.
    pub left_out: LeftOutCounts,
    /// References of affected objects to panden that the register does not have.
    pub missing_panden: u64,
    /// Addresses in the generation.
    pub addresses: u64,
    /// Segments of the address index. Each delivery adds one segment, and merges keep the number low.
    pub segments: usize,
    /// Segments that this delivery merged or rewrote.
    pub merged_segments: usize,
    /// Time and memory. The `report.json` in the generation does not have these values, because it is written before the run ends.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub resource_usage: Option<ResourceUsage<ApplySeconds>>,
}

/// Wall-clock seconds by step.
#[derive(Debug, Default, Clone, Copy, Serialize)]
pub struct ApplySeconds {
    /// Reading the delivery.
    pub read: f64,
    /// Joining the affected addresses, and waiting until the base generation is open.
    pub join: f64,
    /// Writing the next generation and, in parallel, the register.
    pub write: f64,
    /// Checking the generation, committing the register, and publishing.
    pub publish: f64,
    /// All steps.
    pub total: f64,
}

impl ApplyReport {
    /// The report without time and memory.
    pub(super) fn new(
        delivery: &Path,
        update: &RegisterUpdate<'_>,
        change_summary: &AddressChangeSummary,
        places: &RegisterPlaces,
        (head, generation_summary): (&RegisterHead, &NextGenerationSummary),
    ) -> Self {
        let name = delivery.file_name().unwrap_or(delivery.as_os_str());
        let towns = update.towns_without_objects.iter();
        Self {
            delivery: name.to_string_lossy().into_owned(),
            summary: update.summary.clone(),
            generation: head.generation,
            sequence: head.sequence,
            outside_area: update.area_filter_result.outside_count,
            towns_without_objects: towns.map(ToString::to_string).collect(),
            entered_versions: update.area_filter_result.entered.clone(),
            towns_without_relation: places.towns_without_relation(),
            unknown_municipalities: unknown_codes(&places.unknown_municipalities, true),
            unknown_municipalities_without_former: unknown_codes(
                &places.unknown_municipalities,
                false,
            ),
            unknown_future_municipalities: update.unknown_future_municipalities.clone(),
            version_mismatches: update.version_mismatches.clone(),
            overlapping_versions: update.overlapping_versions.clone(),
            affected_addresses: update.affected.addresses.len() as u64,
            change_counts: change_summary.counts,
            left_out: change_summary.left_out.clone(),
            missing_panden: change_summary.missing_panden,
            addresses: generation_summary.counts.addresses,
            segments: generation_summary.segments,
            merged_segments: generation_summary.merged_segments,
            resource_usage: None,
        }
    }
}

impl fmt::Display for ApplyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (generation, MutationPeriod { from, to }) = (self.generation, self.summary.period);
        writeln!(f, "generation {generation}: {from} to {to} applied\n")?;
        let MutationCounts {
            groups,
            groups_left_out,
            added,
            changed,
            removed,
        } = self.summary.read;
        writeln!(
            f,
            "read {groups} groups: {added} versions added, {changed} changed, {removed} removed"
        )?;
        write!(f, "{}", self.summary.issues)?;
        write_full_documents(f, &self.summary.full_last_documents)?;
        for (count, label) in [
            (
                groups_left_out,
                "groups left out, because they have an invalid new version; their objects stay as they were",
            ),
            (
                self.outside_area,
                "mutations of objects outside the register's area",
            ),
            (
                self.missing_panden,
                "references to panden that the register does not have",
            ),
        ] {
            if count > 0 {
                writeln!(f, "  {count} {label}")?;
            }
        }
        if self.version_mismatches.count > 0 {
            writeln!(
                f,
                "  {} were missing from the register or differed from the delivery's old state; the delivery's new state is used",
                self.version_mismatches
            )?;
        }
        write_overlaps(f, &self.overlapping_versions)?;
        if !self.towns_without_objects.is_empty() {
            let towns = self.towns_without_objects.join(", ");
            writeln!(
                f,
                "  towns that entered the register's area, but whose objects are missing: {towns}; run `postduif index build` with a newer \
                 extract"
            )?;
        }
        if self.entered_versions.count > 0 {
            writeln!(
                f,
                "  {} of streets and nummeraanduidingen entered the register's area, and their addresses may be missing; run `postduif index \
                 build` with a newer extract",
                self.entered_versions
            )?;
        }
        if self.summary.lacks_relations {
            writeln!(
                f,
                "  no GEM-WPL-RELATIE table, which a delivery should have; every town keeps the municipality of the last table"
            )?;
        }
        write_unknown_municipalities(
            f,
            &self.unknown_municipalities,
            &self.unknown_municipalities_without_former,
        )?;
        write_towns_without_relation(f, &self.towns_without_relation)?;
        for municipality in &self.unknown_future_municipalities {
            writeln!(
                f,
                "  the table of municipalities lacks {municipality}; before that day, install a newer postduif or give a newer table \
                 with --municipalities"
            )?;
        }
        write_unknown_entries(f, &self.summary.unknown_entries)?;
        let ChangeCounts {
            added,
            removed,
            changed,
        } = self.change_counts;
        writeln!(
            f,
            "\n{} addresses affected: {added} added, {removed} removed, {changed} changed; the generation has {} addresses",
            self.affected_addresses, self.addresses
        )?;
        write!(f, "{}", LeftOutSummary(&self.left_out))?;
        self.resource_usage
            .iter()
            .try_for_each(|usage| write!(f, "\n{usage}"))
    }
}

impl fmt::Display for ApplySeconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            read,
            join,
            write,
            publish,
            total,
        } = self;
        write!(
            f,
            "{total:.2} s: read {read:.2}, join {join:.2}, write {write:.2}, check and publish {publish:.2}"
        )
    }
}
