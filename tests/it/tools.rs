//! Finds the optional programs and packages that some tests need.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::skips::{is_bare, missing, skip};

/// Optional programs, each with the Debian package that contains it. A program that is not listed is in the package of its own
/// name.
const PACKAGES: [(&str, &str); 9] = [
    ("chromium", "chromium-headless-shell"),
    ("nginx", "nginx-light"),
    ("node", "nodejs"),
    ("pg_dump", "postgresql-client"),
    ("prlimit", "util-linux"),
    ("promtool", "prometheus"),
    ("setpriv", "util-linux"),
    ("systemd-analyze", "systemd"),
    ("unshare", "util-linux"),
];

/// How to install packages that `.ci/run` does not take from Debian.
const BY_CI_RUN: &str = "see the list in .ci/run";

/// The path of a program. If the program is not installed, the test is recorded as skipped or fails.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    let found = find(name);
    if found.is_none() {
        missing(name, &debian_package(name));
    }
    found
}

/// The path of the browser: the headless build of Chromium, which starts in half the time, or else the full build.
pub(crate) fn browser() -> Option<PathBuf> {
    // Use the program itself. Debian's program on the PATH is a shell script, and killing the script would leave the browser
    // running.
    let program_itself = PathBuf::from("/usr/lib/chromium/chromium-headless-shell");
    if program_itself.is_file() && !is_bare() {
        return Some(program_itself);
    }
    find("chromium-headless-shell").or_else(|| program("chromium"))
}

/// The path of a program that `.ci/run` does not install. If the program is absent, the test is recorded as skipped.
pub(crate) fn optional_program(name: &str) -> Option<PathBuf> {
    let found = find(name);
    if found.is_none() {
        skip(&format!("{name} is not installed"), &debian_package(name));
    }
    found
}

fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    // On Debian, programs for root are in this folder, which is not on the PATH of other users.
    folders.push("/usr/sbin".into());
    let mut files = folders.iter().map(|folder| folder.join(name));
    files.find(|file| file.is_file() && !is_bare())
}

fn debian_package(program: &str) -> String {
    let listed = PACKAGES.iter().find(|(name, _)| *name == program);
    let package = listed.map_or(program, |(_, package)| package);
    format!("Debian package {package}")
}

/// The path of a program that is built only for the tests.
pub(crate) fn tool(name: &str) -> Option<PathBuf> {
    let file = folder("POSTDUIF_TEST_TOOLS", "target/test-tools/bin").join(name);
    find(name).or_else(|| installed_file(file, name, BY_CI_RUN))
}

/// Whether strace is installed and may trace processes here.
pub(crate) fn can_trace() -> bool {
    if program("strace").is_none() {
        return false;
    }
    let traced = Command::new("strace")
        .args(["-qq", "-o", "/dev/null", "true"])
        .stderr(Stdio::null())
        .status();
    traced.is_ok_and(|status| status.success()) || skip_as_not_permitted("strace")
}

/// Records that the machine forbids an action, so that the test is skipped and does not fail. Always returns false.
pub(crate) fn skip_as_not_permitted(action: &str) -> bool {
    let remedy = "run the tests as root, outside a container that forbids it";
    skip(&format!("{action} is not permitted here"), remedy);
    false
}

/// Returns the path of a file or folder of a package if it exists. Otherwise the test is recorded as skipped or fails.
pub(crate) fn existing_path(path: PathBuf, package: &str) -> Option<PathBuf> {
    let name = path.display().to_string();
    installed_file(path, &name, package)
}

fn installed_file(path: PathBuf, name: &str, install: &str) -> Option<PathBuf> {
    if path.exists() && !is_bare() {
        return Some(path);
    }
    missing(name, install);
    None
}

/// The path of a file in the folder of installed Python packages, such as the interpreter.
pub(crate) fn in_venv(file: &str) -> Option<PathBuf> {
    let path = folder("POSTDUIF_TEST_VENV", "target/test-venv").join(file);
    installed_file(path, &format!("{file} of the Python packages"), BY_CI_RUN)
}

/// The folder of one installed Node package.
pub(crate) fn node_package(name: &str) -> Option<PathBuf> {
    let path = node_modules().join(name);
    installed_file(path, &format!("the Node package {name}"), BY_CI_RUN)
}

/// The root of the project.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of the installed Node packages.
pub(crate) fn node_modules() -> PathBuf {
    folder(
        "POSTDUIF_TEST_NODE_MODULES",
        "target/test-node/node_modules",
    )
}

fn folder(variable: &str, otherwise: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(|| root().join(otherwise), PathBuf::from)
}
