//! A disk that fails or is full at any call: the command says so and fails, what was served goes on, and the next run ends well.
//!
//! The long form, every call in turn: `POSTDUIF_TEST_TRIES=400 cargo test --test it apply::faults -- --nocapture`.

use std::ffi::OsStr;

use super::interrupted::Case;
use crate::chance::{Chance, tries};
use crate::child;
use crate::tools::can_trace;

/// The calls that bring something to disk, and what each may say.
const FAULTS: [(&str, &str); 7] = [
    ("fsync", "EIO"),
    ("fdatasync", "EIO"),
    ("rename", "EIO"),
    ("write", "ENOSPC"),
    ("pwrite64", "ENOSPC"),
    ("linkat", "EMLINK"),
    ("ftruncate", "ENOSPC"),
];

#[test]
#[expect(clippy::print_stdout, reason = "a failure is repeated by its seed")]
fn a_failing_disk_is_told_of_and_harms_nothing() {
    if !can_trace() {
        return;
    }
    let (case, mut chance) = (Case::new(), Chance::new());
    println!("seed {}", chance.seed);
    let calls: Vec<usize> = FAULTS.iter().map(|(call, _)| count(&case, call)).collect();
    let total: usize = calls.iter().sum();
    let (mut failed, all) = (0, tries(10));
    for turn in 0..all {
        // With tries enough each call has its turn, otherwise some by chance.
        let mut at = if all >= total {
            turn % total
        } else {
            chance.below(total)
        };
        let which = calls.iter().position(|&count| {
            let here = at < count;
            at -= if here { 0 } else { count };
            here
        });
        let (call, error) = FAULTS[which.expect("below the total")];
        failed += usize::from(fails_well(&case, call, error, at + 1));
    }
    println!("{failed} of {all} runs failed, with {total} calls to choose from");
    assert!(failed > 0, "not one fault was felt");
}

/// Says whether the run failed; one call may be of no consequence, such as a line on standard output.
fn fails_well(case: &Case, call: &str, error: &str, at: usize) -> bool {
    let what = format!("{call} number {at} is {error}");
    let served = case.base.copy();
    let inject = format!("inject={call}:error={error}:when={at}");
    let under = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", &inject].map(OsStr::new);
    let output = child::applying_under(&under, &case.delivery, &served.data)
        .output()
        .expect("starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_new = case.is_new(&served, &what);
    let applied = said.contains("applied");
    let told = said.lines().find_map(|line| line.split_once("failed "));
    assert!(!applied || is_new, "{what}: it said that it is done");
    if let Some((_, words)) = told {
        assert!(
            words.contains("os error") || words.contains("rror"),
            "{what}: {words}"
        );
    }
    case.ends_well(&served, &what);
    !applied
}

/// How often a run makes a call.
fn count(case: &Case, call: &str) -> usize {
    let served = case.base.copy();
    let log = case.base.data.path().join("../strace.log");
    let trace = format!("trace={call}");
    let under = [
        OsStr::new("strace"),
        OsStr::new("-f"),
        OsStr::new("-qq"),
        OsStr::new("-o"),
        log.as_os_str(),
        OsStr::new("-e"),
        OsStr::new(&trace),
    ];
    let status = child::applying_under(&under, &case.delivery, &served.data).status();
    assert!(status.expect("starts").success());
    let log = std::fs::read_to_string(&log).expect("a log");
    log.lines()
        .filter(|line| line.contains(&format!("{call}(")))
        .count()
}
