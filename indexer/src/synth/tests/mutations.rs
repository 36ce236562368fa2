//! What the days after the stand day promise: that every shape of change occurs, and that what must be served follows.

use super::contents::Contents;
use crate::synth::tests::*;
use std::collections::BTreeSet;

fn deliveries(days: u32) -> Deliveries {
    Deliveries::new(days).expect("the number of days is allowed")
}

/// The files of a run, by name.
fn files(spec: &Spec, deliveries: &Deliveries) -> (Vec<(String, Vec<u8>)>, DeliveriesSummary) {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let summary =
        write_deliveries(spec, deliveries, folder.path(), |_| {}).expect("the folder is writable");
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
fn every_shape_occurs_within_three_days() {
    #[track_caller]
    fn case(layout: Layout) {
        let spec = spec(4_000, layout);
        let (_, summary) = files(&spec, &deliveries(3));
        let mut all: BTreeSet<&str> = crate::synth::mutations::shape_names().collect();
        if layout == Layout::National {
            all.remove("outside the municipality");
        }
        let found: BTreeSet<&str> = summary.shapes.keys().copied().collect();
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
    let (one, summary) = files(&spec, &deliveries(3));
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
    let (other, again) = files(&spec, &deliveries(3));
    assert!(one == other);
    assert_eq!(summary.shapes, again.shapes);
}

#[test]
fn on_the_stand_day_the_join_tells_what_the_scenes_tell() {
    #[track_caller]
    fn case(spec: &Spec) {
        let told = |mut all: Vec<ExpectedAddress>| {
            all.sort_by(|one, other| one.id.cmp(&other.id));
            all
        };
        let scenes = told(expected(spec).collect());
        let joined = told(expected_on(spec, &deliveries(1), 0).collect());
        assert_eq!(scenes.len(), joined.len());
        for (one, other) in scenes.iter().zip(&joined) {
            assert_eq!(one, other);
        }
    }
    case(&spec(12_000, Layout::National));
    case(&spec(3_000, Layout::Municipal));
}

#[test]
fn what_cannot_be_delivered_is_refused() {
    let days = Deliveries::new(0).expect_err("no days are too few");
    assert_eq!(
        days.to_string(),
        "cannot make 0 days of deliveries; expected 1 to 366"
    );
    let changes = deliveries(1)
        .with_changes(0)
        .expect_err("no changes are too few");
    assert_eq!(
        changes.to_string(),
        "cannot make 0 changes a day; expected 1 to 1000000"
    );
}

#[test]
fn a_large_day_has_ten_thousand_groups_a_file() {
    let deliveries = deliveries(1)
        .with_changes(20_001)
        .expect("the changes are allowed");
    let first =
        crate::synth::mutations::first_delivery(&spec(4_000, Layout::National), &deliveries);
    let contents = Contents::of(&first);
    let groups = |nth: u32| {
        let file = format!("9999MUT08012026-09012026-{nth:06}");
        contents.text(&file).matches("<ml:mutatieGroep>").count()
    };
    assert_eq!([1, 2, 3].map(groups), [0, 10_000, 10_000]);
    assert!((1..10).contains(&groups(4)), "{}", groups(4));
}
