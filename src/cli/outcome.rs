//! Defines the outcome of a command and its exit code: 0 done, 1 failed, 2 refused, 64 usage.

use std::io::{self, ErrorKind, Write as _};
use std::path::Path;
use std::process::ExitCode;

use crate::accounts::mask_keys;
use crate::config::ConfigErrors;
use crate::escape::escape_lines;

/// The outcome of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandOutcome {
    /// The command succeeded.
    Done,
    /// A disk, a network or a database failed; a retry may succeed.
    Failed,
    /// The input is refused. A retry with the same input fails too.
    Refused,
    /// The arguments or settings are invalid. Source: sysexits.h, `EX_USAGE`.
    Usage,
}

/// The error of a command.
#[derive(Debug)]
pub enum CommandError {
    /// Ends as [`CommandOutcome::Failed`].
    Failed(anyhow::Error),
    /// Ends as [`CommandOutcome::Refused`].
    Refused(anyhow::Error),
    /// Ends as [`CommandOutcome::Usage`].
    Usage(anyhow::Error),
}

impl CommandOutcome {
    /// Converts the result of a command, and writes an error to standard error.
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
        // If standard error is closed, the exit code still reports the outcome.
        let message = with_advice(&error);
        let message = mask_keys(&message);
        writeln!(std::io::stderr(), "postduif: {}", escape_lines(&message)).ok();
        outcome
    }

    /// Writes the message of clap. If a key was entered in place of its id, or a URL with a password, the secret is masked. A help text or
    /// a version is not an error.
    pub(super) fn from_clap_error(error: &clap::Error) -> Self {
        let message = error.render().to_string();
        let masked = mask_url_logins(&mask_keys(&message));
        // If standard error is closed, the exit code still reports the outcome.
        match masked == message {
            false if error.use_stderr() => write!(std::io::stderr(), "{masked}").ok(),
            _ => error.print().ok(),
        };
        if error.use_stderr() {
            Self::Usage
        } else {
            Self::Done
        }
    }
}

/// Masks user names and passwords of URLs in a text, even of malformed ones: secrets may contain spaces, `/` and `://`. So everything from the
/// first `://` to the last `@` of a line is masked.
fn mask_url_logins(text: &str) -> String {
    let mask = |line: &str| {
        let (scheme, rest) = line.split_once("://")?;
        let (_, host) = rest.rsplit_once('@')?;
        Some(format!("{scheme}://…@{host}"))
    };
    let lines = text.split_inclusive('\n');
    lines
        .map(|line| mask(line).unwrap_or_else(|| line.to_owned()))
        .collect()
}

/// Whether the reader closed the output early, as `| head` does. This does not count as a failure of the command.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io_error_kind = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().map(io::Error::kind)
    };
    error
        .chain()
        .filter_map(io_error_kind)
        .any(|kind| kind == ErrorKind::BrokenPipe)
}

/// Texts of system errors, each with advice for the operator. The texts are matched, because libraries report nothing else.
/// Source: errno(3); SQLite, Result and Error Codes.
const ADVICE: [(&[&str], &str); 15] = [
    (
        // Code 4874 is SQLITE_IOERR_SHMSIZE: SQLite cannot enlarge its shared-memory file.
        &["(os error 28)", "database or disk is full", "(code: 4874)"],
        "the disk is full: free some space and try again",
    ),
    (
        // Source: SQLite, Result and Error Codes, `SQLITE_BUSY`. The text is that of the same code.
        &["(code: 5) database is locked"],
        "another program has locked the database: end that program or its transaction (`fuser -v` on the file shows which program)",
    ),
    (
        &["permission denied for schema"],
        "postduif creates and changes its own tables: give the role of the database URL this right (GRANT CREATE ON SCHEMA … TO …)",
    ),
    (
        &["(os error 122)"],
        "the disk quota is used up: raise it or free some space and try again",
    ),
    (
        &["(os error 27)"],
        "the file may not grow that large: raise the limit of file sizes (ulimit -f)",
    ),
    (
        &["(os error 30)"],
        "the file system is read-only: mount it for writing, or choose another folder",
    ),
    (
        &["attempt to write a readonly database"],
        "this user cannot write to the database: check the owner and mode of its file and folder, and that the disk is mounted for writing",
    ),
    (
        &["(os error 5)", "disk I/O error"],
        "the disk or its mount fails: check the system's log (dmesg) before trying again",
    ),
    (
        // Code 14 is SQLITE_CANTOPEN.
        &["(code: 14)"],
        "SQLite cannot open the file, or make its log beside it: check the path, the owner and mode of the file and its folder, and that \
         the disk is mounted for writing; run commands as the user of the service",
    ),
    (
        // The texts of SQLITE_CORRUPT and SQLITE_NOTADB.
        &["database disk image is malformed", "file is not a database"],
        "the file is damaged, or has no accounts: choose another file; if the service uses it, stop the service and restore a backup \
         (`postduif accounts restore --from FILE --replace`)",
    ),
    (
        &["(os error 13)"],
        "this user has no permission: check the owner and the mode of the path and its folders, and run commands as the user of the service",
    ),
    (
        &["(os error 98)"],
        "another program or another listener has this port: stop it, or choose another port (`ss -ltnp` shows which program)",
    ),
    (
        &["(os error 99)"],
        "this machine does not have that IP: `ip addr` shows those that it has",
    ),
    (
        &["(os error 111)"],
        "the connection was refused: check the host and port, and that the service there is running",
    ),
    (
        &["(os error 24)"],
        "too many files are open: raise the limit (ulimit -n)",
    ),
];

