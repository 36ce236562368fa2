//! Checks that the service could open and write the accounts database, without changing it.

use std::fs::File;
use std::io;
use std::path::Path;

use sqlx::error::DatabaseError;
use sqlx::{AnyConnection, Connection as _};

use super::backup::with_suffix;
use super::error::AccountStoreError;
use super::location::{parent_dir, sqlite_file_path, sqlite_url};
use super::migrations::MIGRATIONS;

/// The code for a missing table. Source: PostgreSQL 15, Appendix A: `undefined_table`.
const SQLSTATE_UNDEFINED_TABLE: &str = "42P01";

/// SQLite's message for a missing table. The code of this error, SQLITE_ERROR, has other causes too, so only the message identifies a
/// missing table.
const SQLITE_UNDEFINED_TABLE: &str = "no such table";

/// Connects to the database at `url`, or in the data folder, and checks that it accepts the writes of the service and that no newer postduif
/// has changed its tables. A SQLite file that the service will create need not exist.
///
/// # Errors
/// The reason why the service could not open the database.
pub async fn check_account_store(
    url: Option<&str>,
    folder: &Path,
) -> Result<(), AccountStoreError> {
    sqlx::any::install_default_drivers();
    let file = sqlite_file_path(url, folder)?;
    let missing = file.as_ref().is_some_and(|file| !file.exists());
    let is_created = url.is_none_or(|url| url.contains("mode=rwc"));
    if let Some(file) = &file
        && (!missing || is_created)
    {
        check_writable(file, missing)?;
    }
    if missing && is_created {
        return Ok(());
    }
    let is_sqlite = file.is_some();
    let read_only = file.filter(|_| !missing).map(|file| read_only_url(&file));
    let url = read_only.as_deref().or(url).unwrap_or_default();
    let mut connection = AnyConnection::connect(url).await?;
    let checked = check_tables(&mut connection, is_sqlite).await;
    // The connection has changed nothing, so a failed close does no harm.
    connection.close().await.ok();
    checked
}

async fn check_tables(
    connection: &mut AnyConnection,
    is_sqlite: bool,
) -> Result<(), AccountStoreError> {
    let newest = last_migration_version(connection).await?;
    if let Some(newest) = newest
        && MIGRATIONS.iter().all(|known| known.version < newest)
    {
        return Err(AccountStoreError::NewerSchema(newest));
    }
    match is_sqlite {
        true => Ok(()),
        false => try_writes(connection, newest.is_some()).await,
    }
}

/// Makes the writes of a start in a transaction, and rolls it back. The service may create tables at every start: PostgreSQL asks for the
/// privilege even if the table of migrations exists.
async fn try_writes(
    connection: &mut AnyConnection,
    has_tables: bool,
) -> Result<(), AccountStoreError> {
    let mut transaction = connection.begin().await?;
    sqlx::raw_sql("CREATE TABLE postduif_config_check (number BIGINT)")
        .execute(&mut *transaction)
        .await?;
    if has_tables {
        sqlx::raw_sql("UPDATE revision SET number = number WHERE only_row = 0")
            .execute(&mut *transaction)
            .await?;
    }
    Ok(transaction.rollback().await?)
}

/// Checks that this user can write the SQLite file and create files beside it, which SQLite needs for its log. Leaves nothing there.
fn check_writable(file: &Path, is_missing: bool) -> Result<(), AccountStoreError> {
    let opened = match is_missing {
        true => Ok(()),
        // Opening a named pipe would wait for its reader.
        false if !file.is_file() => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        )),
        false => File::options().write(true).open(file).map(drop),
    };
    let folder = parent_dir(file);
    let created = opened.and_then(|()| tempfile::tempfile_in(folder).map(drop));
    created.map_err(|source| AccountStoreError::DataDir {
        folder: folder.to_owned(),
        source,
    })
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
