//! Refuses an incomplete delivery, by limits on its counts. The counts are the only sign that the last file of a type is missing.

use postduif_schema::{Area, DataFolder, Manifest};

use super::error::BuildError;
use super::write::BuildIndexSummary;
use crate::assemble::{LeftOutCounts, LeftOutReason};

/// How many references to missing objects a delivery may have: 10, or 1% of the number of addresses if that is more. The stand of Weesp
/// of 15-09-2021 has no such references.
const DANGLING_TOLERANCE: Tolerance = Tolerance {
    count: 10,
    one_in: 100,
};

/// How many nummeraanduidingen in force may have no object: 50, or 2% of the number of addresses if that is more. The stand of Weesp
/// of 15-09-2021 has no such nummeraanduidingen.
const WITHOUT_OBJECT_TOLERANCE: Tolerance = Tolerance {
    count: 50,
    one_in: 50,
};

/// How many addresses may be left out because their number, street, town or object is announced for a later day: 50, or 2% of the number of
/// addresses if that is more. Assumption: a sound extract announces fewer. A small municipality with a large new
/// district may exceed the limit; `--accept-fewer` then accepts it.
const NOT_IN_FORCE_TOLERANCE: Tolerance = Tolerance {
    count: 50,
    one_in: 50,
};

/// As [`WITHOUT_OBJECT_TOLERANCE`], if the delivery has no file of ligplaatsen or none of standplaatsen: 10, or 0.1% of the number of
/// addresses if that is more. A sound delivery of a municipality without ligplaatsen has almost no nummeraanduiding without an object.
const MISSING_FILE_TOLERANCE: Tolerance = Tolerance {
    count: 10,
    one_in: 1_000,
};

/// How many addresses may be lost because a record is invalid: 1,000, or 1% of the number of addresses if that is more. If the record
/// of a woonplaats or street is invalid, all its addresses are lost.
const REJECTED_TOLERANCE: Tolerance = Tolerance {
    count: 1_000,
    one_in: 100,
};

/// A generation with at least this many addresses is large. A large generation is assumed to be in production, so the generation that
/// replaces it must be about as large.
const LARGE_GENERATION: u64 = 100_000;

/// A limit on a count: a fixed number, or a fraction of the addresses if that is more.
pub(crate) struct Tolerance {
    pub(crate) count: u64,
    /// The fraction of the addresses is 1 / `one_in`.
    pub(crate) one_in: u64,
}

impl Tolerance {
    pub(crate) fn is_exceeded(&self, count: u64, of_addresses: u64) -> bool {
        count > self.count.max(of_addresses / self.one_in)
    }
}

/// The check of a delivery against the limits.
pub(super) struct BuildThresholdCheck<'a> {
    pub(super) extract: &'a std::path::Path,
    pub(super) area: &'a Area,
    pub(super) objects_read: u64,
    /// How many verblijfsobjecten, ligplaatsen and standplaatsen were left out because they are invalid. That many more
    /// nummeraanduidingen may be without an object although no file is missing.
    pub(super) rejected_objects: u64,
    /// Whether the delivery has no file of ligplaatsen or none of standplaatsen.
    pub(super) lacks_object_type: bool,
    pub(super) accept_fewer: bool,
    /// The end of the message about missing objects, see `RegisterPlaces::municipality_hint`.
    pub(super) municipality_hint: String,
}

