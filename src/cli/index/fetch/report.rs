//! Defines the report of one run, which is printed as text or JSON.

use std::fmt;

use jiff::civil::Date;
use serde::Serialize;

use super::mutation_plan::MissingDays;

/// The report of a run.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FetchReport {
    /// Whether the run fetches mutations besides the extract.
    pub(super) mode: FeedMode,
    /// The stand of the served generation, or of an extract that waits in the inbox if that is newer.
    pub(super) stand: Option<Date>,
    /// Files that this run put into the inbox.
    pub(super) fetched: Vec<FetchedFile>,
    /// Days that no mutation delivery covers. The next extract covers them.
    pub(super) missing: Vec<MissingDays>,
    /// The errors of the run.
    pub(super) errors: Vec<String>,
}

/// The kinds of delivery that are fetched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FeedMode {
    /// The monthly extract and daily mutations.
    Daily,
    /// The monthly extract alone.
    #[default]
    Monthly,
}

/// A file that is now in the inbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FetchedFile {
    pub(super) name: String,
    /// The stand of the register after this delivery is applied.
    pub(super) stand: Date,
    pub(super) bytes: u64,
    /// Bytes that this run downloaded. If the file is larger, an earlier run downloaded the rest.
    pub(super) downloaded_bytes: u64,
}

impl fmt::Display for FetchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        for file in &self.fetched {
            let FetchedFile {
                name,
                stand,
                bytes,
                downloaded_bytes,
            } = file;
            let resumed = if downloaded_bytes < bytes {
                ", resumed"
            } else {
                ""
            };
            lines.push(format!(
                "fetched {name}: stand {stand}, {bytes} bytes{resumed}"
            ));
        }
        for MissingDays { from, to } in &self.missing {
            lines.push(format!(
                "no delivery has the mutations from {from} to {to}; unless one appears, the next monthly extract closes the gap"
            ));
        }
        if self.fetched.is_empty() && self.errors.is_empty() {
            lines.push("nothing new".to_owned());
        }
        f.write_str(&lines.join("\n"))
    }
}
