//! What a bench prints.

use std::io::Write as _;

use serde::Serialize;

/// A line of what is printed.
pub(crate) fn print_line(line: &str) -> anyhow::Result<()> {
    Ok(writeln!(std::io::stdout(), "{line}")?)
}

/// The line for machines, which comes last.
pub(crate) fn print_json(outcome: &impl Serialize) -> anyhow::Result<()> {
    print_line(&format!("\n{}", serde_json::to_string(outcome)?))
}
