//! Tests clients that call faster than their key allows.

use serde_json::json;
use tempfile::TempDir;

use super::programs::Program;
use super::{ROWS, wait_until_keys_are_loaded};
use crate::process::{Service, enterprise, open_account_with, wait_until, words};
use crate::scratch;

/// Two rows that the sandbox finds. One request for each exceeds one call a second, unless the machine is very slow. So the test
/// repeats the requests.
const FOUND: [&str; 2] = [ROWS[0], ROWS[1]];

/// A service, and a test key that allows one call a second.
struct Slow {
    service: Service,
    key: String,
    _folder: TempDir,
}

impl Slow {
    fn start() -> Self {
        let folder = scratch::folder();
        let [_, key] = open_account_with(folder.path(), &words(&enterprise(1_000, 1)));
        let service = Service::start(folder.path(), &[]);
        wait_until_keys_are_loaded(&service);
        Self {
            service,
            key,
            _folder: folder,
        }
    }

    fn look_up(&self, program: &Program) -> Vec<serde_json::Value> {
        let url = format!("http://{}", self.service.address("sandbox"));
        program.look_up(&url, &self.key, &FOUND)
    }

    /// Returns the number of look-ups that the service answered with this class of status, such as `2xx`.
    fn answered(&self, class: &str) -> usize {
        let line = format!(
            r#"postduif_requests_total{{route="/v3/lookup/{{postcode}}/{{number}}",status="{class}"}} "#
        );
        let figures = self.service.get("admin", "/metrics", None).body;
        let count = figures.lines().find_map(|row| row.strip_prefix(&line));
        count.map_or(0, |count| count.parse().expect("a count"))
    }
}

#[test]
fn a_client_that_honours_retry_after_gets_every_answer() {
    let Some(program) = Program::node("form_wizard.js") else {
        return;
    };
    let (slow, mut found) = (Slow::start(), 0);
    wait_until("a call was rate limited", || {
        for (row, seen) in FOUND.iter().zip(slow.look_up(&program)) {
            assert_eq!(seen["found"]["postcode"], json!(row[..6]), "{seen}");
            found += 1;
        }
        slow.answered("4xx") > 0
    });
    assert_eq!(slow.answered("2xx"), found);
}

#[test]
fn clients_that_ignore_retry_after_get_no_address_if_they_call_too_fast() {
    let too_fast = [
        ("pypostcode.py", json!({ "failed": 429 })),
        ("django_lookup.py", json!(null)),
    ];
    for (file, refused) in too_fast {
        let Some(program) = Program::python(file) else {
            return;
        };
        let slow = Slow::start();
        let mut seen = slow.look_up(&program);
        assert_ne!(seen[0], refused, "{file}");
        wait_until("a call is refused", || {
            let is_refused = seen.contains(&refused);
            if !is_refused {
                seen = slow.look_up(&program);
            }
            is_refused
        });
        assert!(slow.answered("4xx") > 0, "{file}");
    }
}
