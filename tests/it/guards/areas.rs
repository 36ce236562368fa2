//! Checks that a build of another area than the served area needs `--replace-area`, even if both areas have the same size.

use std::fs;
use std::path::Path;

use postduif_indexer::{BuildError, register_path};
use postduif_schema::{Area, DataFolder, Manifest, NoProgress};

use super::stderr_of;
use crate::data_dir::{ServedFolder, build};
use crate::delivery::{Archive, municipal, national};
use crate::watch::watch;

/// Builds from a delivery with the real binary and checks the exit code; returns standard error.
#[track_caller]
fn build_by_command(
    served: &ServedFolder,
    delivery: &Archive,
    flags: &[&str],
    code: i32,
) -> String {
    let extract = served.delivery(&delivery.pack());
    let extract = extract.to_str().expect("a temporary path is UTF-8");
    let command = ["index", "build", "--extract", extract];
    stderr_of(&[&command[..], flags].concat(), served.data.path(), code)
}

fn served_area(data: &DataFolder) -> Area {
    let current = data.current_generation().expect("readable");
    let folder = data.generation_path(current.expect("something is served"));
    Manifest::read(&folder).expect("whole").area
}

#[test]
fn a_build_over_another_area_needs_a_flag() {
    #[track_caller]
    fn case(served: &ServedFolder, other: &Archive, names: [&str; 2]) {
        let (files, content) = (served.files(), served.content());
        let generation = served.current().to_string();
        // `--accept-fewer` permits a delivery with fewer addresses, but not another area.
        for flags in [&[][..], &["--accept-fewer"]] {
            let message = build_by_command(served, other, flags, 2);
            let expected = [names[0], names[1], &*generation, "--replace-area"];
            assert!(
                expected.iter().all(|part| message.contains(part)),
                "{message}"
            );
        }
        assert_eq!(served.files(), files, "nothing is written");
        assert_eq!(served.content(), content);
        let before = served_area(&served.data);
        build_by_command(served, other, &["--replace-area"], 0);
        served.assert_sound();
        assert_ne!(served_area(&served.data), before);
        // The first build replaced the served area, so the second one needs no flag.
        build_by_command(served, other, &[], 0);
    }
    let (town, country) = (
        ["municipality 0457", "the Netherlands"],
        ["the Netherlands", "municipality 0457"],
    );
    case(&ServedFolder::small_country(), &municipal(), town);
    case(&ServedFolder::small_municipality(), &national(), country);
}

/// The header of the delivery is enough for the refusal. Reading a whole country first would take minutes.
#[test]
fn another_area_is_refused_before_the_delivery_is_read() {
    let served = ServedFolder::small_municipality();
    let damaged = national().with_entry_content("VBO15092021-", "<no XML");
    let error = served.build(&damaged.pack()).expect_err("another area");
    assert!(
        matches!(&error, BuildError::Refused(reason) if reason.contains("with --replace-area")),
        "{error}"
    );
    let mut build = build(served.delivery(&damaged.pack()));
    build.replace_area = true;
    let error = build.run(&served.data, &NoProgress).expect_err("damaged");
    assert!(matches!(error, BuildError::Extract(_)), "{error}");
}

/// `--replace-area` permits another area and nothing else.
#[test]
fn replace_area_changes_nothing_for_the_same_area() {
    let served = ServedFolder::small_municipality();
    let fewer = municipal()
        .edit("VBO15092021-", |xml| {
            xml.replace("in gebruik", "ingetrokken")
        })
        .edit("LIG15092021-", |xml| {
            xml.replace("aangewezen", "ingetrokken")
        });
    let message = build_by_command(&served, &fewer, &["--replace-area"], 2);
    assert!(message.contains("--accept-fewer"), "{message}");
    build_by_command(&served, &municipal(), &["--replace-area"], 0);
}

#[test]
fn the_register_guards_its_area_if_no_generation_can_be_read() {
    let served = ServedFolder::small_municipality();
    let manifest = served
        .data
        .generation_path(served.current())
        .join("manifest.json");
    fs::write(&manifest, "damaged").expect("writes");
    let refused = || build_by_command(&served, &national(), &[], 2);
    assert!(refused().contains("the register is of municipality 0457"));
    fs::remove_file(served.data.path().join("CURRENT")).expect("removes");
    assert!(refused().contains("the register is of municipality 0457"));
    // A build of the same area repairs the data folder. If neither a generation nor the register can be read, any area is
    // accepted.
    build_by_command(&served, &municipal(), &[], 0);
    fs::remove_file(served.data.path().join("CURRENT")).expect("removes");
    fs::write(register_path(&served.data), "damaged").expect("writes");
    build_by_command(&served, &national(), &[], 0);
    assert_eq!(served_area(&served.data), Area::Country);
}

/// An upgrade to another layout builds the index again over the old generation. So a generation of another layout also guards its
/// area.
#[test]
fn a_generation_of_another_layout_guards_its_area() {
    let served = ServedFolder::small_municipality();
    let folder = served.data.generation_path(served.current());
    let text = fs::read_to_string(folder.join("manifest.json")).expect("reads");
    let version = text
        .lines()
        .find(|line| line.contains("layoutVersion"))
        .expect("a layout version");
    let other = text.replace(version, "  \"layoutVersion\": 1,");
    fs::write(folder.join("manifest.json"), other).expect("writes");
    Manifest::read(&folder).expect_err("another layout");
    fs::remove_file(register_path(&served.data)).expect("removes");
    let message = build_by_command(&served, &national(), &[], 2);
    assert!(message.contains("the served generation"), "{message}");
}

/// Runs the watcher once on an inbox with this delivery; returns the reason for which the watcher rejects the delivery.
#[track_caller]
fn rejection(folder: &Path, delivery: &Archive) -> String {
    let mut command = watch(folder, &["--once"]);
    fs::write(folder.join("inbox/stand.zip"), delivery.pack()).expect("writes");
    let output = command.output().expect("the binary runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    let entries = fs::read_dir(folder.join("inbox/rejected")).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let reason = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .max();
    fs::read_to_string(reason.expect("a reason")).expect("reads")
}

#[test]
fn the_watcher_rejects_another_area_and_names_the_flag() {
    let served = ServedFolder::small_municipality();
    let folder = served.data.path().parent().expect("a folder of the test");
    let newer = national().of_day("2021-10-15");
    let reason = rejection(folder, &newer);
    assert!(reason.contains("--replace-area"), "{reason}");
    assert_eq!(
        served_area(&served.data),
        Area::Municipalities(vec!["0457".parse().expect("a code")])
    );
    // Remove the register, so that only the served generation shows the area. The watcher would build a missing register from the
    // delivery.
    fs::remove_file(register_path(&served.data)).expect("removes");
    fs::remove_dir_all(folder.join("inbox")).expect("removes");
    let reason = rejection(folder, &newer);
    assert!(
        reason.contains("--replace-area") && reason.contains("the served generation"),
        "{reason}"
    );
    served.assert_sound();
}

#[test]
fn the_demonstration_does_not_replace_a_served_register() {
    let served = ServedFolder::small_country();
    let content = served.content();
    let message = stderr_of(&["demo"], served.data.path(), 2);
    assert!(message.contains("is of the Netherlands"), "{message}");
    assert_eq!(served.content(), content);
}
