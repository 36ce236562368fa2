//! Real deliveries, if present: below `POSTDUIF_REAL_DATA`, or `../shared/data` beside the repository.

use std::path::{Path, PathBuf};

use crate::skips::skip;

const FOLDER_OF_REAL_DATA: &str = "name the folder of real data in POSTDUIF_REAL_DATA";

/// The path of a real file. Records that the test is skipped if it is absent.
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
