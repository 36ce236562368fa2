//! The score is calibrated: of the rows with at least 0.95, 99% are right, in files with one mistake in five rows.
//!
//! `POSTDUIF_TEST_TRIES=5000 cargo test --test it check::calibration -- --nocapture` prints the tables of that many rows.

use std::collections::BTreeMap;

use postduif::check::{ColumnMap, check_row};
use postduif_schema::Address;

use super::customers::{CustomerRow, customer_file};
use crate::chance::tries;
use crate::entered_suite::{Entry, reads_the_same};
use crate::relevance::suite::Subject;
use crate::relevance::{Extract, real_extract, town};

/// Rows of a file.
const ROWS: usize = 500;

/// Lower bounds of the bands of scores.
const BANDS: [f64; 6] = [0.95, 0.9, 0.8, 0.5, 0.2, 0.0];

/// The columns of a file.
#[derive(Debug, Clone, Copy)]
enum FileShape {
    AllFields,
    WithoutPostcode,
    PostcodeAndNumber,
    WithoutCity,
    StreetWithNumber,
    WholeAddress,
}

/// How many rows have a score in each band, and how many of them are right.
type BandCounts = [(usize, usize); BANDS.len()];

impl FileShape {
    const ALL: [Self; 6] = [
        Self::AllFields,
        Self::WithoutPostcode,
        Self::PostcodeAndNumber,
        Self::WithoutCity,
        Self::StreetWithNumber,
        Self::WholeAddress,
    ];

    fn header(self) -> Vec<String> {
        let names: &[&str] = match self {
            Self::AllFields => &["postcode", "nr", "letter", "toev", "straat", "plaats"],
            Self::WithoutPostcode => &["nr", "letter", "toev", "straat", "plaats"],
            Self::PostcodeAndNumber => &["postcode", "nr", "letter", "toev"],
            Self::WithoutCity => &["postcode", "nr", "letter", "toev", "straat"],
            Self::StreetWithNumber => &["adres", "postcode", "plaats"],
            Self::WholeAddress => &["adres"],
        };
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn cells(self, row: &CustomerRow) -> Vec<String> {
        let [postcode, number, letter, addition, _, city] = &row.cells;
        let suffix = match addition.is_empty() {
            true => letter.clone(),
            false => format!("{letter}-{addition}"),
        };
        let line = format!("{} {number}{suffix}", row.cells[4]);
        match self {
            Self::AllFields => row.cells.to_vec(),
            Self::WithoutPostcode => row.cells[1..].to_vec(),
            Self::PostcodeAndNumber => row.cells[..4].to_vec(),
            Self::WithoutCity => row.cells[..5].to_vec(),
            Self::StreetWithNumber => vec![line, postcode.clone(), city.clone()],
            Self::WholeAddress => vec![format!("{line}, {postcode} {city}")],
        }
    }
}

/// Checks a file in each shape.
fn measure(subject: &Subject, rows: usize) -> Vec<(FileShape, BandCounts)> {
    let addresses: Result<Vec<Address>, _> = subject.addresses.iter().collect();
    let file = customer_file(
        &addresses.expect("a sound index"),
        &subject.snapshot,
        rows,
        3,
    );
    let count = |shape: FileShape| {
        let columns = ColumnMap::from_header(&shape.header());
        let mut counts = BandCounts::default();
        for row in &file {
            let answer = check_row(&shape.cells(row), &columns, &subject.snapshot).expect("reads");
            let is_right = |found: &Address| reads_the_same(found, &row.address);
            let band = BANDS.iter().position(|least| answer.score >= *least);
            let (all, right) = &mut counts[band.expect("the last is 0")];
            *all += 1;
            *right += usize::from(answer.address.as_ref().is_some_and(is_right));
        }
        (shape, counts)
    };
    FileShape::ALL.map(count).to_vec()
}

fn percent((all, right): (usize, usize)) -> f64 {
    let count = |count: usize| u32::try_from(count).map_or(f64::MAX, f64::from);
    100.0 * count(right) / count(all.max(1))
}

/// The rows of each kind of mistake, with all fields, and how many get the right address.
fn measure_by_kind(subject: &Subject, rows: usize) -> BTreeMap<String, (usize, usize)> {
    let addresses: Result<Vec<Address>, _> = subject.addresses.iter().collect();
    let file = customer_file(
        &addresses.expect("a sound index"),
        &subject.snapshot,
        rows,
        4,
    );
    let columns = ColumnMap::from_header(&FileShape::AllFields.header());
    let mut kinds = BTreeMap::new();
    for row in &file {
        let answer = check_row(&row.cells, &columns, &subject.snapshot).expect("reads");
        let kind = row.entry.map_or("none".to_owned(), |kind| kind.to_string());
        let (all, right): &mut (usize, usize) = kinds.entry(kind).or_default();
        let is_right = |found: &Address| reads_the_same(found, &row.address);
        *all += 1;
        *right += usize::from(answer.address.as_ref().is_some_and(is_right));
    }
    kinds
}

#[test]
#[expect(clippy::print_stdout, reason = "the test prints its measurements")]
fn rows_with_each_kind_of_mistake_get_the_right_address() {
    let kinds = measure_by_kind(town(), tries(ROWS).max(ROWS) * 4);
    // The town has no additions with zeros.
    assert!(kinds.len() >= Entry::ALL.len(), "{kinds:?}");
    for (kind, counts) in kinds {
        println!("| {kind} | {} | {:.1}% |", counts.0, percent(counts));
        assert!(percent(counts) >= 90.0, "{kind}: {counts:?}");
    }
}

#[track_caller]
#[expect(clippy::print_stdout, reason = "the test prints its measurements")]
fn assert_calibrated(name: &str, subject: &Subject) {
    let mut sums = BandCounts::default();
    for (shape, counts) in measure(subject, tries(ROWS)) {
        println!("{name}, {shape:?}: {counts:?}");
        for (sum, (all, right)) in sums.iter_mut().zip(counts) {
            *sum = (sum.0 + all, sum.1 + right);
        }
        let certain = percent(counts[0]);
        assert!(
            certain >= 98.5,
            "{name}, {shape:?}: {certain}% of {:?}",
            counts[0]
        );
    }
    println!("| {name} | score from | rows | right |\n|---|---|---|---|");
    for (least, counts) in BANDS.iter().zip(sums) {
        println!("| | {least:.2} | {} | {:.1}% |", counts.0, percent(counts));
    }
    assert!(percent(sums[0]) >= 99.0, "{name}: {:?}", sums[0]);
    let all: usize = sums.iter().map(|(all, _)| all).sum();
    // A score that is never high would be right as well.
    assert!(sums[0].0 * 10 >= all * 9, "{name}: {sums:?}");
}

#[test]
fn the_score_is_calibrated_in_the_demo_town() {
    assert_calibrated("made-up town", town());
}

#[test]
fn the_score_is_calibrated_in_real_extracts() {
    for (name, extract) in [("Weesp", Extract::Weesp), ("Doesburg", Extract::Doesburg)] {
        if let Some(subject) = real_extract(extract) {
            assert_calibrated(name, subject);
        }
    }
}
