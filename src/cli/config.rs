//! `postduif config check`: every setting as it holds and where it comes from.

use std::io::Write;

use anyhow::Context as _;
use clap::{Args, Subcommand};

use super::Failure;
use super::flags::ServiceFlags;

/// `postduif config …`
#[derive(Args)]
pub(super) struct ConfigArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Show every setting and where it comes from, or all that is wrong with them
    Check(ServiceFlags),
}

/// One line per setting; passwords in URLs are not shown.
pub(super) fn run(args: &ConfigArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let Action::Check(flags) = &args.action;
    for value in flags.check()? {
        let text = format!("{:?}", value.shown());
        writeln!(out, "{:<18} = {text:<24} {}", value.name, value.source)
            .context("writing the settings")?;
    }
    Ok(())
}
