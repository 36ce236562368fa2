//! What an operator meets when the machine fails: a full disk, a mount that goes away, a clock that jumps, a process that is killed.

mod clock;
mod commands;
mod full_disk;
mod killed;
mod lost_mount;
mod retention;

use std::path::Path;

use postduif_schema::DataFolder;

use crate::addresses::village;
use crate::generation::publish;
use crate::process::{Service, ask, get_at};

const PATH: &str = "/v3/lookup/1234AB/29";

/// Puts the village where it is served.
fn settle(folder: &Path) {
    publish(&DataFolder::new(folder), "2026-01-01-1", &village());
}

/// A figure with its labels as they are shown; 0 before it is there.
fn figure(service: &Service, name: &str) -> f64 {
    let page = get_at(service.address("admin"), "/metrics", None).body;
    let value = |line: &str| line.strip_prefix(name)?.trim().parse().ok();
    page.lines().find_map(value).unwrap_or_default()
}

/// All calls that the accounts database knows of.
fn counted(folder: &Path) -> u64 {
    let usage = ask(folder, &["usage", "show", "--json"]);
    usage["calls"].as_u64().expect("a number")
}
