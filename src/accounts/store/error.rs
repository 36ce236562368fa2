//! Defines the errors of the account store. No message contains a key, a digest or a database URL.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use sqlx::error::DatabaseError;
use sqlx::migrate::MigrateError;

use super::AccountRef;
use crate::accounts::{AccountId, Email, KeyId};

/// The code of a write on a read-only server. Source: PostgreSQL 15, Appendix A: `read_only_sql_transaction`.
pub(super) const SQLSTATE_READ_ONLY_TRANSACTION: &str = "25006";

/// The code of an error that occurs when `lock_timeout` expires. Source: PostgreSQL 15, Appendix A: `lock_not_available`.
const SQLSTATE_LOCK_NOT_AVAILABLE: &str = "55P03";

/// An error of the account store.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AccountStoreError {
    /// No account has this id or e-mail address.
    #[error("no account {0}; `accounts list` shows them all")]
    UnknownAccount(AccountRef),
    /// An open account has this e-mail address already.
    #[error(
        "{email} has account {account} already; close that one first, or create keys for it with `keys create`"
    )]
    EmailTaken {
        /// The e-mail address.
        email: Email,
        /// The account that has the e-mail address.
        account: AccountId,
    },
    /// The account is closed and cannot be changed.
    #[error("account {account} was closed at {since}; a closed account cannot be changed")]
    AccountClosed {
        /// The account.
        account: AccountId,
        /// When the account was closed.
        since: Timestamp,
    },
    /// No key has this id.
    #[error("no key {0}; `keys list` shows them all")]
    UnknownKey(KeyId),
    /// The key is revoked and cannot be rotated.
    #[error("key {key} was revoked at {since}; create a new one with `keys create`")]
    KeyRevoked {
        /// The key.
        key: KeyId,
        /// When the key was revoked.
        since: Timestamp,
    },
    /// The key was rotated before.
    #[error(
        "key {key} was rotated before and expires at {at}; rotate the key that replaced it, which `keys list` shows"
    )]
    KeyRotated {
        /// The key.
        key: KeyId,
        /// When the key expires.
        at: Timestamp,
    },
    /// A row has a value that this program never writes.
    #[error(
        "the accounts database has the value {value:?} in column {column}, which this program cannot read: {problem}"
    )]
    InvalidColumn {
        /// The column.
        column: &'static str,
        /// The value.
        value: String,
        /// Why this program cannot read the value, such as `expected 0 or 1`.
        problem: String,
    },
    /// The data folder, or the database file in it, cannot be used.
    #[error("cannot use the accounts database in {}", folder.display())]
    DataDir {
        /// The given folder.
        folder: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// SQLite cannot open a file with a path as long as this one.
    #[error(
        "the path of the accounts database has {length} bytes, but SQLite opens only files whose path has at most {longest}: {}; choose a shorter path for the data folder, or keep the accounts elsewhere with database_url",
        path.display()
    )]
    PathTooLong {
        /// The absolute path of the file.
        path: PathBuf,
        /// The length of the path in bytes.
        length: usize,
        /// The maximum length in bytes.
        longest: usize,
    },
    /// The URL has the scheme of an unsupported database.
    #[error("database URL with scheme {0:?}; expected sqlite: or postgres:")]
    UnsupportedScheme(String),
    /// The operating system returned no random bytes for a new key.
    #[error("the operating system returned no random bytes for a new key")]
    Randomness(#[from] getrandom::Error),
    /// The database returned an error, or a connection of the opened store failed.
    #[error("the accounts database failed: {0}")]
    Database(sqlx::Error),
    /// No connection could be opened.
    #[error("cannot connect to the accounts database ({location})")]
    Unreachable {
        /// The file, or the host and port of the server.
        location: Arc<str>,
        /// Why the connection failed.
        source: sqlx::Error,
    },
    /// The server accepts no writes.
    #[error(
        "the accounts database accepts no writes: its server is a standby or set to read-only; promote it, point the database URL to the primary, or switch default_transaction_read_only off"
    )]
    ReadOnly(#[source] sqlx::Error),
    /// The database did not answer in time.
    #[error("the accounts database did not answer within {} s", .0.as_secs())]
    Timeout(Duration),
    /// The path no longer names the SQLite file that was opened.
    #[error(
        "{} is no longer the accounts database that this process has open: it was moved, replaced or removed. Move it back, or restart the service to use the file that is there now",
        .0.display()
    )]
    FileMoved(PathBuf),
    /// A newer program has changed the tables.
    #[error(
        "a newer postduif has changed the accounts database (migration {0} is unknown to this version); start the newer postduif"
    )]
    NewerSchema(i64),
    /// The tables could not be migrated.
    #[error("cannot migrate the accounts database")]
    Migration(#[source] MigrateError),
}

