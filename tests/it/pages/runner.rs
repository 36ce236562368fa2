//! Runs files of browser tests, one after the other, in one process of Node with one browser. Starting both takes as long as some
//! tests.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::tools::{node_modules, root};

/// A Node process that runs files of browser tests. On drop it closes its browser and ends.
pub(super) struct BrowserTestRunner {
    process: Child,
    /// `None` only during the drop.
    requests: Option<ChildStdin>,
    reports: BufReader<ChildStdout>,
}

/// What happened in a file.
#[derive(Deserialize)]
pub(super) struct Report {
    pub(super) passed: bool,
    pub(super) output: String,
}

impl BrowserTestRunner {
    /// Chromium stores its files in the home folder.
    pub(super) fn start(node: &Path, chromium: &Path, home: &Path) -> Self {
        let mut command = Command::new(node);
        command
            .arg(root().join("tests/browser/run.js"))
            .env("NODE_PATH", node_modules())
            .env("CHROMIUM", chromium)
            .env("HOME", home)
            .env("TMPDIR", home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        if std::env::var_os("POSTDUIF_TEST_PICTURES").is_some() {
            command.env("PICTURES", root().join("target/screenshots"));
        }
        let mut process = command.spawn().expect("node starts");
        Self {
            requests: process.stdin.take(),
            reports: BufReader::new(process.stdout.take().expect("a pipe")),
            process,
        }
    }

    /// Runs a file of `tests/browser`, in this environment.
    pub(super) fn run(&mut self, file: &str, environment: &Value) -> Report {
        let request = json!({ "file": file, "environment": environment });
        let requests = self.requests.as_mut().expect("the process runs");
        writeln!(requests, "{request}").expect("the process reads");
        let mut report = String::new();
        self.reports.read_line(&mut report).expect("UTF-8");
        serde_json::from_str(&report)
            .unwrap_or_else(|_| panic!("{file}: the process ended; its last line is {report:?}"))
    }
}

impl Drop for BrowserTestRunner {
    fn drop(&mut self) {
        self.requests = None;
        // Ignore errors, because the process may have ended by itself.
        self.process.wait().ok();
    }
}
