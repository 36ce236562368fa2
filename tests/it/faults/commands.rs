//! Runs commands that write, on a full disk and with failing system calls. Each command reports the error and fails, the served
//! generation stays, and the next run succeeds.
//!
//! The long form is `POSTDUIF_TEST_TRIES=400 cargo test --test it faults::commands -- --nocapture`.
#![expect(clippy::print_stdout, reason = "the seed repeats a failure")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

use synth::{Deliveries, Spec};
use tempfile::TempDir;

use crate::chance::{Chance, tries};
use crate::process::{postduif, run, words};
use crate::scratch;
use crate::small_disk::SmallDisk;
use crate::tools::can_trace;

const FULL: &str = "the disk is full: free some space and try again";

/// The system calls that write to disk, and the error that each may return. `write` is missing, because the async runtime also uses
/// it to wake its threads. `apply::faults` tests `write` without a runtime, and a test below fills a real disk.
const FAULTS: [(&str, &str); 6] = [
    ("fsync", "EIO"),
    ("fdatasync", "EIO"),
    ("rename", "EROFS"),
    ("ftruncate", "ENOSPC"),
    ("pwrite64", "ENOSPC"),
    ("openat", "EIO"),
];

/// A generated country with the mutations of one day, and a folder for the commands.
struct Workspace {
    folder: TempDir,
    extract: String,
    delivery: String,
}

/// A command that writes to disk.
#[derive(Clone, Copy, Debug)]
enum Action {
    Build,
    Apply,
    Publish,
    Account,
}

impl Workspace {
    fn new() -> Self {
        let folder = scratch::folder();
        let spec = Spec::new(300, 5).expect("a spec");
        let extract = folder.path().join("BAGNLDL-08012026.zip");
        synth::write_extract(&spec, &extract, |_| ()).expect("writes");
        let day = Deliveries::new(1).expect("one day");
        let written = synth::write_deliveries(&spec, &day, folder.path(), |_| ());
        let delivery = text(&written.expect("writes").deliveries[0]);
        let extract = text(&extract);
        let place = Self {
            folder,
            extract,
            delivery,
        };
        let build = format!(
            "index build --data {} --extract {}",
            place.base(),
            place.extract
        );
        assert_success(&run(&words(&build)));
        place
    }

    /// The original data folder. Each try changes a copy of this folder.
    fn base(&self) -> String {
        text(&self.folder.path().join("base"))
    }

    fn words(&self, act: Action, at: &Path) -> Vec<String> {
        let at = text(at);
        let line = match act {
            Action::Build => format!("index build --extract {} --data {at}", self.extract),
            Action::Apply => format!("index apply --data {at} {}", self.delivery),
            Action::Publish => format!("index publish --data {} --to file://{at}", self.base()),
            Action::Account => {
                format!("accounts create --plan pro --email mia@example.org --data {at}")
            }
        };
        words(&line).into_iter().map(str::to_owned).collect()
    }

    /// Copies the data folder, or creates an empty folder for a bucket.
    fn prepare(&self, act: Action, at: &Path) {
        std::fs::create_dir_all(at).expect("a new folder");
        if !matches!(act, Action::Publish) {
            let copied = Command::new("cp")
                .args(["-a", &format!("{}/.", self.base())])
                .arg(at)
                .status();
            assert!(copied.expect("cp runs").success());
        }
        if matches!(act, Action::Account) {
            let at = text(at);
            let other = format!("accounts create --plan pro --email kees@example.org --data {at}");
            assert_success(&run(&words(&other)));
        }
    }

    /// Checks that the state is valid after a failure. Then runs the same command again, which must succeed and leave no
    /// temporary files.
    fn check_recovery(&self, act: Action, at: &Path, context: &str) {
        let data = text(at);
        if !matches!(act, Action::Publish) {
            assert_eq!(
                stderr_of(&run(&["index", "verify", "--data", &data])),
                "",
                "{context}"
            );
        }
        let again = postduif()
            .args(self.words(act, at))
            .output()
            .expect("the binary runs");
        let is_there = stderr_of(&again).contains("has account");
        assert!(
            again.status.success() || is_there,
            "{context}, and then {}",
            stderr_of(&again)
        );
        let left = Command::new("find")
            .arg(at)
            .args(["-name", ".building-*"])
            .output();
        assert_eq!(left.expect("find runs").stdout, b"", "{context}");
        match act {
            Action::Publish => assert_success(&run(&[
                "index",
                "publish",
                "--data",
                &self.base(),
                "--to",
                &format!("file://{data}"),
                "--check",
            ])),
            Action::Account => {
                let copy = format!("{data}/copy.db");
                assert_success(&run(&[
                    "accounts", "backup", "--data", &data, "--to", &copy,
                ]));
            }
            Action::Build | Action::Apply => {
                assert_success(&run(&["index", "verify", "--data", &data]))
            }
        }
    }
}

