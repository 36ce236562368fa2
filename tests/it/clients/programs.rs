//! The programs themselves: where they are, and what they print.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A program that looks addresses up.
pub(super) struct Program {
    /// What runs it.
    runner: PathBuf,
    /// What it is told before the URL.
    arguments: Vec<PathBuf>,
    node_modules: PathBuf,
}

impl Program {
    /// A Python program of `tests/clients`; none where the packages are not installed.
    pub(super) fn python(file: &str) -> Option<Self> {
        let venv = folder("POSTDUIF_TEST_VENV", "target/test-venv");
        Self::run_by(venv.join("bin/python"), file)
    }

    /// A Node program of `tests/clients`; likewise.
    pub(super) fn node(file: &str) -> Option<Self> {
        let package = node_modules().join("@form-wizard-framework");
        let node = on_path("node").filter(|_| package.is_dir());
        Self::run_by(node.unwrap_or(package), file)
    }

    /// `curl`
    pub(super) fn curl() -> Option<Self> {
        let curl = on_path("curl").unwrap_or_else(|| "curl".into());
        Self::found(curl, Vec::new())
    }

    fn run_by(runner: PathBuf, file: &str) -> Option<Self> {
        let program = root().join("tests/clients").join(file);
        assert!(program.is_file(), "{} is missing", program.display());
        Self::found(runner, vec![program])
    }

    fn found(runner: PathBuf, arguments: Vec<PathBuf>) -> Option<Self> {
        if runner.is_file() {
            return Some(Self {
                runner,
                arguments,
                node_modules: node_modules(),
            });
        }
        let missing = format!("{} is not installed", runner.display());
        assert!(std::env::var_os("POSTDUIF_TEST_ALL").is_none(), "{missing}");
        println!("skipped: {missing}");
        None
    }

    /// What the program prints for rows such as `6545CA/29`, a line each.
    #[track_caller]
    pub(super) fn look_up(&self, url: &str, key: &str, rows: &[&str]) -> Vec<Value> {
        let arguments = [&[url, key], rows].concat();
        let lines = self.run(&arguments);
        let read = |line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}"));
        lines.lines().map(read).collect()
    }

    /// What `curl` prints of a GET: the body, then the status and the content type on a line of their own.
    #[track_caller]
    pub(super) fn fetch(&self, url: &str, key: &str) -> String {
        let header = format!("X-Api-Key: {key}");
        let tail = "\n%{http_code} %{content_type}";
        self.run(&[
            "--silent",
            "--show-error",
            "--header",
            &header,
            "--write-out",
            tail,
            url,
        ])
    }

    #[track_caller]
    fn run(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(&self.runner);
        command.args(&self.arguments).args(arguments);
        // A proxy of the machine's must not stand between the test and its listener.
        command
            .env("NODE_PATH", &self.node_modules)
            .env("NO_PROXY", "*")
            .env("no_proxy", "*");
        let output = command.output().expect("the program starts");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{:?}: {complaint}", self.runner);
        String::from_utf8(output.stdout).expect("UTF-8")
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn folder(variable: &str, otherwise: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(|| root().join(otherwise), PathBuf::from)
}

fn node_modules() -> PathBuf {
    folder(
        "POSTDUIF_TEST_NODE_MODULES",
        "target/test-node/node_modules",
    )
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}
