//! A real SMTP server as a child process: `tests/clients/smtp_sink.py`, based on aiosmtpd.
//!
//! Uses the Python of `POSTDUIF_TEST_VENV`, or else of `target/test-venv`. If aiosmtpd is missing, the test is skipped, or
//! fails with `POSTDUIF_TEST_ALL=1`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::Value;

use crate::skips::{is_bare, missing};

/// A running mail server, killed on drop.
pub(crate) struct Sink {
    child: Child,
    port: u16,
    messages: Arc<Mutex<Vec<Value>>>,
}

impl Sink {
    /// Starts on a free port; `None` if aiosmtpd is not installed.
    pub(crate) fn start(options: &[&str]) -> Option<Self> {
        Self::start_at(0, options)
    }

    /// Starts on this port; `None` if aiosmtpd is not installed.
    pub(crate) fn start_at(port: u16, options: &[&str]) -> Option<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut child = Command::new(python(root)?)
            .arg(root.join("tests/clients/smtp_sink.py"))
            .arg(port.to_string())
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python starts");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let mut lines = lines
            .map_while(Result::ok)
            .map(|line| serde_json::from_str::<Value>(&line).expect("JSON"));
        let first = lines.next().expect("the port");
        let port = first["port"].as_u64().and_then(|port| port.try_into().ok());
        let messages = Arc::new(Mutex::new(Vec::new()));
        let received = messages.clone();
        std::thread::spawn(move || lines.for_each(|line| lock(&received).push(line)));
        Some(Self {
            child,
            port: port.expect("a port"),
            messages,
        })
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    /// The number of received messages, accepted or not.
    pub(crate) fn count(&self) -> usize {
        lock(&self.messages).len()
    }

    /// The received messages, accepted or not.
    pub(crate) fn all(&self) -> Vec<Value> {
        lock(&self.messages).clone()
    }

    /// Accepts one message that waits for a reply.
    pub(crate) fn accept(&mut self) {
        let stdin = self.child.stdin.as_mut().expect("piped");
        stdin.write_all(b"\n").expect("the server listens");
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        // It may have exited already.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn lock(messages: &Mutex<Vec<Value>>) -> std::sync::MutexGuard<'_, Vec<Value>> {
    messages.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The Python with aiosmtpd.
fn python(root: &Path) -> Option<PathBuf> {
    /// Checked once per process, because it takes as long as starting a server.
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
