//! Programs and packages of others that tests run, where they are installed.
#![expect(clippy::print_stdout, reason = "a test says why it is skipped")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program where it usually is; none, with a line that says so, where it is not installed. With `POSTDUIF_TEST_ALL` it has to be.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    optional(name).or_else(|| missing(name))
}

/// The same for what no machine must have.
pub(crate) fn optional(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    // Where Debian has what only root needs.
    folders.push("/usr/sbin".into());
    let mut files = folders.iter().map(|folder| folder.join(name));
    files.find(|file| file.is_file())
}

/// A program that is built for the tests alone, or installed where programs are; likewise.
pub(crate) fn tool(name: &str) -> Option<PathBuf> {
    let built = folder("POSTDUIF_TEST_TOOLS", "target/test-tools/bin").join(name);
    if built.is_file() {
        return Some(built);
    }
    program(name)
}

/// Whether there is strace, likewise, and it may trace here.
pub(crate) fn can_trace() -> bool {
    if program("strace").is_none() {
        return false;
    }
    let traced = Command::new("strace")
        .args(["-qq", "-o", "/dev/null", "true"])
        .stderr(Stdio::null())
        .status();
    traced.is_ok_and(|status| status.success()) || not_permitted("strace")
}

/// A right that the machine does not give is no fault of who runs the tests, and is told; never true.
pub(crate) fn not_permitted(what: &str) -> bool {
    println!("skipped: {what} is not permitted here");
    false
}

/// A file or folder that has to be there for a test; likewise.
pub(crate) fn there(path: PathBuf) -> Option<PathBuf> {
    if path.exists() {
        return Some(path);
    }
    missing(&path.display().to_string())
}

fn missing(what: &str) -> Option<PathBuf> {
    let missing = format!("{what} is not installed");
    assert!(std::env::var_os("POSTDUIF_TEST_ALL").is_none(), "{missing}");
    println!("skipped: {missing}");
    None
}

/// The root of the project.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder of Python packages, with its interpreter.
pub(crate) fn venv() -> PathBuf {
    folder("POSTDUIF_TEST_VENV", "target/test-venv")
}

/// The folder of Node packages.
pub(crate) fn node_modules() -> PathBuf {
    folder(
        "POSTDUIF_TEST_NODE_MODULES",
        "target/test-node/node_modules",
    )
}

fn folder(variable: &str, otherwise: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(|| root().join(otherwise), PathBuf::from)
}
