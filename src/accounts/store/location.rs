//! Finds the location of the accounts database: the engine of a URL, and the SQLite file of a data folder.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sqlx::ConnectOptions as _;
use sqlx::any::AnyConnectOptions;
use sqlx::error::DatabaseError;
use sqlx::sqlite::SqliteConnectOptions;
use url::Url;

use super::error::{AccountStoreError, SQLSTATE_READ_ONLY_TRANSACTION};

const DATABASE_FILE_NAME: &str = "accounts.db";

/// With these settings, readers continue while one program writes, and a reported commit is on the disk. A write waits until the write of
/// another program has ended.
pub(super) const SQLITE_SETTINGS: &str = "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;";

/// With these settings, the server ends a long wait for a lock. It also aborts transactions that are idle, as those of a node that was cut
/// off. The service's own timeouts are longer, so the server's error arrives before them. TCP keepalive detects silently dropped connections
/// within minutes.
pub(super) const POSTGRES_SETTINGS: &str = "SET lock_timeout = '4s'; SET idle_in_transaction_session_timeout = '15s'; SET tcp_keepalives_idle = 60;";

/// A migration that waits for a table lock, such as one that a dump holds, blocks all later queries. So the timeout is short, and the
/// migration is retried.
pub(super) const POSTGRES_MIGRATION_SETTINGS: &str = "SET lock_timeout = '300ms';";

/// Encodes everything but the slash, because `?` and `%` in the name of a folder would have a meaning in a URL.
const PATH_ENCODE_SET: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/');

/// The two supported databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DatabaseEngine {
    Sqlite,
    Postgres,
}

impl DatabaseEngine {
    /// The engine of a URL. An error quotes only the scheme, because the rest may contain a password.
    pub(super) fn from_url(url: &str) -> Result<Self, AccountStoreError> {
        match url.split_once(':').map(|(scheme, _)| scheme) {
            Some("sqlite") => Ok(Self::Sqlite),
            Some("postgres" | "postgresql") => Ok(Self::Postgres),
            scheme => Err(AccountStoreError::UnsupportedScheme(
                scheme.unwrap_or_default().to_owned(),
            )),
        }
    }

    /// The statement that begins a writing transaction. SQLite needs `IMMEDIATE`, because upgrading a reading transaction fails without
    /// waiting if another writer is busy.
    pub(super) fn begin_statement(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN IMMEDIATE",
            Self::Postgres => "BEGIN",
        }
    }

    /// Begins a transaction that only reads, in which every query sees the same state. SQLite gives that to every transaction.
    pub(super) fn begin_snapshot_statement(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN",
            Self::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        }
    }

    /// True if a commit that failed with this error was certainly not applied.
    pub(super) fn was_rolled_back(self, error: &sqlx::Error) -> bool {
        let code = error.as_database_error().and_then(DatabaseError::code);
        code.is_some_and(|code| self.is_rollback_code(&code))
    }

    /// True if the connection must not be used again after this error, because the connection is broken, or the server is stopping or no
    /// longer the primary.
    pub(super) fn invalidates_connection(self, error: &sqlx::Error) -> bool {
        let code = error.as_database_error().map(DatabaseError::code);
        // The server answered, but a row is not as expected.
        let is_bad_row = matches!(
            error,
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::RowNotFound
        );
        self == Self::Postgres
            && !is_bad_row
            && code.is_none_or(|code| {
                let code = code.unwrap_or_default();
                code == SQLSTATE_READ_ONLY_TRANSACTION
                    || ["08", "57P"].iter().any(|class| code.starts_with(class))
            })
    }

    /// True if an error with this code undoes a commit. After other errors, such as a failing disk or a server that shuts down, the commit
    /// may have been applied. Source: SQLite, Result and Error Codes; PostgreSQL 15, Appendix A.
    fn is_rollback_code(self, code: &str) -> bool {
        match self {
            // Busy, read-only, full and constraint. The low byte is the primary code.
            Self::Sqlite => code
                .parse::<u32>()
                .is_ok_and(|code| matches!(code & 0xff, 5 | 8 | 13 | 19)),
            // Classes: 23 is integrity violations, 40 is rollbacks except for "statement completion unknown", and 53 is missing resources.
            Self::Postgres => {
                ["23", "40", "53"]
                    .iter()
                    .any(|class| code.starts_with(class))
                    && code != "40003"
            }
        }
    }
}

/// The maximum length of a file's path in bytes. Source: SQLite 3, os_unix.c: a path has at most `MAX_PATHNAME` = 512 bytes, including the
/// suffix `-journal`.
const MAX_SQLITE_PATH_BYTES: usize = 504;

/// Checks that SQLite can open a path, because SQLite's own error is only "unable to open database file".
fn check_path_length(file: &Path) -> Result<(), AccountStoreError> {
    // SQLite makes a relative path absolute.
    let path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let length = path.as_os_str().len();
    match length <= MAX_SQLITE_PATH_BYTES {
        true => Ok(()),
        false => Err(AccountStoreError::PathTooLong {
            path,
            length,
            longest: MAX_SQLITE_PATH_BYTES,
        }),
    }
}

