//! Finds real deliveries, if the machine has them, below `POSTDUIF_REAL_DATA` or in `../shared/data` beside the repository.

use std::path::{Path, PathBuf};

use crate::skips::skip;

const FOLDER_OF_REAL_DATA: &str = "name the folder of real data in POSTDUIF_REAL_DATA";

/// The path of a file of real data. If the file is absent, returns `None` and records the test as skipped.
pub(crate) fn path(within: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let folder = std::env::var_os("POSTDUIF_REAL_DATA").map_or(beside, PathBuf::from);
    let path = folder.join(within);
    if path.exists() {
        return Some(path);
    }
    skip(
        &format!("the real file {within} is absent"),
        FOLDER_OF_REAL_DATA,
    );
    None
}
