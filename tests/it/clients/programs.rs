//! Runs the client programs and reads their output.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::tools;

/// A program that looks up addresses.
pub(super) struct Program {
    /// The interpreter or program to run.
    runner: PathBuf,
    /// The arguments before the URL.
    arguments: Vec<PathBuf>,
    node_modules: PathBuf,
}

impl Program {
    /// A Python program of `tests/clients`; `None` if the packages are not installed.
    pub(super) fn python(file: &str) -> Option<Self> {
        Self::run_by(tools::in_venv("bin/python")?, file)
    }

    /// A Node program of `tests/clients`; `None` if the packages are not installed.
    pub(super) fn node(file: &str) -> Option<Self> {
        tools::node_package("@form-wizard-framework")?;
        Self::run_by(tools::program("node")?, file)
    }

    pub(super) fn curl() -> Option<Self> {
        Some(Self::new(tools::program("curl")?, Vec::new()))
    }

    fn run_by(runner: PathBuf, file: &str) -> Option<Self> {
        let program = tools::root().join("tests/clients").join(file);
        assert!(program.is_file(), "{} is missing", program.display());
        Some(Self::new(runner, vec![program]))
    }

    fn new(runner: PathBuf, arguments: Vec<PathBuf>) -> Self {
        Self {
            runner,
            arguments,
            node_modules: tools::node_modules(),
        }
    }

    /// Runs the program for rows such as `6545CA/29`; returns one line of output for each row.
    #[track_caller]
    pub(super) fn look_up(&self, url: &str, key: &str, rows: &[&str]) -> Vec<Value> {
        let arguments = [&[url, key], rows].concat();
        let lines = self.run(&arguments);
        let read = |line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}"));
        lines.lines().map(read).collect()
    }

    /// Runs `curl` for a GET; returns the body, then a line with the status and the content type.
    #[track_caller]
    pub(super) fn fetch(&self, url: &str, key: &str) -> String {
        let header = format!("X-Api-Key: {key}");
        let tail = "\n%{http_code} %{content_type}";
        self.run(&[
            "--silent", "--show-error", "--header", &header, "--write-out", tail, url,
        ])
    }

    #[track_caller]
    fn run(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(&self.runner);
        command.args(&self.arguments).args(arguments);
        // Connect to the service directly, even if the machine uses a proxy.
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
