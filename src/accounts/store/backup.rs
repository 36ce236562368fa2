//! Backs up and restores a SQLite accounts database. A backup works while the database is in use.
//!
//! A file gets its name only when it is complete, verified and on the disk. No file is ever overwritten. Calls that were leased but unused
//! at the time of the backup count as used after a restore, so that no quota is exceeded. All other calls that were made after the backup
//! are not counted.

mod check;
mod error;
mod files;
mod partial;
mod replaced;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use postduif_schema::FileError;
use postduif_schema::files::open_regular;
use sqlx::{AnyConnection, Connection as _};

pub use check::BackupContents;
pub use error::BackupError;

use super::dir_lock::DirLock;
use super::error::sqlite_code;
use super::location;
use super::location::parent_dir;
use crate::accounts::Plans;
use check::verify_database;
use files::is_non_empty_file;
pub(super) use files::with_suffix;
use partial::PartialFile;
pub(super) use partial::remove_abandoned;
use replaced::set_aside_existing;

/// The result of a restore.
#[derive(Debug)]
pub struct RestoredBackup {
    /// The contents of the backup.
    pub contents: BackupContents,
    /// The new name of the previous database; `None` if no database existed.
    pub replaced_file: Option<PathBuf>,
}

/// Copies the database in `file` to `to`, which must not exist. Other programs can use the database during the copy.
///
/// # Errors
/// [`BackupError`]. After an error, `to` is unchanged: an absent file is still absent.
pub async fn back_up(
    file: &Path,
    to: &Path,
    now: Timestamp,
) -> Result<BackupContents, BackupError> {
    if !file.is_file() {
        return Err(BackupError::SourceMissing(file.to_owned()));
    }
    if to.symlink_metadata().is_ok() {
        return Err(BackupError::AlreadyExists(to.to_owned()));
    }
    let folder = parent_dir(file);
    let _dir_lock = DirLock::lock_shared(folder)
        .await
        .map_err(FileError::with_path(folder))?;
    let part = PartialFile::create_beside(to)?;
    let into = path_str(part.path())?;
    with_connection(file, async |database| {
        let into = sqlx::query("VACUUM INTO $1").bind(into);
        Ok(into.execute(database).await.map(drop)?)
    })
    .await?;
    let contents = with_connection(part.path(), async |copy| {
        check::write_backup_time(copy, now).await?;
        verify_database(copy, part.path()).await
    })
    .await?;
    part.persist_new(to)?;
    Ok(contents)
}

/// Replaces the database `file` with a backup. If `file` has accounts, `replace` must be set; `file` is then renamed to a name with the
/// date. Every account of the backup must have one of the `plans`.
///
/// # Errors
/// [`BackupError`]. After an error `file` is unchanged.
pub async fn restore(
    from: &Path,
    file: &Path,
    replace: bool,
    plans: &Plans,
    now: Timestamp,
) -> Result<RestoredBackup, BackupError> {
    let folder = parent_dir(file);
    fs::create_dir_all(folder).map_err(FileError::with_path(folder))?;
    let mut part = PartialFile::create_beside(file)?;
    let contents = copy_and_verify(from, &mut part, plans).await?;
    chown_to_dir_owner(part.path(), folder)?;
    let dir_lock = DirLock::try_lock_exclusive(folder).map_err(FileError::with_path(folder))?;
    let Some(_dir_lock) = dir_lock else {
        return Err(BackupError::InUse(file.to_owned()));
    };
    let before = match is_non_empty_file(file) {
        true => lock_database(file, replace).await?,
        false => None,
    };
    let replaced_file = set_aside_existing(file, now, |file, aside| fs::hard_link(file, aside))?;
    part.persist_replacing(file)?;
    if let Some(before) = before {
        before.close().await?;
    }
    Ok(RestoredBackup {
        contents,
        replaced_file,
    })
}

/// Copies the backup into `part` and verifies the copy, so that exactly the verified file is used.
async fn copy_and_verify(
    from: &Path,
    part: &mut PartialFile,
    plans: &Plans,
) -> Result<BackupContents, BackupError> {
    let log = with_suffix(from, "-wal");
    if is_non_empty_file(&log) {
        return Err(BackupError::InvalidFile {
            file: from.to_owned(),
            problem: format!(
                "a part of its data is still in {}; make the backup with `accounts backup`",
                log.display()
            ),
        });
    }
    let mut source = open_regular(from).map_err(FileError::with_path(from))?;
    io::copy(&mut source, part.file()).map_err(FileError::with_path(from))?;
    let contents = with_connection(part.path(), async |copy| {
        let contents = verify_database(copy, from).await?;
        check::verify_rows(copy, from, plans).await?;
        check::remove_backup_time(copy).await?;
        Ok(contents)
    })
    .await?;
    part.file().sync_all().map_err(FileError::with_path(from))?;
    Ok(contents)
}

