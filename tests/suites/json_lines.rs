//! Runs a program of `tests/clients` as a child process. The program prints everything that it receives as lines of JSON.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

/// A running Python program that listens on a loopback port, killed on drop. It also ends when its standard input is closed.
pub(crate) struct JsonLines {
    child: Child,
    port: u16,
    lines: Arc<Mutex<Vec<Value>>>,
}

impl JsonLines {
    /// Starts a program on this port, where 0 means any free port.
    pub(crate) fn start(python: &Path, program: &str, port: u16, options: &[&str]) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut child = Command::new(python)
            .arg(root.join("tests/clients").join(program))
            .arg(port.to_string())
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python starts");
        let output = BufReader::new(child.stdout.take().expect("piped")).lines();
        let mut output = output
            .map_while(Result::ok)
            .map(|line| serde_json::from_str::<Value>(&line).expect("JSON"));
        let first = output.next().expect("the port");
        let port = first["port"].as_u64().and_then(|port| port.try_into().ok());
        let lines = Arc::new(Mutex::new(Vec::new()));
        let received = lines.clone();
        std::thread::spawn(move || output.for_each(|line| lock(&received).push(line)));
        Self {
            child,
            port: port.expect("a port"),
            lines,
        }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Everything that the program has received.
    pub(crate) fn received(&self) -> MutexGuard<'_, Vec<Value>> {
        lock(&self.lines)
    }

    /// Writes an empty line to the program's standard input.
    pub(crate) fn nudge(&mut self) {
        let stdin = self.child.stdin.as_mut().expect("piped");
        stdin.write_all(b"\n").expect("the program listens");
    }
}

impl Drop for JsonLines {
    fn drop(&mut self) {
        // The program may have exited already.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn lock(lines: &Mutex<Vec<Value>>) -> MutexGuard<'_, Vec<Value>> {
    lines.lock().unwrap_or_else(PoisonError::into_inner)
}
