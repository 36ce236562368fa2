//! Verifies that a file is an undamaged accounts database of a known version, and counts its contents.

use std::path::Path;

use jiff::Timestamp;
use sqlx::{AnyConnection, Row as _};

use super::error::BackupError;
use crate::accounts::Plans;
use crate::accounts::store::account::Account;
use crate::accounts::store::keys::{KeyRecord, read_digest};
use crate::accounts::store::migrations::MIGRATIONS;

/// The numbers of accounts and keys in a backup, and its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackupContents {
    /// Accounts, including closed ones.
    pub accounts: u64,
    /// Keys, including revoked ones.
    pub keys: u64,
    /// When the backup was made; `None` for a copy made by other means.
    pub made_at: Option<Timestamp>,
}

/// Verifies the whole database `copy`. Errors name `file`.
pub(super) async fn verify_database(
    copy: &mut AnyConnection,
    file: &Path,
) -> Result<BackupContents, BackupError> {
    refuse_problem(file, find_problem(copy).await)?;
    let contents = read_contents(copy).await;
    contents.map_err(|error| BackupError::InvalidFile {
        file: file.to_owned(),
        problem: error.to_string(),
    })
}

/// Verifies that this program can read every account and key of a copy. An error names `file`, the row and its problem.
pub(super) async fn verify_rows(
    copy: &mut AnyConnection,
    file: &Path,
    plans: &Plans,
) -> Result<(), BackupError> {
    refuse_problem(file, find_unreadable_row(copy, plans).await)
}

/// Refuses `file` if a problem was found in its copy, or if the copy could not be read.
fn refuse_problem(
    file: &Path,
    found: Result<Option<String>, sqlx::Error>,
) -> Result<(), BackupError> {
    let problem = found.unwrap_or_else(|error| Some(error.to_string()));
    problem.map_or(Ok(()), |problem| {
        Err(BackupError::InvalidFile {
            file: file.to_owned(),
            problem,
        })
    })
}

/// Finds the first account or key that cannot be read. The tables of an older version are not checked, because they lack columns.
async fn find_unreadable_row(
    copy: &mut AnyConnection,
    plans: &Plans,
) -> Result<Option<String>, sqlx::Error> {
    let versions = "SELECT count(*) FROM _sqlx_migrations";
    if count_rows(copy, versions).await? < MIGRATIONS.iter().count() as u64 {
        return Ok(None);
    }
    let accounts = sqlx::query("SELECT * FROM accounts ORDER BY id");
    let accounts = accounts.fetch_all(&mut *copy).await?;
    let keys = sqlx::query(
        "SELECT keys.*, tag FROM keys JOIN accounts ON accounts.id = account_id ORDER BY keys.id",
    );
    let keys = keys.fetch_all(copy).await?;
    let accounts = accounts.iter().map(|row| {
        let read = Account::from_row(row, plans).map(drop);
        ("account", row, read)
    });
    let keys = keys.iter();
    let keys = keys.map(|row| {
        let read = KeyRecord::from_row(row).and_then(|_| read_digest(row));
        ("key", row, read.map(drop))
    });
    let unreadable = accounts.chain(keys).find_map(|(kind, row, read)| {
        let id: String = row.try_get("id").unwrap_or_default();
        Some(format!("{kind} {id}: {}", read.err()?))
    });
    Ok(unreadable)
}

/// Finds the first problem of the copied database; `None` if there is no problem.
async fn find_problem(copy: &mut AnyConnection) -> Result<Option<String>, sqlx::Error> {
    let verdict: String = sqlx::query_scalar("PRAGMA integrity_check")
        .fetch_one(&mut *copy)
        .await?;
    if verdict != "ok" {
        return Ok(Some(verdict));
    }
    let dangling = sqlx::query("PRAGMA foreign_key_check");
    if dangling.fetch_optional(&mut *copy).await?.is_some() {
        return Ok(Some(
            "a row belongs to an account or a key that does not exist".into(),
        ));
    }
    check_schema_version(copy).await
}

/// Checks that the tables are those of a version that this program knows. Returns the problem if they are not.
async fn check_schema_version(copy: &mut AnyConnection) -> Result<Option<String>, sqlx::Error> {
    let named = "SELECT count(*) FROM sqlite_master WHERE name IN ('_sqlx_migrations', 'accounts')";
    let found: i64 = sqlx::query_scalar(named).fetch_one(&mut *copy).await?;
    if found < 2 {
        return Ok(Some(
            "it is a database, but not an accounts database".into(),
        ));
    }
    let done = "SELECT version, lower(hex(checksum)) AS checksum, CAST(success AS BIGINT) AS success FROM _sqlx_migrations ORDER BY version";
    for row in sqlx::query(done).fetch_all(&mut *copy).await? {
        let (version, checksum): (i64, String) =
            (row.try_get("version")?, row.try_get("checksum")?);
        let Some(known) = MIGRATIONS.iter().find(|known| known.version == version) else {
            return Ok(Some("it was made by a newer postduif".into()));
        };
        if hex::encode(&known.checksum) != checksum || row.try_get::<i64, _>("success")? != 1 {
            return Ok(Some(format!(
                "its tables differ from those of version {version}"
            )));
        }
    }
    Ok(None)
}

async fn read_contents(copy: &mut AnyConnection) -> Result<BackupContents, sqlx::Error> {
    let accounts = count_accounts(copy).await?;
    let keys = count_rows(copy, "SELECT count(*) FROM keys").await?;
    let stamped = "SELECT count(*) FROM sqlite_master WHERE name = 'back_up'";
    let mut made_at = None;
    if count_rows(copy, stamped).await? > 0 {
        let made: i64 = sqlx::query_scalar("SELECT made_at FROM back_up")
            .fetch_one(&mut *copy)
            .await?;
        made_at = Timestamp::from_second(made).ok();
    }
    Ok(BackupContents {
        accounts,
        keys,
        made_at,
    })
}

/// The number of accounts.
pub(super) async fn count_accounts(database: &mut AnyConnection) -> Result<u64, sqlx::Error> {
    count_rows(database, "SELECT count(*) FROM accounts").await
}

async fn count_rows(copy: &mut AnyConnection, counts: &'static str) -> Result<u64, sqlx::Error> {
    let rows: i64 = sqlx::query_scalar(counts).fetch_one(copy).await?;
    Ok(u64::try_from(rows).unwrap_or_default())
}

/// Writes the time of the backup into a copy of the database.
pub(super) async fn write_backup_time(
    copy: &mut AnyConnection,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    remove_backup_time(copy).await?;
    let table = "CREATE TABLE back_up (made_at BIGINT NOT NULL)";
    sqlx::query(table).execute(&mut *copy).await?;
    let made = sqlx::query("INSERT INTO back_up (made_at) VALUES ($1)").bind(now.as_second());
    made.execute(copy).await.map(drop)
}

/// Removes the time of the backup from a copy. The copy is then a normal database again.
pub(super) async fn remove_backup_time(copy: &mut AnyConnection) -> Result<(), sqlx::Error> {
    sqlx::query("DROP TABLE IF EXISTS back_up")
        .execute(copy)
        .await
        .map(drop)
}
