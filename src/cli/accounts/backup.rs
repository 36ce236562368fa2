//! `postduif accounts backup` and `restore`: the accounts as a whole, which alone of all data cannot be made again.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde::Serialize;
use tokio::runtime;

use super::{AccountsArgs, Action};
use crate::accounts;
use crate::accounts::{Contents, CopyError, Restored};
use crate::cli::account_tasks::REQUEST_LOG;
use crate::cli::flags::LedgerFlags;
use crate::cli::{Failure, account_store};
use crate::config::Config;
use crate::usage;

/// `postduif accounts …`, all of it.
#[derive(Debug, Args)]
pub(crate) struct AnyArgs {
    #[command(subcommand)]
    action: AnyAction,
    /// Print one line of JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum AnyAction {
    #[command(flatten)]
    InLedger(Action),
    #[command(flatten)]
    OfFile(FileAction),
}

#[derive(Debug, Subcommand)]
enum FileAction {
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
pub(crate) fn run_any(
    args: AnyArgs,
    flags: &LedgerFlags,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let json = args.json;
    match args.action {
        AnyAction::InLedger(action) => account_store::with_ledger(flags, async |ledger| {
            super::run(AccountsArgs { action, json }, ledger, out).await
        }),
        AnyAction::OfFile(action) => run(&action, json, &flags.config()?, out),
    }
}

fn run(
    action: &FileAction,
    json: bool,
    config: &Config,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let file = file(config)?;
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("starting the runtime")?;
    let now = Timestamp::now();
    let told = runtime.block_on(async {
        match action {
            FileAction::Backup { to } => accounts::back_up(&file, to, now)
                .await
                .map(|contents| Told::of(contents, to)),
            FileAction::Restore { from, replace } => {
                let restored = accounts::restore(from, &file, *replace, now).await?;
                Ok(Told::of_restored(restored, &file, config))
            }
        }
    });
    Ok(told.map_err(judged)?.write(json, out)?)
}

/// The SQLite file that the accounts are in.
fn file(config: &Config) -> Result<PathBuf, Failure> {
    let file = accounts::sqlite_file(config.database_url.as_deref(), config.data.path());
    file.context("database_url")?.ok_or_else(|| {
        Failure::Refused(anyhow!(
            "the accounts are in PostgreSQL: back them up with pg_dump and put them back with pg_restore"
        ))
    })
}

fn judged(error: CopyError) -> Failure {
    if error.is_refusal() {
        Failure::Refused(error.into())
    } else {
        Failure::Failed(error.into())
    }
}

/// What was done.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Told<'a> {
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

impl<'a> Told<'a> {
    fn of(contents: Contents, file: &'a Path) -> Self {
        Self {
            file,
            accounts: contents.accounts,
            keys: contents.keys,
            made_at: contents.made_at,
            aside: None,
            calls_since: None,
        }
    }

    fn of_restored(restored: Restored, file: &'a Path, config: &Config) -> Self {
        let log = config.data.path().join(REQUEST_LOG);
        let made = restored.contents.made_at;
        Self {
            // A log that cannot be read tells nothing; the accounts are in place all the same.
            calls_since: made.and_then(|made| usage::calls_since(&log, made).ok()),
            aside: restored.aside,
            ..Self::of(restored.contents, file)
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