/// Why a transaction failed, or may have failed.
#[derive(Debug, thiserror::Error)]
pub enum TransactionError {
    /// The database has applied nothing, so the caller can repeat the transaction.
    #[error("the database has not applied the change")]
    NotApplied(#[source] AccountStoreError),
    /// The commit failed without a clear answer. The database has applied the whole transaction or nothing of it.
    #[error("it is unknown whether the database has applied the change")]
    InDoubt(#[source] AccountStoreError),
}

impl TransactionError {
    /// The error of the store.
    #[must_use]
    pub fn into_inner(self) -> AccountStoreError {
        match self {
            Self::NotApplied(error) | Self::InDoubt(error) => error,
        }
    }

    pub(super) fn inner(&self) -> &AccountStoreError {
        match self {
            Self::NotApplied(error) | Self::InDoubt(error) => error,
        }
    }
}

impl From<MigrateError> for AccountStoreError {
    fn from(error: MigrateError) -> Self {
        match error {
            MigrateError::VersionMissing(change) => Self::NewerSchema(change),
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)
                if is_read_only_error(&error) =>
            {
                Self::ReadOnly(error)
            }
            error => Self::Migration(error),
        }
    }
}

impl From<sqlx::Error> for AccountStoreError {
    fn from(error: sqlx::Error) -> Self {
        match is_read_only_error(&error) {
            true => Self::ReadOnly(error),
            false => Self::Database(error),
        }
    }
}

fn is_read_only_error(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(DatabaseError::code);
    code.is_some_and(|code| code == SQLSTATE_READ_ONLY_TRANSACTION)
}

impl AccountStoreError {
    /// True if the server accepts no writes.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        matches!(self, Self::ReadOnly(_))
    }

    /// True if the SQLite file is damaged, or is not a database.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.database_error().is_some_and(is_damage)
    }

    /// The error of the database, also if it ended a migration.
    fn database_error(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Database(error)
            | Self::Migration(
                MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _),
            ) => Some(error),
            _ => None,
        }
    }

    /// True if a retry may help, because the database server was not reached, accepts no writes for now, or has locked a table, such as
    /// for a dump; or because another program has locked the SQLite file, or its disk is full. Other errors (a wrong password, no such
    /// database, a damaged file) need an operator first.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::ReadOnly(_) | Self::Timeout(_) => true,
            error => error.database_error().is_some_and(is_transient_error),
        }
    }
}

/// The text of sqlx 0.9 when a server or a proxy closes a connection before its first answer: sqlx reads the missing byte as 0.
const CLOSED_BEFORE_FIRST_ANSWER: &str = "SSLRequest: 0x00";

/// The codes of SQLite after which a retry may help. Source: SQLite, Result and Error Codes: `SQLITE_BUSY`, `SQLITE_LOCKED` and
/// `SQLITE_FULL`.
const SQLITE_TRANSIENT_CODES: [u32; 3] = [5, 6, 13];

/// The code if SQLite cannot enlarge its shared-memory file, as on a full disk. Source: as above, `SQLITE_IOERR_SHMSIZE`.
const SQLITE_IOERR_SHMSIZE: u32 = 4874;

/// The extended code of an error of SQLite; `None` for another error. A code of PostgreSQL has five characters, which may all be digits.
pub(super) fn sqlite_code(error: &sqlx::Error) -> Option<u32> {
    let code = error.as_database_error()?.code()?;
    code.parse().ok().filter(|_| code.len() < 5)
}

