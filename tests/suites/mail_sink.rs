//! Runs a real SMTP server as a child process: `tests/clients/smtp_sink.py`, based on aiosmtpd.
//!
//! Uses the Python in `POSTDUIF_TEST_VENV`, or else in `target/test-venv`. If aiosmtpd is missing, the test is skipped; with
//! `POSTDUIF_TEST_ALL=1` it fails.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

use crate::json_lines::JsonLines;
use crate::skips::{is_bare, missing};

/// A running mail server, killed on drop.
pub(crate) struct Sink(JsonLines);

impl Sink {
    /// Starts a mail server on a free port; `None` if aiosmtpd is not installed.
    pub(crate) fn start(options: &[&str]) -> Option<Self> {
        Self::start_at(0, options)
    }

    /// Starts a mail server on this port; `None` if aiosmtpd is not installed.
    pub(crate) fn start_at(port: u16, options: &[&str]) -> Option<Self> {
        let python = python(Path::new(env!("CARGO_MANIFEST_DIR")))?;
        Some(Self(JsonLines::start(
            &python, "smtp_sink.py", port, options,
        )))
    }

    pub(crate) fn port(&self) -> u16 {
        self.0.port()
    }

    pub(crate) fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port())
    }

    /// The number of received messages, accepted or not.
    pub(crate) fn count(&self) -> usize {
        self.0.received().len()
    }

    /// The received messages, accepted or not.
    pub(crate) fn all(&self) -> Vec<Value> {
        self.0.received().clone()
    }

    /// Makes a server that was started with `--hold` accept one message: the waiting message or the next one. Such a server accepts
    /// no other messages.
    pub(crate) fn accept(&mut self) {
        self.0.nudge();
    }
}

/// The path of a Python interpreter that has aiosmtpd.
fn python(root: &Path) -> Option<PathBuf> {
    /// The search runs once per process, because it takes as long as starting a server.
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let venv = std::env::var_os("POSTDUIF_TEST_VENV").map(PathBuf::from);
        let venv = venv.unwrap_or_else(|| root.join("target/test-venv"));
        let python = venv.join("bin/python");
        let probe = Command::new(&python)
            .args(["-c", "import aiosmtpd"])
            .stderr(Stdio::null())
            .status();
        let is_installed = probe.is_ok_and(|status| status.success()) && !is_bare();
        is_installed.then_some(python)
    });
    if found.is_some() {
        return found.clone();
    }
    missing("the Python package aiosmtpd", "see the list in .ci/run");
    None
}
