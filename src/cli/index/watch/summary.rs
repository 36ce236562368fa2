//! Summarizes a run of the watcher, and derives the exit code of `--once`.

use std::ffi::OsStr;

use anyhow::anyhow;

use super::file_state::FileState;
use super::inbox::display_name;
use crate::cli::outcome::CommandError;
use crate::escape::escape_controls;

/// Why a file that has not settled is left in the inbox.
const STILL_COPIED: &str = "it was still being copied, and was not read; the next run reads it";

/// The files that were rejected or are still in the inbox after a run, each as `NAME: REASON`, and the errors of other tasks.
#[derive(Debug, Default)]
pub(super) struct RunSummary {
    /// Deliveries in the inbox that come too early.
    pub(super) waiting: Vec<String>,
    /// Files in the inbox that failed or are incomplete.
    pub(super) failing: Vec<String>,
    /// Files rejected since the start.
    pub(super) rejected: Vec<String>,
    /// Why the register cannot be used; `None` if it can.
    pub(super) unusable_register: Option<String>,
    /// Why publishing the served generation failed; `None` if it did not fail or publishing is off.
    pub(super) publish_error: Option<String>,
    /// Why fetching new deliveries failed; `None` if it did not fail or fetching is off.
    pub(super) fetch_error: Option<String>,
}

impl RunSummary {
    /// Creates the summary. `failure` is the error of the last pass, if that pass failed.
    pub(super) fn new<'a>(
        states: impl Iterator<Item = (&'a OsStr, &'a FileState)>,
        rejected: Vec<String>,
        failure: Option<&String>,
        unusable_register: Option<&String>,
    ) -> Self {
        let mut summary = Self {
            rejected,
            unusable_register: unusable_register.cloned(),
            ..Self::default()
        };
        for (name, state) in states {
            let (list, reason) = match state {
                FileState::Early { reason, .. } => (&mut summary.waiting, reason.as_str()),
                FileState::Failing(reason)
                | FileState::Deferred {
                    reason: Some(reason),
                    ..
                } => (&mut summary.failing, reason.as_str()),
                FileState::Deferred { reason: None, .. } => (&mut summary.failing, STILL_COPIED),
                FileState::Ready | FileState::Rejected(_) => continue,
            };
            let reason = escape_controls(reason);
            list.push(format!("{}: {reason}", display_name(name)));
        }
        if let Some(failure) = failure
            && !summary.failing.contains(failure)
        {
            summary.failing.push(failure.clone());
        }
        summary
    }

    /// Converts the summary to the result of the command with `--once`.
    pub(super) fn into_result(self) -> Result<(), CommandError> {
        let failed = format_groups([
            ("still in the inbox", &self.failing),
            ("not published", self.publish_error.as_slice()),
            ("not fetched", self.fetch_error.as_slice()),
        ]);
        let refused = format_groups([
            ("rejected", &self.rejected),
            ("waits in the inbox", &self.waiting),
            (
                "no mutations can be applied",
                self.unusable_register.as_slice(),
            ),
        ]);
        if !failed.is_empty() {
            Err(CommandError::Failed(anyhow!(failed)))
        } else if !refused.is_empty() {
            Err(CommandError::Refused(anyhow!(refused)))
        } else {
            Ok(())
        }
    }
}

/// Formats the groups that are not empty as one line.
fn format_groups<const N: usize>(groups: [(&str, &[String]); N]) -> String {
    let groups = groups.into_iter().filter(|(_, items)| !items.is_empty());
    let parts: Vec<String> = groups
        .map(|(label, items)| format!("{label}: {}", items.join("; ")))
        .collect();
    parts.join("; ")
}
