//! Opens the accounts database for a command.

use anyhow::anyhow;

use super::CommandError;
use super::data_path::DataFolderUse;
use super::flags::AccountStoreFlags;
use super::runtimes::new_current_thread_runtime;
use crate::accounts::{AccountStore, AccountStoreError, BadPlan, CurrentPlans, sqlite_file_path};
use crate::config::Config;

/// Opens the accounts database, runs one command on it and closes it. Refuses a data folder that has no database yet, unless
/// the command `creates_accounts` or `--create-data` is given. Otherwise a mistyped path would get a new, empty database.
pub(super) fn with_account_store(
    flags: &AccountStoreFlags,
    creates_accounts: bool,
    command: impl AsyncFnOnce(&AccountStore) -> anyhow::Result<()>,
) -> Result<(), CommandError> {
    let config = &load_config(flags)?;
    let may_create = creates_accounts || flags.create_data || config.database_url.is_some();
    let file = sqlite_file_path(config.database_url.as_deref(), config.data.path());
    if let Ok(Some(file)) = file
        && !may_create
        && let Ok(false) = file.try_exists()
    {
        return Err(CommandError::Refused(anyhow!(
            "there is no accounts database at {}; correct --data, or make an account with `postduif accounts create`",
            file.display()
        )));
    }
    let runtime = new_current_thread_runtime()?;
    let outcome = runtime.block_on(async {
        let store = open(config).await?;
        let outcome = command(&store).await;
        store.close().await;
        outcome
    });
    outcome.map_err(|error| CommandError::new(is_refusal(&error), with_file_context(error, config)))
}

/// Reads the settings for a command on accounts. If the accounts are in the data folder, checks that the folder exists.
pub(super) fn load_config(flags: &AccountStoreFlags) -> Result<Config, CommandError> {
    let config = flags.load_config()?;
    let folder_use = DataFolderUse::by_accounts(config.database_url.as_deref());
    flags.prepare_data_folder(&config, folder_use)?;
    Ok(config)
}

/// Adds the path of the SQLite file to a database error. Does not add the URL of a database server, because it may hold a password.
pub(super) fn with_file_context(error: anyhow::Error, config: &Config) -> anyhow::Error {
    let file = sqlite_file_path(config.database_url.as_deref(), config.data.path());
    match (error.downcast_ref(), file) {
        (Some(AccountStoreError::Database(_)), Ok(Some(file))) => {
            error.context(format!("accounts database {}", file.display()))
        }
        _ => error,
    }
}

/// Whether the database refuses the command, so that a retry would fail too.
fn is_refusal(error: &anyhow::Error) -> bool {
    use AccountStoreError::{
        AccountClosed, EmailTaken, KeyRevoked, KeyRotated, UnknownAccount, UnknownKey,
    };
    let refused = |error: &AccountStoreError| {
        matches!(
            error,
            UnknownAccount(_)
                | EmailTaken { .. }
                | AccountClosed { .. }
                | UnknownKey(_)
                | KeyRevoked { .. }
                | KeyRotated { .. }
        )
    };
    error.is::<BadPlan>() || error.downcast_ref().is_some_and(refused) || is_damaged(error)
}

/// Whether the cause is a damaged accounts database.
pub(super) fn is_damaged(error: &anyhow::Error) -> bool {
    let error: Option<&AccountStoreError> = error.downcast_ref();
    error.is_some_and(AccountStoreError::is_damaged)
}

/// Opens the database at `database_url`, or the SQLite file in the data folder.
pub(super) async fn open(config: &Config) -> Result<AccountStore, AccountStoreError> {
    let store = match &config.database_url {
        Some(url) => AccountStore::open(url).await?,
        None => AccountStore::open_in_dir(config.data.path()).await?,
    };
    Ok(store.with_plans(CurrentPlans::new(config.plans.clone())))
}
