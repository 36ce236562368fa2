//! The commands that write, on a disk that is full or fails at any call: each says so and fails, what is served stays, and the
//! next run ends well.
//!
//! The long form: `POSTDUIF_TEST_TRIES=400 cargo test --test it faults::commands -- --nocapture`.
#![expect(clippy::print_stdout, reason = "a failure is repeated by its seed")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

use synth::{Deliveries, Spec};
use tempfile::TempDir;

use crate::chance::{Chance, tries};
use crate::process::{postduif, run};
use crate::scratch;
use crate::small::Small;
use crate::tools::can_trace;

const FULL: &str = "the disk is full: free some space and try again";

/// The calls that bring something to disk, and what each may say. Not `write`, by which the runtime wakes its threads as well:
/// `apply::faults` has that where there is no runtime, and full disks are real below.
const FAULTS: [(&str, &str); 6] = [
    ("fsync", "EIO"),
    ("fdatasync", "EIO"),
    ("rename", "EROFS"),
    ("ftruncate", "ENOSPC"),
    ("pwrite64", "ENOSPC"),
    ("openat", "EIO"),
];

/// A made-up country with a day's mutations, and a folder for whatever is done with it.
struct Place {
    folder: TempDir,
    extract: String,
    delivery: String,
}

/// One command in a place, and what shall be true when it is done.
#[derive(Clone, Copy, Debug)]
enum Act {
    Build,
    Apply,
    Publish,
    Account,
}

impl Place {
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
        done(&run(&[
            "index",
            "build",
            "--data",
            &place.base(),
            "--extract",
            &place.extract,
        ]));
        place
    }

    /// The data folder that every try begins with.
    fn base(&self) -> String {
        text(&self.folder.path().join("base"))
    }

    fn words(&self, act: Act, at: &Path) -> Vec<String> {
        let at = text(at);
        let (data, base) = (["--data", &at], self.base());
        let to = format!("file://{at}");
        let words = match act {
            Act::Build => [&["index", "build", "--extract", &self.extract], &data[..]].concat(),
            Act::Apply => [&["index", "apply"], &data[..], &[&self.delivery]].concat(),
            Act::Publish => vec!["index", "publish", "--data", &base, "--to", &to],
            Act::Account => {
                let create = [
                    "accounts",
                    "create",
                    "--plan",
                    "pro",
                    "--email",
                    "mia@example.org",
                ];
                [&create[..], &data].concat()
            }
        };
        words.into_iter().map(str::to_owned).collect()
    }

    /// A copy of what is served, or an empty folder for a bucket.
    fn prepare(&self, act: Act, at: &Path) {
        std::fs::create_dir_all(at).expect("a new folder");
        if !matches!(act, Act::Publish) {
            let copied = Command::new("cp")
                .args(["-a", &format!("{}/.", self.base())])
                .arg(at)
                .status();
            assert!(copied.expect("cp runs").success());
        }
        if matches!(act, Act::Account) {
            let other = [
                "accounts",
                "create",
                "--plan",
                "pro",
                "--email",
                "kees@example.org",
                "--data",
            ];
            done(&run(&[&other[..], &[&text(at)]].concat()));
        }
    }

    /// Whole, whatever happened; afterwards the same command does what it should and leaves nothing behind.
    fn ends_well(&self, act: Act, at: &Path, what: &str) {
        let data = text(at);
        if !matches!(act, Act::Publish) {
            assert_eq!(
                told(&run(&["index", "verify", "--data", &data])),
                "",
                "{what}"
            );
        }
        let again = postduif()
            .args(self.words(act, at))
            .output()
            .expect("the binary runs");
        let is_there = told(&again).contains("has account");
        assert!(
            again.status.success() || is_there,
            "{what}, and then {}",
            told(&again)
        );
        let left = Command::new("find")
            .arg(at)
            .args(["-name", ".building-*"])
            .output();
        assert_eq!(left.expect("find runs").stdout, b"", "{what}");
        match act {
            Act::Publish => done(&run(&[
                "index",
                "publish",
                "--data",
                &self.base(),
                "--to",
                &format!("file://{data}"),
                "--check",
            ])),
            Act::Account => {
                let copy = format!("{data}/copy.db");
                done(&run(&[
                    "accounts", "backup", "--data", &data, "--to", &copy,
                ]));
            }
            Act::Build | Act::Apply => done(&run(&["index", "verify", "--data", &data])),
        }
    }
}

