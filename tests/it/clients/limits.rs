//! Programs that call faster than their key may.

use serde_json::json;
use tempfile::TempDir;

use super::ROWS;
use super::programs::Program;
use crate::process::{Service, open_on};

/// Rows that are all found; asked one right after the other, so that a key for one call a second is too slow for them.
const FOUND: [&str; 4] = [ROWS[0], ROWS[1], ROWS[2], ROWS[3]];

/// A sandbox, with a key for one call a second.
struct Slow {
    service: Service,
    key: String,
    _folder: TempDir,
}

impl Slow {
    fn start() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let numbers = ["--calls-per-month", "1000", "--calls-per-second", "1"];
        let [_, key] = open_on(
            folder.path(),
            &[&["--plan", "enterprise"][..], &numbers].concat(),
        );
        Self {
            service: Service::start(folder.path(), &[]),
            key,
            _folder: folder,
        }
    }

    fn look_up(&self, program: &Program) -> Vec<serde_json::Value> {
        let url = format!("http://{}", self.service.address("sandbox"));
        program.look_up(&url, &self.key, &FOUND)
    }

    /// How many requests were answered with this class of status.
    fn answered(&self, class: &str) -> usize {
        let line = format!(
            r#"postduif_requests_total{{route="/v3/lookup/{{postcode}}/{{number}}",status="{class}"}} "#
        );
        let figures = self.service.get("admin", "/metrics", None).body;
        let count = figures.lines().find_map(|told| told.strip_prefix(&line));
        count.map_or(0, |count| count.parse().expect("a count"))
    }
}

#[test]
fn a_client_that_waits_as_told_gets_every_answer() {
    let Some(program) = Program::node("form_wizard.js") else {
        return;
    };
    let slow = Slow::start();
    for (row, seen) in FOUND.iter().zip(slow.look_up(&program)) {
        assert_eq!(seen["found"]["postcode"], json!(row[..6]), "{seen}");
    }
    assert_eq!(slow.answered("2xx"), FOUND.len());
    assert!(slow.answered("4xx") > 0, "it was never told to wait");
}

#[test]
fn clients_that_do_not_wait_find_nothing() {
    let too_fast = [
        ("pypostcode.py", json!({ "failed": 429 })),
        ("django_lookup.py", json!(null)),
    ];
    for (file, refused) in too_fast {
        let Some(program) = Program::python(file) else {
            return;
        };
        let slow = Slow::start();
        let seen = slow.look_up(&program);
        assert_ne!(seen[0], refused, "{file}");
        assert!(seen.contains(&refused), "{file}: {seen:?}");
        assert!(slow.answered("4xx") > 0, "{file}");
    }
}
