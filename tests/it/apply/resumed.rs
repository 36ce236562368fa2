//! Sets up runs that stopped after they wrote the register and before they published. The next run completes them, and does not
//! undo what the operator did in between.

use std::fs;
use std::path::{Path, PathBuf};

use postduif_indexer::{DataDirWriter, resume_interrupted};
use postduif_schema::{ADDRESSES_DIR, GenerationName, NoProgress};

use super::made::{group_of_new_version, mutations};
use super::rules::{AS_BUILT, FLAT, STREET, describe_address, weesp};
use crate::data_dir::{ServedFolder, build, overwrite};
use crate::delivery::{municipal, nummeraanduiding};

/// Weesp, and a delivery that changes an address.
fn weesp_with_delivery() -> (ServedFolder, PathBuf) {
    let served = weesp();
    let number = nummeraanduiding(FLAT, "1", "1381AA", STREET);
    let groups = [group_of_new_version(
        &number,
        &number.replace("1381AA", "1381ZZ"),
        "2021-09-15",
    )];
    let delivery = mutations("2021-09-15", "2021-09-16", &groups).pack();
    let delivery = served.delivery(&delivery);
    (served, delivery)
}

fn try_apply(served: &ServedFolder, delivery: &Path) -> Result<(), String> {
    let applied = served.apply(delivery).map(drop);
    applied.map_err(|error| error.to_string())
}

fn name(text: &str) -> GenerationName {
    text.parse().expect("a name")
}

#[test]
fn an_unpublished_build_is_published_by_the_next_run() {
    let served = weesp();
    let first = served.current();
    let next = served.copy();
    // This second build of the same stand stops just before its last rename, so `CURRENT` still names the first generation.
    stop_before_current(&next, || {
        build(next.delivery(&municipal().pack()))
            .run(&next.data, &NoProgress)
            .map(drop)
            .map_err(|error| error.to_string())
    });
    assert_eq!(next.current(), first);
    resume_interrupted(&next.data)
        .expect("finishes")
        .expect("a register");
    assert_eq!(next.current(), name("2021-09-15-2"));
    next.assert_sound();
}

#[test]
fn an_unpublished_delivery_is_published_by_the_next_run() {
    let (served, delivery) = weesp_with_delivery();
    stop_before_current(&served, || try_apply(&served, &delivery));
    assert_eq!(describe_address(&served, FLAT), AS_BUILT);
    // In the first case, the new generation already has its final name. The copy is for the second case.
    let half = served.copy();
    resume_interrupted(&served.data)
        .expect("finishes")
        .expect("a register");
    assert_eq!(
        describe_address(&served, FLAT),
        AS_BUILT.replace("1381AA", "1381ZZ")
    );
    served.assert_sound();
    // In the second case, the run stopped a little earlier. The new generation has no final name yet, so the next run builds it
    // again.
    fs::remove_dir_all(half.data.generation_path(name("2021-09-16-1"))).expect("removes");
    resume_interrupted(&half.data)
        .expect("finishes")
        .expect("a register");
    assert!(half.sorted_content() == served.sorted_content());
    half.assert_sound();
}

#[test]
fn pruning_keeps_the_base_of_the_next_delivery() {
    let served = weesp();
    served.build(&municipal().pack()).expect("sound");
    let rollback = |to| {
        DataDirWriter::lock(&served.data)
            .expect("no other writer")
            .rollback(to)
    };
    rollback(None).expect("goes back");
    let delivery = served.delivery(&mutations("2021-09-15", "2021-09-16", &[]).pack());
    stop_before_current(&served, || try_apply(&served, &delivery));
    fs::remove_dir_all(served.data.generation_path(name("2021-09-16-1"))).expect("removes");
    let exclusive = DataDirWriter::lock(&served.data).expect("no other writer");
    assert_eq!(exclusive.prune(0).expect("prunes"), []);
    drop(exclusive);
    resume_interrupted(&served.data)
        .expect("finishes")
        .expect("a register");
    assert_eq!(served.current(), name("2021-09-16-1"));
}

#[test]
fn an_interrupted_run_does_not_undo_a_rollback() {
    let (served, delivery) = weesp_with_delivery();
    stop_before_current(&served, || try_apply(&served, &delivery));
    served
        .data
        .set_current(name("2021-09-16-1"))
        .expect("writes");
    let exclusive = DataDirWriter::lock(&served.data).expect("no other writer");
    let back = exclusive.rollback(None).expect("goes back");
    drop(exclusive);
    assert_eq!(back, name("2021-09-15-1"));
    resume_interrupted(&served.data)
        .expect("nothing to finish")
        .expect("a register");
    assert_eq!(served.current(), back);
}

#[test]
fn a_damaged_generation_is_not_used_as_base() {
    let (served, delivery) = weesp_with_delivery();
    let folder = served.data.generation_path(served.current());
    let files = fs::read_dir(folder.join(ADDRESSES_DIR)).expect("an index");
    let columns = files
        .map(|entry| entry.expect("an entry").path())
        .find(|path| path.extension().is_some_and(|ending| ending == "fast"));
    let path = columns.expect("columns");
    let mut bytes = fs::read(&path).expect("readable");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    overwrite(&path, &bytes);
    let before = served.files();
    let error = try_apply(&served, &delivery).expect_err("it is damaged");
    for needle in [".fast", "SHA-256", "2021-09-15-1", "`postduif index build`"] {
        assert!(error.contains(needle), "{needle:?} in {error}");
    }
    assert_eq!(served.files(), before);
    served.build(&municipal().pack()).expect("sound");
    served.assert_sound();
}

/// Calls `run` and makes it fail when it publishes, because a folder has the name of the temporary file `CURRENT.next`.
#[track_caller]
fn stop_before_current(served: &ServedFolder, run: impl FnOnce() -> Result<(), String>) {
    let next = served.data.path().join("CURRENT.next");
    fs::create_dir(&next).expect("writes");
    let error = run().expect_err("CURRENT cannot be written");
    assert!(error.contains("CURRENT"), "{error}");
    fs::remove_dir(&next).expect("is empty");
}