impl BuildThresholdCheck<'_> {
    /// Refuses an incomplete delivery, and a delivery with far fewer addresses than the served generation of the same area.
    pub(super) fn run(
        &self,
        summary: &BuildIndexSummary,
        data: &DataFolder,
    ) -> Result<(), BuildError> {
        let extract = self.extract.display();
        let refused = |reason| Err(BuildError::Refused(reason));
        let addresses = summary.counts.addresses - summary.counts.po_boxes;
        if addresses == 0 {
            return refused(format!(
                "{extract}: it has no address (objects read: {}); nothing is published",
                self.objects_read
            ));
        }
        let (count, example) = sum_left_out(&summary.left_out, LeftOutReason::is_dangling);
        let count = count + summary.missing_panden;
        if DANGLING_TOLERANCE.is_exceeded(count, addresses) {
            return refused(format!(
                "{extract}: {count} references in it are to a nummeraanduiding, street, town, municipality or pand that it does not \
                 have{example}; the delivery is incomplete, nothing is published{}",
                self.municipality_hint
            ));
        }
        let counts = &summary.left_out;
        let left_out = |wanted| sum_left_out(counts, |reason| *reason == wanted);
        let (count, example) = left_out(LeftOutReason::WithoutObject);
        let count = count.saturating_sub(self.rejected_objects);
        let tolerance = match self.lacks_object_type {
            true => MISSING_FILE_TOLERANCE,
            false => WITHOUT_OBJECT_TOLERANCE,
        };
        if tolerance.is_exceeded(count, addresses) {
            return refused(format!(
                "{extract}: {count} of its nummeraanduidingen are in force, but none of its objects names them{example}; files of \
                 objects are missing, nothing is published"
            ));
        }
        let (later, example) = left_out(LeftOutReason::NotInForce);
        if !self.accept_fewer && NOT_IN_FORCE_TOLERANCE.is_exceeded(later, addresses) {
            return refused(format!(
                "{extract}: {later} addresses in it would be left out{example}, because their number, street, town or object begins on a \
                 later day than the stand; nothing is published. --accept-fewer leaves them out"
            ));
        }
        let (lost, example) = left_out(LeftOutReason::RecordRejected);
        if !self.accept_fewer && REJECTED_TOLERANCE.is_exceeded(lost, addresses) {
            return refused(format!(
                "{extract}: {lost} addresses in it would be lost{example}, because the record of their number, street or town is \
                 invalid; nothing is published. `--strict` names the first record; --accept-fewer accepts the loss"
            ));
        }
        self.check_size(summary.counts.addresses, data)
    }

    fn check_size(&self, found: u64, data: &DataFolder) -> Result<(), BuildError> {
        let served = Manifest::read_served(data).filter(|_| !self.accept_fewer);
        // Compare only with a generation of the same area, because the size of another area says nothing about this delivery.
        let Some(manifest) = served.filter(|served| served.area == *self.area) else {
            return Ok(());
        };
        let before = manifest.counts.addresses;
        if found < min_addresses(before) {
            return Err(BuildError::Refused(format!(
                "{found} addresses, but the served generation {} has {before}; nothing is published. If this is right, \
                 build again with --accept-fewer",
                manifest.generation
            )));
        }
        Ok(())
    }
}

/// The fewest addresses that may replace `before` addresses of the same area: 95% of a large generation, and half of a smaller one.
pub(crate) fn min_addresses(before: u64) -> u64 {
    match before {
        LARGE_GENERATION.. => before / 20 * 19,
        _ => before / 2,
    }
}

