//! Tests a bucket between publishers and serving nodes as operators use it: with commands, a real S3-compatible store, and killed
//! processes.

mod errors;
mod killed;
mod publish;
mod store;
mod unconditional;
mod watch;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use postduif_schema::DataFolder;
use serde_json::Value;
use tempfile::TempDir;

use crate::addresses::village;
use crate::process::postduif;
use crate::store::Store;

/// A node whose data folder serves the village.
struct Node {
    folder: TempDir,
    data: DataFolder,
}

impl Node {
    fn new() -> Self {
        let folder = crate::scratch::folder();
        let data = DataFolder::new(folder.path().join("data"));
        crate::generation::publish(&data, "2026-01-01-1", &village());
        Self { folder, data }
    }

    fn serve_generation(&self, name: &str) {
        crate::generation::publish(&self.data, name, &village());
    }

    /// Prepares the command `index publish`.
    fn publish_command(&self, url: &str, more: &[&str]) -> Command {
        let mut command = postduif();
        command.args(["index", "publish", "--to", url, "--data"]);
        command.arg(self.data.path()).args(more);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Publishes to a store; returns the JSON report.
    #[track_caller]
    fn publish(&self, store: &Store, more: &[&str]) -> Value {
        let mut command = self.publish_command(&store.url(), more);
        command.arg("--json").envs(store.environment());
        json(&command.output().expect("the binary runs"))
    }

    /// Returns the number of distinct files of the served generation.
    fn files(&self) -> u64 {
        let current = self
            .data
            .current_generation()
            .expect("readable")
            .expect("one");
        let manifest = postduif_schema::Manifest::read(&self.data.generation_path(current));
        let files = manifest.expect("whole").files;
        let names: std::collections::HashSet<String> =
            files.into_iter().map(|file| file.sha256).collect();
        names.len() as u64
    }
}

/// Runs `index publications` for a store; returns the publications.
#[track_caller]
fn publications(store: &Store) -> Vec<Value> {
    let mut command = postduif();
    command.args(["index", "publications", "--json", "--from", &store.url()]);
    let output = command.envs(store.environment()).output();
    let listed = json(&output.expect("the binary runs"));
    listed.as_array().expect("a list").clone()
}

#[track_caller]
fn json(output: &Output) -> Value {
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Checks that a command failed with this exit code; returns the last line of its error.
#[track_caller]
fn failure(output: &Output, code: i32) -> String {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    let last = message.lines().last().expect("it says why");
    assert!(last.starts_with("postduif: "), "one line: {message}");
    last.to_owned()
}

/// Returns the names of the complete files in a folder of a store.
fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| !name.starts_with('.')).collect()
}
