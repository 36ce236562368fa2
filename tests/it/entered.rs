//! Checks that validation accepts or corrects at least a minimum share of the rows of a generated customer file, for each kind of
//! entry. `cargo bench --bench search -- validation` prints the same table.

use postduif_schema::Address;

use crate::entered_suite::{Entry, run};
use crate::relevance::{Extract, real_extract, suite::TestedIndex, town};

const ENTRIES: usize = 200;
const SEED: u64 = 1;

/// The minimum percentage of right answers for each kind of entry.
const FLOORS: [(Entry, f64); 12] = [
    (Entry::PostcodeSlip, 98.0),
    (Entry::PostcodeSlipNoCity, 92.0),
    (Entry::OtherPostcode, 98.0),
    (Entry::NumberSlip, 5.0),
    (Entry::NoPostcode, 97.0),
    (Entry::DigitsOnly, 97.0),
    (Entry::Abbreviated, 97.0),
    (Entry::OneText, 97.0),
    (Entry::WithoutZeros, 80.0),
    (Entry::UnknownLetter, 98.0),
    (Entry::StreetTypo, 98.0),
    (Entry::CityTypo, 98.0),
];

#[track_caller]
fn assert_floors(tested: &TestedIndex) {
    let addresses: Result<Vec<Address>, _> = tested.addresses.iter().collect();
    let addresses = addresses.expect("a sound index");
    let scores = run(&addresses, &tested.snapshot, ENTRIES, SEED).expect("reads");
    for (score, (entry, floor)) in scores.iter().zip(FLOORS) {
        assert_eq!(score.entry, entry);
        let reached = score.percent();
        assert!(
            reached >= floor,
            "{entry}: {reached}\n{}",
            score.wrong.join("\n")
        );
    }
}

#[test]
fn enough_rows_of_the_customer_file_of_the_demo_town_are_corrected() {
    assert_floors(town());
}

#[test]
fn enough_rows_of_the_customer_files_of_real_extracts_are_corrected() {
    for extract in [Extract::Weesp, Extract::Doesburg] {
        if let Some(tested) = real_extract(extract) {
            assert_floors(tested);
        }
    }
}
