//! Runs the commands of the command line. Each subcommand has a file. Only this module uses both the service and the indexer.

mod account_store;
mod account_tasks;
mod accounts;
mod check;
mod compare;
mod config;
mod config_reload;
mod data_path;
mod demo;
mod durations;
mod flags;
mod healthcheck;
mod http_client;
mod index;
mod keys;
mod main_panic;
mod numbers;
mod openapi;
mod outcome;
mod output;
mod progress;
mod restrictions;
#[cfg(test)]
mod run_line;
mod runtimes;
mod serve;
mod signals;
mod systemd;
mod usage;

use std::ffi::OsString;

use anyhow::Context as _;
use clap::{Args, CommandFactory as _, Parser, Subcommand};

pub use outcome::{CommandError, CommandOutcome};

use crate::clock;
use crate::http::openapi::{INTERFACE_VERSION, PROGRAM_VERSION};
use flags::{AccountStoreFlags, DataFolderFlags, DemoFlags, ServiceFlags};

#[derive(Parser)]
#[command(name = "postduif", version = version(), about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The version of the program and of its HTTP interface.
fn version() -> String {
    format!("{PROGRAM_VERSION} (interface {})", *INTERFACE_VERSION)
}

#[derive(Subcommand)]
enum Command {
    /// Index a made-up town, create keys, serve the town, and print example requests
    #[command(after_help = DEMO_DATA)]
    Demo(DemoFlags),
    /// Serve the live, sandbox and admin listeners until SIGTERM or Ctrl-C
    Serve(ServiceFlags),
    /// Build, update, publish and inspect generations of the address index
    Index(DataFolderCommand<index::IndexArgs>),
    /// Check the addresses in a CSV or TSV file, a workbook, or standard input
    Check(DataFolderCommand<check::CheckArgs>),
    /// Compare the answers of another service that speaks v3 with the answers of postduif, before switching to postduif
    Compare(compare::CompareArgs),
    /// Check the settings
    Config(config::ConfigArgs),
    /// Check that a running service is ready, or with --live that it is alive: exit code 0 if so, 1 if not
    Healthcheck(healthcheck::HealthcheckArgs),
    /// Create, list, show, change, close, back up and restore customers' accounts
    Accounts(AccountStoreCommand<accounts::AccountsArgs>),
    /// Create, rotate, revoke and list API keys
    Keys(AccountStoreCommand<keys::KeysArgs>),
    /// Show usage: calls per day and per endpoint
    Usage(AccountStoreCommand<usage::UsageArgs>),
    /// Print the OpenAPI description of the HTTP interface
    Openapi,
}

/// The help text that says where `postduif demo` stores its data.
const DEMO_DATA: &str = "\
The data are in a new folder below $TMPDIR, or /tmp; the folder is deleted at the end. With --data DIR the data are in DIR and are
kept: the next demonstration indexes the town again and creates two more keys.";

/// A command that uses the data folder.
#[derive(Args)]
struct DataFolderCommand<A: Args> {
    #[command(flatten)]
    flags: DataFolderFlags,
    #[command(flatten)]
    args: A,
}

/// A command that uses the accounts database.
#[derive(Args)]
struct AccountStoreCommand<A: Args> {
    #[command(flatten)]
    flags: AccountStoreFlags,
    #[command(flatten)]
    args: A,
}

/// The command line with all its help, for man pages and completions.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Parses the arguments and runs the command. Writes an error to standard error.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> CommandOutcome {
    let outcome = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli.command.run(),
        Err(error) => return CommandOutcome::from_clap_error(&error),
    };
    CommandOutcome::from_result(outcome)
}

impl Command {
    /// Whether the command works only if the clock of the machine is roughly right.
    fn needs_clock(&self) -> bool {
        !matches!(self, Self::Config(_) | Self::Healthcheck(_) | Self::Openapi)
    }

    fn run(self) -> Result<(), CommandError> {
        main_panic::exit_on_main_panic();
        signals::survive_file_size_limit().context("listening for signals")?;
        if self.needs_clock() {
            clock::check_machine_clock().map_err(anyhow::Error::from)?;
        }
        let mut out = std::io::stdout();
        match self {
            Self::Demo(flags) => demo::run(&flags, &mut out),
            Self::Serve(flags) => serve::run(&flags),
            Self::Index(DataFolderCommand { flags, args }) => {
                let config = flags.load_config()?;
                if let Some(folder_use) = args.data_folder_use() {
                    flags.prepare_data_folder(&config, folder_use)?;
                }
                index::run(args, config, &mut out)
            }
            Self::Check(DataFolderCommand { flags, args }) => {
                let config = flags.load_config()?;
                flags.prepare_data_folder(&config, data_path::DataFolderUse::Required)?;
                check::run(&args, &config, &mut out)
            }
            Self::Compare(args) => compare::run(&args, &mut out),
            Self::Config(args) => config::run(&args, &mut out),
            Self::Openapi => openapi::run(&mut out),
            Self::Healthcheck(args) => healthcheck::run(&args),
            Self::Accounts(AccountStoreCommand { flags, args }) => {
                accounts::run(args, &flags, &mut out)
            }
            Self::Usage(AccountStoreCommand { flags, args }) => {
                let (now, style) = (jiff::Timestamp::now(), usage::UsageStyle::from_stdout());
                account_store::with_account_store(&flags, false, async |store| {
                    usage::run(args, store, now, style, &mut out).await
                })
            }
            Self::Keys(AccountStoreCommand { flags, args }) => {
                if args.creates_key() {
                    output::check_stdout_open()?;
                }
                account_store::with_account_store(&flags, false, async |store| {
                    keys::run(args, store, &mut out).await
                })
            }
        }
    }
}