/// The [`full_message`], with advice if a system error is in it.
pub(super) fn with_advice(error: &anyhow::Error) -> String {
    let message = full_message(error);
    match advice(&message) {
        Some(advice) if !message.contains(advice) => format!("{message}; {advice}"),
        _ => message,
    }
}

/// Advice for a listener without permission (os error 13) for its port.
const PORT_ADVICE: &str = "this user may not use the port: choose port 1024 or higher, or give the process CAP_NET_BIND_SERVICE";

fn advice(message: &str) -> Option<&'static str> {
    if message.contains("binding ") && message.contains("(os error 13)") {
        return Some(PORT_ADVICE);
    }
    let known = ADVICE
        .iter()
        .find(|(words, _)| words.iter().any(|words| message.contains(words)));
    known.map(|(_, advice)| *advice)
}

/// Whether the message contains a system error but no location: no `/` (of a path or URL), no listener (`binding `) and not the data
/// folder, which may be a relative path without `/`.
fn lacks_location(error: &anyhow::Error, data: &Path) -> bool {
    let message = full_message(error);
    let has_location = message.contains('/')
        || message.contains("binding ")
        || message.contains(&*data.to_string_lossy());
    advice(&message).is_some() && !has_location
}

/// Adds the path of the data folder to a system error with a message that has no location.
pub(super) fn with_data_folder(error: anyhow::Error, data: &Path) -> anyhow::Error {
    match lacks_location(&error, data) {
        true => error.context(format!("data folder {}", data.display())),
        false => error,
    }
}

/// The message of an error and of its causes. Leaves out a cause that the message already contains.
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
    /// Creates [`Refused`](Self::Refused) or [`Failed`](Self::Failed).
    pub(super) fn new(is_refusal: bool, error: impl Into<anyhow::Error>) -> Self {
        match is_refusal {
            true => Self::Refused(error.into()),
            false => Self::Failed(error.into()),
        }
    }

    /// Adds the path of the data folder to a failure if its message has no location. Leaves a refusal unchanged.
    pub(super) fn with_data_folder(self, data: &Path) -> Self {
        match self {
            Self::Failed(error) => Self::Failed(with_data_folder(error, data)),
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
    fn from(errors: ConfigErrors) -> Self {
        Self::Usage(errors.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context as _;

    #[test]
    fn a_cause_in_the_message_is_not_repeated() {
        let missing = || io::Error::new(ErrorKind::NotFound, "no such file");
        let once = anyhow::Error::from(missing()).context("delivery.zip: no such file");
        assert_eq!(full_message(&once), "delivery.zip: no such file");
        let twice = Err::<(), _>(missing())
            .context("reading the delivery")
            .expect_err("missing");
        assert_eq!(full_message(&twice), "reading the delivery: no such file");
    }

    #[test]
    fn a_system_error_gets_advice() {
        #[track_caller]
        fn case(error: io::Error, advice: &str) {
            let message = with_advice(&anyhow::Error::from(error).context("CURRENT"));
            assert!(
                message.starts_with("CURRENT: ") && message.contains(advice),
                "{message}"
            );
        }
        case(io::Error::from_raw_os_error(28), "free some space");
        case(io::Error::from_raw_os_error(30), "mount it for writing");
        case(io::Error::from_raw_os_error(5), "dmesg");
        case(
            io::Error::other("(code: 13) database or disk is full"),
            "free some space",
        );
        case(
            io::Error::other("(code: 4874) disk I/O error"),
            "free some space",
        );
        let full = with_advice(&io::Error::from_raw_os_error(28).into());
        assert_eq!(with_advice(&anyhow::anyhow!("{full}")), full, "once");
        let other = anyhow::anyhow!("no such file");
        assert_eq!(with_advice(&other), "no such file");
    }

    #[test]
    fn logins_in_urls_are_masked() {
        let text =
            "invalid value 's3://AK:a/b+c@nl/x' for '--from <URL>': expected s3://bucket/prefix";
        let masked = "invalid value 's3://…@nl/x' for '--from <URL>': expected s3://bucket/prefix";
        assert_eq!(mask_url_logins(text), masked);
        assert_eq!(mask_url_logins(masked), masked);
        for secret in [
            "s3://AK:se'cret@nl",
            "s3://AK:se cret@nl",
            "s3://AK:se://cret@nl",
        ] {
            assert_eq!(mask_url_logins(secret), "s3://…@nl");
        }
    }

    #[test]
    fn a_closed_output_is_not_an_error() {
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
