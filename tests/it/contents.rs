//! Tests exports of generations. Generations with equal content have equal exports, however they were made.

use std::path::Path;

use postduif_schema::{Address, DataFolder};
use serde_json::Value;

use crate::addresses::{house, village};
use crate::generation::{publish, publish_next};
use crate::process::run;

/// Runs a command on a data folder; returns its output.
#[track_caller]
fn run_command(data: &Path, arguments: &[&str]) -> String {
    let data = data.to_str().expect("a temporary path is UTF-8");
    let output = run(&[&["index"], arguments, &["--data", data]].concat());
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {message}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Publishes three generations, each made from the previous one. The first has the village, the second has two addresses fewer and
/// three new ones, and the third moves a new address to another street. Returns the addresses of the third generation.
fn publish_three_generations(data: &DataFolder) -> Vec<Address> {
    let mut holds = village();
    publish(data, "2026-01-01-1", &holds);
    let gone = [holds.remove(0).id, holds.remove(4).id];
    let new = [
        house(1, ("", ""), 90),
        house(29, ("", ""), 91),
        house(12, ("", "1"), 92),
    ];
    publish_next(data, "2026-01-02-1", &gone, &new);
    let moved = Address {
        street: "Kade".into(),
        ..new[0].clone()
    };
    publish_next(
        data,
        "2026-01-03-1",
        &[moved.id],
        std::slice::from_ref(&moved),
    );
    holds.extend([moved, new[1].clone(), new[2].clone()]);
    holds
}

#[test]
fn diff_reports_the_changes_of_a_day() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    publish_three_generations(&DataFolder::new(folder.path()));
    let summary = |between: &[&str]| -> Value {
        let message = run_command(
            folder.path(),
            &[&["diff", "--summary", "--json"], between].concat(),
        );
        serde_json::from_str(&message).expect("JSON")
    };
    let counts =
        |message: &Value| ["added", "removed", "changed"].map(|name| message[name].as_u64());
    let days = ["2026-01-01-1", "2026-01-02-1", "2026-01-03-1"];
    let first = summary(&days[..2]);
    assert_eq!(counts(&first), [Some(3), Some(2), Some(0)]);
    // All generations have the same creation time, so their names decide which one is the previous generation.
    let last = summary(&[]);
    assert_eq!(
        (&last["from"], &last["to"]),
        (&days[1].into(), &days[2].into())
    );
    assert_eq!(counts(&last), [Some(0), Some(0), Some(1)]);
    assert_eq!(last["fields"], serde_json::json!({ "street": 1 }));
    let line = run_command(folder.path(), &["diff"]);
    assert!(
        line.contains(r#""fields":{"street":{"before":"Dijk","after":"Kade"}}"#),
        "{line}"
    );
    assert_eq!(counts(&summary(&[days[2], days[2]])), [Some(0); 3]);
}
