//! A build in a process of its own, to be killed or measured: this very test binary, run for one test.

use std::path::Path;
use std::process::{Command, Stdio};

use postduif_indexer::Silent;
use postduif_schema::DataFolder;

use crate::served::build;

const EXTRACT: &str = "POSTDUIF_TEST_CHILD_EXTRACT";
const DATA: &str = "POSTDUIF_TEST_CHILD_DATA";

/// A build that is ready to start.
pub(crate) fn of(extract: &Path, data: &DataFolder) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a running test has a path"));
    command
        .args(["--exact", "child::builds_when_asked", "--nocapture"])
        .env(EXTRACT, extract)
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
