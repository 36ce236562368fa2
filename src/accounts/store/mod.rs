//! The ledger: accounts and the digests of their keys, in SQLite (one node) or PostgreSQL (several).
//!
//! Owns the database, its location and its migrations. Every change raises one revision number in its own transaction, so a
//! reader that remembers the number learns with one small query whether anything changed, and with another what. Both engines get the same SQL: `$1`
//! placeholders, BIGINT and TEXT, `ON CONFLICT` and `RETURNING`. Nothing here is on the way of a request.

mod account_ref;
mod accounts;
mod backup;
mod connection;
mod dir_lock;
mod error;
mod keys;
mod leases;
mod location;
mod many_rows;
mod notices;
mod rows;
mod usage;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::migrate::{Migrate as _, Migrator};
use sqlx::{Any, AnyConnection, AnyPool, ConnectOptions as _, Connection, Transaction};

pub use account_ref::{AccountRef, BadAccountRef};
pub use accounts::{Account, ClosedAccount, CreatedAccount, NewAccount};
pub use backup::{BackupContents, BackupError, RestoredBackup, back_up, restore};
pub use error::AccountStoreError;
pub use keys::{KeyRecord, NewKey, RevokedKey};
pub(crate) use leases::{LeaseError, LeaseRequest, LeaseResult};
pub use location::sqlite_file_path;
pub use notices::{Notice, NoticeId};
pub(super) use rows::ChangedKeyRow;
pub use usage::{AddUsageError, UsageCounts, UsageFilter, UsageRecord, UsageSlot};

use super::{CurrentPlans, Plans};
use connection::StaleSince;
use dir_lock::DirLock;
use location::DatabaseEngine;

pub(super) static MIGRATIONS: Migrator = sqlx::migrate!("src/accounts/migrations");

/// How long a caller waits for a connection before the database counts as away. A new one takes three answers of the server, which
/// may be two seconds away.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);

/// How long the question that every poll asks may take. Short, because on a connection that leads nowhere any more it is what
/// finds that out, and until then no key is revoked.
const REVISION_TIMEOUT: Duration = Duration::from_secs(5);

/// An open ledger. Cloning shares its connections.
#[derive(Clone, Debug)]
pub struct AccountStore {
    pool: AnyPool,
    engine: DatabaseEngine,
    current_plans: CurrentPlans,
    stale_since: StaleSince,
    /// Whether other nodes may lease from it too.
    is_shared: bool,
    /// Keeps its file in its place while anybody has it open.
    _dir_lock: Option<Arc<DirLock>>,
}

impl AccountStore {
    /// Opens the ledger at a `sqlite:` or `postgres:` URL and brings its tables up to date.
    ///
    /// # Errors
    /// [`LedgerError`] when the URL is of another kind, the database cannot be reached or a newer program has changed it.
    pub async fn open(url: &str) -> Result<Self, AccountStoreError> {
        sqlx::any::install_default_drivers();
        let engine = DatabaseEngine::from_url(url)?;
        let dir_lock = lock_database_dir(url).await?;
        if engine == DatabaseEngine::Sqlite {
            check_connection(url).await.or_else(ignore_busy)?;
        }
        let stale_since = StaleSince::default();
        let pool = engine
            .pool_options(&stale_since)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .acquire_slow_threshold(ACQUIRE_TIMEOUT)
            .connect_with(connect_options(url)?)
            .await?;
        let plans = CurrentPlans::default();
        let store = Self {
            pool,
            engine,
            current_plans: plans,
            stale_since,
            is_shared: engine == DatabaseEngine::Postgres,
            _dir_lock: dir_lock,
        };
        store.migrate().await?;
        Ok(store)
    }

    /// Opens the ledger of a data folder: `accounts.db`, made when absent, readable by its owner alone.
    ///
    /// # Errors
    /// [`LedgerError`] when the folder does not exist or its ledger cannot be opened.
    pub async fn open_in_dir(dir: &Path) -> Result<Self, AccountStoreError> {
        Self::open(&location::create_sqlite_file(dir)?).await
    }

    /// The same ledger, with this table of plans in place of the contract's.
    #[must_use]
    pub fn with_plans(self, plans: CurrentPlans) -> Self {
        Self {
            current_plans: plans,
            ..self
        }
    }

    /// The plans that hold at this moment.
    #[must_use]
    pub fn plans(&self) -> Arc<Plans> {
        self.current_plans.load()
    }

    /// Closes every connection; SQLite then folds its write-ahead log into the file.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    /// SQLite has no lock for migrations, so there a write transaction around them keeps two programs apart.
    async fn migrate(&self) -> Result<(), AccountStoreError> {
        let mut connection = self.pool.acquire().await?;
        match self.engine {
            DatabaseEngine::Postgres => {
                // A session of its own: its lock and its settings end with it, however it ends.
                let mut session = connection.detach();
                // Other programs that start are waited for longer than a table.
                session.lock().await?;
                apply_settings(&mut session, location::POSTGRES_MIGRATION_SETTINGS).await?;
                MIGRATIONS.run_direct(None, &mut session, false).await?;
                session.close().await?;
            }
            DatabaseEngine::Sqlite => {
                let mut transaction = connection.begin_with(self.engine.begin_statement()).await?;
                MIGRATIONS
                    .run_direct(None, &mut *transaction, false)
                    .await?;
                transaction.commit().await?;
            }
        }
        Ok(())
    }