/// Locks the database against all programs until the returned connection is closed, and merges its log into the file. Returns `None` for a
/// file that is not a readable database, because such a file has no log to merge.
async fn lock_database(file: &Path, replace: bool) -> Result<Option<AnyConnection>, BackupError> {
    let mut database = connect(file).await?;
    let held = try_lock_database(&mut database, file, replace).await;
    if let Ok(true) = held {
        return Ok(Some(database));
    }
    let closed = database.close().await;
    held?;
    // Closing a damaged file may fail, which does no harm.
    closed.ok();
    Ok(None)
}

/// Returns true if the connection now has an exclusive lock.
async fn try_lock_database(
    database: &mut AnyConnection,
    file: &Path,
    replace: bool,
) -> Result<bool, BackupError> {
    let accounts = none_if_unreadable(check::count_accounts(database).await)?;
    let occupied = match accounts {
        Some(0) => None,
        Some(1) => Some("1 account".to_owned()),
        Some(accounts) => Some(format!("{accounts} accounts")),
        None => Some("data that cannot be read as accounts".to_owned()),
    };
    if let Some(accounts) = occupied.filter(|_| !replace) {
        return Err(BackupError::TargetNotEmpty {
            file: file.to_owned(),
            accounts,
        });
    }
    if accounts.is_none() {
        return Ok(false);
    }
    // Every connection keeps the database in WAL mode, so leaving this mode succeeds only if no other connection is open.
    let mode = sqlx::query_scalar::<_, String>("PRAGMA journal_mode = DELETE");
    let in_use = || BackupError::InUse(file.to_owned());
    match mode.fetch_one(&mut *database).await {
        Ok(mode) if mode == "delete" => {}
        Ok(_) => return Err(in_use()),
        Err(error) if sqlite_code(&error).is_some_and(|code| code & 0xff == SQLITE_BUSY) => {
            return Err(in_use());
        }
        // Some pages of the database are unreadable, although the first pages are readable.
        Err(error) => return none_if_unreadable(Err(error)).map(|_: Option<()>| false),
    }
    sqlx::query("BEGIN EXCLUSIVE").execute(database).await?;
    Ok(true)
}

/// The primary code for a database that another connection has locked. Source: SQLite, Result and Error Codes.
const SQLITE_BUSY: u32 = 5;

/// Returns `None` if the error means that the file is damaged or not an accounts database. Other errors say nothing about the file.
fn none_if_unreadable<T>(read: Result<T, sqlx::Error>) -> Result<Option<T>, BackupError> {
    // SQLITE_ERROR (such as for a missing table), SQLITE_CORRUPT and SQLITE_NOTADB.
    const UNREADABLE: [u32; 3] = [1, 11, 26];
    match read {
        Ok(read) => Ok(Some(read)),
        Err(error)
            if sqlite_code(&error).is_some_and(|code| UNREADABLE.contains(&(code & 0xff))) =>
        {
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// Makes the owner of the folder the owner of the file, because root may restore for the service's user.
fn chown_to_dir_owner(file: &Path, folder: &Path) -> Result<(), BackupError> {
    use std::os::unix::fs::MetadataExt as _;
    let owner = |path: &Path| {
        let found = path.metadata().map_err(FileError::with_path(path))?;
        Ok::<_, BackupError>((found.uid(), found.gid()))
    };
    let (is, should) = (owner(file)?, owner(folder)?);
    if is.0 == should.0 {
        return Ok(());
    }
    let given = std::os::unix::fs::chown(file, Some(should.0), Some(should.1));
    Ok(given.map_err(FileError::with_path(file))?)
}

fn path_str(path: &Path) -> Result<&str, BackupError> {
    let text = path.to_str().ok_or(io::ErrorKind::InvalidFilename.into());
    Ok(text.map_err(FileError::with_path(path))?)
}

async fn connect(file: &Path) -> Result<AnyConnection, BackupError> {
    sqlx::any::install_default_drivers();
    let absolute = file.canonicalize().map_err(FileError::with_path(file))?;
    let url = location::sqlite_url(path_str(&absolute)?);
    Ok(AnyConnection::connect(&url).await?)
}

/// Runs `work` on a file and closes the file even after an error, so that SQLite leaves no other files next to it.
async fn with_connection<T>(
    file: &Path,
    work: impl AsyncFnOnce(&mut AnyConnection) -> Result<T, BackupError>,
) -> Result<T, BackupError> {
    let mut connection = connect(file).await?;
    let done = work(&mut connection).await;
    let closed = connection.close().await;
    let done = done?;
    closed?;
    Ok(done)
}
