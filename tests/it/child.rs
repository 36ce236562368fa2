//! A build, or the application of a delivery, in a process of its own, to be killed or measured: this very test binary, run for
//! one test.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use postduif_indexer::{Applied, Apply, Silent};
use postduif_schema::DataFolder;

use crate::served::build;

const EXTRACT: &str = "POSTDUIF_TEST_CHILD_EXTRACT";
const MUTATIONS: &str = "POSTDUIF_TEST_CHILD_MUTATIONS";
const DATA: &str = "POSTDUIF_TEST_CHILD_DATA";

/// A build that is ready to start.
pub(crate) fn of(extract: &Path, data: &DataFolder) -> Command {
    child(EXTRACT, extract, data, "builds_when_asked")
}

/// The application of a delivery that is ready to start.
pub(crate) fn applying(delivery: &Path, data: &DataFolder) -> Command {
    child(MUTATIONS, delivery, data, "applies_when_asked")
}

/// The same under another program that starts it: its name and arguments.
pub(crate) fn applying_under(under: &[&OsStr], delivery: &Path, data: &DataFolder) -> Command {
    let child = applying(delivery, data);
    let mut command = Command::new(under[0]);
    command.args(&under[1..]).arg(child.get_program());
    command.args(child.get_args());
    for (name, value) in child.get_envs() {
        command.env(name, value.expect("set, not cleared"));
    }
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

fn child(what: &str, delivery: &Path, data: &DataFolder, test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a running test has a path"));
    command
        .args(["--exact", &format!("child::{test}"), "--nocapture"])
        .env(what, delivery)
        .env(DATA, data.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

/// Does nothing unless it was started by [`of`]; then builds and says what came of it and how much memory it took.
#[test]
#[expect(clippy::print_stdout, reason = "how a child answers")]
fn builds_when_asked() {
    let (Some(extract), Some(data)) = (std::env::var_os(EXTRACT), std::env::var_os(DATA)) else {
        return;
    };
    let before = peak_kib();
    let outcome = build(extract.into()).run(&DataFolder::new(data), &Silent);
    let grown_kib = peak_kib() - before;
    match outcome {
        Ok(report) => println!("{grown_kib} KiB, built {}", report.generation),
        Err(error) => println!("{grown_kib} KiB, refused {error}"),
    }
}

/// Does nothing unless it was started by [`applying`]; then applies, and says what came of it in the same way.
#[test]
#[expect(clippy::print_stdout, reason = "how a child answers")]
fn applies_when_asked() {
    let (Some(delivery), Some(data)) = (std::env::var_os(MUTATIONS), std::env::var_os(DATA)) else {
        return;
    };
    let before = peak_kib();
    let data = DataFolder::new(data);
    let outcome = Apply::default().run(delivery.as_ref(), &data, &Silent);
    let grown_kib = peak_kib() - before;
    match outcome {
        Ok(Applied::Published(report)) => {
            println!("{grown_kib} KiB, applied {}", report.generation)
        }
        Ok(Applied::Repeat { stand, .. }) => println!("{grown_kib} KiB, repeat at {stand}"),
        Err(error) => println!("{grown_kib} KiB, failed {error}"),
    }
}

/// Peak memory in KiB that a child told of; the rest of its line is what came of the build.
pub(crate) fn answer(stdout: &[u8]) -> (u64, String) {
    let text = String::from_utf8_lossy(stdout);
    let line = text.lines().find_map(|line| line.split_once(" KiB, "));
    let (kib, outcome) = line.expect("a child answers");
    let kib = kib.rsplit(' ').next().and_then(|kib| kib.parse().ok());
    (kib.expect("a number"), outcome.to_owned())
}

/// The most memory that this process has had. Source: proc(5), `VmHWM`.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB"));
    kib.and_then(|kib| kib.parse().ok()).expect("a size")
}
