//! Opens the accounts database: its connections, its migrations, and the transaction of a change.
//!
//! Each action of the service is a function in another file of this folder, and gets the store as its parameter.

use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sqlx::any::{AnyArguments, AnyPoolOptions};
use sqlx::migrate::Migrate as _;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AnyPool, ConnectOptions as _, Connection, Transaction};

use super::backup::remove_abandoned;
use super::connection::{ConnectionGuard, StaleSince, with_timeout};
use super::dir_lock::DirLock;
use super::error::{AccountStoreError, TransactionError, sqlite_code};
use super::location::{self, DatabaseEngine, connect_options, describe_location, sqlite_file_path};
use super::migrations::MIGRATIONS;
use super::revision::raise_revision;
use crate::accounts::{CurrentPlans, Plans};

/// How long a caller waits for a connection before the database counts as unavailable. A new connection takes three round trips, and each
/// round trip may take two seconds.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);

/// The accounts database of this process. Clones share the connections.
#[derive(Clone, Debug)]
pub struct AccountStore {
    pub(super) pool: AnyPool,
    pub(super) engine: DatabaseEngine,
    pub(super) current_plans: CurrentPlans,
    /// The path of the SQLite file, or the name of the engine. Never a URL, because a URL may contain a password.
    pub(crate) location: Arc<str>,
    /// The SQLite file that was opened; `None` for PostgreSQL.
    opened_file: Option<OpenedFile>,
    stale_since: StaleSince,
    /// True if several nodes may lease from the database.
    pub(super) is_shared: bool,
    /// A lock that keeps other programs from replacing the SQLite file while it is open.
    _dir_lock: Option<Arc<DirLock>>,
}

impl AccountStore {
    /// Opens the database at a `sqlite:` or `postgres:` URL and migrates its tables.
    ///
    /// # Errors
    /// If the scheme is unknown, the database cannot be reached or a newer program has changed it.
    pub async fn open(url: &str) -> Result<Self, AccountStoreError> {
        sqlx::any::install_default_drivers();
        let engine = DatabaseEngine::from_url(url)?;
        let dir_lock = lock_database_dir(url).await?;
        if engine == DatabaseEngine::Sqlite {
            check_connection(url).await.or_else(ignore_busy)?;
        }
        let stale_since = StaleSince::default();
        let pool = pool_options(engine, &stale_since)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .acquire_slow_threshold(ACQUIRE_TIMEOUT)
            .connect_with(connect_options(url)?)
            .await;
        let pool = match pool {
            Err(sqlx::Error::PoolTimedOut) => return Err(explain_pool_timeout(url).await),
            pool => pool?,
        };
        let store = Self {
            pool,
            engine,
            current_plans: CurrentPlans::default(),
            location: describe_location(url)?,
            opened_file: OpenedFile::from_url(url)?,
            stale_since,
            is_shared: engine == DatabaseEngine::Postgres,
            _dir_lock: dir_lock,
        };
        store.migrate().await?;
        Ok(store)
    }

    /// Opens `accounts.db` in a data folder. An absent file is created so that only its owner can read it.
    ///
    /// # Errors
    /// If the folder does not exist or its database cannot be opened.
    pub async fn open_in_dir(dir: &Path) -> Result<Self, AccountStoreError> {
        Self::open(&location::create_sqlite_file(dir)?).await
    }

    /// Replaces the default plans, which are the plans of the contract.
    #[must_use]
    pub fn with_plans(mut self, plans: CurrentPlans) -> Self {
        self.current_plans = plans;
        self
    }

    /// Closes every connection. SQLite then merges its write-ahead log into the database file.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    /// Checks that the database is available and accepts writes. Writes nothing.
    pub(crate) async fn probe(&self) -> Result<(), AccountStoreError> {
        let write = sqlx::query("UPDATE revision SET number = number WHERE only_row = 0");
        self.execute(write).await.map(drop)
    }

    /// Makes the store behave as if several nodes could lease from it.
    #[cfg(test)]
    pub(crate) fn with_shared_leases(mut self) -> Self {
        self.is_shared = true;
        self
    }

    #[cfg(test)]
    pub(crate) fn pool(&self) -> &AnyPool {
        &self.pool
    }

