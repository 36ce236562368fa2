//! A collector of traces as a child process: `tests/clients/otlp_collector.py`.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::process::until;
use crate::tools;

/// A running collector, killed on drop.
pub(super) struct Collector {
    child: Child,
    port: u64,
    spans: Arc<Mutex<Vec<Value>>>,
}

impl Collector {
    /// Starts on a port, a free one for 0; `None` if the Python packages are not installed.
    pub(super) fn start(port: u64) -> Option<Self> {
        let mut child = Command::new(tools::in_venv("bin/python")?)
            .arg(tools::root().join("tests/clients/otlp_collector.py"))
            .arg(port.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python starts");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let mut lines = lines
            .map_while(Result::ok)
            .map(|line| serde_json::from_str::<Value>(&line).expect("JSON"));
        let first = lines.next().expect("the port");
        let spans = Arc::new(Mutex::new(Vec::new()));
        let received = spans.clone();
        std::thread::spawn(move || {
            lines.for_each(|line| received.lock().expect("no panic").push(line));
        });
        let port = first["port"].as_u64().expect("a port");
        Some(Self { child, port, spans })
    }

    pub(super) fn port(&self) -> u64 {
        self.port
    }

    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The spans received so far.
    pub(super) fn spans(&self) -> Vec<Value> {
        self.spans.lock().expect("no panic").clone()
    }

    /// Waits for the span of the request with this id.
    pub(super) fn span_of(&self, request_id: &str) -> Value {
        let mut found = None;
        until("the span arrives", || {
            let mut spans = self.spans().into_iter();
            found = spans.find(|span| span["attributes"]["postduif.request_id"] == request_id);
            found.is_some()
        });
        found.expect("just seen")
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        // It may have exited already.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