/// If the database file in `folder` is absent, creates it, readable only by its owner. Returns the URL of the file.
pub(super) fn create_sqlite_file(folder: &Path) -> Result<String, AccountStoreError> {
    let failed = |source| AccountStoreError::DataDir {
        folder: folder.to_owned(),
        source,
    };
    let file = folder
        .canonicalize()
        .map_err(failed)?
        .join(DATABASE_FILE_NAME);
    check_path_length(&file)?;
    let path = file
        .to_str()
        .ok_or_else(|| failed(std::io::ErrorKind::InvalidFilename.into()))?;
    create_owner_only(&file).map_err(failed)?;
    Ok(sqlite_url(path))
}

/// The URL of an existing SQLite file.
pub(super) fn sqlite_url(path: &str) -> String {
    format!("sqlite://{}", utf8_percent_encode(path, PATH_ENCODE_SET))
}

/// The SQLite file of the accounts database; `None` for PostgreSQL.
///
/// # Errors
/// If the scheme of the URL is unknown.
pub fn sqlite_file_path(
    url: Option<&str>,
    folder: &Path,
) -> Result<Option<PathBuf>, AccountStoreError> {
    let Some(url) = url else {
        return Ok(Some(folder.join(DATABASE_FILE_NAME)));
    };
    Ok(match DatabaseEngine::from_url(url)? {
        DatabaseEngine::Postgres => None,
        DatabaseEngine::Sqlite => {
            let options: SqliteConnectOptions = url.parse()?;
            check_path_length(options.get_filename())?;
            Some(options.get_filename().to_owned())
        }
    })
}

/// The path of the SQLite file, or `PostgreSQL` with the host and port that the URL has. Never the URL, because it may hold a password.
pub(super) fn describe_location(url: &str) -> Result<Arc<str>, AccountStoreError> {
    if let Some(file) = sqlite_file_path(Some(url), Path::new(""))? {
        return Ok(file.to_string_lossy().into());
    }
    let parsed = Url::parse(url).ok();
    let host = parsed.as_ref().and_then(Url::host_str);
    let port = parsed.as_ref().and_then(Url::port);
    Ok(match (host, port) {
        (Some(host), Some(port)) => format!("PostgreSQL at {host}:{port}").into(),
        (Some(host), None) => format!("PostgreSQL at {host}").into(),
        _ => "PostgreSQL".into(),
    })
}

/// Options that turn off sqlx's own log, because a slow database would fill the log with each statement.
pub(super) fn connect_options(url: &str) -> Result<AnyConnectOptions, sqlx::Error> {
    Ok(url
        .parse::<AnyConnectOptions>()?
        .disable_statement_logging())
}

/// The folder of a file.
pub(super) fn parent_dir(file: &Path) -> &Path {
    let parent = file.parent().filter(|parent| *parent != Path::new(""));
    parent.unwrap_or(Path::new("."))
}

/// Creates a file with mode 600. SQLite gives the same mode to its log and its shared memory.
fn create_owner_only(file: &Path) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_sqlite_cannot_open_is_refused_with_the_limit() {
        // Parts of a path have at most 255 bytes.
        let part = "a".repeat(254);
        let longest = format!("/{part}/{}", "b".repeat(248));
        assert_eq!(longest.len(), MAX_SQLITE_PATH_BYTES);
        let path = |path: &str| sqlite_file_path(Some(&sqlite_url(path)), Path::new("/data"));
        assert_eq!(
            path(&longest).expect("the path is short enough"),
            Some(longest.clone().into())
        );
        let refused = path(&format!("{longest}b"))
            .expect_err("too long")
            .to_string();
        assert!(
            refused
                .contains("has 505 bytes, but SQLite opens only files whose path has at most 504"),
            "{refused}"
        );
    }

    #[test]
    fn only_errors_that_undo_a_commit_count_as_rolled_back() {
        #[track_caller]
        fn case(engine: DatabaseEngine, code: &str, expected: bool) {
            assert_eq!(engine.is_rollback_code(code), expected, "{engine:?} {code}");
        }
        case(DatabaseEngine::Sqlite, "5", true);
        case(DatabaseEngine::Sqlite, "13", true);
        case(DatabaseEngine::Sqlite, "787", true);
        case(DatabaseEngine::Sqlite, "10", false);
        case(DatabaseEngine::Sqlite, "1034", false);
        case(DatabaseEngine::Sqlite, "", false);
        case(DatabaseEngine::Postgres, "23503", true);
        case(DatabaseEngine::Postgres, "40001", true);
        case(DatabaseEngine::Postgres, "53100", true);
        case(DatabaseEngine::Postgres, "40003", false);
        case(DatabaseEngine::Postgres, "57P01", false);
        case(DatabaseEngine::Postgres, "08006", false);
        case(DatabaseEngine::Postgres, "58030", false);
    }
}
