//! Programs of the system that some of these tests run.
#![expect(clippy::print_stdout, reason = "a test says why it is skipped")]

use std::path::PathBuf;

/// A program where it usually is; none, with a line that says so, where it is not. Where all tests must run it must be there.
pub(super) fn program(name: &str) -> Option<PathBuf> {
    let found = optional(name);
    if found.is_none() {
        assert!(
            std::env::var_os("POSTDUIF_TEST_ALL").is_none(),
            "{name} is not installed"
        );
        println!("skipped: {name} is not installed");
    }
    found
}

/// The same for what no machine must have.
pub(super) fn optional(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    // Where Debian has what only root needs.
    folders.push("/usr/sbin".into());
    let mut files = folders.iter().map(|folder| folder.join(name));
    files.find(|file| file.is_file())
}
