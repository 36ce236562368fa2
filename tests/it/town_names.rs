//! Compares the table of everyday town names with the CBS list of towns, if that list is present.

use std::collections::{BTreeMap, BTreeSet};

use crate::real_data;

const TABLE: &str = include_str!("../../schema/data/town-names.csv");
const TOWNS: &str = "places/woonplaatsen-cbs-2024-woningwaardering.csv";

/// Everyday Dutch names of towns in Noardeast-Fryslân that are also the official name of another town.
const SHARED_NAMES: [&str; 1] = ["Oostrum"];

/// The rows of the table: official name, everyday name and kind.
fn rows() -> Vec<[String; 3]> {
    let mut reader = csv::Reader::from_reader(TABLE.as_bytes());
    let rows = reader.deserialize().map(|row| row.expect("three cells"));
    rows.collect()
}

fn towns() -> Option<BTreeSet<String>> {
    let mut reader = csv::Reader::from_path(real_data::path(TOWNS)?).expect("a table");
    let name = |row: csv::Result<csv::StringRecord>| row.expect("UTF-8")[1].to_owned();
    Some(reader.records().map(name).collect())
}

#[test]
fn every_everyday_name_belongs_to_a_town() {
    let Some(towns) = towns() else { return };
    let renamed: BTreeMap<String, String> = rows()
        .into_iter()
        .filter(|[_, _, kind]| kind == "dutch")
        .map(|[register, other, _]| (other, register))
        .collect();
    for [register, other, _] in rows() {
        let was_one = renamed.get(&register) == Some(&other);
        assert!(towns.contains(&register) || was_one, "{register}: no town");
    }
}

#[test]
fn no_everyday_name_is_the_name_of_another_town() {
    let Some(towns) = towns() else { return };
    for [register, other, _] in rows() {
        let backwards = !towns.contains(&register);
        let borne = towns.contains(&other) && !SHARED_NAMES.contains(&other.as_str());
        assert!(
            backwards || !borne,
            "{register}: {other} is the name of another town"
        );
    }
}
