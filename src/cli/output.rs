//! Writes the results of commands to standard output.

use std::fmt::Display;
use std::io::Write;

use anyhow::Context as _;
use serde::Serialize;

/// Writes a value as one line of JSON.
pub(super) fn print_json(
    value: &(impl Serialize + ?Sized),
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let line = serde_json::to_string(value).context("writing JSON")?;
    print_line(&line, out)
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

pub(super) fn print_line(line: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "{line}").context("writing to standard output")
}
