//! Checks that validation corrects at least a minimum share of mistyped postcodes. `cargo bench --bench search -- correction`
//! prints the same table.
//!
//! With street and city, 99.9% must be correct. With only the house number, several postcodes with this number may differ from the
//! typed postcode in one letter. So the suite also counts how many rows can be right at best. In rows with a single possible
//! postcode, 90% must be correct.

use std::path::Path;

use postduif::snapshot::Snapshot;
use postduif_indexer::Build;
use postduif_schema::NoProgress;
use postduif_schema::{ADDRESSES_DIR, Address, AddressIndex, DataFolder};

use crate::correction_suite::{Mistake, Row, run};
use crate::real_data;

const QUERIES: u32 = 1_000;
const SEED: u64 = 1;

/// The minimum percentages of correct first suggestions for rows with the number, with number and street, and with number, street
/// and city.
type Floors = [(Mistake, [f64; 3]); 5];

fn rows(extract: &Path) -> Vec<Row> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = DataFolder::new(folder.path());
    let build = Build::new(extract.to_owned());
    let generation = build
        .run(&data, &NoProgress)
        .expect("a sound delivery")
        .generation;
    let index =
        AddressIndex::open(&data.generation_path(generation).join(ADDRESSES_DIR)).expect("opens");
    let addresses: Vec<Address> = index.iter().collect::<Result<_, _>>().expect("reads");
    let snapshot = Snapshot::open(&data, generation, None).expect("opens");
    run(&addresses, &snapshot, QUERIES, SEED).expect("reads")
}

#[track_caller]
fn assert_floors(rows: &[Row], floors: Floors) {
    for (row, (mistake, floors)) in rows.iter().zip(floors) {
        assert_eq!(row.mistake, mistake);
        if let Some((at_best, where_clear)) = row.percent_at_best() {
            let number = row.percent()[0];
            assert!(
                number > at_best - 3.0,
                "{mistake}: {number} of {at_best} at best"
            );
            assert!(where_clear >= 90.0, "{mistake}: {where_clear}");
        }
        assert!(
            row.validated > QUERIES / 4,
            "{mistake}: only {} were validated",
            row.validated
        );
        for (percent, floor) in row.percent().into_iter().zip(floors) {
            assert!(
                percent >= floor,
                "{mistake}: {:?}, at least {floors:?}",
                row.percent()
            );
        }
    }
}

#[test]
fn mistyped_postcodes_of_the_demo_town_are_corrected() {
    let town = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/town.zip");
    assert_floors(
        &rows(&town),
        [
            (Mistake::Letter, [57.0, 99.9, 99.9]),
            (Mistake::Digit, [97.5, 99.0, 99.9]),
            (Mistake::Two, [57.5, 96.0, 99.9]),
            (Mistake::Swap, [99.9, 99.9, 99.9]),
            (Mistake::LookAlike, [99.9, 99.9, 99.9]),
        ],
    );
}

#[test]
fn mistyped_postcodes_of_weesp_are_corrected() {
    let Some(weesp) = real_data::path("bag/BAGGEM0457L-15092021.zip") else {
        return;
    };
    assert_floors(
        &rows(&weesp),
        [
            (Mistake::Letter, [51.0, 99.9, 99.9]),
            (Mistake::Digit, [96.0, 99.9, 99.9]),
            (Mistake::Two, [60.5, 99.9, 99.9]),
            (Mistake::Swap, [99.9, 99.9, 99.9]),
            (Mistake::LookAlike, [99.9, 99.9, 99.9]),
        ],
    );
}
