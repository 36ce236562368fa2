//! How a command ended, and the exit code that says so: 0 done, 1 failed, 2 refused, 64 usage.

use std::io::Write as _;
use std::process::ExitCode;

use crate::config::Mistakes;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// As asked.
    Done,
    /// Something went wrong on the way: a disk, a network, a database.
    Failed,
    /// What was given cannot be accepted, and nothing was changed.
    Refused,
    /// The arguments or settings are not understood. Source: sysexits.h, `EX_USAGE`.
    Usage,
}

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub enum Failure {
    /// Ends as [`Outcome::Failed`].
    Failed(anyhow::Error),
    /// Ends as [`Outcome::Refused`].
    Refused(anyhow::Error),
    /// Ends as [`Outcome::Usage`].
    Usage(anyhow::Error),
}

impl Outcome {
    /// Writes what went wrong, if anything did, to standard error.
    pub(super) fn of(result: Result<(), Failure>) -> Self {
        let (outcome, error) = match result {
            Ok(()) => return Self::Done,
            Err(Failure::Failed(error)) => (Self::Failed, error),
            Err(Failure::Refused(error)) => (Self::Refused, error),
            Err(Failure::Usage(error)) => (Self::Usage, error),
        };
        // With standard error closed the exit code still tells.
        writeln!(std::io::stderr(), "postduif: {error:#}").ok();
        outcome
    }

    /// Writes clap's own words: help and version are no mistakes.
    pub(super) fn of_usage(error: &clap::Error) -> Self {
        // As above; and where nobody reads the help, nobody misses it.
        error.print().ok();
        if error.use_stderr() {
            Self::Usage
        } else {
            Self::Done
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Done => 0.into(),
            Outcome::Failed => 1.into(),
            Outcome::Refused => 2.into(),
            Outcome::Usage => 64.into(),
        }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<Mistakes> for Failure {
    fn from(mistakes: Mistakes) -> Self {
        Self::Usage(mistakes.into())
    }
}
