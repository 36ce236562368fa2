//! Copies of a ledger in SQLite: a back-up while it is in use, and a back-up put back in its place.
//!
//! A file has its name only once it is whole, sound and on the disk; nothing is ever overwritten. What a restored ledger has
//! leased and not used counts as used, so nobody is served too much for that; calls made after the back-up are unknown to it.

mod examine;

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use sqlx::{AnyConnection, Connection as _};
use tempfile::NamedTempFile;

use super::location;
pub use examine::Contents;
use examine::examine;

/// Why a copy was not made or not put in place.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CopyError {
    /// There is nothing to copy.
    #[error("no accounts in {}", .0.display())]
    Nothing(PathBuf),
    /// Something has the name already.
    #[error("{} is there already; nothing is overwritten", .0.display())]
    Exists(PathBuf),
    /// The file is no ledger, or a damaged one.
    #[error("{} cannot be used: {problem}", file.display())]
    Unsound {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// There are accounts that would be lost from sight.
    #[error("{} holds {accounts} already; --replace puts it aside", file.display())]
    Occupied {
        /// The ledger that is there.
        file: PathBuf,
        /// How many accounts it has, in words.
        accounts: String,
    },
    /// Somebody works with the ledger.
    #[error("{} is in use: stop the service first", .0.display())]
    InUse(PathBuf),
    /// The operating system did not do it.
    #[error("{}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// The database did not do it.
    #[error("copying the accounts failed")]
    Database(#[from] sqlx::Error),
}

/// What was put back.
#[derive(Debug)]
pub struct Restored {
    /// What is in it.
    pub contents: Contents,
    /// Where the ledger is that was there before.
    pub aside: Option<PathBuf>,
}

impl CopyError {
    /// Whether trying again is of no use.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        !matches!(self, Self::Io { .. } | Self::Database(_))
    }

    fn io(file: &Path) -> impl FnOnce(io::Error) -> Self {
        let file = file.to_owned();
        |source| Self::Io { file, source }
    }
}

/// Copies the ledger in `file` to `to`, which must not exist. Whoever works with the ledger goes on meanwhile.
///
/// # Errors
/// [`CopyError`]; there is then no file of that name.
pub async fn back_up(file: &Path, to: &Path, now: Timestamp) -> Result<Contents, CopyError> {
    if !file.is_file() {
        return Err(CopyError::Nothing(file.to_owned()));
    }
    if to.symlink_metadata().is_ok() {
        return Err(CopyError::Exists(to.to_owned()));
    }
    let part = part_beside(to)?;
    let mut ledger = connect(file).await?;
    let into = sqlx::query("VACUUM INTO $1").bind(text(part.path())?);
    into.execute(&mut ledger).await?;
    ledger.close().await?;
    let mut copy = connect(part.path()).await?;
    examine::stamp(&mut copy, now).await?;
    let contents = examine(&mut copy, part.path()).await?;
    copy.close().await?;
    keep(part, to)?;
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
) -> Result<Restored, CopyError> {
    let folder = folder_of(file);
    fs::create_dir_all(folder).map_err(CopyError::io(folder))?;
    let mut part = part_beside(file)?;
    let contents = take_in(from, &mut part).await?;
    let before = match file.is_file() {
        true => Some(hold(file, replace).await?),
        false => None,
    };
    let aside = put_aside(file, now)?;
    let tail = |end| with_end(file, end);
    // A log that is left behind would be played into the new file.
    for (end, name) in [("-wal", tail("-wal")), ("-shm", tail("-shm"))] {
        if name.is_file() {
            let to = with_end(&with_end(file, &dated(now)), end);
            fs::rename(&name, &to).map_err(CopyError::io(&name))?;
        }
    }
    let placed = part.persist(file).map_err(|error| error.error);
    placed.map_err(CopyError::io(file))?;
    sync(folder)?;
    drop(before);
    Ok(Restored { contents, aside })
}

/// Copies the back-up into `part` and judges the copy, so that what is judged is what is used.
async fn take_in(from: &Path, part: &mut NamedTempFile) -> Result<Contents, CopyError> {
    let log = with_end(from, "-wal");
    if log.metadata().is_ok_and(|log| log.len() > 0) {
        return Err(CopyError::Unsound {
            file: from.to_owned(),
            problem: format!(
                "{} beside it holds a part of it: copy accounts with `accounts backup`",
                log.display()
            ),
        });
    }
    let mut source = File::open(from).map_err(CopyError::io(from))?;
    io::copy(&mut source, part).map_err(CopyError::io(from))?;
    let mut copy = connect(part.path()).await?;
    let contents = examine(&mut copy, from).await?;
    examine::unstamp(&mut copy).await?;
    copy.close().await?;
    part.as_file().sync_all().map_err(CopyError::io(from))?;
    owned_as(part.path(), folder_of(part.path()))?;
    Ok(contents)
}

