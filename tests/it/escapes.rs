//! Tests that names from outside cannot control the terminal on which a command prints them.

use std::fs;

use crate::data_dir::village_folder;
use crate::process::postduif;
use crate::scratch;

/// A name with colour codes of a terminal and a line break.
const NAME: &str = "\u{1b}[31mred\u{9b}0m\n2026 INFO";
const ESCAPED: &str = "\\u001b[31mred\\u009b0m\\u000a2026 INFO";

#[track_caller]
fn assert_harmless(text: &str) {
    let is_control = |c: char| c.is_control() && c != '\n';
    assert!(!text.contains(is_control), "{text:?}");
}

#[test]
fn the_name_of_a_rejected_file_is_escaped() {
    let folder = scratch::folder();
    for name in ["data", "inbox"] {
        fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    fs::write(folder.path().join(format!("inbox/{NAME}.zip")), "no zip").expect("writes");
    let mut watch = postduif();
    watch.args([
        "index", "watch", "--once", "--settle", "0", "--reject-after", "0",
    ]);
    watch.args(["--data", "data", "--inbox", "inbox"]);
    let output = watch.current_dir(folder.path()).output();
    let output = output.expect("the binary runs");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert_harmless(&stderr);
    let last = stderr.lines().last().expect("the summary");
    assert!(
        last.contains(&format!("rejected: {ESCAPED}.zip: ")),
        "{last}"
    );
    let rejected = fs::read_dir(folder.path().join("inbox/rejected")).expect("a folder");
    let paths = rejected.map(|entry| entry.expect("an entry").path());
    let notes: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "txt"))
        .collect();
    let [note] = &notes[..] else {
        panic!("{notes:?}");
    };
    assert_harmless(&fs::read_to_string(note).expect("the note"));
}

#[test]
fn the_names_of_columns_are_harmless() {
    let folder = village_folder();
    let table = format!(
        "straat;nr;postcode;{}\nDijk;29;1234AB;x\n",
        NAME.replace('\n', "")
    );
    fs::write(folder.path().join("in.csv"), table).expect("writes");
    let mut check = postduif();
    check.args(["check", "--data", ".", "in.csv"]);
    let output = check.current_dir(folder.path()).output();
    let output = output.expect("the binary runs");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert_harmless(&stderr);
    assert!(stderr.contains("[31mred"), "{stderr}");
}
