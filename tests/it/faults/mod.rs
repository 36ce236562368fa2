//! Tests failures of the machine: a full disk, a mount that disappears, a clock that jumps, a killed process.

mod clock;
mod commands;
mod full_disk;
mod killed;
mod limits;
mod lost_mount;
mod retention;

use std::path::Path;

use postduif_schema::DataFolder;

use crate::addresses::village;
use crate::generation::publish;
use crate::process::run_json;

const PATH: &str = "/v3/lookup/1234AB/29";

/// Publishes the village in a data folder.
fn publish_village(folder: &Path) {
    publish(&DataFolder::new(folder), "2026-01-01-1", &village());
}

/// Returns the number of all calls in the accounts database.
fn counted_calls(folder: &Path) -> u64 {
    let usage = run_json(folder, &["usage", "show", "--json"]);
    usage["calls"].as_u64().expect("a number")
}
