//! Where a ledger is: the engine that a URL names, and the SQLite file of a data folder.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sqlx::error::DatabaseError;
use sqlx::sqlite::SqliteConnectOptions;

use super::error::{AccountStoreError, SQLSTATE_READ_ONLY_TRANSACTION};

const DATABASE_FILE_NAME: &str = "accounts.db";

/// Readers go on while one writes; a commit has reached the disk when it is reported; another program's write is waited for.
pub(super) const SQLITE_SETTINGS: &str = "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;";

/// Nobody waits for a lock for ever, such as one that a node holds that was cut off from the network: the server ends the wait,
/// and the transaction of a session that no longer speaks. The service itself waits longer, so it hears of it.
/// What the road has forgotten in silence is found out within minutes.
pub(super) const POSTGRES_SETTINGS: &str = "SET lock_timeout = '4s'; SET idle_in_transaction_session_timeout = '15s'; SET tcp_keepalives_idle = 60;";

/// A migration that waits for a table, such as behind a dump, has all others wait behind it: shortly, and then anew.
pub(super) const POSTGRES_MIGRATION_SETTINGS: &str = "SET lock_timeout = '300ms';";

/// All but the slash: the URL parser would take `?` and `%` in a folder's name for its own.
const PATH_ENCODE_SET: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/');

/// The two databases that the ledger knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DatabaseEngine {
    Sqlite,
    Postgres,
}

impl DatabaseEngine {
    /// The engine that a URL names. An error quotes the scheme alone: the rest may hold a password.
    pub(super) fn from_url(url: &str) -> Result<Self, AccountStoreError> {
        match url.split_once(':').map(|(scheme, _)| scheme) {
            Some("sqlite") => Ok(Self::Sqlite),
            Some("postgres" | "postgresql") => Ok(Self::Postgres),
            scheme => Err(AccountStoreError::UnsupportedScheme(
                scheme.unwrap_or_default().to_owned(),
            )),
        }
    }

    /// Begins a transaction that will write. SQLite must say so at once: raising a reading transaction to a writing one fails
    /// without waiting when another writer is busy.
    pub(super) fn begin_statement(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN IMMEDIATE",
            Self::Postgres => "BEGIN",
        }
    }

    /// Whether a commit that failed so was surely not carried out.
    pub(super) fn was_rolled_back(self, error: &sqlx::Error) -> bool {
        let code = error.as_database_error().and_then(DatabaseError::code);
        code.is_some_and(|code| self.is_rollback_code(&code))
    }

    /// Whether a server that said so, or the road to it, is not to be used again: it is no longer the primary, or goes down.
    pub(super) fn invalidates_connection(self, error: &sqlx::Error) -> bool {
        let code = error.as_database_error().map(DatabaseError::code);
        self == Self::Postgres
            && code.is_none_or(|code| {
                let code = code.unwrap_or_default();
                code == SQLSTATE_READ_ONLY_TRANSACTION
                    || ["08", "57P"].iter().any(|class| code.starts_with(class))
            })
    }

    /// An error that is not listed here, such as a failing disk or a server that is shut down, may come after the fact.
    /// Source: SQLite, Result and Error Codes; PostgreSQL 15, Appendix A.
    fn is_rollback_code(self, code: &str) -> bool {
        match self {
            // Busy, read-only, full, constraint; the low byte is the primary code.
            Self::Sqlite => code
                .parse::<u32>()
                .is_ok_and(|code| matches!(code & 0xff, 5 | 8 | 13 | 19)),
            // Integrity, rollback but for "statement completion unknown", resources.
            Self::Postgres => {
                ["23", "40", "53"]
                    .iter()
                    .any(|class| code.starts_with(class))
                    && code != "40003"
            }
        }
    }
}

/// Makes the ledger's file in `folder` where it is absent, for its owner alone, and returns its URL.
pub(super) fn create_sqlite_file(folder: &Path) -> Result<String, AccountStoreError> {
    let failed = |source| AccountStoreError::DataDir {
        folder: folder.to_owned(),
        source,
    };
    let file = folder
        .canonicalize()
        .map_err(failed)?
        .join(DATABASE_FILE_NAME);
    let path = file
        .to_str()
        .ok_or_else(|| failed(std::io::ErrorKind::InvalidFilename.into()))?;
    create_owner_only(&file).map_err(failed)?;
    Ok(sqlite_url(path))
}

/// The URL of a SQLite file that is there.
pub(super) fn sqlite_url(path: &str) -> String {
    format!("sqlite://{}", utf8_percent_encode(path, PATH_ENCODE_SET))
}

/// The SQLite file that a ledger is in; none for one in PostgreSQL.
///
/// # Errors
/// [`LedgerError`] when the URL is of another kind.
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
            Some(options.get_filename().to_owned())
        }
    })
}

/// The folder that a file is in.
pub(super) fn parent_dir(file: &Path) -> &Path {
    let parent = file.parent().filter(|parent| *parent != Path::new(""));
    parent.unwrap_or(Path::new("."))
}

/// SQLite gives its log and its shared memory the mode of the file, so they are private too.
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
    fn only_errors_that_undo_a_commit_say_so() {
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
