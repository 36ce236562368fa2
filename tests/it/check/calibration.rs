//! Checks that the score is calibrated. In files with a mistake in one row of five, 99% of the rows with a score of at least 0.95
//! are right.
//!
//! `POSTDUIF_TEST_TRIES=5000 cargo test --test it check::calibration -- --nocapture` prints the tables for 5000 rows.

use postduif_schema::Address;

use super::TableCheck;
use crate::addresses::{house, postcode};
use crate::calibration_suite::{BANDS, calibrate, sum};
use crate::chance::tries;
use crate::customer_files::customer_file;
use crate::relevance::suite::TestedIndex;
use crate::relevance::{Extract, real_extract, town};

/// The number of rows in a file.
const ROWS: usize = 500;

fn addresses(tested: &TestedIndex) -> Vec<Address> {
    let addresses: Result<Vec<Address>, _> = tested.addresses.iter().collect();
    addresses.expect("a sound index")
}

#[track_caller]
#[expect(clippy::print_stdout, reason = "the test prints its measurements")]
fn assert_calibrated(name: &str, tested: &TestedIndex) {
    let file = customer_file(&addresses(tested), &tested.snapshot, tries(ROWS), 3);
    let shapes = calibrate(&file, &tested.snapshot).expect("checks");
    for (shape, counts) in &shapes {
        println!("{name}, {shape:?}: {counts:?}");
        let certain = counts[0].percent();
        assert!(certain >= 98.5, "{name}, {shape:?}: {certain}%");
    }
    let sums = sum(&shapes);
    println!("| {name} | score from | rows | right |\n|---|---|---|---|");
    for (least, counts) in BANDS.iter().zip(sums) {
        println!(
            "| | {least:.2} | {} | {:.1}% |",
            counts.rows,
            counts.percent()
        );
    }
    assert!(sums[0].percent() >= 99.0, "{name}: {:?}", sums[0]);
    let all: usize = sums.iter().map(|counts| counts.rows).sum();
    // At least 90% of the rows must have a high score. Without this check, a score that is always low would pass.
    assert!(sums[0].rows * 10 >= all * 9, "{name}: {sums:?}");
}

#[test]
fn the_score_is_calibrated_in_the_demo_town() {
    assert_calibrated("made-up town", town());
}

#[test]
fn the_score_is_calibrated_in_real_extracts() {
    for (name, extract) in [("Weesp", Extract::Weesp), ("Doesburg", Extract::Doesburg)] {
        if let Some(tested) = real_extract(extract) {
            assert_calibrated(name, tested);
        }
    }
}

#[test]
fn a_postcode_that_may_be_right_lowers_the_score() {
    let at = |street: &str, number, code, serial| Address {
        street: street.into(),
        // Each of the names has another length.
        street_id: format!("142430{:010}", street.len()).parse().ok(),
        postcode: postcode(code),
        ..house(number, ("", ""), serial)
    };
    let check = TableCheck::new(&[
        at("Hof", 12, "1234AB", 1),
        at("Hof", 21, "1234AG", 2),
        at("Leeksterweg", 4, "1234AN", 3),
        at("Norgerweg", 4, "1234JM", 4),
        at("Norgerweg", 4, "1234NA", 5),
        at("Kade", 8, "1299XZ", 6),
    ]);
    for (row, is_certain) in [
        // Number 12 may be meant, which has the postcode.
        ("Hof;21;1234AB;'s-Ginds", false),
        ("Hof 21, 1234AB 's-Ginds;;;", false),
        // Norgerweg 4 may be meant.
        ("Leeksterweg;4;1234JM;'s-Ginds", false),
        ("Leeksterweg;4;1234NA;'s-Ginds", true),
        ("Leeksterweg;4;1299XZ;'s-Ginds", true),
        ("Leeksterweg;4;1234XN;'s-Ginds", true),
    ] {
        let table = format!("straat;nr;postcode;plaats\n{row}\n");
        let output = check.run(&table, "postcode", None);
        let last = output.trim_end().rsplit(';').next().expect("a score");
        let score: f64 = last.parse().expect("a number");
        assert!(output.contains(";corrected;postcode:"), "{output}");
        assert_eq!(score >= 0.95, is_certain, "{output}");
    }
}
