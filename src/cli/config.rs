//! `postduif config check`: every setting as it holds and where it comes from.

use std::io::Write;

use anyhow::Context as _;
use clap::{Args, Subcommand};

use super::CommandError;
use super::flags::ServiceFlags;

/// `postduif config …`
#[derive(Args)]
pub(super) struct ConfigArgs {
    #[command(subcommand)]
    action: ConfigAction,
}

#[derive(Subcommand)]
enum ConfigAction {
    /// Show every setting and where it comes from, or all that is wrong with them
    Check(ServiceFlags),
}

/// One line per setting; passwords in URLs are not shown.
pub(super) fn run(args: &ConfigArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let ConfigAction::Check(flags) = &args.action;
    for value in flags.check()? {
        let text = format!("{:?}", value.masked_text());
        writeln!(out, "{:<18} = {text:<24} {}", value.name, value.source)
            .context("writing the settings")?;
    }
    Ok(())
}
