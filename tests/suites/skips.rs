//! Records skipped tests. The last target of `cargo test --workspace` (`tests/skipped.rs`) lists them all at the end.
//!
//! libtest hides the output of passing tests and cannot run code after the last test, so all test binaries write to one file.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The prefix of the name of a file with skipped tests. The process id of `cargo test` follows it. Each line of the file has the
/// reason, the remedy and the test.
pub(crate) const PREFIX: &str = "skipped-tests.";

/// Records that the running test needs a program that is not installed, and how to install the program.
///
/// # Panics
///
/// If `POSTDUIF_TEST_ALL` is set, which forbids skipping a test because of a missing program.
pub(crate) fn missing(program: &str, install: &str) {
    let all = std::env::var_os("POSTDUIF_TEST_ALL").is_some();
    assert!(!all, "{program} is not installed: {install}");
    skip(&format!("{program} is not installed"), install);
}

/// Records that the running test is skipped, and how to enable it.
pub(crate) fn skip(reason: &str, remedy: &str) {
    let thread = std::thread::current();
    // libtest names the thread after the test, unless it runs tests one by one.
    let test = match thread.name() {
        None | Some("main") => "a test",
        Some(name) => name,
    };
    let run = std::os::unix::process::parent_id();
    let crate_name = env!("CARGO_CRATE_NAME");
    let line = format!("{reason}\t{remedy}\t{crate_name}: {test}\n");
    let path = folder().join(format!("{PREFIX}{run}"));
    let file = OpenOptions::new().create(true).append(true).open(path);
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    written.expect("the target folder can be written");
}

/// True if optional programs must be treated as missing even if they are installed.
pub(crate) fn is_bare() -> bool {
    std::env::var_os("POSTDUIF_TEST_BARE").is_some()
}

/// The folder of the files with skipped tests, next to the folder of the test binaries.
pub(crate) fn folder() -> PathBuf {
    let binary = std::env::current_exe().expect("a running program has a path");
    let folder = binary.parent().and_then(Path::parent);
    folder.expect("target/PROFILE/deps").to_owned()
}