/// True if the error means that a SQLite file is damaged. Source: as above, `SQLITE_CORRUPT` and `SQLITE_NOTADB`.
pub(super) fn is_damage(error: &sqlx::Error) -> bool {
    sqlite_code(error).is_some_and(|code| matches!(code & 0xff, 11 | 26))
}

fn is_transient_error(error: &sqlx::Error) -> bool {
    if let Some(code) = sqlite_code(error) {
        return code == SQLITE_IOERR_SHMSIZE || SQLITE_TRANSIENT_CODES.contains(&(code & 0xff));
    }
    match error {
        // Source: PostgreSQL documentation, Error Codes. The codes of class 57P mean that the server is starting or stopping.
        sqlx::Error::Database(error) => error.code().is_some_and(|code| {
            code == SQLSTATE_READ_ONLY_TRANSACTION
                || code == SQLSTATE_LOCK_NOT_AVAILABLE
                || code.starts_with("57P")
        }),
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::Tls(_) => true,
        sqlx::Error::Protocol(message) => message.contains(CLOSED_BEFORE_FIRST_ANSWER),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_is_a_transient_error() {
        assert!(AccountStoreError::Timeout(Duration::from_secs(5)).is_transient());
        assert!(!AccountStoreError::UnsupportedScheme("mysql".to_owned()).is_transient());
    }

    #[tokio::test]
    async fn a_locked_sqlite_file_and_a_full_disk_are_transient_errors() {
        let folder = tempfile::tempdir().expect("a folder");
        let url = format!("sqlite:{}?mode=rwc", folder.path().join("a.db").display());
        let options: sqlx::sqlite::SqliteConnectOptions = url.parse().expect("a URL");
        let options = options.busy_timeout(Duration::ZERO);
        let connect = || sqlx::ConnectOptions::connect(&options);
        let mut first = connect().await.expect("a new file");
        let mut second = connect().await.expect("the same file");
        async fn run(
            connection: &mut sqlx::SqliteConnection,
            text: &'static str,
        ) -> Result<(), AccountStoreError> {
            Ok(sqlx::raw_sql(text).execute(connection).await.map(drop)?)
        }
        let table = "CREATE TABLE numbers (number BIGINT); PRAGMA max_page_count = 2;";
        run(&mut first, table).await.expect("a table");
        let fill = "INSERT INTO numbers SELECT value FROM json_each('[' || substr(replace(hex(zeroblob(5000)), '0', ',1'), 2) || ']')";
        let full = run(&mut first, fill).await.expect_err("no third page");
        assert!(full.to_string().contains("(code: 13)"), "{full}");
        assert!(full.is_transient(), "{full:?}");
        run(&mut first, "BEGIN IMMEDIATE").await.expect("a lock");
        let locked = run(&mut second, "BEGIN IMMEDIATE").await;
        let locked = locked.expect_err("the file is locked");
        assert!(locked.to_string().contains("(code: 5)"), "{locked}");
        assert!(locked.is_transient(), "{locked:?}");
        let other = run(&mut second, "SELECT nothing").await;
        assert!(!other.expect_err("no such column").is_transient());
    }

    #[tokio::test]
    async fn a_server_that_closes_the_connection_at_once_is_a_transient_error() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!(
            "postgres://{}/d",
            listener.local_addr().expect("the socket listens")
        );
        std::thread::spawn(move || {
            use std::io::Read as _;
            let mut stream = listener.accept().expect("a client").0;
            // Reads the request first, because closing with unread bytes would reset the connection instead.
            stream.read_exact(&mut [0; 8]).expect("the request for TLS");
        });
        let options: sqlx::postgres::PgConnectOptions = url.parse().expect("a URL");
        let refused = sqlx::ConnectOptions::connect(&options).await;
        let refused = AccountStoreError::from(refused.expect_err("no server"));
        assert!(refused.is_transient(), "{refused:?}");
    }
}
