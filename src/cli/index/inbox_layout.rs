//! Names the folders in an inbox. The watcher moves deliveries through them, and the fetcher looks for deliveries there.

/// Deliveries that were applied, each with its report.
pub(super) const APPLIED_DIR: &str = "applied";

/// Deliveries that were rejected, each with the reason.
pub(super) const REJECTED_DIR: &str = "rejected";

/// Deliveries that are on their way to one of these folders. The name is hidden, so that no program takes the folder for a delivery.
pub(super) const STAGING_DIR: &str = ".postduif-watch.staging";
