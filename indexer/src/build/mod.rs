//! Builds a register and a published generation from a stand.

mod error;
mod replaced_register;
mod report;
mod thresholds;
mod verify;
mod write;

use std::path::{Path, PathBuf};

use postduif_schema::{DataFolder, IndexProgress, IndexStep, RegisterVersion, VerificationCache};

pub use error::BuildError;
pub use report::{BuildReport, BuildSeconds};
pub(crate) use thresholds::{Tolerance, min_addresses, sum_left_out};
pub(crate) use verify::{AddressSample, check_places};

use crate::csv_table::CsvTableError;
use crate::day::Day;
use crate::extract::StandTables;
use crate::municipalities::{MunicipalityDirectory, unknown_codes};
use crate::objects::AdresseerbaarObjectId;
use crate::po_boxes;
use crate::publish::{DataDirWriter, GenerationBuilder};
use crate::register::RegisterOverlay;
use crate::register_places::RegisterPlaces;
use crate::rejection_limit::RejectionLimit;
use crate::report::to_json;
use crate::resource_usage::{ResourceUsage, Stopwatch};
use replaced_register::{has_custom_municipalities, refuse_other_area};
use thresholds::BuildThresholdCheck;
use write::{BuildIndexSummary, BuildWriter};

/// The input of a build.
#[derive(Debug, Clone)]
pub struct Build {
    /// The delivery of a stand, municipal or national.
    pub extract: PathBuf,
    /// A CSV file with ranges of post-office boxes.
    pub po_boxes: Option<PathBuf>,
    /// A CSV file with names of municipalities, instead of the built-in table.
    pub municipalities: Option<PathBuf>,
    /// Publish even if there are far fewer addresses than in the served generation of the same area.
    pub accept_fewer: bool,
    /// The limit on invalid records.
    pub rejection_limit: RejectionLimit,
    /// Publish even if the table of municipalities lacks a municipality. Towns of that municipality keep their former
    /// municipality; if the table does not have it either, their addresses are left out.
    pub accept_unknown_municipalities: bool,
    /// Publish even if the served generation is of another area. The numbers of addresses are then not compared.
    pub replace_area: bool,
}

/// Reads the CSV files with municipalities and post-office boxes, so that a mistake in them is found before the first build that needs
/// them.
///
/// # Errors
/// When a file cannot be read, lacks a column, or has an invalid value. The error names the line.
pub fn check_csv_tables(
    municipalities: Option<&Path>,
    po_boxes: Option<&Path>,
) -> Result<(), CsvTableError> {
    municipalities
        .map(MunicipalityDirectory::read)
        .transpose()?;
    po_boxes.map(po_boxes::read).transpose()?;
    Ok(())
}

impl Build {
    /// A build with the built-in tables and the usual limits.
    pub fn new(extract: PathBuf) -> Self {
        Self {
            extract,
            po_boxes: None,
            municipalities: None,
            accept_fewer: false,
            rejection_limit: RejectionLimit::Usual,
            accept_unknown_municipalities: false,
            replace_area: false,
        }
    }

