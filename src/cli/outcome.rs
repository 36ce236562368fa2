//! How a command ended, and the exit code that says so: 0 done, 1 failed, 2 refused, 64 usage.

use std::io::{self, ErrorKind, Write as _};
use std::path::Path;
use std::process::ExitCode;

use crate::config::ConfigErrors;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandOutcome {
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
pub enum CommandError {
    /// Ends as [`Outcome::Failed`].
    Failed(anyhow::Error),
    /// Ends as [`Outcome::Refused`].
    Refused(anyhow::Error),
    /// Ends as [`Outcome::Usage`].
    Usage(anyhow::Error),
}

impl CommandOutcome {
    /// Writes what went wrong, if anything did, to standard error.
    pub(super) fn from_result(result: Result<(), CommandError>) -> Self {
        let (outcome, error) = match result {
            Ok(()) => return Self::Done,
            Err(CommandError::Failed(error)) => (Self::Failed, error),
            Err(CommandError::Refused(error)) => (Self::Refused, error),
            Err(CommandError::Usage(error)) => (Self::Usage, error),
        };
        if is_broken_pipe(&error) {
            return Self::Done;
        }
        // With standard error closed the exit code still tells.
        writeln!(std::io::stderr(), "postduif: {}", with_advice(&error)).ok();
        outcome
    }

    /// Writes clap's own words: help and version are no mistakes.
    pub(super) fn from_clap_error(error: &clap::Error) -> Self {
        // As above; and where nobody reads the help, nobody misses it.
        error.print().ok();
        if error.use_stderr() {
            Self::Usage
        } else {
            Self::Done
        }
    }
}

/// The reader of the output has seen enough, as `| head` does.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io_error_kind = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().map(io::Error::kind)
    };
    error
        .chain()
        .filter_map(io_error_kind)
        .any(|kind| kind == ErrorKind::BrokenPipe)
}

/// What the system says of a machine in trouble, and what a person can do about it. Libraries hand on its words alone, so words
/// are what is looked for. Source: errno(3); SQLite, Result and Error Codes.
const ADVICE: [(&[&str], &str); 5] = [
    (
        // SQLite found no room to enlarge what its processes share in memory (SQLITE_IOERR_SHMSIZE).
        &["(os error 28)", "database or disk is full", "(code: 4874)"],
        "the disk is full: free some of it and try again",
    ),
    (
        &["(os error 122)"],
        "the disk quota is used up: raise it or free some and try again",
    ),
    (
        &["(os error 30)"],
        "it is read-only: have it mounted for writing, or name another place; accounts may be elsewhere with --database-url",
    ),
    (
        &["attempt to write a readonly database"],
        "this user may not write there: look at its owner and mode, and whether it is mounted for writing",
    ),
    (
        &["(os error 5)", "disk I/O error"],
        "the disk or its mount fails: see what the system's own log says of it (dmesg) before trying again",
    ),
];

/// [`in_full`], with what can be done about it where the machine is in trouble.
pub(super) fn with_advice(error: &anyhow::Error) -> String {
    let message = full_message(error);
    match advice(&message) {
        Some(advice) if !message.contains(advice) => format!("{message}; {advice}"),
        _ => message,
    }
}

fn advice(message: &str) -> Option<&'static str> {
    let known = ADVICE
        .iter()
        .find(|(words, _)| words.iter().any(|words| message.contains(words)));
    known.map(|(_, advice)| *advice)
}

/// Whether a machine in trouble failed at a place that is not told.
fn lacks_path(error: &anyhow::Error, path: &Path) -> bool {
    let message = full_message(error);
    advice(&message).is_some() && !message.contains(&*path.to_string_lossy())
}

/// The error with its causes, those left out that it names already.
pub(super) fn full_message(error: &anyhow::Error) -> String {
    error
        .chain()
        .map(ToString::to_string)
        .fold(String::new(), |message, cause| {
            if message.is_empty() {
                cause
            } else if message.contains(&cause) {
                message
            } else {
                format!("{message}: {cause}")
            }
        })
}

impl CommandError {
    /// The same, with the data folder at which a machine in trouble failed, where it is not told yet.
    pub(super) fn with_data_folder(self, data: &Path) -> Self {
        match self {
            Self::Failed(error) if lacks_path(&error, data) => {
                Self::Failed(error.context(format!("data folder {}", data.display())))
            }
            other => other,
        }
    }
}

impl From<CommandOutcome> for ExitCode {
    fn from(outcome: CommandOutcome) -> Self {
        match outcome {
            CommandOutcome::Done => 0.into(),
            CommandOutcome::Failed => 1.into(),
            CommandOutcome::Refused => 2.into(),
            CommandOutcome::Usage => 64.into(),
        }
    }
}

impl From<anyhow::Error> for CommandError {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<ConfigErrors> for CommandError {
    fn from(mistakes: ConfigErrors) -> Self {
        Self::Usage(mistakes.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context as _;

    #[test]
    fn a_cause_is_told_once() {
        let missing = || io::Error::new(ErrorKind::NotFound, "no such file");
        let once = anyhow::Error::from(missing()).context("delivery.zip: no such file");
        assert_eq!(full_message(&once), "delivery.zip: no such file");
        let twice = Err::<(), _>(missing())
            .context("reading the delivery")
            .expect_err("missing");
        assert_eq!(full_message(&twice), "reading the delivery: no such file");
    }

    #[test]
    fn a_machine_in_trouble_comes_with_what_to_do() {
        #[track_caller]
        fn case(error: io::Error, advice: &str) {
            let told = with_advice(&anyhow::Error::from(error).context("CURRENT"));
            assert!(
                told.starts_with("CURRENT: ") && told.contains(advice),
                "{told}"
            );
        }
        case(io::Error::from_raw_os_error(28), "free some of it");
        case(io::Error::from_raw_os_error(30), "mounted for writing");
        case(io::Error::from_raw_os_error(5), "dmesg");
        case(
            io::Error::other("(code: 13) database or disk is full"),
            "free some of it",
        );
        case(
            io::Error::other("(code: 4874) disk I/O error"),
            "free some of it",
        );
        let full = with_advice(&io::Error::from_raw_os_error(28).into());
        assert_eq!(with_advice(&anyhow::anyhow!("{full}")), full, "once");
        let other = anyhow::anyhow!("no such file");
        assert_eq!(with_advice(&other), "no such file");
    }

    #[test]
    fn a_reader_who_has_seen_enough_is_no_failure() {
        let closed = anyhow::Error::from(io::Error::from(ErrorKind::BrokenPipe))
            .context("writing an address");
        assert_eq!(
            CommandOutcome::from_result(Err(closed.into())),
            CommandOutcome::Done
        );
        let full = anyhow::Error::from(io::Error::from(ErrorKind::StorageFull));
        assert_eq!(
            CommandOutcome::from_result(Err(full.into())),
            CommandOutcome::Failed
        );
    }
}
