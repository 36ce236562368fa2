//! `postduif accounts backup` and `restore`: the accounts as a whole, which alone of all data cannot be made again.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde::Serialize;
use tokio::runtime;

use super::{AccountAction, AccountsArgs};
use crate::accounts;
use crate::accounts::{BackupContents, BackupError, RestoredBackup};
use crate::cli::account_tasks::REQUEST_LOG_DIR;
use crate::cli::flags::AccountStoreFlags;
use crate::cli::{CommandError, account_store};
use crate::config::Config;
use crate::usage;

/// `postduif accounts …`, all of it.
#[derive(Debug, Args)]
pub(crate) struct AccountsCommandArgs {
    #[command(subcommand)]
    action: AccountsAction,
    /// Print one line of JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum AccountsAction {
    #[command(flatten)]
    Manage(AccountAction),
    #[command(flatten)]
    Backup(BackupAction),
}

#[derive(Debug, Subcommand)]
enum BackupAction {
    /// Copy accounts, keys, bundles and counts into a file, while a service goes on
    Backup {
        /// The file to be made; it must not exist
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
    /// Put a back-up in the place of the accounts; stop the service first
    #[command(after_help = "\
Of calls that were made after the back-up, those that nodes had leased when it was made count as used; others are in
no bundle. The account of the restore tells how many calls since then there are in the request log: it is that many
at most.")]
    Restore {
        /// The back-up
        #[arg(long, value_name = "FILE")]
        from: PathBuf,
        /// Also where there are accounts, which are put aside under a name with the date
        #[arg(long)]
        replace: bool,
    },
}

/// Carries out one `accounts` command.
pub(crate) fn run_accounts(
    args: AccountsCommandArgs,
    flags: &AccountStoreFlags,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let json = args.json;
    match args.action {
        AccountsAction::Manage(action) => {
            account_store::with_account_store(flags, async |ledger| {
                super::run(AccountsArgs { action, json }, ledger, out).await
            })
        }
        AccountsAction::Backup(action) => run_backup(&action, json, &flags.load_config()?, out),
    }
}

fn run_backup(
    action: &BackupAction,
    json: bool,
    config: &Config,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let file = sqlite_path(config)?;
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("starting the runtime")?;
    let now = Timestamp::now();
    let output = runtime.block_on(async {
        match action {
            BackupAction::Backup { to } => accounts::back_up(&file, to, now)
                .await
                .map(|contents| BackupOutput::from_contents(contents, to)),
            BackupAction::Restore { from, replace } => {
                let restored = accounts::restore(from, &file, *replace, now).await?;
                Ok(BackupOutput::from_restored(restored, &file, config))
            }
        }
    });
    Ok(output.map_err(to_command_error)?.write(json, out)?)
}

/// The SQLite file that the accounts are in.
fn sqlite_path(config: &Config) -> Result<PathBuf, CommandError> {
    let file = accounts::sqlite_file_path(config.database_url.as_deref(), config.data.path());
    file.context("database_url")?.ok_or_else(|| {
        CommandError::Refused(anyhow!(
            "the accounts are in PostgreSQL: back them up with pg_dump and put them back with pg_restore"
        ))
    })
}

fn to_command_error(error: BackupError) -> CommandError {
    if error.is_refusal() {
        CommandError::Refused(error.into())
    } else {
        CommandError::Failed(error.into())
    }
}

/// What was done.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BackupOutput<'a> {
    file: &'a Path,
    accounts: u64,
    keys: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    made_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    aside: Option<PathBuf>,
    /// Calls that bundles were charged for after the back-up: it knows of those alone that it holds as leased.
    #[serde(skip_serializing_if = "Option::is_none")]
    calls_since: Option<u64>,
}

impl<'a> BackupOutput<'a> {
    fn from_contents(contents: BackupContents, file: &'a Path) -> Self {
        Self {
            file,
            accounts: contents.accounts,
            keys: contents.keys,
            made_at: contents.made_at,
            aside: None,
            calls_since: None,
        }
    }

    fn from_restored(restored: RestoredBackup, file: &'a Path, config: &Config) -> Self {
        let log = config.data.path().join(REQUEST_LOG_DIR);
        let made = restored.contents.made_at;
        Self {
            // A log that cannot be read tells nothing; the accounts are in place all the same.
            calls_since: made.and_then(|made| usage::calls_since(&log, made).ok()),
            aside: restored.replaced_file,
            ..Self::from_contents(restored.contents, file)
        }
    }

    fn write(&self, json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
        if json {
            writeln!(out, "{}", serde_json::to_string(self)?)?;
            return Ok(());
        }
        let (accounts, keys) = (self.accounts, self.keys);
        let made = self.made_at.map(|made| format!(", as of {made}"));
        let made = made.unwrap_or_default();
        let file = self.file.display();
        writeln!(out, "{file}: {accounts} accounts, {keys} keys{made}")?;
        if let Some(aside) = &self.aside {
            writeln!(out, "what was there before: {}", aside.display())?;
        }
        if let Some(calls) = self.calls_since {
            writeln!(
                out,
                "calls since then that are in no bundle: up to {calls}, all that the request log has; what was leased counts already"
            )?;
        }
        Ok(())
    }
}