#[test]
fn a_full_disk_is_reported_with_advice_and_harms_nothing() {
    let place = Workspace::new();
    for (act, more) in [
        (Action::Build, 90),
        (Action::Apply, 40),
        (Action::Publish, 60),
        (Action::Account, 16),
    ] {
        let at = place.folder.path().join(format!("{act:?}"));
        std::fs::create_dir(&at).expect("a new folder");
        let Some(small) = SmallDisk::mount(&at, "size=20m") else {
            return;
        };
        place.prepare(act, &at);
        small.fill_except(more << 10);
        let failed = postduif()
            .args(place.words(act, &at))
            .output()
            .expect("the binary runs");
        let said = stderr_of(&failed);
        println!("{act:?}: {}", said.lines().last().unwrap_or_default());
        assert_eq!(failed.status.code(), Some(1), "{act:?}: {said}");
        assert!(said.contains(FULL), "{act:?}: {said}");
        assert!(said.contains(&text(&at)), "{act:?}: {said}");
        small.clear();
        place.check_recovery(act, &at, &format!("{act:?}"));
    }
}

#[test]
fn a_failing_system_call_is_reported_and_harms_nothing() {
    if !can_trace() {
        return;
    }
    let (place, mut chance, all) = (Workspace::new(), Chance::new(), tries(8));
    println!("seed {}", chance.seed);
    let mut failed = 0;
    for number in 0..all {
        let act = [
            Action::Build,
            Action::Apply,
            Action::Publish,
            Action::Account,
        ][number % 4];
        let (call, error) = FAULTS[chance.below(FAULTS.len())];
        // strace counts the system calls of each thread separately. A program opens some forty files when it starts, so `openat`
        // needs a larger range.
        let when = chance.below(if call == "openat" { 160 } else { 16 }) + 1;
        let context = format!("{act:?}, {call} number {when} is {error}");
        let at = place.folder.path().join(format!("try-{number}"));
        place.prepare(act, &at);
        let inject = format!("inject={call}:error={error}:when={when}");
        let mut traced = with_time_limit("strace", "120");
        traced.args(["-f", "-qq", "-o", "/dev/null", "-e", &inject]);
        traced
            .arg(postduif().get_program())
            .args(place.words(act, &at));
        let output = traced.stdin(Stdio::null()).output().expect("strace runs");
        let said = stderr_of(&output);
        assert!(!said.starts_with("strace:"), "{said}");
        if !output.status.success() {
            assert_ne!(output.status.code(), Some(TIMEOUT_EXIT_CODE), "{context}");
            println!("{context}: {}", said.lines().last().unwrap_or_default());
            failed += 1;
            assert!(!said.is_empty(), "{context}");
            assert!(!said.contains("panicked"), "{context}: {said}");
        }
        place.check_recovery(act, &at, &context);
        std::fs::remove_dir_all(&at).expect("the test may remove it");
    }
    println!("{failed} of {all} runs failed");
    assert!(failed > 0, "no failing system call made a command fail");
}

/// A process that runs out of memory writes at most one line: "memory allocation of … bytes failed" or "Killed". A build that gets
/// no memory for a thread may wait for ever, so `timeout` ends such a build.
#[test]
fn a_build_out_of_memory_keeps_the_served_generation_and_the_next_build_succeeds() {
    let (place, mut ran_out) = (Workspace::new(), 0);
    for kilobytes in [160_000, 130_000, 100_000, 70_000] {
        let at = place.folder.path().join(kilobytes.to_string());
        place.prepare(Action::Build, &at);
        let limit = format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"");
        let mut limited = with_time_limit("sh", "30");
        limited.args(["-c", &limit]).arg(postduif().get_program());
        let output = limited.args(place.words(Action::Build, &at)).output();
        let output = output.expect("sh runs");
        if !output.status.success() {
            ran_out += 1;
            println!(
                "{kilobytes} KB, {}: {}",
                output.status,
                stderr_of(&output).lines().last().unwrap_or_default()
            );
            let current =
                std::fs::read_to_string(at.join("CURRENT")).expect("a current generation");
            // The build may have run out of memory after publishing.
            let whole = ["2026-01-08-1", "2026-01-08-2"];
            assert!(whole.contains(&current.trim()), "{current}");
        }
        place.check_recovery(Action::Build, &at, &format!("{kilobytes} KB"));
    }
    assert!(ran_out > 0, "no build ran out of memory");
}

/// Prepares a program with a time limit in seconds. At the limit, `timeout` exits with 124. Source: timeout(1).
fn with_time_limit(program: &str, seconds: &str) -> Command {
    let mut command = Command::new("timeout");
    command.args(["-k", "5", seconds, program]);
    command
}

const TIMEOUT_EXIT_CODE: i32 = 124;

fn text(path: &Path) -> String {
    path.to_str().expect("a temporary path is UTF-8").to_owned()
}

fn stderr_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn assert_success(output: &Output) {
    assert!(output.status.success(), "{}", stderr_of(output));
}
