//! `postduif config check`: shows the effective settings, or reports every problem that the service would have with them.

mod probes;

use std::io::Write;

use anyhow::{Context as _, anyhow};
use clap::{Args, Subcommand};

use super::CommandError;
use super::flags::ServiceFlags;
use crate::config::{ConfigErrors, SettingValue, unknown_variables};
use crate::telemetry::traces::check_variables;
use probes::{Findings, Probes};

/// `postduif config …`
#[derive(Args)]
pub(super) struct ConfigArgs {
    #[command(subcommand)]
    action: ConfigAction,
}

#[derive(Subcommand)]
enum ConfigAction {
    /// Show every setting with its source, and test what the service needs. If there are mistakes, report all of them
    #[command(after_help = "\
The command tests whether the data folder exists and can be written, the ports are free, the accounts database accepts writes, the
bucket can be listed, and the mail server answers. It changes nothing. A port that a running postduif uses is not a mistake.

Exit codes: 0 no mistake
            1 the machine, the database, the bucket or the mail server failed
            64 a setting is invalid, or the data folder does not exist")]
    Check(ConfigCheckArgs),
}

#[derive(Args)]
struct ConfigCheckArgs {
    /// Check only the text of the settings; do not test what the service needs
    #[arg(long)]
    settings_only: bool,
    #[command(flatten)]
    flags: ServiceFlags,
}

/// Prints one line per setting and then the notes, unless a setting is invalid. Passwords in URLs are masked. The returned error
/// lists every mistake.
pub(super) fn run(args: &ConfigArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let ConfigAction::Check(args) = &args.action;
    let mut loaded = args.flags.read_config();
    if let Err(error) = check_variables() {
        loaded.errors.push(error.to_string());
    }
    let mut findings = if args.settings_only {
        Findings::default()
    } else {
        let creates_data = args.flags.create_data;
        Probes::new(&loaded.config, &loaded.invalid, creates_data).run()?
    };
    for variable in unknown_variables() {
        match variable.nearest {
            Some(_) => loaded.errors.push(variable.to_string()),
            None => findings.notes.push(variable.to_string()),
        }
    }
    if loaded.errors.is_empty() {
        print_settings(loaded.values, &findings.notes, out).context("writing the settings")?;
    }
    to_result(&loaded.errors, &findings)
}

fn print_settings(
    values: Vec<SettingValue>,
    notes: &[String],
    out: &mut dyn Write,
) -> std::io::Result<()> {
    for value in values {
        let text = format!("{:?}", value.masked_text());
        writeln!(out, "{:<18} = {text:<24} {}", value.name, value.source)?;
    }
    notes.iter().try_for_each(|note| writeln!(out, "{note}"))
}

/// Joins all mistakes into one error. It is `Usage` if a setting is invalid or the data folder is missing. Otherwise it is `Failed`,
/// because a retry may help.
fn to_result(errors: &ConfigErrors, findings: &Findings) -> Result<(), CommandError> {
    let mut parts = Vec::new();
    if !errors.is_empty() {
        parts.push(errors.to_string());
    }
    let failures: Vec<&str> = findings.failures().collect();
    if !failures.is_empty() {
        parts.push(format!(
            "the service would fail or lose functions:\n  {}",
            failures.join("\n  ")
        ));
    }
    if parts.is_empty() {
        return Ok(());
    }
    let error = anyhow!("{}", parts.join("\n"));
    if errors.is_empty() && findings.missing_data.is_none() {
        Err(CommandError::Failed(error))
    } else {
        Err(CommandError::Usage(error))
    }
}
