//! A full build: from the delivery of a stand to a published generation.

mod error;
mod thresholds;
mod write;

use std::path::PathBuf;

use jiff::Timestamp;
use postduif_schema::{Counts, DataFolder, LAYOUT_VERSION, Manifest, PlaceIndex};

pub use error::BuildError;
pub(crate) use thresholds::least_addresses;

use crate::day::Day;
use crate::extract::Stand;
use crate::municipalities::Municipalities;
use crate::po_boxes;
use crate::publish::{Exclusive, PublishError, Unfinished};
use crate::register_places::Places;
use crate::report::{Clock, Cost, Report, Seconds};
use crate::sample;
use postduif_schema::{Progress, Step};
use thresholds::Judged;
use write::{Material, Written};

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
    pub fn run(&self, data: &DataFolder, progress: &dyn Progress) -> Result<Report, BuildError> {
        let mut clock = Clock::start();
        let municipalities = self.municipalities.as_deref();
        let municipalities =
            municipalities.map_or(Ok(Municipalities::carried()), Municipalities::read)?;
        let boxes = self.po_boxes.as_deref();
        let boxes = boxes.map_or(Ok(Vec::new()), po_boxes::read)?;
        let exclusive = Exclusive::take(data)?;
        let stand = Stand::read(&self.extract, progress)?;
        let read = clock.lap();

        let places = places_on(&stand, &municipalities)?;
        let unfinished = exclusive.begin(stand.date)?;
        let material = Material {
            stand: &stand,
            municipalities: &municipalities,
            boxes: &boxes,
            places: &places,
        };
        let (written, register) = material.write(&unfinished, progress)?;
        self.judged(&stand).check(&written, data)?;
        let write = clock.lap();

        progress.begin(Step::Verify, 0);
        let account = account(&unfinished, &stand, &written);
        write_manifest(&unfinished, &account)?;
        let generation = unfinished.verify()?;
        check_places(&generation.places, written.counts.addresses)?;
        let day = Day::from(stand.date);
        sample::compare(
            &written.sample,
            &register,
            &generation.addresses,
            &places,
            day,
        )?;
        drop(generation);
        unfinished.publish()?;
        register.settle()?;
        progress.end(Step::Verify);
        let (publish, total) = (clock.lap(), clock.total());
        let cost = Cost::of(Seconds {
            read,
            write,
            publish,
            total,
        });
        Ok(Report {
            cost: Some(cost),
            ..account
        })
    }

    fn judged<'a>(&'a self, stand: &'a Stand) -> Judged<'a> {
        Judged {
            extract: &self.extract,
            area: &stand.area,
            objects_read: stand.read.objects.values().map(|counts| counts.read).sum(),
            accept_fewer: self.accept_fewer,
        }
    }
}

/// Every address lies along a street that type-ahead finds.
pub(crate) fn check_places(places: &PlaceIndex, addresses: u64) -> Result<(), BuildError> {
    let towns = places.towns().iter();
    let found = towns.map(|(_, town)| town.addresses).sum();
    if found == addresses {
        Ok(())
    } else {
        Err(BuildError::PlacesIncomplete {
            found,
            expected: addresses,
        })
    }
}

fn places_on(stand: &Stand, municipalities: &Municipalities) -> Result<Places, BuildError> {
    let day = Day::from(stand.date);
    let (streets, towns) = (&stand.openbare_ruimten, &stand.woonplaatsen);
    let places = Places::new(
        streets.all_on(day),
        towns.all_on(day),
        &stand.relations,
        municipalities,
        day,
    );
    Ok(places?)
}

/// The account of a build before it is over: what it made, not what it cost.
fn account(unfinished: &Unfinished<'_>, stand: &Stand, written: &Written) -> Report {
    Report {
        generation: unfinished.name(),
        stand: stand.date,
        area: stand.area.clone(),
        read: stand.read.clone(),
        addresses: written.counts.addresses,
        po_boxes: written.counts.po_boxes,
        without_location: written.without_location,
        panden_missing: written.panden_missing,
        left_out: written.left_out.clone(),
        cost: None,
    }
}

fn write_manifest(unfinished: &Unfinished<'_>, report: &Report) -> Result<(), BuildError> {
    let text = serde_json::to_vec_pretty(report).expect("a report has only text keys");
    unfinished.write_report(&text)?;
    let manifest = Manifest {
        layout_version: LAYOUT_VERSION,
        generation: report.generation,
        stand: report.stand,
        sequence: 0,
        area: report.area.clone(),
        created_at: Timestamp::now(),
        counts: Counts {
            addresses: report.addresses,
            po_boxes: report.po_boxes,
        },
        files: unfinished.files()?,
        checksum: String::new(),
    };
    manifest
        .write(&unfinished.folder())
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
        let address = Address::of_box(postcode, HouseNumber::FIRST, place);
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
