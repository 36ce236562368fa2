//! Opening the ledger for a command, where the settings say it is.

use anyhow::Context as _;
use tokio::runtime;

use super::Failure;
use super::flags::LedgerFlags;
use crate::access::{Ledger, LedgerError};
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
    Ok(runtime.block_on(async {
        let ledger = open(&config).await?;
        let outcome = command(&ledger).await;
        ledger.close().await;
        outcome
    })?)
}

/// The ledger at `database_url`, or else the one in the data folder.
pub(super) async fn open(config: &Config) -> Result<Ledger, LedgerError> {
    match &config.database_url {
        Some(url) => Ledger::open(url).await,
        None => Ledger::in_folder(config.data.path()).await,
    }
}
