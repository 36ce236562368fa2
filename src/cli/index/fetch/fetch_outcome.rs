//! Defines the outcome of a run, which the command and the watcher use: a report and the errors.

use std::time::Duration;

use anyhow::anyhow;

use super::error::FetchError;
use super::report::{FetchReport, FetchedFile};
use crate::cli::CommandError;

/// The outcome of a run. Even if there are errors, other files may have been fetched.
pub(in crate::cli::index) struct FetchOutcome {
    pub(super) report: FetchReport,
    pub(super) errors: Vec<FetchError>,
}

impl FetchOutcome {
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
            report: FetchReport::default(),
            errors: vec![FetchError::Panicked],
        }
    }

    /// Converts the outcome to the result of the command.
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
        for file in &self.report.fetched {
            let FetchedFile {
                name, stand, bytes, ..
            } = file;
            tracing::info!(file = name, %stand, bytes, "fetched a delivery into the inbox");
        }
        for missing in &self.report.missing {
            tracing::warn!(
                from = %missing.from,
                to = %missing.to,
                "no delivery has the mutations of these days; unless one appears, the next monthly extract closes the gap"
            );
        }
    }
}
