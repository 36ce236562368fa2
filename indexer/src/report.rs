//! Writes what the reports of builds and of applied deliveries share.

use std::fmt;

use serde::Serialize;

use crate::assemble::LeftOutCounts;
use crate::example_count::ExampleCount;
use crate::extract::{FULL_DOCUMENT, StandReadCounts, VoorkomenCounts};

/// A report as `report.json` has it.
pub(crate) fn to_json(report: &impl Serialize) -> String {
    serde_json::to_string_pretty(report).expect("all keys are strings, so serializing cannot fail")
}

/// Prints a line for each reason why nummeraanduidingen make no address.
pub(crate) struct LeftOutSummary<'a>(pub(crate) &'a LeftOutCounts);

impl fmt::Display for LeftOutSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (reason, left_out) in self.0 {
            let (count, examples) = (left_out.count, left_out.examples.join(", "));
            let more = if count > left_out.examples.len() as u64 {
                " …"
            } else {
                ""
            };
            writeln!(
                f,
                "  left out, {}: {count} ({examples}{more})",
                reason.as_str()
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for StandReadCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "read {:.1} MB of XML", to_megabytes(self.xml_bytes))?;
        for (element, VoorkomenCounts { read, kept, .. }) in &self.objects {
            writeln!(f, "  {element:<18}{read:>12} voorkomens, {kept:>11} kept")?;
        }
        write!(f, "{}", self.issues)?;
        write_full_documents(f, &self.full_last_documents)?;
        write_overlaps(f, &self.overlapping_versions)?;
        if self.conflicting_versions.count > 0 {
            writeln!(
                f,
                "  {} are in the delivery twice with different content; the first record is used",
                self.conflicting_versions
            )?;
        }
        write_unknown_entries(f, &self.unknown_entries)
    }
}

pub(crate) fn write_unknown_entries(f: &mut fmt::Formatter<'_>, entries: &[String]) -> fmt::Result {
    entries
        .iter()
        .try_for_each(|entry| writeln!(f, "  skipped, unknown: {entry}"))
}

pub(crate) fn write_overlaps(f: &mut fmt::Formatter<'_>, versions: &ExampleCount) -> fmt::Result {
    if versions.count == 0 {
        return Ok(());
    }
    writeln!(
        f,
        "  {versions} are in force together with a later version of the object; the later one is used"
    )
}

pub(crate) fn write_full_documents(
    f: &mut fmt::Formatter<'_>,
    documents: &[String],
) -> fmt::Result {
    documents.iter().try_for_each(|document| {
        writeln!(
            f,
            "  {document} is the last document of its kind and is full ({FULL_DOCUMENT}); another one may be missing"
        )
    })
}

pub(crate) fn write_unknown_municipalities(
    f: &mut fmt::Formatter<'_>,
    keeping_former: &[String],
    without_former: &[String],
) -> fmt::Result {
    let keeping = keeping_former
        .iter()
        .map(|code| (code, "its towns keep the municipality that they had"));
    let without_former = without_former.iter().map(|code| {
        let effect = "the addresses of its towns without a known former municipality are left out";
        (code, effect)
    });
    keeping.chain(without_former).try_for_each(|(code, effect)| {
        writeln!(
            f,
            "  unknown municipality {code}: {effect}; install a newer postduif or give a newer table with --municipalities"
        )
    })
}

pub(crate) fn write_towns_without_relation(
    f: &mut fmt::Formatter<'_>,
    towns: &[String],
) -> fmt::Result {
    match towns {
        [] => Ok(()),
        towns => writeln!(
            f,
            "  towns without a municipality in the gemeente-woonplaats table, which keep their last municipality: {}",
            towns.join(", ")
        ),
    }
}

#[expect(clippy::cast_precision_loss, reason = "printed with one decimal")]
pub(crate) fn to_megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
