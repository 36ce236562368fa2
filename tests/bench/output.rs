//! Prints the results of a bench.

use std::io::Write as _;

use serde::Serialize;

/// Prints a line for the reader of the report.
pub(crate) fn print_line(line: &str) -> anyhow::Result<()> {
    Ok(writeln!(std::io::stdout(), "{line}")?)
}

/// Prints the results as one line of JSON, the last line of the output.
pub(crate) fn print_json(outcome: &impl Serialize) -> anyhow::Result<()> {
    print_line(&format!("\n{}", serde_json::to_string(outcome)?))
}
