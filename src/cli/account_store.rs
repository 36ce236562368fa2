//! Opening the ledger for a command, where the settings say it is.

use anyhow::Context as _;
use tokio::runtime;

use super::Failure;
use super::flags::LedgerFlags;
use crate::accounts::{BadPlan, Ledger, LedgerError, PlanTable, sqlite_file};
use crate::config::Config;

/// Opens the ledger, runs one command on it and closes it.
pub(super) fn with_ledger(
    flags: &LedgerFlags,
    command: impl AsyncFnOnce(&Ledger) -> anyhow::Result<()>,
) -> Result<(), Failure> {
    let config = flags.config()?;
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("starting the runtime")?;
    let outcome = runtime.block_on(async {
        let ledger = open(&config).await?;
        let outcome = command(&ledger).await;
        ledger.close().await;
        outcome
    });
    outcome.map_err(|error| {
        if is_refusal(&error) {
            Failure::Refused(error)
        } else {
            Failure::Failed(with_file(error, &config))
        }
    })
}

/// The error of a database with the name of its file; a URL may hold a password.
pub(super) fn with_file(error: anyhow::Error, config: &Config) -> anyhow::Error {
    let file = sqlite_file(config.database_url.as_deref(), config.data.path());
    match (error.downcast_ref(), file) {
        (Some(LedgerError::Database(_)), Ok(Some(file))) => {
            error.context(format!("accounts in {}", file.display()))
        }
        _ => error,
    }
}

/// What was asked cannot be done, however often it is tried; anything else went wrong on the way.
fn is_refusal(error: &anyhow::Error) -> bool {
    use LedgerError::{AccountClosed, EmailTaken, UnknownAccount, UnknownKey};
    let refused = |error: &LedgerError| {
        matches!(
            error,
            UnknownAccount(_) | EmailTaken { .. } | AccountClosed { .. } | UnknownKey(_)
        )
    };
    error.is::<BadPlan>() || error.downcast_ref().is_some_and(refused)
}

/// The ledger at `database_url`, or else the one in the data folder.
pub(super) async fn open(config: &Config) -> Result<Ledger, LedgerError> {
    let ledger = match &config.database_url {
        Some(url) => Ledger::open(url).await?,
        None => Ledger::in_folder(config.data.path()).await?,
    };
    Ok(ledger.with_plans(PlanTable::of(config.plans.clone())))
}
