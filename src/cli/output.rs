//! Writes the results of commands to standard output.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use anyhow::{Context as _, anyhow, ensure};
use serde::Serialize;

use crate::escape::escape_lines;

/// Writes a value as one line of JSON.
pub(super) fn print_json(
    value: &(impl Serialize + ?Sized),
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let line = serde_json::to_string(value).context("writing JSON")?;
    writeln!(out, "{line}").context("writing to standard output")
}

/// Writes a report as one line of JSON or as text.
pub(super) fn print_report(
    report: &(impl Serialize + Display),
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    match json {
        true => print_json(report, out),
        false => print_line(&report.to_string(), out),
    }
}

/// Writes a line, or a text of several lines. Its control characters are escaped.
pub(super) fn print_line(line: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "{}", escape_lines(line)).context("writing to standard output")
}

/// Writes a notice to standard error. Its control characters are escaped. An error is ignored: if standard error is closed, the exit code
/// still reports the outcome.
pub(super) fn print_notice(text: &str) {
    writeln!(io::stderr(), "{}", escape_lines(text)).ok();
}

/// Refuses a closed standard output, before a key is created that could not be shown.
pub(super) fn check_stdout_open() -> anyhow::Result<()> {
    ensure!(
        !is_stdout_closed(),
        "standard output is closed, so the new key could not be shown and would be lost. Nothing was changed; run the command again with \
         standard output open"
    );
    Ok(())
}

/// True if standard output was closed at the start. Rust then opens `/dev/null` in its place, for reading and writing. A shell that redirects
/// the output to `/dev/null` opens it only for writing.
fn is_stdout_closed() -> bool {
    use rustix::fs::{OFlags, fcntl_getfl, fstat, stat};
    let stdout = io::stdout();
    let (Ok(found), Ok(null)) = (fstat(&stdout), stat("/dev/null")) else {
        return true;
    };
    let is_null = (found.st_dev, found.st_ino) == (null.st_dev, null.st_ino);
    let is_read_write = |flags: OFlags| flags & OFlags::RWMODE == OFlags::RDWR;
    is_null && fcntl_getfl(&stdout).is_ok_and(is_read_write)
}

/// Writes new keys. The database has only their digests, so a key that cannot be written is lost. The error then has `done`, the change that
/// was made, and the `remedy`. It contains no text of the system, which would add advice to run the command again.
pub(super) fn write_new_keys(
    out: &mut dyn Write,
    done: &str,
    remedy: &str,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let written = write(out).and_then(|()| Ok(out.flush()?));
    written.map_err(|error| {
        let kind = error.downcast_ref().map_or(ErrorKind::Other, io::Error::kind);
        anyhow!(
            "{done}, but standard output could not be written ({kind}). Keys that were not shown are lost, because the database has \
             only their digests. {remedy}"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_cannot_be_written_is_an_error_with_the_remedy() {
        for kind in [ErrorKind::BrokenPipe, ErrorKind::StorageFull] {
            let fail = |_: &mut dyn Write| Err(io::Error::from(kind)).context("writing");
            let lost = write_new_keys(
                &mut Vec::new(),
                "key 1 was created",
                "Create another.",
                fail,
            );
            let error = lost.expect_err("nothing was written");
            let message = error.to_string();
            assert!(
                error.downcast_ref::<io::Error>().is_none(),
                "not a broken pipe"
            );
            let begin =
                format!("key 1 was created, but standard output could not be written ({kind})");
            assert!(message.starts_with(&begin), "{message}");
            assert!(message.ends_with("Create another."), "{message}");
        }
    }
}
