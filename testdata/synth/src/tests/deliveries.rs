//! Checks daily deliveries: every kind of change occurs, and the expected addresses follow the changes.

use super::contents::Contents;
use super::support::{deliveries, spec, temporary_folder, write_days};
use crate::days::{CHANGES, OTHER_CHANGES};
use crate::write::first_delivery;
use crate::{
    DeliveriesSummary, ExpectedAddress, Layout, Spec, expected_addresses, expected_addresses_on,
};
use std::collections::BTreeSet;

/// Writes deliveries; returns their files by name, and the summary.
fn write_files(spec: &Spec, days: u32) -> (Vec<(String, Vec<u8>)>, DeliveriesSummary) {
    let folder = temporary_folder();
    let summary = write_days(spec, days, folder.path());
    let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder.path())
        .expect("it is a folder")
        .map(|entry| entry.expect("it can be read"))
        .map(|entry| {
            let bytes = std::fs::read(entry.path()).expect("it is a file");
            (entry.file_name().to_string_lossy().into_owned(), bytes)
        })
        .collect();
    files.sort();
    (files, summary)
}

#[test]
fn every_kind_of_change_occurs_within_three_days() {
    #[track_caller]
    fn case(layout: Layout) {
        let spec = spec(4_000, layout);
        let (_, summary) = write_files(&spec, 3);
        let names = CHANGES.into_iter().map(|(name, _)| name);
        let mut all: BTreeSet<&str> = names.chain(OTHER_CHANGES).collect();
        if layout == Layout::National {
            all.remove("outside the municipality");
        }
        let found: BTreeSet<&str> = summary.changes.keys().copied().collect();
        assert_eq!(found, all);
        assert_eq!(summary.groups[1], 0);
        assert!(
            summary.groups[0] >= 40 && summary.groups[2] >= 40,
            "{:?}",
            summary.groups
        );
    }
    case(Layout::National);
    case(Layout::Municipal);
}

#[test]
fn equal_specs_make_equal_deliveries() {
    let spec = spec(1_500, Layout::National);
    let (one, summary) = write_files(&spec, 3);
    let names: Vec<&str> = one.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "BAGNLDL-11012026.zip",
            "BAGNLDM-08012026-09012026.zip",
            "BAGNLDM-09012026-10012026.zip",
            "BAGNLDM-10012026-11012026.zip",
            "expected-11012026.jsonl",
        ]
    );
    let (other, again) = write_files(&spec, 3);
    assert!(one == other);
    assert_eq!(summary.changes, again.changes);
}

#[test]
fn on_the_stand_day_register_and_plan_expect_the_same_addresses() {
    #[track_caller]
    fn case(spec: &Spec) {
        let sorted = |mut all: Vec<ExpectedAddress>| {
            all.sort_by(|one, other| one.id.cmp(&other.id));
            all
        };
        let planned = sorted(expected_addresses(spec).collect());
        let joined = sorted(expected_addresses_on(spec, &deliveries(1), 0).collect());
        assert_eq!(planned.len(), joined.len());
        for (one, other) in planned.iter().zip(&joined) {
            assert_eq!(one, other);
        }
    }
    case(&spec(12_000, Layout::National));
    case(&spec(3_000, Layout::Municipal));
}

#[test]
fn a_large_day_has_ten_thousand_groups_a_file() {
    let deliveries = deliveries(1)
        .with_changes(20_001)
        .expect("the changes are allowed");
    let first = first_delivery(&spec(4_000, Layout::National), &deliveries);
    let contents = Contents::read(&first);
    let groups = |nth: u32| {
        let file = format!("9999MUT08012026-09012026-{nth:06}");
        contents.text(&file).matches("<ml:mutatieGroep>").count()
    };
    assert_eq!([1, 2, 3].map(groups), [0, 10_000, 10_000]);
    assert!((1..10).contains(&groups(4)), "{}", groups(4));
}
