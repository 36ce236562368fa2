//! Defines the report of one run of `index fetch`. The command prints the report as text or JSON, and the watcher logs it.

use std::fmt;
use std::time::Duration;

use anyhow::anyhow;
use jiff::civil::Date;
use serde::Serialize;

use super::error::FetchError;
use super::mutation_list::UnknownNames;
use super::mutation_plan::MissingDays;
use crate::cli::CommandError;

/// The report of a run. Even if there are errors, files may have been fetched.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::cli::index) struct FetchReport {
    /// Whether the run fetches mutations besides the extract.
    pub(super) mode: FeedMode,
    /// The stand of the served generation, or of an extract that waits in the inbox if that is newer.
    pub(super) stand: Option<Date>,
    /// Files that this run put into the inbox.
    pub(super) fetched: Vec<FetchedFile>,
    /// Days that no mutation delivery covers. The next extract covers them.
    pub(super) missing: Vec<MissingDays>,
    /// Entries of the list of mutations with names that are not understood. They were skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unknown_names: Option<UnknownNames>,
    /// The errors of the run.
    pub(super) errors: Vec<FetchError>,
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

impl FetchReport {
    /// All errors as one line; `None` if the run succeeded.
    pub(in crate::cli::index) fn error(&self) -> Option<String> {
        let messages = self.errors.iter().map(ToString::to_string);
        let message = messages.collect::<Vec<_>>().join("; ");
        (!message.is_empty()).then_some(message)
    }

    /// Whether a retry fails again until the operator or the owner of the server has fixed the cause.
    pub(in crate::cli::index) fn is_refusal(&self) -> bool {
        !self.errors.is_empty() && self.errors.iter().all(FetchError::is_refusal)
    }

    /// The longest time that a server asks to wait; `None` if no server asks to wait.
    pub(in crate::cli::index) fn retry_after(&self) -> Option<Duration> {
        self.errors.iter().filter_map(FetchError::retry_after).max()
    }

    pub(in crate::cli::index) fn from_panic() -> Self {
        Self {
            errors: vec![FetchError::Panicked],
            ..Self::default()
        }
    }

    /// Converts the report to the result of the command.
    pub(in crate::cli::index) fn into_result(self) -> Result<(), CommandError> {
        match self.error() {
            None => Ok(()),
            Some(error) if self.is_refusal() => Err(CommandError::Refused(anyhow!(error))),
            Some(error) => Err(CommandError::Failed(anyhow!(
                "{error}; the next run resumes"
            ))),
        }
    }

    pub(in crate::cli::index) fn log(&self) {
        for file in &self.fetched {
            let (name, stand, bytes) = (&file.name, file.stand, file.bytes);
            tracing::info!(file = name, %stand, bytes, "fetched a delivery into the inbox");
        }
        if let Some(UnknownNames { count, example }) = &self.unknown_names {
            tracing::warn!(
                count,
                example,
                "skipped entries of the list of mutations: their names are not of the form BAGNLDM-08012026-09012026.zip"
            );
        }
        for missing in &self.missing {
            tracing::warn!(
                from = %missing.from,
                to = %missing.to,
                "no delivery has the mutations of these days; unless one appears, the next monthly extract closes the gap"
            );
        }
    }
}

impl fmt::Display for FetchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        for file in &self.fetched {
            let (name, stand, bytes) = (&file.name, file.stand, file.bytes);
            let resumed = match file.downloaded_bytes < bytes {
                true => ", resumed",
                false => "",
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
        if let Some(UnknownNames { count, example }) = &self.unknown_names {
            lines.push(format!(
                "skipped {count} entries of the list of mutations, such as {example}: their names are not of the form \
                 BAGNLDM-08012026-09012026.zip"
            ));
        }
        if self.fetched.is_empty() && self.errors.is_empty() {
            lines.push("nothing new".to_owned());
        }
        f.write_str(&lines.join("\n"))
    }
}
