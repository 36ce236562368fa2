//! Writes the daily deliveries after an extract, and the extract and the expected addresses of any of these days.

use super::extract_writer::{ExtractSummary, write_register};
use super::file_names::{delivery_name, expected_name, extract_name};
use super::mutation_writer::MutationWriter;
use super::progress::SynthProgress;
use super::whole_file::{SynthError, write_whole_file};
use crate::days::DayRunner;
use crate::model::ExpectedAddress;
use crate::plan::CountryPlan;
use crate::register::{SynthRegister, WoonplaatsIndex, expected_of_street};
use crate::spec::{Deliveries, Spec};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A summary of the daily deliveries and of the extract of the last day.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeliveriesSummary {
    /// The paths of the deliveries, in the order of their days.
    pub deliveries: Vec<PathBuf>,
    /// The number of mutation groups in each delivery.
    pub groups: Vec<u64>,
    /// How often each kind of change was made, by name.
    pub changes: BTreeMap<&'static str, u64>,
    /// Bytes of XML in all deliveries, before compression.
    pub xml_bytes: u64,
    /// The path of the extract of the last day.
    pub end: PathBuf,
    /// The contents of the extract of the last day.
    pub end_summary: ExtractSummary,
    /// The path of the addresses that must be served on the last day, as JSON, one [`ExpectedAddress`] per line.
    pub expected: PathBuf,
}

/// Writes the daily deliveries into a folder, and beside them the extract and the expected addresses of the last day.
///
/// Calls `progress` after every day, and after every street of every pass over the extract.
///
/// # Errors
/// When a file cannot be written.
pub fn write_deliveries(
    spec: &Spec,
    deliveries: &Deliveries,
    folder: &Path,
    mut progress: impl FnMut(SynthProgress),
) -> Result<DeliveriesSummary, SynthError> {
    let country = CountryPlan::new(spec);
    let mut runner = DayRunner::new(&country, deliveries.changes_after(spec));
    let mut summary = DeliveriesSummary::default();
    for _ in 0..deliveries.days() {
        let changes = runner.next_day();
        let day = runner.register.day;
        let path = folder.join(delivery_name(&country, day));
        summary.groups.push(changes.groups.len() as u64);
        let writer = MutationWriter {
            country: &country,
            register: &runner.register,
            changes,
        };
        summary.xml_bytes += write_whole_file(&path, |out| writer.write(out))?;
        summary.deliveries.push(path);
        progress(SynthProgress {
            done: u64::from(day.unsigned_abs()),
            total: u64::from(deliveries.days()),
        });
    }
    let register = &runner.register;
    summary.end = folder.join(extract_name(&country, register.stand()));
    summary.end_summary = write_whole_file(&summary.end, |out| {
        write_register(&country, register, out, &mut progress)
    })?;
    summary.expected = folder.join(expected_name(&country, register.stand()));
    write_whole_file(&summary.expected, |out| {
        write_expected(&country, register, out)
    })?;
    summary.changes = runner.counts;
    Ok(summary)
}

fn write_expected(
    country: &CountryPlan<'_>,
    register: &SynthRegister,
    out: &mut dyn Write,
) -> io::Result<()> {
    let woonplaatsen = WoonplaatsIndex::new(register);
    for index in 0..register.plans.len() {
        for address in expected_of_street(country, register, &woonplaatsen, index).addresses {
            serde_json::to_writer(&mut *out, &address)?;
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}

/// Writes the extract of the day after the first `day` deliveries; the extract of the stand day if `day` is 0.
///
/// # Errors
/// When the file cannot be written.
pub fn write_extract_on(
    spec: &Spec,
    deliveries: &Deliveries,
    day: u32,
    path: &Path,
    mut progress: impl FnMut(SynthProgress),
) -> Result<ExtractSummary, SynthError> {
    let country = CountryPlan::new(spec);
    let register = register_on(&country, deliveries, day);
    write_whole_file(path, |out| {
        write_register(&country, &register, out, &mut progress)
    })
}

/// All addresses that must be served on the day after the first `day` deliveries.
pub fn expected_addresses_on(
    spec: &Spec,
    deliveries: &Deliveries,
    day: u32,
) -> impl Iterator<Item = ExpectedAddress> {
    let country = CountryPlan::new(spec);
    let register = register_on(&country, deliveries, day);
    let woonplaatsen = WoonplaatsIndex::new(&register);
    (0..register.plans.len()).flat_map(move |index| {
        expected_of_street(&country, &register, &woonplaatsen, index).addresses
    })
}

fn register_on(country: &CountryPlan<'_>, deliveries: &Deliveries, day: u32) -> SynthRegister {
    if day == 0 {
        return SynthRegister::new(country);
    }
    let mut runner = DayRunner::new(country, deliveries.changes_after(country.spec));
    for _ in 0..day {
        runner.next_day();
    }
    runner.register
}

/// The bytes of the first delivery.
#[cfg(test)]
pub(crate) fn first_delivery(spec: &Spec, deliveries: &Deliveries) -> Vec<u8> {
    let country = CountryPlan::new(spec);
    let mut runner = DayRunner::new(&country, deliveries.changes_after(spec));
    let changes = runner.next_day();
    let writer = MutationWriter {
        country: &country,
        register: &runner.register,
        changes,
    };
    let mut out = Vec::new();
    writer.write(&mut out).expect("memory can be written to");
    out
}
