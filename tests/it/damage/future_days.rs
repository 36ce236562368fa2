//! Tests deliveries of days that have not come, with the real binary and the clock of the machine.

use std::fs;
use std::path::Path;

use crate::apply::made::mutations;
use crate::delivery::municipal;
use crate::process::postduif;
use crate::scratch;

const FAR_AHEAD: &str = "2999-01-01";

/// Runs an `index` command for the data folder in `folder`; returns standard error.
#[track_caller]
fn index(folder: &Path, arguments: &[&str], code: i32) -> String {
    let mut command = postduif();
    command.arg("index").args(arguments).current_dir(folder);
    let output = command.args(["--data", "data"]).output();
    let output = output.expect("the binary runs");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    stderr
}

fn served(folder: &Path) -> String {
    fs::read_to_string(folder.join("data/CURRENT")).unwrap_or_default()
}

#[test]
fn a_delivery_of_a_later_day_is_refused_or_waits_and_later_ones_are_not_repeats() {
    let folder = scratch::folder();
    let folder = folder.path();
    fs::create_dir(folder.join("inbox")).expect("a folder");
    let put = |name: &str, bytes: Vec<u8>| fs::write(folder.join(name), bytes).expect("writes");
    let ahead = |xml: String| xml.replace("2021-09-15", FAR_AHEAD);
    let ahead = municipal().edit("Leveringsdocument", ahead);
    put("stand.zip", municipal().pack());
    put("ahead.zip", ahead.pack());
    put(
        "first.zip",
        mutations("2021-09-15", "2021-09-16", &[]).pack(),
    );
    let jump = mutations("2021-09-15", FAR_AHEAD, &[]).pack();
    put("jump.zip", jump.clone());
    let refused = |arguments: &[&str]| {
        let message = index(folder, arguments, 2);
        for part in ["of 2999-01-01", "clock is at 2", "set it and try again"] {
            assert!(message.contains(part), "{part} in {message}");
        }
    };
    refused(&["build", "--extract", "ahead.zip"]);
    refused(&["build", "--replace-area", "--extract", "ahead.zip"]);
    assert_eq!(served(folder), "");
    index(folder, &["build", "--extract", "stand.zip"], 0);
    refused(&["apply", "first.zip", "jump.zip"]);
    assert!(
        served(folder).starts_with("2021-09-15-1"),
        "nothing is applied"
    );
    // The watcher keeps both in the inbox, and applies a delivery of an earlier day.
    put("inbox/ahead.zip", ahead.pack());
    put("inbox/jump.zip", jump);
    let watch = ["watch", "--once", "--settle", "0", "--inbox", "inbox"];
    let message = index(folder, &watch, 1);
    for name in ["ahead.zip: ", "jump.zip: "] {
        assert!(message.contains(name), "{message}");
    }
    put(
        "inbox/first.zip",
        mutations("2021-09-15", "2021-09-16", &[]).pack(),
    );
    index(folder, &watch, 1);
    assert!(
        served(folder).starts_with("2021-09-16-"),
        "{}",
        served(folder)
    );
    let in_inbox = |name: &str| folder.join("inbox").join(name).is_file();
    assert_eq!(
        ["ahead.zip", "jump.zip", "first.zip"].map(in_inbox),
        [true, true, false]
    );
}