/// The sum of the counts of all wanted reasons, and a text for an error that names an example, such as `, such as 0457200000000001`. The
/// text is empty if no example is known.
pub(crate) fn sum_left_out(
    counts: &LeftOutCounts,
    is_wanted: impl Fn(&LeftOutReason) -> bool,
) -> (u64, String) {
    let wanted = counts.iter().filter(|(reason, _)| is_wanted(reason));
    let example = wanted
        .clone()
        .find_map(|(_, counted)| counted.examples.first());
    (
        wanted.map(|(_, counted)| counted.count).sum(),
        example.map_or(String::new(), |id| format!(", such as {id}")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assemble::count_left_out;
    use jiff::Timestamp;
    use postduif_schema::{BagId, GenerationCounts, GenerationName, LAYOUT_VERSION};
    use std::path::Path;

    fn summary(
        addresses: u64,
        missing_panden: u64,
        left_out: &[(LeftOutReason, u64)],
    ) -> BuildIndexSummary {
        let mut counts = LeftOutCounts::new();
        for &(reason, count) in left_out {
            for number in 0..count {
                let id = BagId::from_number(457_200_000_000_000 + number).expect("an id");
                count_left_out(&mut counts, reason, id);
            }
        }
        BuildIndexSummary {
            counts: GenerationCounts {
                addresses,
                po_boxes: 0,
            },
            missing_panden,
            left_out: counts,
            ..BuildIndexSummary::default()
        }
    }

    fn threshold_check(area: &Area, accept_fewer: bool) -> BuildThresholdCheck<'_> {
        BuildThresholdCheck {
            extract: Path::new("delivery.zip"),
            area,
            objects_read: 7,
            rejected_objects: 0,
            lacks_object_type: false,
            accept_fewer,
            municipality_hint: String::new(),
        }
    }

    #[test]
    fn too_many_addresses_that_are_invalid_or_begin_later_are_refused() {
        let nothing_served = DataFolder::new("no such folder");
        for (reason, addresses, limit) in [
            (LeftOutReason::RecordRejected, 50_000, 1000),
            (LeftOutReason::NotInForce, 2000, 50),
            (LeftOutReason::NotInForce, 10_000, 200),
        ] {
            let check = |lost, accept_fewer| {
                let summary = summary(addresses, 0, &[(reason, lost)]);
                threshold_check(&Area::Country, accept_fewer).run(&summary, &nothing_served)
            };
            assert!(check(limit, false).is_ok() && check(limit + 1, true).is_ok());
            let text = check(limit + 1, false).expect_err("too many").to_string();
            let count = format!("{} addresses", limit + 1);
            assert!(
                text.contains(&count) && text.contains("--accept-fewer"),
                "{text}"
            );
        }
    }

    #[test]
    #[rustfmt::skip]
    fn incomplete_deliveries_are_refused() {
        #[track_caller]
        fn case(summary: &BuildIndexSummary, expected: Option<&str>) {
            let nothing_served = DataFolder::new("no such folder");
            let outcome = threshold_check(&Area::Country, false).run(summary, &nothing_served);
            let found = outcome.err().map(|error| error.to_string());
            match (found, expected) {
                (Some(found), Some(expected)) => assert!(found.contains(expected), "{found}"),
                (found, expected) => assert_eq!(found.as_deref(), expected),
            }
        }
        use LeftOutReason::{Missing, StreetMissing, WithoutObject, WithoutPostcode};
        case(&summary(1, 0, &[]), None);
        case(&summary(0, 0, &[]), Some("it has no address (objects read: 7)"));
        case(&summary(10, 0, &[(WithoutPostcode, 5000)]), None);
        case(&summary(10, 4, &[(Missing, 3), (StreetMissing, 3)]), None);
        case(
            &summary(10, 4, &[(Missing, 3), (StreetMissing, 4)]),
            Some(
                "11 references in it are to a nummeraanduiding, street, town, municipality or pand that it does not have, such as 0457200000000000",
            ),
        );
        case(&summary(10, 11, &[]), Some("does not have; the delivery is incomplete"));
        case(&summary(2000, 20, &[]), None);
        case(&summary(2000, 21, &[]), Some("21 references"));
        case(&summary(2000, 0, &[(WithoutObject, 50)]), None);
        case(&summary(2000, 0, &[(WithoutObject, 51)]), Some("files of objects are missing"));
        case(&summary(10_000, 0, &[(WithoutObject, 200)]), None);
        case(&summary(10_000, 0, &[(WithoutObject, 201)]), Some("201 of its nummeraanduidingen"));
    }

    #[test]
    fn a_delivery_without_a_type_may_have_few_nummeraanduidingen_without_an_object() {
        let nothing_served = DataFolder::new("no such folder");
        let check = |lacks_object_type, count| {
            let summary = summary(10_000, 0, &[(LeftOutReason::WithoutObject, count)]);
            let check = BuildThresholdCheck {
                lacks_object_type,
                ..threshold_check(&Area::Country, false)
            };
            check.run(&summary, &nothing_served)
        };
        assert!(check(true, 10).is_ok() && check(false, 11).is_ok());
        assert!(check(true, 11).is_err());
    }

    /// A data folder that serves this many addresses of the country. The generation has only a manifest.
    fn serving(addresses: u64) -> (tempfile::TempDir, DataFolder) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let data = DataFolder::new(folder.path());
        let generation: GenerationName = "2021-09-15-1".parse().expect("a name");
        let path = data.generation_path(generation);
        std::fs::create_dir_all(&path).expect("writable");
        let manifest = Manifest {
            layout_version: LAYOUT_VERSION,
            generation,
            stand: generation.stand(),
            sequence: 0,
            area: Area::Country,
            created_at: Timestamp::UNIX_EPOCH,
            counts: GenerationCounts {
                addresses,
                po_boxes: 0,
            },
            files: Vec::new(),
            checksum: String::new(),
        };
        manifest.write(&path).expect("writable");
        data.set_current(generation).expect("writable");
        (folder, data)
    }

    #[test]
    fn a_delivery_with_far_fewer_addresses_than_are_served_is_refused() {
        #[track_caller]
        fn case(served: u64, area: &Area, found: u64, refused: bool) {
            let (_folder, data) = serving(served);
            let check = |accept| threshold_check(area, accept).run(&summary(found, 0, &[]), &data);
            assert_eq!(
                check(false).is_err(),
                refused,
                "{found} in place of {served}"
            );
            assert!(check(true).is_ok());
        }
        let municipality = Area::Municipalities(vec!["0457".parse().expect("a code")]);
        case(1000, &Area::Country, 500, false);
        case(1000, &Area::Country, 499, true);
        case(1000, &municipality, 1, false);
        case(100_000, &municipality, 1, false);
        case(100_000, &Area::Country, 95_000, false);
        case(100_000, &Area::Country, 94_999, true);
    }
}
