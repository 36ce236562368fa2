//! Defines the paths in a data folder that only the indexer uses.

use std::path::PathBuf;

use postduif_schema::DataFolder;

/// Prefix of the name of an unfinished file or folder.
pub(super) const BUILDING_PREFIX: &str = ".building-";
pub(super) const REGISTER_DIR: &str = "register";

/// The file name of the report of a build or delivery, in the folder of its generation.
pub const REPORT_FILE: &str = "report.json";

/// The register's file in a data folder.
pub fn register_path(data: &DataFolder) -> PathBuf {
    data.path().join(REGISTER_DIR).join("register.redb")
}
