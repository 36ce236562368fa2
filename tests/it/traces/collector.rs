//! Runs the trace collector `tests/clients/otlp_collector.py` as a child process.

use serde_json::Value;

use crate::json_lines::JsonLines;
use crate::process::wait_until;
use crate::tools;

/// A running collector, killed on drop.
pub(super) struct Collector(JsonLines);

impl Collector {
    /// Starts a collector on this port, where 0 means any free port; `None` if the Python packages are not installed.
    pub(super) fn start(port: u16) -> Option<Self> {
        let python = tools::in_venv("bin/python")?;
        Some(Self(JsonLines::start(
            &python,
            "otlp_collector.py",
            port,
            &[],
        )))
    }

    pub(super) fn port(&self) -> u16 {
        self.0.port()
    }

    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port())
    }

    /// All spans that the collector has received.
    pub(super) fn spans(&self) -> Vec<Value> {
        self.0.received().clone()
    }

    /// Waits for the span of the request with this id.
    pub(super) fn span_of(&self, request_id: &str) -> Value {
        let mut found = None;
        wait_until("the span arrives", || {
            let mut spans = self.spans().into_iter();
            found = spans.find(|span| span["attributes"]["postduif.request_id"] == request_id);
            found.is_some()
        });
        found.expect("just seen")
    }
}
