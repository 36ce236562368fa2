//! The last target of `cargo test --workspace`: prints the skipped tests of the run, by reason, to standard error.
//!
//! It belongs to the package that cargo tests last (cargo orders packages by name), and has no tests of its own.
#![expect(clippy::print_stderr, reason = "printing the list is its only purpose")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[expect(dead_code, reason = "only the tests record skips")]
#[path = "suites/skips.rs"]
mod skips;

fn main() {
    // cargo-nextest runs every target to list its tests.
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    remove_leftovers();
    let run = std::os::unix::process::parent_id();
    let record = skips::folder().join(format!("{}{run}", skips::PREFIX));
    let Ok(text) = std::fs::read_to_string(&record) else {
        return;
    };
    std::fs::remove_file(&record).expect("the target folder can be written");
    let mut skipped: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    for line in text.lines() {
        let mut fields = line.splitn(3, '\t');
        let mut next = || fields.next().unwrap_or_default();
        let (reason, remedy, test) = (next(), next(), next());
        skipped.entry((reason, remedy)).or_default().insert(test);
    }
    eprint!("{}", list(&skipped));
}

/// Removes the records of runs that were interrupted.
fn remove_leftovers() {
    for entry in std::fs::read_dir(skips::folder())
        .into_iter()
        .flatten()
        .flatten()
    {
        let name = entry.file_name();
        let run = name
            .to_str()
            .and_then(|name| name.strip_prefix(skips::PREFIX));
        if run.is_some_and(|run| !Path::new("/proc").join(run).exists()) {
            // Another run may delete the same record at the same time.
            std::fs::remove_file(entry.path()).ok();
        }
    }
}

fn list(skipped: &BTreeMap<(&str, &str), BTreeSet<&str>>) -> String {
    let tests: BTreeSet<&str> = skipped.values().flatten().copied().collect();
    let mut list = format!("\n{} tests were skipped:\n", tests.len());
    for ((reason, remedy), tests) in skipped {
        list += &format!("\n  {reason}; to enable: {remedy}\n");
        for test in tests {
            list += &format!("    {test}\n");
        }
    }
    list
}
