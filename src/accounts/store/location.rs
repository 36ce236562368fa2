//! Where a ledger is: the engine that a URL names, and the SQLite file of a data folder.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sqlx::error::DatabaseError;
use sqlx::sqlite::SqliteConnectOptions;

use super::LedgerError;

const FILE_NAME: &str = "accounts.db";

/// Readers go on while one writes; a commit has reached the disk when it is reported; another program's write is waited for.
pub(super) const SQLITE_SETTINGS: &str = "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;";

/// Nobody waits for a lock for ever, such as one that a node holds that was cut off from the network: the server ends the wait,
/// and the transaction of a session that no longer speaks. The service itself waits longer, so it hears of it.
/// What the road has forgotten in silence is found out within minutes.
pub(super) const POSTGRES_SETTINGS: &str = "SET lock_timeout = '4s'; SET idle_in_transaction_session_timeout = '15s'; SET tcp_keepalives_idle = 60;";

/// A migration that waits for a table, such as behind a dump, has all others wait behind it: shortly, and then anew.
pub(super) const POSTGRES_MIGRATES: &str = "SET lock_timeout = '300ms';";

/// Source: PostgreSQL 15, Appendix A: `read_only_sql_transaction`.
pub(super) const READ_ONLY: &str = "25006";

/// Source: PostgreSQL 15, Appendix A: `lock_not_available`, which `lock_timeout` comes to.
pub(super) const LOCKED: &str = "55P03";

/// All but the slash: the URL parser would take `?` and `%` in a folder's name for its own.
const IN_PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/');

/// The two databases that the ledger knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Engine {
    Sqlite,
    Postgres,
}

impl Engine {
    /// The engine that a URL names. An error quotes the scheme alone: the rest may hold a password.
    pub(super) fn of(url: &str) -> Result<Self, LedgerError> {
        match url.split_once(':').map(|(scheme, _)| scheme) {
            Some("sqlite") => Ok(Self::Sqlite),
            Some("postgres" | "postgresql") => Ok(Self::Postgres),
            scheme => Err(LedgerError::Scheme(scheme.unwrap_or_default().to_owned())),
        }
    }

    /// Begins a transaction that will write. SQLite must say so at once: raising a reading transaction to a writing one fails
    /// without waiting when another writer is busy.
    pub(super) fn begin(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN IMMEDIATE",
            Self::Postgres => "BEGIN",
        }
    }

    /// Whether a commit that failed so was surely not carried out.
    pub(super) fn surely_undid(self, error: &sqlx::Error) -> bool {
        let code = error.as_database_error().and_then(DatabaseError::code);
        code.is_some_and(|code| self.undoes(&code))
    }

    /// Whether a server that said so, or the road to it, is not to be used again: it is no longer the primary, or goes down.
    pub(super) fn forsakes(self, error: &sqlx::Error) -> bool {
        let code = error.as_database_error().map(DatabaseError::code);
        self == Self::Postgres
            && code.is_none_or(|code| {
                let code = code.unwrap_or_default();
                code == READ_ONLY || ["08", "57P"].iter().any(|class| code.starts_with(class))
            })
    }

    /// An error that is not listed here, such as a failing disk or a server that is shut down, may come after the fact.
    /// Source: SQLite, Result and Error Codes; PostgreSQL 15, Appendix A.
    fn undoes(self, code: &str) -> bool {
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
pub(super) fn private_sqlite(folder: &Path) -> Result<String, LedgerError> {
    let failed = |source| LedgerError::Folder {
        folder: folder.to_owned(),
        source,
    };
    let file = folder.canonicalize().map_err(failed)?.join(FILE_NAME);
    let path = file
        .to_str()
        .ok_or_else(|| failed(std::io::ErrorKind::InvalidFilename.into()))?;
    create_private(&file).map_err(failed)?;
    Ok(url_of(path))
}

/// The URL of a SQLite file that is there.
pub(super) fn url_of(path: &str) -> String {
    format!("sqlite://{}", utf8_percent_encode(path, IN_PATH))
}

/// The SQLite file that a ledger is in; none for one in PostgreSQL.
///
/// # Errors
/// [`LedgerError`] when the URL is of another kind.
pub fn sqlite_file(url: Option<&str>, folder: &Path) -> Result<Option<PathBuf>, LedgerError> {
    let Some(url) = url else {
        return Ok(Some(folder.join(FILE_NAME)));
    };
    Ok(match Engine::of(url)? {
        Engine::Postgres => None,
        Engine::Sqlite => {
            let options: SqliteConnectOptions = url.parse()?;
            Some(options.get_filename().to_owned())
        }
    })
}

/// The folder that a file is in.
pub(super) fn folder_of(file: &Path) -> &Path {
    let parent = file.parent().filter(|parent| *parent != Path::new(""));
    parent.unwrap_or(Path::new("."))
}

/// SQLite gives its log and its shared memory the mode of the file, so they are private too.
fn create_private(file: &Path) -> std::io::Result<()> {
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
        fn case(engine: Engine, code: &str, expected: bool) {
            assert_eq!(engine.undoes(code), expected, "{engine:?} {code}");
        }
        case(Engine::Sqlite, "5", true);
        case(Engine::Sqlite, "13", true);
        case(Engine::Sqlite, "787", true);
        case(Engine::Sqlite, "10", false);
        case(Engine::Sqlite, "1034", false);
        case(Engine::Sqlite, "", false);
        case(Engine::Postgres, "23503", true);
        case(Engine::Postgres, "40001", true);
        case(Engine::Postgres, "53100", true);
        case(Engine::Postgres, "40003", false);
        case(Engine::Postgres, "57P01", false);
        case(Engine::Postgres, "08006", false);
        case(Engine::Postgres, "58030", false);
    }
}
