//! Makes a system call fail while a delivery is applied, as on a broken or full disk. The run reports the error and fails, the
//! served generation stays, and the next run succeeds.
//!
//! The long form makes every system call fail in turn: `POSTDUIF_TEST_TRIES=400 cargo test --test it apply::faults -- --nocapture`.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

use super::interrupted::InterruptedDelivery;
use crate::chance::{Chance, tries};
use crate::child;
use crate::tools::can_trace;

/// The system calls that write to disk, and the error that each may return.
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
#[expect(clippy::print_stdout, reason = "the seed repeats a failure")]
fn a_failing_disk_is_reported_and_harms_nothing() {
    if !can_trace() {
        return;
    }
    let (case, mut chance) = (InterruptedDelivery::new(), Chance::new());
    println!("seed {}", chance.seed);
    let calls = count(&case);
    let total: usize = calls.iter().sum();
    let (mut failed, all) = (0, tries(10));
    for turn in 0..all {
        // In the first turn the first system call fails. It is an `fsync`, and no run survives its failure. With enough tries, each
        // further turn takes the next system call; with fewer tries, each turn takes a random one.
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
        failed += usize::from(run_with_fault(&case, call, error, at + 1));
    }
    println!("{failed} of {all} runs failed, with {total} calls to choose from");
    assert!(failed > 0, "no injected fault made a run fail");
}

/// Applies the delivery with a fault in one system call, checks the recovery, and returns whether the run failed. A run may
/// succeed, because some system calls do not matter, such as the `write` of a line to standard output.
fn run_with_fault(case: &InterruptedDelivery, call: &str, error: &str, at: usize) -> bool {
    let context = format!("{call} number {at} is {error}");
    let served = case.base.copy();
    let [trace, inject] = [
        format!("trace={call}"),
        format!("inject={call}:error={error}:when={at}"),
    ];
    let under = strace(Path::new("/dev/null"), &[&trace, &inject]);
    let output = child::apply_command_under(&under, &case.delivery, &served.data)
        .output()
        .expect("starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_new = case.is_new(&served, &context);
    let applied = said.contains("applied");
    let message = said.lines().find_map(|line| line.split_once("failed "));
    assert!(
        !applied || is_new,
        "{context}: the run reported success, but serves the old generation"
    );
    if let Some((_, words)) = message {
        assert!(
            words.contains("os error") || words.contains("rror"),
            "{context}: {words}"
        );
    }
    case.check_recovery(&served, &context);
    !applied
}

#[test]
fn a_register_that_fails_after_the_generation_is_served_fails_no_delivery() {
    if !can_trace() {
        return;
    }
    let case = InterruptedDelivery::new();
    let log = log_calls(&case, "rename,fdatasync");
    let lines: Vec<&str> = log.lines().collect();
    let is_served = |line: &&str| line.contains("/CURRENT\")");
    let at = lines.iter().rposition(is_served).expect("it is served");
    let (thread, _) = lines[at].split_once(' ').expect("a thread");
    let is_sync = |line: &&&str| line.starts_with(thread) && line.contains("fdatasync(");
    // strace counts the calls of each thread, and no other thread makes as many as the one that serves the generation.
    let before = lines[..at].iter().filter(is_sync).count();
    let inject = format!("inject=fdatasync:error=EIO:when={}+", before + 1);
    let under = strace(Path::new("/dev/null"), &["trace=fdatasync", &inject]);
    let served = case.base.copy();
    let output = child::apply_command_under(&under, &case.delivery, &served.data).output();
    let said = String::from_utf8_lossy(&output.expect("starts").stdout).into_owned();
    assert!(said.contains("applied"), "{said}");
    assert!(case.is_new(&served, "a failing disk"));
    case.check_recovery(&served, "a failing disk");
}

/// Applies the delivery under strace. Returns the log of these system calls, such as `1234 fsync(7) = 0`.
fn log_calls(case: &InterruptedDelivery, names: &str) -> String {
    let served = case.base.copy();
    let log = case.base.data.path().join("../strace.log");
    let trace = format!("trace={names}");
    let under = strace(&log, &[&trace]);
    let status = child::apply_command_under(&under, &case.delivery, &served.data).status();
    assert!(status.expect("starts").success());
    std::fs::read_to_string(&log).expect("a log")
}

/// Counts the system calls with strace. Returns for each kind the count of the thread that makes the most calls of this kind.
fn count(case: &InterruptedDelivery) -> Vec<usize> {
    let names: Vec<&str> = FAULTS.iter().map(|(call, _)| *call).collect();
    let log = log_calls(case, &names.join(","));
    let most = |call: &&str| {
        let mut by_thread: BTreeMap<&str, usize> = BTreeMap::new();
        for line in log.lines() {
            let (thread, made) = line.split_once(' ').expect("a thread");
            if made.trim_start().starts_with(&format!("{call}(")) {
                *by_thread.entry(thread).or_default() += 1;
            }
        }
        by_thread.into_values().max().unwrap_or_default()
    };
    names.iter().map(most).collect()
}

/// Returns a strace command that traces a process and its children with these expressions. strace traces no other system calls.
fn strace<'a>(log: &'a Path, expressions: &[&'a str]) -> Vec<&'a OsStr> {
    let options = ["strace", "-f", "--seccomp-bpf", "-qq", "-o"].map(OsStr::new);
    let mut command = [&options[..], &[log.as_os_str()]].concat();
    for expression in expressions {
        command.extend(["-e", expression].map(OsStr::new));
    }
    command
}