    /// The number that every change raises.
    pub(crate) async fn revision(&self) -> Result<i64, AccountStoreError> {
        let mut connection = self.acquire().await?;
        let number = sqlx::query_scalar("SELECT number FROM revision").fetch_one(&mut *connection);
        let number = tokio::time::timeout(REVISION_TIMEOUT, number)
            .await
            .map_err(|_| AccountStoreError::Timeout(REVISION_TIMEOUT))?;
        connection.release_after(number, self.engine)
    }

    /// The same ledger, as if several nodes could lease from it.
    #[cfg(test)]
    pub(crate) fn shared(self) -> Self {
        Self {
            is_shared: true,
            ..self
        }
    }

    #[cfg(test)]
    pub(crate) fn pool(&self) -> &AnyPool {
        &self.pool
    }

    /// Begins a change. Raising the revision first makes writers queue here, so what they read afterwards holds until commit.
    async fn begin_write(&self) -> Result<WriteTransaction, AccountStoreError> {
        let mut transaction = self.pool.begin_with(self.engine.begin_statement()).await?;
        let raise = sqlx::query_scalar("UPDATE revision SET number = number + 1 RETURNING number");
        let revision = raise.fetch_one(&mut *transaction).await?;
        Ok(WriteTransaction {
            transaction,
            revision,
            plans: self.current_plans.load(),
        })
    }
}

/// A change under way: it is undone unless it is committed.
struct WriteTransaction {
    transaction: Transaction<'static, Any>,
    revision: i64,
    plans: Arc<Plans>,
}

impl WriteTransaction {
    fn connection(&mut self) -> &mut AnyConnection {
        &mut self.transaction
    }

    async fn commit(self) -> Result<(), AccountStoreError> {
        Ok(self.transaction.commit().await?)
    }
}

impl DatabaseEngine {
    fn pool_options(self, stale_since: &StaleSince) -> AnyPoolOptions {
        let options = AnyPoolOptions::new();
        match self {
            Self::Postgres => {
                let options = options.max_connections(4).after_connect(|connection, _| {
                    Box::pin(apply_settings(connection, location::POSTGRES_SETTINGS))
                });
                stale_since.configure_pool(options)
            }
            // One connection, because SQLite has one writer; it stays open, so its settings and cache do too.
            Self::Sqlite => options
                .max_connections(1)
                .idle_timeout(None)
                .max_lifetime(None)
                // A full disk has SQLite undo a transaction by itself. To sqlx it then stays open, and none can begin again.
                .before_acquire(|connection, _| {
                    let is_fit = !connection.is_in_transaction();
                    Box::pin(std::future::ready(Ok(is_fit)))
                })
                .after_connect(|connection, _| {
                    Box::pin(apply_settings(connection, location::SQLITE_SETTINGS))
                }),
        }
    }
}

/// Before the file is opened, so that it stays the one of that name.
async fn lock_database_dir(url: &str) -> Result<Option<Arc<DirLock>>, AccountStoreError> {
    let Some(file) = sqlite_file_path(Some(url), Path::new(""))? else {
        return Ok(None);
    };
    let folder = location::parent_dir(&file);
    let held = DirLock::lock_shared(folder).await;
    let held = held.map_err(|source| AccountStoreError::DataDir {
        folder: folder.to_owned(),
        source,
    })?;
    Ok(Some(Arc::new(held)))
}

/// A pool would try in vain for long and then keep to itself why, such as a disk without room for SQLite's log.
async fn check_connection(url: &str) -> Result<(), sqlx::Error> {
    let mut connection = connect_options(url)?.connect().await?;
    apply_settings(&mut connection, location::SQLITE_SETTINGS).await?;
    connection.close().await
}

/// Programs that open a new file together find each other at it; the pool waits and tries again. Source: SQLite, Result and
/// Error Codes, `SQLITE_BUSY` and `SQLITE_LOCKED` with their extended ones.
fn ignore_busy(error: sqlx::Error) -> Result<(), sqlx::Error> {
    let code = error.as_database_error().and_then(|told| told.code());
    let code = code.and_then(|code| code.parse::<u32>().ok());
    match code.map(|code| code & 0xff) {
        Some(5 | 6) => Ok(()),
        _ => Err(error),
    }
}

/// Without sqlx's own log: a database that is slow would fill it with each statement.
fn connect_options(url: &str) -> Result<AnyConnectOptions, sqlx::Error> {
    Ok(url
        .parse::<AnyConnectOptions>()?
        .disable_statement_logging())
}

async fn apply_settings(
    connection: &mut AnyConnection,
    settings: &'static str,
) -> Result<(), sqlx::Error> {
    sqlx::raw_sql(settings).execute(connection).await.map(drop)
}
