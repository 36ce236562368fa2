//! Real deliveries, where there are any: below `POSTDUIF_REAL_DATA`, or `../shared/data` beside the repository.

use std::path::{Path, PathBuf};

/// The path of a real file; none, with a line that says so, when it is not there.
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
pub(crate) fn path(within: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let folder = std::env::var_os("POSTDUIF_REAL_DATA").map_or(beside, PathBuf::from);
    let path = folder.join(within);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: no {within} in the folder of real data");
    None
}
