//! Names the folders in an inbox, through which the watcher moves deliveries, and recognises the names of deliveries in them.

use std::ffi::OsStr;

/// Deliveries that were applied, each with its report.
pub(super) const APPLIED_DIR: &str = "applied";

/// Deliveries that were rejected, each with the reason.
pub(super) const REJECTED_DIR: &str = "rejected";

/// Deliveries that are on their way to one of these folders. The name is hidden, so that no program takes the folder for a delivery.
pub(super) const STAGING_DIR: &str = ".postduif-watch.staging";

/// Whether a name ends in `.zip` and is not a name that programs use while they write a file.
pub(super) fn is_delivery_name(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_lowercase();
    name.ends_with(".zip") && !name.starts_with(['.', '~'])
}
