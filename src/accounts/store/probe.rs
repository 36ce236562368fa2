//! Checks that the accounts database can be opened, without changing it.

use std::path::Path;

use sqlx::error::DatabaseError;
use sqlx::{AnyConnection, Connection as _};

use super::backup::with_suffix;
use super::error::AccountStoreError;
use super::location::{sqlite_file_path, sqlite_url};
use super::migrations::MIGRATIONS;

/// The code for a missing table. Source: PostgreSQL 15, Appendix A: `undefined_table`.
const SQLSTATE_UNDEFINED_TABLE: &str = "42P01";

/// SQLite's message for a missing table. The code of this error, SQLITE_ERROR, has other causes too, so only the message identifies a
/// missing table.
const SQLITE_UNDEFINED_TABLE: &str = "no such table";

/// Connects to the database at `url`, or in the data folder, and checks that no newer postduif has changed its tables. A SQLite
/// file that the service will create need not exist.
///
/// # Errors
/// The reason why the service could not open the database.
pub async fn try_account_store(url: Option<&str>, folder: &Path) -> Result<(), AccountStoreError> {
    sqlx::any::install_default_drivers();
    let file = sqlite_file_path(url, folder)?;
    let missing = file.as_ref().is_some_and(|file| !file.exists());
    let is_created = url.is_none_or(|url| url.contains("mode=rwc"));
    if missing && is_created {
        return Ok(());
    }
    let read_only = file.filter(|_| !missing).map(|file| read_only_url(&file));
    let url = read_only.as_deref().or(url).unwrap_or_default();
    let mut connection = AnyConnection::connect(url).await?;
    let newest = last_migration_version(&mut connection).await;
    // The connection has only read data, so a failed close does no harm.
    connection.close().await.ok();
    match newest? {
        Some(newest) if MIGRATIONS.iter().all(|known| known.version < newest) => {
            Err(AccountStoreError::NewerSchema(newest))
        }
        _ => Ok(()),
    }
}

/// A URL for reading a SQLite file. If the file has no `-wal` file, no process has it open. SQLite can then read it without creating files
/// beside it.
fn read_only_url(file: &Path) -> String {
    let url = sqlite_url(&file.to_string_lossy());
    if with_suffix(file, "-wal").exists() {
        format!("{url}?mode=ro")
    } else {
        format!("{url}?mode=ro&immutable=1")
    }
}

/// The version of the last migration; `None` for a new database.
async fn last_migration_version(
    connection: &mut AnyConnection,
) -> Result<Option<i64>, sqlx::Error> {
    let newest = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations");
    match newest.fetch_one(connection).await {
        Err(error) if is_undefined_table(&error) => Ok(None),
        newest => newest,
    }
}

fn is_undefined_table(error: &sqlx::Error) -> bool {
    let error = error.as_database_error();
    error.is_some_and(|error| {
        error.message().contains(SQLITE_UNDEFINED_TABLE)
            || DatabaseError::code(error).is_some_and(|code| code == SQLSTATE_UNDEFINED_TABLE)
    })
}
