//! What a bench prints.

use std::io::Write as _;

use serde::Serialize;

/// A line of what is printed.
pub(crate) fn tell(line: &str) -> anyhow::Result<()> {
    Ok(writeln!(std::io::stdout(), "{line}")?)
}

/// The line for machines, which comes last.
pub(crate) fn tell_json(outcome: &impl Serialize) -> anyhow::Result<()> {
    tell(&format!("\n{}", serde_json::to_string(outcome)?))
}
