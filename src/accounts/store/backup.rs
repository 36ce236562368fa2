//! Copies of a ledger in SQLite: a back-up while it is in use, and a back-up put back in its place.
//!
//! A file has its name only once it is whole, sound and on the disk; nothing is ever overwritten. What a restored ledger has
//! leased and not used counts as used, so nobody is served too much for that; other calls made after the back-up are unknown
//! to it.

mod check;
mod error;
mod files;
mod partial;
mod replaced;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use sqlx::error::DatabaseError;
use sqlx::{AnyConnection, Connection as _};

pub use check::BackupContents;
pub use error::BackupError;

use super::dir_lock::DirLock;
use super::location;
use super::location::parent_dir;
use check::verify_database;
use files::{is_non_empty_file, with_suffix};
use partial::PartialFile;
use replaced::set_aside_existing;

/// What was put back.
#[derive(Debug)]
pub struct RestoredBackup {
    /// What is in it.
    pub contents: BackupContents,
    /// Where the ledger is that was there before.
    pub replaced_file: Option<PathBuf>,
}

/// Copies the ledger in `file` to `to`, which must not exist. Whoever works with the ledger goes on meanwhile.
///
/// # Errors
/// [`CopyError`]; there is then no file of that name.
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
        .map_err(BackupError::io_error(folder))?;
    let part = PartialFile::create_beside(to)?;
    let into = path_str(part.path())?;
    with_connection(file, async |ledger| {
        let into = sqlx::query("VACUUM INTO $1").bind(into);
        Ok(into.execute(ledger).await.map(drop)?)
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

/// Puts a back-up in the place of the ledger `file`. Accounts that are there are put aside under a name with the date, and only
/// with `replace`.
///
/// # Errors
/// [`CopyError`]; what was there is then still in its place.
pub async fn restore(
    from: &Path,
    file: &Path,
    replace: bool,
    now: Timestamp,
) -> Result<RestoredBackup, BackupError> {
    let folder = parent_dir(file);
    fs::create_dir_all(folder).map_err(BackupError::io_error(folder))?;
    let mut part = PartialFile::create_beside(file)?;
    let contents = copy_and_verify(from, &mut part).await?;
    let dir_lock = DirLock::try_lock_exclusive(folder).map_err(BackupError::io_error(folder))?;
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

/// Copies the back-up into `part` and judges the copy, so that what is judged is what is used.
async fn copy_and_verify(
    from: &Path,
    part: &mut PartialFile,
) -> Result<BackupContents, BackupError> {
    let log = with_suffix(from, "-wal");
    if is_non_empty_file(&log) {
        return Err(BackupError::InvalidFile {
            file: from.to_owned(),
            problem: format!(
                "{} beside it holds a part of it: copy accounts with `accounts backup`",
                log.display()
            ),
        });
    }
    let mut source = File::open(from).map_err(BackupError::io_error(from))?;
    io::copy(&mut source, part.file()).map_err(BackupError::io_error(from))?;
    let contents = with_connection(part.path(), async |copy| {
        let contents = verify_database(copy, from).await?;
        check::remove_backup_time(copy).await?;
        Ok(contents)
    })
    .await?;
    part.file()
        .sync_all()
        .map_err(BackupError::io_error(from))?;
    chown_to_dir_owner(part.path(), parent_dir(part.path()))?;
    Ok(contents)
}

/// Makes sure that nobody works with the ledger, not with other programs either, and that its log is in the file, for as long
/// as the answer is held. A file that does not read as a database has no log to fold.
async fn lock_database(file: &Path, replace: bool) -> Result<Option<AnyConnection>, BackupError> {
    let mut ledger = connect(file).await?;
    let held = try_lock_database(&mut ledger, file, replace).await;
    if let Ok(true) = held {
        return Ok(Some(ledger));
    }
    let closed = ledger.close().await;
    held?;
    // A damaged file may not close in order.
    closed.ok();
    Ok(None)
}

/// Whether the connection now keeps others away.
async fn try_lock_database(
    ledger: &mut AnyConnection,
    file: &Path,
    replace: bool,
) -> Result<bool, BackupError> {
    let accounts = none_if_unreadable(check::count_accounts(ledger).await)?;
    let occupied = match accounts {
        Some(0) => None,
        Some(1) => Some("1 account".to_owned()),
        Some(accounts) => Some(format!("{accounts} accounts")),
        None => Some("what does not read as accounts".to_owned()),
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
    // Every connection to a ledger holds it in WAL mode, so leaving that mode takes being alone.
    let mode = sqlx::query_scalar::<_, String>("PRAGMA journal_mode = DELETE");
    let in_use = || BackupError::InUse(file.to_owned());
    match mode.fetch_one(&mut *ledger).await {
        Ok(mode) if mode == "delete" => {}
        Ok(_) => return Err(in_use()),
        Err(error) if primary_code(&error) == Some(SQLITE_BUSY) => return Err(in_use()),
        // Its first pages read, and others do not.
        Err(error) => return none_if_unreadable(Err(error)).map(|_: Option<()>| false),
    }
    sqlx::query("BEGIN EXCLUSIVE").execute(ledger).await?;
    Ok(true)
}

/// Source: SQLite, Result and Error Codes.
const SQLITE_BUSY: u32 = 5;

/// None where the file is damaged or no ledger; whatever else went wrong says nothing of the file.
fn none_if_unreadable<T>(read: Result<T, sqlx::Error>) -> Result<Option<T>, BackupError> {
    // Error, such as for a table that is not there; corrupt; not a database.
    const UNREADABLE: [u32; 3] = [1, 11, 26];
    match read {
        Ok(read) => Ok(Some(read)),
        Err(error) if primary_code(&error).is_some_and(|code| UNREADABLE.contains(&code)) => {
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

fn primary_code(error: &sqlx::Error) -> Option<u32> {
    let code = error.as_database_error().and_then(DatabaseError::code)?;
    Some(code.parse::<u32>().ok()? & 0xff)
}

/// Root may restore for the user that the service runs as, to whom the data folder belongs.
fn chown_to_dir_owner(file: &Path, folder: &Path) -> Result<(), BackupError> {
    use std::os::unix::fs::MetadataExt as _;
    let owner = |path: &Path| {
        let found = path.metadata().map_err(BackupError::io_error(path))?;
        Ok::<_, BackupError>((found.uid(), found.gid()))
    };
    let (is, should) = (owner(file)?, owner(folder)?);
    if is.0 == should.0 {
        return Ok(());
    }
    let given = std::os::unix::fs::chown(file, Some(should.0), Some(should.1));
    given.map_err(BackupError::io_error(file))
}

fn path_str(path: &Path) -> Result<&str, BackupError> {
    let text = path.to_str().ok_or(io::ErrorKind::InvalidFilename.into());
    text.map_err(BackupError::io_error(path))
}

async fn connect(file: &Path) -> Result<AnyConnection, BackupError> {
    sqlx::any::install_default_drivers();
    let absolute = file.canonicalize().map_err(BackupError::io_error(file))?;
    let url = location::sqlite_url(path_str(&absolute)?);
    Ok(AnyConnection::connect(&url).await?)
}

/// Works on a file and closes it whatever came of it, so that SQLite leaves nothing beside it.
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
