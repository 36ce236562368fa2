//! `postduif accounts backup` and `restore`: copies the accounts to a file, and restores them from it. All other data can be
//! rebuilt from deliveries.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Subcommand;
use jiff::Timestamp;
use serde::Serialize;

use crate::accounts::{self, BackupContents, BackupError, RestoredBackup};
use crate::cli::CommandError;
use crate::cli::account_tasks::REQUEST_LOG_DIR;
use crate::cli::output::print_json;
use crate::cli::runtimes::new_current_thread_runtime;
use crate::config::Config;
use crate::usage;

#[derive(Debug, Subcommand)]
pub(super) enum BackupAction {
    /// Copy accounts, keys, quotas and usage to a file; the service may be running meanwhile
    Backup {
        /// The file to create; it must not exist
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
    /// Restore accounts from a backup; stop the service first
    #[command(after_help = "\
The quotas do not count calls that were made after the backup, so accounts can make these calls again. Calls that nodes
had leased at the time of the backup count as used. The output gives an upper limit for the calls that are not counted:
the number of calls in the request log since the backup.")]
    Restore {
        /// The backup file
        #[arg(long, value_name = "FILE")]
        from: PathBuf,
        /// Replace existing accounts; the file of the existing accounts is kept under a name with the date
        #[arg(long)]
        replace: bool,
    },
}

pub(super) fn run(
    action: &BackupAction,
    json: bool,
    config: &Config,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let file = sqlite_path(config)?;
    let runtime = new_current_thread_runtime()?;
    let now = Timestamp::now();
    let output = runtime.block_on(async {
        match action {
            BackupAction::Backup { to } => accounts::back_up(&file, to, now)
                .await
                .map(|contents| BackupOutput::from_contents(contents, to)),
            BackupAction::Restore { from, replace } => {
                let restored = accounts::restore(from, &file, *replace, &config.plans, now).await?;
                Ok(BackupOutput::from_restored(restored, &file, config))
            }
        }
    });
    let output =
        output.map_err(|error: BackupError| CommandError::new(error.is_refusal(), error))?;
    Ok(output.write(json, out)?)
}

/// The SQLite file of the accounts.
fn sqlite_path(config: &Config) -> Result<PathBuf, CommandError> {
    let file = accounts::sqlite_file_path(config.database_url.as_deref(), config.data.path());
    file.context("database_url")?.ok_or_else(|| {
        CommandError::Refused(anyhow!(
            "the accounts are in PostgreSQL: use pg_dump to back them up and pg_restore to restore them"
        ))
    })
}

/// The output of `accounts backup` and `accounts restore`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BackupOutput<'a> {
    file: &'a Path,
    accounts: u64,
    keys: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    made_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replaced_file: Option<PathBuf>,
    /// Calls in the request log since the backup, which the restored quotas do not count.
    #[expect(
        clippy::option_option,
        reason = "`Some(None)`: the request log is missing or unreadable; `None`: not a restore, or the backup has no date"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    calls_since: Option<Option<u64>>,
}

impl<'a> BackupOutput<'a> {
    fn from_contents(contents: BackupContents, file: &'a Path) -> Self {
        Self {
            file,
            accounts: contents.accounts,
            keys: contents.keys,
            made_at: contents.made_at,
            replaced_file: None,
            calls_since: None,
        }
    }

    fn from_restored(restored: RestoredBackup, file: &'a Path, config: &Config) -> Self {
        let log = config.data.path().join(REQUEST_LOG_DIR);
        let made_at = restored.contents.made_at;
        Self {
            // If the request log cannot be read, the number is null. The command succeeds, because the accounts have been restored.
            calls_since: made_at.map(|at| usage::calls_since(&log, at).ok()),
            replaced_file: restored.replaced_file,
            ..Self::from_contents(restored.contents, file)
        }
    }

    fn write(&self, json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
        if json {
            return print_json(self, out);
        }
        let (accounts, keys) = (self.accounts, self.keys);
        let made = self.made_at.map(|made| format!(", as of {made}"));
        let made = made.unwrap_or_default();
        let file = self.file.display();
        writeln!(out, "{file}: {accounts} accounts, {keys} keys{made}")?;
        if let Some(replaced) = &self.replaced_file {
            writeln!(
                out,
                "the replaced accounts are kept in {}",
                replaced.display()
            )?;
        }
        match self.calls_since {
            Some(Some(calls)) => writeln!(
                out,
                "at most {calls} calls after the backup are not counted in quotas (number from the request log); leased calls count as used"
            )?,
            Some(None) => writeln!(
                out,
                "calls after the backup are not counted in quotas; their number is unknown, because the request log of this data folder is missing or cannot be read"
            )?,
            None => {}
        }
        Ok(())
    }
}
