//! Tests which generation a rollback selects.

use std::fs;

use postduif_indexer::DataDirWriter;
use postduif_schema::Manifest;

use super::{name, three_generations};
use crate::data_dir::{ServedFolder, overwrite};
use crate::delivery::municipal;
use crate::process::run;

#[test]
fn rollback_selects_the_previous_or_the_named_generation() {
    let served = three_generations();
    let exclusive = DataDirWriter::lock(&served.data).expect("free");
    let current = |expected: &str| assert_eq!(served.current(), name(expected));
    exclusive.rollback(None).expect("goes back");
    current("2021-09-15-2");
    exclusive.rollback(None).expect("goes back");
    current("2021-09-15-1");
    let error = exclusive
        .rollback(None)
        .expect_err("none before")
        .to_string();
    assert!(
        error.contains("no generation before 2021-09-15-1"),
        "{error}"
    );
    exclusive
        .rollback(Some(name("2021-09-15-3")))
        .expect("goes there");
    current("2021-09-15-3");
    let error = exclusive
        .rollback(Some(name("2021-09-15-9")))
        .expect_err("not there")
        .to_string();
    assert!(
        error.contains("no generation 2021-09-15-9") && error.contains("index list"),
        "{error}"
    );
    fs::write(
        served
            .data
            .generation_path(name("2021-09-15-2"))
            .join("report.json"),
        "{}",
    )
    .expect("writes");
    let error = exclusive.rollback(None).expect_err("damaged").to_string();
    assert!(error.contains("report.json"), "{error}");
    current("2021-09-15-3");
}

#[test]
fn the_previous_generation_is_the_one_built_before_the_served_one() {
    let served = ServedFolder::small_municipality();
    let older = municipal().of_day("2021-08-15");
    served.build(&older.pack()).expect("sound");
    assert_eq!(served.current(), name("2021-08-15-1"));
    let exclusive = DataDirWriter::lock(&served.data).expect("free");
    let back = exclusive.rollback(None).expect("goes back");
    assert_eq!(back, name("2021-09-15-1"));
}

#[test]
fn a_damaged_served_generation_is_rolled_back_to_the_one_before_its_name() {
    let served = three_generations();
    let exclusive = DataDirWriter::lock(&served.data).expect("free");
    let manifest = |number: &str| {
        let folder = served.data.generation_path(name(number));
        folder.join("manifest.json")
    };
    overwrite(&manifest("2021-09-15-3"), b"{");
    let back = exclusive.rollback(None).expect("goes back");
    assert_eq!(back, name("2021-09-15-2"));
    exclusive
        .rollback(Some(name("2021-09-15-3")))
        .expect_err("damaged");
    for current in ["2021-09-15-3", "2021-09-16-1"] {
        // The second generation does not exist.
        served.data.set_current(name(current)).expect("writes");
        let back = exclusive.rollback(None).expect("goes back");
        assert_eq!(back, name("2021-09-15-2"), "{current}");
    }
    overwrite(&manifest("2021-09-15-2"), b"{");
    let back = exclusive.rollback(None).expect("goes back");
    assert_eq!(back, name("2021-09-15-1"));
    overwrite(&manifest("2021-09-15-1"), b"{");
    let error = exclusive
        .rollback(None)
        .expect_err("none is left")
        .to_string();
    assert!(error.contains("no generation before"), "{error}");
}

#[test]
fn a_clock_that_is_set_back_does_not_change_the_order_of_the_generations() {
    let served = three_generations();
    let folder = served.data.generation_path(served.current());
    let mut manifest = Manifest::read(&folder).expect("sound");
    manifest.created_at += jiff::SignedDuration::from_hours(24 * 365);
    fs::remove_file(folder.join("manifest.json")).expect("removes");
    manifest.write(&folder).expect("writes");
    // The newest manifest is now a year ahead of the clock. Both ways to make a generation must give a later time.
    served.build(&municipal().pack()).expect("sound");
    served.apply_groups(["2021-09-15", "2021-09-16"], &[]);
    let exclusive = DataDirWriter::lock(&served.data).expect("free");
    for expected in ["2021-09-15-4", "2021-09-15-3", "2021-09-15-2"] {
        let back = exclusive.rollback(None).expect("goes back");
        assert_eq!(back, name(expected));
    }
    let deleted = exclusive.prune(2).expect("prunes");
    assert_eq!(deleted, ["2021-09-15-1", "2021-09-15-3"].map(name));
}

#[test]
fn a_damaged_current_allows_a_rollback_to_a_name() {
    let served = three_generations();
    let exclusive = DataDirWriter::lock(&served.data).expect("free");
    fs::write(served.data.path().join("CURRENT"), "\0\0").expect("writes");
    let error = exclusive.rollback(None).expect_err("damaged").to_string();
    assert!(error.contains("CURRENT"), "{error}");
    let target = name("2021-09-15-2");
    assert_eq!(
        exclusive.rollback(Some(target)).expect("goes there"),
        target
    );
    assert_eq!(served.current(), target);
}

#[test]
fn after_a_rollback_the_next_build_takes_a_new_name() {
    let served = three_generations();
    let exclusive = DataDirWriter::lock(&served.data).expect("free");
    exclusive.rollback(None).expect("goes back");
    drop(exclusive);
    let report = served.build(&municipal().pack()).expect("sound");
    assert_eq!(report.generation, name("2021-09-15-4"));
}

/// `rollback --to` needs the name of a generation, which only the list shows.
#[test]
fn the_generations_are_listed_even_if_current_cannot_be_read() {
    let served = three_generations();
    fs::write(served.data.path().join("CURRENT"), "rubbish").expect("writes");
    let data = served.data.path().to_str().expect("UTF-8");
    for more in [&[][..], &["--json"]] {
        let output = run(&[&["index", "list", "--data", data], more].concat());
        let [list, error] =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("UTF-8"));
        assert_eq!(output.status.code(), Some(2), "{error}");
        for number in 1..=3 {
            assert!(list.contains(&format!("2021-09-15-{number}")), "{list}");
        }
        assert!(error.contains("CURRENT"), "{error}");
        assert!(error.contains("index rollback --to"), "{error}");
    }
}