    /// Migrates the tables. SQLite has no lock for migrations, so a write transaction keeps other programs out.
    async fn migrate(&self) -> Result<(), AccountStoreError> {
        let mut connection = self.pool.acquire().await?;
        match self.engine {
            DatabaseEngine::Postgres => {
                // The migration has a database session of its own, so its lock and its settings end with the session, even after an error.
                let mut session = connection.detach();
                // Takes the lock before it applies the settings: another starting program may hold this lock for longer than the
                // `lock_timeout` in the settings.
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

    /// The current plans.
    pub fn plans(&self) -> Arc<Plans> {
        self.current_plans.load()
    }

    /// Checks that the SQLite file was not moved or replaced.
    pub(super) fn check_file_unmoved(&self) -> Result<(), AccountStoreError> {
        let file = self.opened_file.as_ref();
        file.map_or(Ok(()), OpenedFile::check_unmoved)
    }

    /// Runs `work` on a connection. Closes the connection if the work is cancelled, or ends with an error that makes the connection
    /// unusable.
    pub(super) async fn with_connection<T>(
        &self,
        work: impl AsyncFnOnce(&mut AnyConnection) -> Result<T, AccountStoreError>,
    ) -> Result<T, AccountStoreError> {
        let mut connection = self.acquire().await?;
        let done = work(&mut connection).await;
        if self.is_usable_after(done.as_ref().err()) {
            connection.release();
        }
        done
    }

    async fn acquire(&self) -> Result<ConnectionGuard, AccountStoreError> {
        let acquired = self.pool.acquire().await;
        if let Err(sqlx::Error::PoolTimedOut) = acquired {
            self.stale_since.mark_now();
        }
        Ok(ConnectionGuard::new(acquired?, self.stale_since.clone()))
    }

    /// True if the connection can be used again after its work ended with this error: the server answered, and is the primary.
    fn is_usable_after(&self, error: Option<&AccountStoreError>) -> bool {
        match error {
            Some(AccountStoreError::Database(error)) => !self.engine.invalidates_connection(error),
            Some(AccountStoreError::ReadOnly(_) | AccountStoreError::Timeout(_)) => false,
            _ => true,
        }
    }

    /// Runs one statement, and returns the number of rows that it changed.
    pub(super) async fn execute(
        &self,
        statement: Query<'_, Any, AnyArguments>,
    ) -> Result<u64, AccountStoreError> {
        let run = async |connection: &mut AnyConnection| Ok(statement.execute(connection).await?);
        Ok(self.with_connection(run).await?.rows_affected())
    }

    /// Runs work in a transaction and commits it. `limit` applies to the work and to the commit separately, because the outcome of a
    /// cancelled commit is unknown.
    pub(super) async fn run_transaction<T>(
        &self,
        limit: Duration,
        work: impl AsyncFnOnce(&mut AnyConnection) -> Result<T, AccountStoreError>,
    ) -> Result<T, TransactionError> {
        let mut connection = self.acquire().await.map_err(TransactionError::NotApplied)?;
        let done = async {
            let work = async {
                let begin = self.engine.begin_statement();
                let mut transaction = connection.begin_with(begin).await?;
                let result = work(&mut transaction).await?;
                Ok((transaction, result))
            };
            let (transaction, result) = with_timeout(limit, work)
                .await
                .map_err(TransactionError::NotApplied)?;
            let commit = async { Ok(transaction.commit().await?) };
            match with_timeout(limit, commit).await {
                Ok(()) => Ok(result),
                Err(error) if self.was_rolled_back(&error) => {
                    Err(TransactionError::NotApplied(error))
                }
                Err(error) => Err(TransactionError::InDoubt(error)),
            }
        }
        .await;
        if self.is_usable_after(done.as_ref().err().map(TransactionError::inner)) {
            connection.release();
        }
        done
    }

    /// True if a commit that failed with this error was certainly not applied.
    fn was_rolled_back(&self, error: &AccountStoreError) -> bool {
        matches!(error, AccountStoreError::Database(error) if self.engine.was_rolled_back(error))
    }

    /// Begins a change by raising the revision. Writers queue for the row of the revision, so data that a writer reads afterwards stays
    /// true until the writer commits.
    pub(super) async fn begin_write(&self) -> Result<WriteTransaction, AccountStoreError> {
        let mut transaction = self.pool.begin_with(self.engine.begin_statement()).await?;
        let revision = raise_revision(&mut transaction).await?;
        Ok(WriteTransaction {
            transaction,
            revision,
            plans: self.plans(),
        })
    }
}

/// A SQLite file, by its path and its identity in the file system.
#[derive(Clone, Debug)]
struct OpenedFile {
    path: PathBuf,
    device_and_inode: (u64, u64),
}

impl OpenedFile {
    /// The file of a `sqlite:` URL, if it exists.
    fn from_url(url: &str) -> Result<Option<Self>, AccountStoreError> {
        let path = sqlite_file_path(Some(url), Path::new(""))?;
        Ok(path.and_then(|path| {
            let device_and_inode = device_and_inode(&path).ok()?;
            Some(Self {
                path,
                device_and_inode,
            })
        }))
    }

    /// Checks that the path still names this file. Ignores errors other than a missing file, because the database reports them.
    fn check_unmoved(&self) -> Result<(), AccountStoreError> {
        let is_same = match device_and_inode(&self.path) {
            Ok(found) => found == self.device_and_inode,
            Err(error) => error.kind() != ErrorKind::NotFound,
        };
        match is_same {
            true => Ok(()),
            false => Err(AccountStoreError::FileMoved(self.path.clone())),
        }
    }
}

fn device_and_inode(path: &Path) -> io::Result<(u64, u64)> {
    let metadata = path.metadata()?;
    Ok((metadata.dev(), metadata.ino()))
}

/// A change that is undone unless it is committed.
pub(super) struct WriteTransaction {
    transaction: Transaction<'static, Any>,
    pub(super) revision: i64,
    pub(super) plans: Arc<Plans>,
}

impl WriteTransaction {
    pub(super) fn connection(&mut self) -> &mut AnyConnection {
        &mut self.transaction
    }

    pub(super) async fn commit(self) -> Result<(), AccountStoreError> {
        Ok(self.transaction.commit().await?)
    }
}

fn pool_options(engine: DatabaseEngine, stale_since: &StaleSince) -> AnyPoolOptions {
    let options = AnyPoolOptions::new();
    match engine {
        DatabaseEngine::Postgres => {
            let options = options.max_connections(4).after_connect(|connection, _| {
                Box::pin(apply_settings(connection, location::POSTGRES_SETTINGS))
            });
            stale_since.configure_pool(options)
        }
        // Only one connection, because SQLite has one writer. The connection is never closed for idleness or age, so that it keeps its
        // settings and its cache.
        DatabaseEngine::Sqlite => options
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            // On a full disk SQLite rolls a transaction back by itself. sqlx does not notice the rollback, and could not begin another
            // transaction on this connection.
            .before_acquire(|connection, _| {
                let is_fit = !connection.is_in_transaction();
                Box::pin(std::future::ready(Ok(is_fit)))
            })
            .after_connect(|connection, _| {
                Box::pin(apply_settings(connection, location::SQLITE_SETTINGS))
            }),
    }
}

/// Locks the folder of a SQLite file before the file is opened, so that no other file can take its name. Removes the files that
/// interrupted restores and backups have left in the folder.
async fn lock_database_dir(url: &str) -> Result<Option<Arc<DirLock>>, AccountStoreError> {
    let Some(file) = sqlite_file_path(Some(url), Path::new(""))? else {
        return Ok(None);
    };
    let folder = location::parent_dir(&file);
    let lock = DirLock::lock_shared(folder).await;
    let lock = lock.map_err(|source| AccountStoreError::DataDir {
        folder: folder.to_owned(),
        source,
    })?;
    // Ignores the error, because the database may be usable even if its folder cannot be listed or written.
    remove_abandoned(folder).ok();
    Ok(Some(Arc::new(lock)))
}

/// Connects once, to get the cause of a failure, such as a disk without room for SQLite's log. A pool would retry for a long time and then
/// not report the cause.
async fn check_connection(url: &str) -> Result<(), sqlx::Error> {
    let mut connection = connect_options(url)?.connect().await?;
    apply_settings(&mut connection, location::SQLITE_SETTINGS).await?;
    connection.close().await
}

/// Connects once after a pool could not connect, because the error of a pool does not contain the cause.
async fn explain_pool_timeout(url: &str) -> AccountStoreError {
    let connected = async { connect_options(url)?.connect().await };
    let connected = tokio::time::timeout(ACQUIRE_TIMEOUT, connected).await;
    let cause = connected.ok().and_then(Result::err);
    let source = cause.unwrap_or(sqlx::Error::PoolTimedOut);
    match describe_location(url) {
        Ok(location) => AccountStoreError::Unreachable { location, source },
        Err(error) => error,
    }
}

/// Ignores the error that another program is opening the same new file, because the pool waits and retries. Source: SQLite, Result and
/// Error Codes, `SQLITE_BUSY` and `SQLITE_LOCKED` with their extended codes.
fn ignore_busy(error: sqlx::Error) -> Result<(), sqlx::Error> {
    match sqlite_code(&error).map(|code| code & 0xff) {
        Some(5 | 6) => Ok(()),
        _ => Err(error),
    }
}

async fn apply_settings(
    connection: &mut AnyConnection,
    settings: &'static str,
) -> Result<(), sqlx::Error> {
    sqlx::raw_sql(settings).execute(connection).await.map(drop)
}
