//! A disk that fails or is full at any call: the command says so and fails, what was served goes on, and the next run ends well.
//!
//! The long form, every call in turn: `POSTDUIF_TEST_TRIES=400 cargo test --test it apply::faults -- --nocapture`.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

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
fn a_failing_disk_is_reported_and_harms_nothing() {
    if !can_trace() {
        return;
    }
    let (case, mut chance) = (Case::new(), Chance::new());
    println!("seed {}", chance.seed);
    let calls = count(&case);
    let total: usize = calls.iter().sum();
    let (mut failed, all) = (0, tries(10));
    for turn in 0..all {
        // The first call first: no run gets past an fsync that fails. Then, with tries enough, each call has its turn,
        // otherwise some by chance.
        let mut at = if turn == 0 || all >= total {
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
    let [trace, inject] = [
        format!("trace={call}"),
        format!("inject={call}:error={error}:when={at}"),
    ];
    let under = strace(Path::new("/dev/null"), &[&trace, &inject]);
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

/// How often a run makes each of the calls in one thread, which is how strace counts: the most of all threads.
fn count(case: &Case) -> Vec<usize> {
    let served = case.base.copy();
    let log = case.base.data.path().join("../strace.log");
    let names: Vec<&str> = FAULTS.iter().map(|(call, _)| *call).collect();
    let trace = format!("trace={}", names.join(","));
    let under = strace(&log, &[&trace]);
    let status = child::applying_under(&under, &case.delivery, &served.data).status();
    assert!(status.expect("starts").success());
    let log = std::fs::read_to_string(&log).expect("a log");
    let most = |call: &&str| {
        let mut by_thread: BTreeMap<&str, usize> = BTreeMap::new();
        for line in log.lines() {
            // `1234 fsync(7) = 0`
            let (thread, made) = line.split_once(' ').expect("a thread");
            if made.trim_start().starts_with(&format!("{call}(")) {
                *by_thread.entry(thread).or_default() += 1;
            }
        }
        by_thread.into_values().max().unwrap_or_default()
    };
    names.iter().map(most).collect()
}

/// strace of a process and all that it starts, with these expressions. It stops at no other calls.
fn strace<'a>(log: &'a Path, expressions: &[&'a str]) -> Vec<&'a OsStr> {
    let options = ["strace", "-f", "--seccomp-bpf", "-qq", "-o"].map(OsStr::new);
    let mut command = [&options[..], &[log.as_os_str()]].concat();
    for expression in expressions {
        command.extend(["-e", expression].map(OsStr::new));
    }
    command
}
