//! Interrupts runs of `check` by a kill, a closed pipe and a full disk. After a run is resumed, no row is lost, doubled or
//! reordered.

use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::process::Stdio;

use super::{CheckFolder, stderr_of};
use crate::process::wait_until;
use crate::small_disk::SmallDisk;

/// With this many rows, a run takes seconds in a debug build.
const ROWS: usize = 9_000;

fn many_rows() -> String {
    let mut text = "klant;postcode;nr;straat;plaats\n".to_owned();
    for row in 0..ROWS {
        let street = ["Dijk", "Dyk", "Dijk;"][row % 3].trim_end_matches(';');
        writeln!(text, "{row};1234AB;29;{street};'s-Ginds").expect("writes to a String");
    }
    text
}

/// The output for [`many_rows`]. Only the number of a row differs from that of the row three lines above, so a run with three rows
/// shows what a run with all rows must write.
fn output_of_many_rows(folder: &CheckFolder) -> String {
    let first: String = many_rows().split_inclusive('\n').take(4).collect();
    folder.write("first.csv", first);
    folder.run(&["first.csv", "--output", "first-out.csv"], 0);
    let checked = folder.read("first-out.csv");
    let (header, rows) = checked.split_once('\n').expect("a header");
    let answers: Vec<&str> = (rows.lines().zip(0..))
        .map(|(line, row)| line.strip_prefix(&format!("{row};")).expect("its number"))
        .collect();
    assert_eq!(answers.len(), 3, "{checked}");
    let mut text = format!("{header}\n");
    for row in 0..ROWS {
        writeln!(text, "{row};{}", answers[row % 3]).expect("writes to a String");
    }
    text
}

#[test]
fn a_killed_run_is_resumed() {
    let folder = CheckFolder::new();
    folder.write("in.csv", many_rows());
    let whole = output_of_many_rows(&folder);
    let progress = folder.path("out.csv.part.json");
    let mut child = folder.command(&["in.csv", "--output", "out.csv"]);
    let mut child = child.stderr(Stdio::null()).spawn().expect("starts");
    wait_until("some rows are saved, or all are written", || {
        let saved = fs::read_to_string(&progress).unwrap_or_default();
        !saved.is_empty() && !saved.contains("\"rows\":0,") || folder.path("out.csv").exists()
    });
    child.kill().ok();
    child.wait().expect("a child");
    if !folder.path("out.csv").exists() {
        let message = folder.run(&["in.csv", "--output", "out.csv"], 2);
        assert!(message.contains("--resume"), "{message}");
        let message = folder.run(&["in.csv", "--output", "out.csv", "--resume", "--json"], 2);
        assert!(
            message.contains("changed since the run was interrupted"),
            "{message}"
        );
        // Write half a row after the last saved row. The resumed run must overwrite this half.
        let part = folder.path("out.csv.part");
        let mut text = fs::read(&part).expect("reads");
        text.extend(b"half a ro");
        fs::write(&part, text).expect("writes");
        let summary = folder.run(&["in.csv", "--output", "out.csv", "--resume"], 0);
        assert!(summary.contains("before the interruption"), "{summary}");
        assert!(
            summary.contains(&format!("{}  corrected", ROWS / 3)),
            "{summary}"
        );
    }
    assert!(folder.read("out.csv") == whole, "the output differs");
    assert!(!progress.exists());
    let message = folder.run(
        &["in.csv", "--output", "out.csv", "--resume", "--force"],
        64,
    );
    assert!(message.contains("--force"), "{message}");
    let message = folder.run(&["in.csv", "--output", "new.csv", "--resume"], 2);
    assert!(message.contains("no interrupted run"), "{message}");
    let message = folder.run(&["in.csv", "--output", "out.csv", "--resume"], 0);
    assert!(message.contains("out.csv is complete"), "{message}");
}

#[test]
fn a_closed_pipe_is_reported() {
    let folder = CheckFolder::new();
    folder.write("in.csv", many_rows());
    let input = fs::File::open(folder.path("in.csv")).expect("opens");
    let mut command = folder.command(&["-"]);
    let command = command.stdin(input).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().expect("starts");
    let mut stdout = child.stdout.take().expect("piped");
    let mut head = [0; 100];
    stdout.read_exact(&mut head).expect("the first rows");
    drop(stdout);
    let message = stderr_of(&child.wait_with_output().expect("ends"), 1);
    assert!(
        message.contains("standard output was closed after"),
        "{message}"
    );
}

#[test]
fn a_full_disk_is_reported_and_the_run_resumed() {
    let folder = CheckFolder::new();
    folder.write("in.csv", many_rows());
    fs::create_dir(folder.path("small")).expect("creates");
    let Some(disk) = SmallDisk::mount(&folder.path("small"), "size=512k") else {
        return;
    };
    let arguments = ["in.csv", "--output", "small/out.csv"];
    let message = folder.run(&arguments, 1);
    assert!(
        message.contains("out.csv.part") && message.contains("--resume"),
        "{message}"
    );
    assert!(message.contains("the disk is full"), "{message}");
    disk.resize("size=64m");
    folder.run(&[&arguments[..], &["--resume"]].concat(), 0);
    assert!(
        folder.read("small/out.csv") == output_of_many_rows(&folder),
        "the output differs"
    );
}