#[test]
fn a_full_disk_is_told_with_what_to_do_and_harms_nothing() {
    let place = Place::new();
    for (act, more) in [
        (Act::Build, 90),
        (Act::Apply, 40),
        (Act::Publish, 60),
        (Act::Account, 16),
    ] {
        let at = place.folder.path().join(format!("{act:?}"));
        std::fs::create_dir(&at).expect("a new folder");
        let Some(small) = Small::mount(&at, "size=20m") else {
            return;
        };
        place.prepare(act, &at);
        small.leave(more << 10);
        let failed = postduif()
            .args(place.words(act, &at))
            .output()
            .expect("the binary runs");
        let said = told(&failed);
        println!("{act:?}: {}", said.lines().last().unwrap_or_default());
        assert_eq!(failed.status.code(), Some(1), "{act:?}: {said}");
        assert!(said.contains(FULL), "{act:?}: {said}");
        assert!(said.contains(&text(&at)), "{act:?}: {said}");
        small.clear();
        place.ends_well(act, &at, &format!("{act:?}"));
    }
}

#[test]
fn a_disk_that_fails_at_any_call_is_told_and_harms_nothing() {
    if !can_trace() {
        return;
    }
    let (place, mut chance, all) = (Place::new(), Chance::new(), tries(8));
    println!("seed {}", chance.seed);
    let mut failed = 0;
    for number in 0..all {
        let act = [Act::Build, Act::Apply, Act::Publish, Act::Account][number % 4];
        let (call, error) = FAULTS[chance.below(FAULTS.len())];
        // Counted in each thread; a program that starts opens some forty files.
        let when = chance.below(if call == "openat" { 160 } else { 16 }) + 1;
        let what = format!("{act:?}, {call} number {when} is {error}");
        let at = place.folder.path().join(format!("try-{number}"));
        place.prepare(act, &at);
        let inject = format!("inject={call}:error={error}:when={when}");
        let mut traced = bounded("strace", "120");
        traced.args(["-f", "-qq", "-o", "/dev/null", "-e", &inject]);
        traced
            .arg(postduif().get_program())
            .args(place.words(act, &at));
        let output = traced.stdin(Stdio::null()).output().expect("strace runs");
        let said = told(&output);
        assert!(!said.starts_with("strace:"), "{said}");
        if !output.status.success() {
            assert_ne!(output.status.code(), Some(TOO_LATE), "{what}");
            println!("{what}: {}", said.lines().last().unwrap_or_default());
            failed += 1;
            assert!(!said.is_empty(), "{what}");
            assert!(!said.contains("panicked"), "{what}: {said}");
        }
        place.ends_well(act, &at, &what);
        std::fs::remove_dir_all(&at).expect("it is ours");
    }
    println!("{failed} of {all} runs failed");
    assert!(failed > 0, "no call that failed was noticed");
}

/// What the system says then is one line at most, "memory allocation of … bytes failed" or "Killed". Where it refuses a thread its
/// memory a build was seen to wait for ever instead, which is ended here.
#[test]
fn a_build_that_runs_out_of_memory_leaves_what_is_served_and_the_next_one_ends_well() {
    let (place, mut ran_out) = (Place::new(), 0);
    for kilobytes in [160_000, 130_000, 100_000, 70_000] {
        let at = place.folder.path().join(kilobytes.to_string());
        place.prepare(Act::Build, &at);
        let limit = format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"");
        let mut limited = bounded("sh", "30");
        limited.args(["-c", &limit]).arg(postduif().get_program());
        let output = limited.args(place.words(Act::Build, &at)).output();
        let output = output.expect("sh runs");
        if !output.status.success() {
            ran_out += 1;
            println!(
                "{kilobytes} KB, {}: {}",
                output.status,
                told(&output).lines().last().unwrap_or_default()
            );
            let current = std::fs::read_to_string(at.join("CURRENT")).expect("it was there");
            // It may have run out after it had published.
            let whole = ["2026-01-08-1", "2026-01-08-2"];
            assert!(whole.contains(&current.trim()), "{current}");
        }
        place.ends_well(Act::Build, &at, &format!("{kilobytes} KB"));
    }
    assert!(ran_out > 0, "not one ran out of memory");
}

/// A program that is ended after so many seconds, which it then tells by its exit code. Source: timeout(1).
fn bounded(program: &str, seconds: &str) -> Command {
    let mut command = Command::new("timeout");
    command.args(["-k", "5", seconds, program]);
    command
}

const TOO_LATE: i32 = 124;

fn text(path: &Path) -> String {
    path.to_str().expect("a temporary path is UTF-8").to_owned()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn done(output: &Output) {
    assert!(output.status.success(), "{}", told(output));
}