/// Makes sure that nobody works with the ledger and that its log is in the file, for as long as the answer is held. A file that
/// does not read as a database is nobody's.
async fn hold(file: &Path, replace: bool) -> Result<Option<AnyConnection>, CopyError> {
    let mut ledger = connect(file).await?;
    let accounts = examine::accounts(&mut ledger).await;
    let occupied = match &accounts {
        Ok(0) => None,
        Ok(1) => Some("1 account".to_owned()),
        Ok(accounts) => Some(format!("{accounts} accounts")),
        Err(_) => Some("what does not read as accounts".to_owned()),
    };
    if let Some(accounts) = occupied.filter(|_| !replace) {
        return Err(CopyError::Occupied {
            file: file.to_owned(),
            accounts,
        });
    }
    if accounts.is_err() {
        return Ok(None);
    }
    // Every connection to a ledger holds it in WAL mode, so leaving that mode takes being alone.
    let mode = sqlx::query_scalar::<_, String>("PRAGMA journal_mode = DELETE");
    if mode.fetch_one(&mut ledger).await.ok().as_deref() != Some("delete") {
        return Err(CopyError::InUse(file.to_owned()));
    }
    sqlx::query("BEGIN EXCLUSIVE").execute(&mut ledger).await?;
    Ok(Some(ledger))
}

/// Gives the ledger a second name, so that there is one at every moment.
fn put_aside(file: &Path, now: Timestamp) -> Result<Option<PathBuf>, CopyError> {
    if !file.is_file() {
        return Ok(None);
    }
    let aside = with_end(file, &dated(now));
    fs::hard_link(file, &aside).map_err(CopyError::io(&aside))?;
    Ok(Some(aside))
}

fn dated(now: Timestamp) -> String {
    format!(".replaced-{}", now.strftime("%Y%m%dT%H%M%SZ"))
}

/// Root may restore for the user that the service runs as, to whom the data folder belongs.
fn owned_as(file: &Path, folder: &Path) -> Result<(), CopyError> {
    use std::os::unix::fs::MetadataExt as _;
    let owner = |path: &Path| {
        let found = path.metadata().map_err(CopyError::io(path))?;
        Ok::<_, CopyError>((found.uid(), found.gid()))
    };
    let (is, should) = (owner(file)?, owner(folder)?);
    if is.0 == should.0 {
        return Ok(());
    }
    let given = std::os::unix::fs::chown(file, Some(should.0), Some(should.1));
    given.map_err(CopyError::io(file))
}

/// A file that is readable by its owner alone, and gone unless it is kept.
fn part_beside(file: &Path) -> Result<NamedTempFile, CopyError> {
    let made = tempfile::Builder::new()
        .prefix(".accounts-")
        .suffix(".part")
        .tempfile_in(folder_of(file));
    made.map_err(CopyError::io(folder_of(file)))
}

/// Gives a whole file its name.
fn keep(part: NamedTempFile, to: &Path) -> Result<(), CopyError> {
    part.as_file().sync_all().map_err(CopyError::io(to))?;
    match part.persist_noclobber(to) {
        Ok(_) => sync(folder_of(to)),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
            Err(CopyError::Exists(to.to_owned()))
        }
        Err(error) => Err(CopyError::io(to)(error.error)),
    }
}

fn sync(folder: &Path) -> Result<(), CopyError> {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(CopyError::io(folder))
}

fn folder_of(file: &Path) -> &Path {
    let parent = file.parent().filter(|parent| *parent != Path::new(""));
    parent.unwrap_or(Path::new("."))
}

fn with_end(file: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(end);
    name.into()
}

fn text(path: &Path) -> Result<&str, CopyError> {
    let text = path.to_str().ok_or(io::ErrorKind::InvalidFilename.into());
    text.map_err(CopyError::io(path))
}

async fn connect(file: &Path) -> Result<AnyConnection, CopyError> {
    sqlx::any::install_default_drivers();
    let absolute = file.canonicalize().map_err(CopyError::io(file))?;
    let url = location::url_of(text(&absolute)?);
    Ok(AnyConnection::connect(&url).await?)
}