    /// Builds and publishes a generation and its register.
    ///
    /// # Errors
    /// When the input is damaged or incomplete, or a file cannot be written. Nothing is published then, except after
    /// [`DataFolderError::NotSynced`](postduif_schema::DataFolderError::NotSynced).
    pub fn run(
        &self,
        data: &DataFolder,
        progress: &dyn IndexProgress,
    ) -> Result<BuildReport, BuildError> {
        let mut stopwatch = Stopwatch::start();
        let municipalities = self.municipalities.as_deref();
        let municipalities = municipalities.map_or(
            Ok(MunicipalityDirectory::built_in()),
            MunicipalityDirectory::read,
        )?;
        let po_boxes_path = self.po_boxes.as_deref();
        let po_boxes = po_boxes_path.map_or(Ok(Vec::new()), po_boxes::read)?;
        let data_writer = DataDirWriter::lock(data)?;
        if !self.replace_area {
            refuse_other_area(&self.extract, data)?;
        }
        let drops_municipality_table =
            self.municipalities.is_none() && has_custom_municipalities(data);
        let stand = StandTables::read(&self.extract, self.rejection_limit, progress)?;
        let read = stopwatch.lap();

        let places = register_places(&stand, &municipalities);
        match &places.unknown_municipalities[..] {
            [unknown, ..] if !self.accept_unknown_municipalities => {
                return Err(unknown.clone().into());
            }
            _ => {}
        }
        let builder = data_writer.begin_generation(stand.date)?;
        let writer = BuildWriter {
            stand: &stand,
            municipalities: &municipalities,
            po_boxes: &po_boxes,
            places: &places,
        };
        let (summary, register) = writer.write(&builder, progress)?;
        self.threshold_check(&stand, &places).run(&summary, data)?;
        let write = stopwatch.lap();

        progress.begin(IndexStep::Verify, 0);
        let report = new_report(&builder, &stand, &summary, &places);
        builder.write_report(&to_json(&report))?;
        let version = RegisterVersion::from_full_build(stand.date);
        builder.write_manifest(version, &stand.area, summary.counts, None)?;
        let generation = builder.verify(&VerificationCache::default())?;
        check_places(&generation.places, summary.counts.addresses)?;
        let day = Day::from(stand.date);
        let reader = register.reader()?;
        let overlay = RegisterOverlay::new(&reader);
        let sample = &summary.sample;
        sample.check(&overlay, &generation.addresses, &places, day)?;
        drop(reader);
        drop(generation);
        builder.publish()?;
        register.clear_published();
        progress.end(IndexStep::Verify);
        let (publish, total) = (stopwatch.lap(), stopwatch.total());
        let usage = ResourceUsage::measure(BuildSeconds {
            read,
            write,
            publish,
            total,
        });
        Ok(BuildReport {
            resource_usage: Some(usage),
            drops_municipality_table,
            ..report
        })
    }

    fn threshold_check<'a>(
        &'a self,
        stand: &'a StandTables,
        places: &RegisterPlaces,
    ) -> BuildThresholdCheck<'a> {
        BuildThresholdCheck {
            extract: &self.extract,
            area: &stand.area,
            objects_read: stand
                .read_counts
                .objects
                .values()
                .map(|counts| counts.read)
                .sum(),
            rejected_objects: stand
                .rejected
                .iter()
                .filter(|&&id| AdresseerbaarObjectId::from_number(id).is_some())
                .count() as u64,
            lacks_object_type: stand.lacks_object_type,
            accept_fewer: self.accept_fewer,
            municipality_hint: places.municipality_hint(&stand.read_counts.issues),
        }
    }
}

fn register_places(stand: &StandTables, municipalities: &MunicipalityDirectory) -> RegisterPlaces {
    let day = Day::from(stand.date);
    let (streets, towns) = (&stand.openbare_ruimten, &stand.woonplaatsen);
    RegisterPlaces::new(
        streets.states_on(day),
        towns.states_on(day),
        &stand.relations,
        municipalities,
        day,
    )
}

/// The report of the build. Its time and memory are not measured yet.
fn new_report(
    builder: &GenerationBuilder<'_>,
    stand: &StandTables,
    summary: &BuildIndexSummary,
    places: &RegisterPlaces,
) -> BuildReport {
    BuildReport {
        generation: builder.name(),
        stand: stand.date,
        area: stand.area.clone(),
        read: stand.read_counts.clone(),
        addresses: summary.counts.addresses,
        po_boxes: summary.counts.po_boxes,
        without_location: summary.without_location,
        missing_panden: summary.missing_panden,
        left_out: summary.left_out.clone(),
        towns_without_relation: places.towns_without_relation(),
        unknown_municipalities: unknown_codes(&places.unknown_municipalities, true),
        unknown_municipalities_without_former: unknown_codes(&places.unknown_municipalities, false),
        resource_usage: None,
        drops_municipality_table: false,
    }
}
