//! Reports why the command failed, and chooses its exit code.

use std::io::{self, ErrorKind, Write as _};
use std::process::ExitCode;
use synth::SpecError;

const DONE: u8 = 0;
const FAILED: u8 = 1;
const REFUSED: u8 = 2;
/// Source: sysexits.h, `EX_USAGE`.
const USAGE: u8 = 64;

/// Why the command failed.
#[derive(Debug)]
pub(crate) enum CommandFailure {
    /// A file could not be read or written.
    Failed(anyhow::Error),
    /// The parameters or the list of names cannot be accepted; no file was written.
    Refused(anyhow::Error),
}

impl CommandFailure {
    /// Writes the error to standard error and returns the exit code.
    pub(crate) fn report(self) -> ExitCode {
        let code = self.exit_code();
        if code != DONE {
            let (Self::Failed(error) | Self::Refused(error)) = self;
            // If standard error is closed, the exit code still reports the failure.
            writeln!(io::stderr(), "synth: {}", with_causes(&error)).ok();
        }
        code.into()
    }

    /// The exit code. A closed pipe, as in `synth | head`, is not a failure.
    fn exit_code(&self) -> u8 {
        match self {
            Self::Failed(error) if is_closed_pipe(error) => DONE,
            Self::Failed(_) => FAILED,
            Self::Refused(_) => REFUSED,
        }
    }
}

/// Writes a usage error, the help or the version as clap formats it, and returns the exit code.
pub(crate) fn report_usage(error: &clap::Error) -> ExitCode {
    error.print().ok();
    if error.use_stderr() {
        USAGE.into()
    } else {
        ExitCode::SUCCESS
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == ErrorKind::BrokenPipe)
}

/// The error and its causes, except a cause that the text of the error already contains.
fn with_causes(error: &anyhow::Error) -> String {
    error
        .chain()
        .map(ToString::to_string)
        .reduce(|text, cause| {
            if text.contains(&cause) {
                text
            } else {
                format!("{text}: {cause}")
            }
        })
        .unwrap_or_default()
}

impl From<anyhow::Error> for CommandFailure {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<SpecError> for CommandFailure {
    fn from(error: SpecError) -> Self {
        Self::Refused(error.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_reported_once() {
        let missing = || io::Error::new(ErrorKind::NotFound, "no such file");
        let once = anyhow::Error::from(missing()).context("names.tsv: no such file");
        assert_eq!(with_causes(&once), "names.tsv: no such file");
        let twice = anyhow::Error::from(missing()).context("reading the names");
        assert_eq!(with_causes(&twice), "reading the names: no such file");
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        let closed = anyhow::Error::from(io::Error::from(ErrorKind::BrokenPipe));
        let closed = CommandFailure::from(closed.context("writing to standard output"));
        assert_eq!(closed.exit_code(), DONE);
        let full = anyhow::Error::from(io::Error::from(ErrorKind::StorageFull));
        assert_eq!(CommandFailure::from(full).exit_code(), FAILED);
    }
}
