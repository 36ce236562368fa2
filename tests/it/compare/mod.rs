//! Tests `postduif compare` between two services on loopback whose answers differ in known ways.

mod differences;
mod faults;
mod refusals;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::fetch::server::{FileServer, ReceivedRequest, Reply};
use crate::process::postduif;
use crate::scratch;

const OLD_KEY: &str = "old-geheim";
const NEW_KEY: &str = "new-geheim";

/// The folder with the keys and the pairs of a comparison.
struct Files {
    folder: TempDir,
}

/// The outcome of a comparison.
struct ComparisonOutput {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Files {
    /// Writes the two key files, and `pairs.csv` with a header line and these rows.
    fn new(rows: &[&str]) -> Self {
        let files = Self {
            folder: scratch::folder(),
        };
        files.write_key("old.key", OLD_KEY);
        files.write_key("new.key", NEW_KEY);
        let rows = rows.join("\n");
        files.write("pairs.csv", &format!("postcode,number\n{rows}\n"));
        files
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("writes");
    }

    fn write_key(&self, name: &str, key: &str) {
        self.write(name, &format!("{key}\n"));
        set_mode(&self.path(name), 0o600);
    }

    /// Runs the comparison. Checks that neither standard output nor standard error contains a key.
    #[track_caller]
    fn compare(&self, old: &str, new: &str, more: &[&str]) -> ComparisonOutput {
        let mut command = postduif();
        command.arg("compare").args(["--old", old, "--new", new]);
        for (flag, name) in [
            ("--key-file", "old.key"),
            ("--new-key-file", "new.key"),
            ("--pairs", "pairs.csv"),
        ] {
            command.arg(flag).arg(self.path(name));
        }
        let output = command.args(more).output().expect("the binary runs");
        let compared = ComparisonOutput::new(&output);
        let secrets = ["old.key", "new.key"].map(|name| fs::read_to_string(self.path(name)));
        for secret in secrets {
            let secret = secret.expect("readable");
            let text = format!("{}{}", compared.stdout, compared.stderr);
            let secret = secret.trim();
            assert!(secret.is_empty() || !text.contains(secret), "{text}");
        }
        compared
    }
}

impl ComparisonOutput {
    fn new(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
        Self {
            code: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    /// Checks the exit code and parses the report.
    #[track_caller]
    fn json(&self, code: i32) -> Value {
        assert_eq!(self.code, Some(code), "{}{}", self.stdout, self.stderr);
        serde_json::from_str(&self.stdout).expect("JSON")
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("our own file");
}

/// A v3 answer with an address for the requested pair, in this street.
fn address(request: &ReceivedRequest, street: &str) -> Reply {
    let mut path = request.path.rsplit('/');
    let (number, postcode) = (path.next(), path.next());
    let (number, postcode) = (number.expect("a number"), postcode.expect("a postcode"));
    Reply::text(&format!(
        r#"{{"postcode":"{postcode}","number":{number},"street":"{street}","city":"Elders","municipality":"Elders","province":"Utrecht","location":{{"type":"Point","coordinates":[5.1,52.1]}}}}"#
    ))
    .with_header("X-RateLimit-Limit", "1000")
}

/// Starts a service that finds every pair in the same street.
fn start_same_street_service() -> FileServer {
    FileServer::start(|request, _| address(request, "Dijk"))
}
