//! The last target of `cargo test --workspace`: lists the skipped tests of that run by reason, once, on standard error.
//!
//! It belongs to the package that cargo runs last (cargo orders them by name), and has no tests of its own.
#![expect(clippy::print_stderr, reason = "its only purpose")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[expect(dead_code, reason = "the side that records is for the tests")]
#[path = "suites/skips.rs"]
mod skips;

fn main() {
    // cargo-nextest asks every target for its tests.
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    let record = skips::record();
    let Ok(text) = std::fs::read_to_string(&record) else {
        return;
    };
    let this_run = std::os::unix::process::parent_id().to_string();
    let mut skipped: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    let mut others = String::new();
    for line in text.lines() {
        let mut fields = line.splitn(4, '\t');
        let mut next = || fields.next().unwrap_or_default();
        let (run, reason, remedy, test) = (next(), next(), next(), next());
        if run == this_run {
            skipped.entry((reason, remedy)).or_default().insert(test);
        } else if Path::new("/proc").join(run).exists() {
            others += line;
            others.push('\n');
        }
    }
    std::fs::write(&record, others).expect("the target folder can be written");
    if !skipped.is_empty() {
        eprint!("{}", list(&skipped));
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
