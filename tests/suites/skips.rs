//! Skipped tests: each is recorded, and the last target of `cargo test --workspace` (`tests/skipped.rs`) lists all of them at once.
//!
//! libtest hides the output of tests that pass and has no hook at the end of a run, hence a file between the test binaries.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Records that the running test needs something that is not installed, and what to install.
///
/// # Panics
///
/// If `POSTDUIF_TEST_ALL` is set: then nothing may be skipped for lack of a program.
pub(crate) fn missing(what: &str, install: &str) {
    let all = std::env::var_os("POSTDUIF_TEST_ALL").is_some();
    assert!(!all, "{what} is not installed: {install}");
    skip(&format!("{what} is not installed"), install);
}

/// Records that the running test is skipped, and what would enable it.
pub(crate) fn skip(reason: &str, remedy: &str) {
    let thread = std::thread::current();
    // libtest names the thread after the test, unless it runs tests one by one.
    let test = match thread.name() {
        None | Some("main") => "a test",
        Some(name) => name,
    };
    let run = std::os::unix::process::parent_id();
    let crate_name = env!("CARGO_CRATE_NAME");
    let line = format!("{run}\t{reason}\t{remedy}\t{crate_name}: {test}\n");
    let file = OpenOptions::new().create(true).append(true).open(record());
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    written.expect("the target folder can be written");
}

/// True if every optional program counts as absent, wherever it is installed.
pub(crate) fn is_bare() -> bool {
    std::env::var_os("POSTDUIF_TEST_BARE").is_some()
}

/// The file of skipped tests, beside the folder of the test binaries. A line holds the process id of the `cargo test` that ran
/// the test, the reason, the remedy and the test.
pub(crate) fn record() -> PathBuf {
    let binary = std::env::current_exe().expect("a running program has a path");
    let folder = binary.parent().and_then(Path::parent);
    folder.expect("target/PROFILE/deps").join("skipped-tests")
}
