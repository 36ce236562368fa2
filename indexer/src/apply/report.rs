//! What applying a delivery did, for people and as JSON.

use std::fmt;
use std::path::Path;

use postduif_schema::GenerationName;
use serde::Serialize;

use super::changes::{AddressChangeSummary, ChangeCounts};
use super::register_update::RegisterUpdate;
use crate::assemble::LeftOutCounts;
use crate::delivery_header::MutationPeriod;
use crate::mutations::MutationCounts;
use crate::next::NextGenerationSummary;
use crate::register::RegisterHead;
use crate::report::{LeftOutSummary, ResourceUsage};

/// The account of one delivery.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApplyReport {
    /// The delivery's file name.
    pub delivery: String,
    /// What it covers.
    #[serde(flatten)]
    pub period: MutationPeriod,
    /// What was made.
    pub generation: GenerationName,
    /// How many deliveries were applied since the full build, this one included.
    pub sequence: u64,
    /// What was read.
    pub read: MutationCounts,
    /// Mutations of objects that lie outside the register's area; none of them makes an address.
    pub outside: u64,
    /// Towns that came into the register's area by a change of their municipality: what lies in them comes with no delivery,
    /// only with a stand.
    pub towns_without_objects: Vec<String>,
    /// Municipalities that are needed from a later day on and that the table of municipalities does not know.
    pub municipalities_to_come: Vec<String>,
    /// Versions that were before as the delivery does not say.
    pub differing: VersionMismatches,
    /// Addresses that a change reaches.
    pub reached: u64,
    /// What came of it.
    #[serde(flatten)]
    pub change_counts: ChangeCounts,
    /// Nummeraanduidingen that were reached and make no address, by reason.
    pub left_out: LeftOutCounts,
    /// References of what was reached to panden that the register does not have.
    pub panden_missing: u64,
    /// Addresses that are served now.
    pub addresses: u64,
    /// Parts of the address index; each mutation adds one, and merges keep them few.
    pub segments: usize,
    /// Parts that were merged or written anew this time.
    pub segments_merged: usize,
    /// Entries of the delivery that none is known to have; they were passed over.
    pub unknown_entries: Vec<String>,
    /// What it cost; not in the report that a generation keeps, which is written before that is known.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub resource_usage: Option<ResourceUsage<ApplySeconds>>,
}

/// Versions of which a delivery says that they were what the register says they were not. The delivery's word for what they
/// are is taken.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct VersionMismatches {
    /// How many.
    pub count: u64,
    /// The first few, as id and voorkomenidentificatie.
    pub examples: Vec<String>,
}

/// Wall-clock seconds by step.
#[derive(Debug, Default, Clone, Copy, Serialize)]
pub struct ApplySeconds {
    /// Reading the delivery.
    pub read: f64,
    /// Joining what changed, once the generation that it is held against is open.
    pub join: f64,
    /// Writing the next generation, and beside it the register's rows.
    pub write: f64,
    /// Checking it, committing the register, and publishing.
    pub publish: f64,
    /// All.
    pub total: f64,
}

impl ApplyReport {
    /// The account before it is known what it cost.
    pub(super) fn new(
        delivery: &Path,
        update: &RegisterUpdate<'_>,
        change_summary: &AddressChangeSummary,
        (head, generation_summary): (&RegisterHead, &NextGenerationSummary),
    ) -> Self {
        let name = delivery.file_name().unwrap_or(delivery.as_os_str());
        let towns = update.towns_without_objects.iter();
        Self {
            delivery: name.to_string_lossy().into_owned(),
            period: update.period,
            generation: head.generation,
            sequence: head.sequence,
            read: update.mutation_counts,
            outside: update.outside_area,
            towns_without_objects: towns.map(ToString::to_string).collect(),
            municipalities_to_come: update.unknown_future_municipalities.clone(),
            differing: update.version_mismatches.clone(),
            reached: update.affected.addresses.len() as u64,
            change_counts: change_summary.counts,
            left_out: change_summary.left_out.clone(),
            panden_missing: change_summary.missing_panden,
            addresses: generation_summary.counts.addresses,
            segments: generation_summary.segments,
            segments_merged: generation_summary.merged_segments,
            unknown_entries: update.unknown_entries.clone(),
            resource_usage: None,
        }
    }

    pub(super) fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report has only text keys")
    }
}

impl VersionMismatches {
    const MAX_EXAMPLES: usize = 5;

    pub(super) fn add(&mut self, id: &impl fmt::Display, number: u32) {
        self.count += 1;
        if self.examples.len() < Self::MAX_EXAMPLES {
            self.examples.push(format!("{id}/{number}"));
        }
    }
}

impl fmt::Display for ApplyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (generation, MutationPeriod { from, to }) = (self.generation, self.period);
        writeln!(f, "generation {generation}: {from} to {to} applied\n")?;
        let MutationCounts {
            groups,
            added,
            changed,
            removed,
        } = self.read;
        writeln!(
            f,
            "read {groups} groups: {added} versions added, {changed} changed, {removed} removed"
        )?;
        for (count, what) in [
            (
                self.outside,
                "mutations of objects outside the register's area",
            ),
            (
                self.panden_missing,
                "references to panden that the register does not hold",
            ),
        ] {
            if count > 0 {
                writeln!(f, "  {count} {what}")?;
            }
        }
        if self.differing.count > 0 {
            let (count, examples) = (self.differing.count, self.differing.examples.join(", "));
            writeln!(
                f,
                "  of {count} versions ({examples}) the register had something else than the delivery says it had; the delivery is believed"
            )?;
        }
        if !self.towns_without_objects.is_empty() {
            let towns = self.towns_without_objects.join(", ");
            writeln!(
                f,
                "  towns that came into the register's area, of which it holds nothing: {towns}; build anew from a stand"
            )?;
        }
        for municipality in &self.municipalities_to_come {
            writeln!(
                f,
                "  the table of municipalities does not know {municipality} on: by then a newer postduif is needed, or a newer table \
                 with --municipalities"
            )?;
        }
        for entry in &self.unknown_entries {
            writeln!(f, "  passed over, not known: {entry}")?;
        }
        let ChangeCounts {
            added,
            removed,
            changed,
        } = self.change_counts;
        writeln!(
            f,
            "\n{} addresses looked at: {added} added, {removed} removed, {changed} changed; {} are served",
            self.reached, self.addresses
        )?;
        write!(f, "{}", LeftOutSummary(&self.left_out))?;
        self.resource_usage
            .iter()
            .try_for_each(|cost| write!(f, "\n{cost}"))
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
