//! `postduif config check`: shows the effective settings.

use std::io::Write;

use anyhow::Context as _;
use clap::{Args, Subcommand};

use super::CommandError;
use super::data_path::DataFolderUse;
use super::flags::ServiceFlags;

/// `postduif config …`
#[derive(Args)]
pub(super) struct ConfigArgs {
    #[command(subcommand)]
    action: ConfigAction,
}

#[derive(Subcommand)]
enum ConfigAction {
    /// Show every setting with its source, or every error in them
    Check(ServiceFlags),
}

/// Prints one line per setting, with passwords in URLs masked.
pub(super) fn run(args: &ConfigArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let ConfigAction::Check(flags) = &args.action;
    let (config, values) = flags.load_with_values()?;
    flags.prepare_data_folder(&config, DataFolderUse::Unused)?;
    for value in values {
        let text = format!("{:?}", value.masked_text());
        writeln!(out, "{:<18} = {text:<24} {}", value.name, value.source)
            .context("writing the settings")?;
    }
    Ok(())
}
