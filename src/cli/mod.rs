//! The command line: one file per subcommand. The only place where service and indexer meet.

mod account_store;
mod account_tasks;
pub mod accounts;
mod config;
mod config_reload;
mod demo;
mod flags;
mod healthcheck;
mod index;
pub mod keys;
mod openapi;
mod outcome;
mod progress;
mod restrictions;
mod serve;
mod signals;
mod systemd;
pub mod usage;

use std::ffi::OsString;

use clap::{Args, Parser, Subcommand};

pub use outcome::{CommandError, CommandOutcome};

use flags::{AccountStoreFlags, DataFolderFlags, DemoFlags, ServiceFlags};

#[derive(Parser)]
#[command(name = "postduif", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Index a made-up town, make keys, serve it, and print what to try
    Demo(DemoFlags),
    /// Serve look-ups, the sandbox and the admin pages until told to stop
    Serve(ServiceFlags),
    /// Build generations from the register's deliveries, and look after them
    Index(DataFolderCommand<index::IndexArgs>),
    /// Look at the settings
    Config(config::ConfigArgs),
    /// Ask a running service whether it is ready, or whether it lives; the exit code tells
    Healthcheck(healthcheck::HealthcheckArgs),
    /// Open, list, show, move and close customers' accounts; back them up and restore them
    Accounts(AccountStoreCommand<accounts::AccountsCommandArgs>),
    /// Make, revoke and list keys
    Keys(AccountStoreCommand<keys::KeysArgs>),
    /// Show what was called
    Usage(AccountStoreCommand<usage::UsageArgs>),
    /// Print the description of the interface, as the code has it
    Openapi,
}

/// A command that works on the data folder.
#[derive(Args)]
struct DataFolderCommand<A: Args> {
    #[command(flatten)]
    flags: DataFolderFlags,
    #[command(flatten)]
    args: A,
}

/// A command that works on the ledger, with the flags that say where it is.
#[derive(Args)]
struct AccountStoreCommand<A: Args> {
    #[command(flatten)]
    flags: AccountStoreFlags,
    #[command(flatten)]
    args: A,
}

/// Runs one command to its end. What went wrong is written to standard error.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> CommandOutcome {
    let outcome = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli.command.run(),
        Err(error) => return CommandOutcome::from_clap_error(&error),
    };
    CommandOutcome::from_result(outcome)
}

impl Command {
    fn run(self) -> Result<(), CommandError> {
        let mut out = std::io::stdout();
        match self {
            Self::Demo(flags) => demo::run(&flags, &mut out),
            Self::Serve(flags) => serve::run(&flags),
            Self::Index(DataFolderCommand { flags, args }) => {
                index::run(args, flags.load_config()?, &mut out)
            }
            Self::Config(args) => config::run(&args, &mut out),
            Self::Openapi => openapi::run(&mut out),
            Self::Healthcheck(args) => healthcheck::run(&args),
            Self::Accounts(AccountStoreCommand { flags, args }) => {
                accounts::run_accounts(args, &flags, &mut out)
            }
            Self::Usage(AccountStoreCommand { flags, args }) => {
                let (now, style) = (jiff::Timestamp::now(), usage::UsageStyle::from_stdout());
                account_store::with_account_store(&flags, async |ledger| {
                    usage::run(args, ledger, now, style, &mut out).await
                })
            }
            Self::Keys(AccountStoreCommand { flags, args }) => {
                account_store::with_account_store(&flags, async |ledger| {
                    keys::run(args, ledger, &mut out).await
                })
            }
        }
    }
}
