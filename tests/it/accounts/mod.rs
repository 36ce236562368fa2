//! What account holders and their operator meet on a real process: bundles that hold through kills, changes that are seen while
//! it runs, and no key in anything that it leaves behind.

mod bundles;
mod changes;
mod notices;
mod outages;
mod secrets;

use postduif_schema::DataFolder;
use tempfile::TempDir;

use crate::addresses::village;
use crate::generation::publish;

const PATH: &str = "/v3/lookup/1234AB/29";

/// A data folder with the village in it, and no accounts.
fn village_folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    publish(&DataFolder::new(folder.path()), "2026-01-01-1", &village());
    folder
}
