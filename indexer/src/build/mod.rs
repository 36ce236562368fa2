//! A full build: from the delivery of a stand to a published generation.

mod error;
mod thresholds;
mod write;

use std::path::PathBuf;

use jiff::Timestamp;
use postduif_schema::{DataFolder, GenerationCounts, LAYOUT_VERSION, Manifest, PlaceIndex};

pub use error::BuildError;
pub(crate) use thresholds::min_addresses;

use crate::day::Day;
use crate::extract::StandTables;
use crate::municipalities::MunicipalityDirectory;
use crate::po_boxes;
use crate::publish::{DataDirWriter, GenerationBuilder, PublishError};
use crate::register_places::RegisterPlaces;
use crate::report::{BuildReport, BuildSeconds, ResourceUsage, Stopwatch};
use crate::sample;
use postduif_schema::{IndexProgress, IndexStep};
use thresholds::BuildThresholdCheck;
use write::{BuildIndexSummary, BuildWriter};

/// What a build is made from.
#[derive(Debug, Clone)]
pub struct Build {
    /// The delivery of a stand, municipal or national.
    pub extract: PathBuf,
    /// Ranges of post-office boxes, as CSV.
    pub po_boxes: Option<PathBuf>,
    /// Names of municipalities, as CSV, in place of those that come with postduif.
    pub municipalities: Option<PathBuf>,
    /// Publish even if it holds less than half the addresses of the generation that is served.
    pub accept_fewer: bool,
}

impl Build {
    /// Builds and publishes a generation and the register that it comes from.
    ///
    /// # Errors
    /// When anything that was given is unsound or anything cannot be written; then nothing is published, but for
    /// [`StoreError::NotSynced`](postduif_schema::StoreError::NotSynced).
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
        let stand = StandTables::read(&self.extract, progress)?;
        let read = stopwatch.lap();

        let places = register_places(&stand, &municipalities)?;
        let builder = data_writer.begin_generation(stand.date)?;
        let writer = BuildWriter {
            stand: &stand,
            municipalities: &municipalities,
            po_boxes: &po_boxes,
            places: &places,
        };
        let (summary, register) = writer.write(&builder, progress)?;
        self.threshold_check(&stand).run(&summary, data)?;
        let write = stopwatch.lap();

        progress.begin(IndexStep::Verify, 0);
        let report = new_report(&builder, &stand, &summary);
        write_manifest(&builder, &report)?;
        let generation = builder.verify()?;
        check_places(&generation.places, summary.counts.addresses)?;
        let day = Day::from(stand.date);
        sample::check_sample(
            &summary.sample,
            &register,
            &generation.addresses,
            &places,
            day,
        )?;
        drop(generation);
        builder.publish()?;
        register.clear_pending()?;
        progress.end(IndexStep::Verify);
        let (publish, total) = (stopwatch.lap(), stopwatch.total());
        let cost = ResourceUsage::measure(BuildSeconds {
            read,
            write,
            publish,
            total,
        });
        Ok(BuildReport {
            resource_usage: Some(cost),
            ..report
        })
    }

    fn threshold_check<'a>(&'a self, stand: &'a StandTables) -> BuildThresholdCheck<'a> {
        BuildThresholdCheck {
            extract: &self.extract,
            area: &stand.area,
            objects_read: stand
                .read_counts
                .objects
                .values()
                .map(|counts| counts.read)
                .sum(),
            accept_fewer: self.accept_fewer,
        }
    }
}

/// Every address lies along a street that type-ahead finds.
pub(crate) fn check_places(places: &PlaceIndex, addresses: u64) -> Result<(), BuildError> {
    let towns = places.towns().iter();
    let found = towns.map(|(_, town)| town.address_count).sum();
    if found == addresses {
        Ok(())
    } else {
        Err(BuildError::PlacesIncomplete {
            found,
            expected: addresses,
        })
    }
}

fn register_places(
    stand: &StandTables,
    municipalities: &MunicipalityDirectory,
) -> Result<RegisterPlaces, BuildError> {
    let day = Day::from(stand.date);
    let (streets, towns) = (&stand.openbare_ruimten, &stand.woonplaatsen);
    let places = RegisterPlaces::new(
        streets.states_on(day),
        towns.states_on(day),
        &stand.relations,
        municipalities,
        day,
    );
    Ok(places?)
}

/// The account of a build before it is over: what it made, not what it cost.
fn new_report(
    builder: &GenerationBuilder<'_>,
    stand: &StandTables,
    summary: &BuildIndexSummary,
) -> BuildReport {
    BuildReport {
        generation: builder.name(),
        stand: stand.date,
        area: stand.area.clone(),
        read: stand.read_counts.clone(),
        addresses: summary.counts.addresses,
        po_boxes: summary.counts.po_boxes,
        without_location: summary.without_location,
        panden_missing: summary.missing_panden,
        left_out: summary.left_out.clone(),
        resource_usage: None,
    }
}

fn write_manifest(builder: &GenerationBuilder<'_>, report: &BuildReport) -> Result<(), BuildError> {
    let text = serde_json::to_vec_pretty(report).expect("a report has only text keys");
    builder.write_report(&text)?;
    let manifest = Manifest {
        layout_version: LAYOUT_VERSION,
        generation: report.generation,
        stand: report.stand,
        sequence: 0,
        area: report.area.clone(),
        created_at: Timestamp::now(),
        counts: GenerationCounts {
            addresses: report.addresses,
            po_boxes: report.po_boxes,
        },
        files: builder.describe_files()?,
        checksum: String::new(),
    };
    manifest
        .write(&builder.folder())
        .map_err(PublishError::from)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use postduif_schema::{Address, HouseNumber};

    #[test]
    fn places_that_miss_an_address_are_not_published() {
        let place = ["Weesp"; 3].map(Into::into);
        let postcode = "1380AA".parse().expect("a postcode");
        let address = Address::new_po_box(postcode, HouseNumber::FIRST, place);
        let places = PlaceIndex::in_memory(&[address]).expect("an index in memory");
        check_places(&places, 1).expect("one address");
        let error = check_places(&places, 2)
            .expect_err("one of two")
            .to_string();
        assert!(
            error.contains("1 of 2 addresses; nothing is published"),
            "{error}"
        );
    }
}
