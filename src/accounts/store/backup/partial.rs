//! Files on their way to their name.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::NamedTempFile;

use super::{CopyError, TAILS, with_end};
use crate::accounts::store::location::folder_of;

const PREFIX: &str = ".accounts-";
const SUFFIX: &str = ".part";

/// A part that was not written to for so long is nobody's: its maker was killed.
const STALE_AFTER: Duration = Duration::from_secs(3600);

/// A file that is readable by its owner alone, and gone, with what SQLite put beside it, unless it is kept.
pub(super) struct Part {
    file: NamedTempFile,
    _tails: Tails,
}

/// What SQLite may leave beside a file: it cannot always clear up after one that is damaged.
struct Tails(PathBuf);

impl Drop for Tails {
    fn drop(&mut self) {
        for tail in TAILS {
            // Mostly there is none.
            fs::remove_file(with_end(&self.0, tail)).ok();
        }
    }
}

impl Part {
    /// Makes one in the folder of `file`, and takes away what earlier runs left there.
    pub(super) fn beside(file: &Path) -> Result<Self, CopyError> {
        let folder = folder_of(file);
        sweep(folder, SystemTime::now()).map_err(CopyError::io(folder))?;
        let made = tempfile::Builder::new()
            .prefix(PREFIX)
            .suffix(SUFFIX)
            .tempfile_in(folder);
        let file = made.map_err(CopyError::io(folder))?;
        Ok(Self {
            _tails: Tails(file.path().to_owned()),
            file,
        })
    }

    pub(super) fn path(&self) -> &Path {
        self.file.path()
    }

    pub(super) fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Gives a whole file its name, where there is nothing of that name.
    pub(super) fn keep(self, to: &Path) -> Result<(), CopyError> {
        self.file.as_file().sync_all().map_err(CopyError::io(to))?;
        match self.file.persist_noclobber(to) {
            Ok(_) => sync(folder_of(to)),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(CopyError::Exists(to.to_owned()))
            }
            Err(error) => Err(CopyError::io(to)(error.error)),
        }
    }

    /// Gives a whole file its name in place of the file that has it.
    pub(super) fn replace(self, to: &Path) -> Result<(), CopyError> {
        let placed = self.file.persist(to).map_err(|error| error.error);
        placed.map_err(CopyError::io(to))?;
        sync(folder_of(to))
    }
}

fn sync(folder: &Path) -> Result<(), CopyError> {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(CopyError::io(folder))
}

fn sweep(folder: &Path, now: SystemTime) -> io::Result<()> {
    for entry in folder.read_dir()? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with(PREFIX) || !name.contains(SUFFIX) {
            continue;
        }
        // Another run may be at it too; what cannot be taken away is in nobody's way.
        let written = entry.metadata().and_then(|data| data.modified());
        let rested = written.map(|written| now.duration_since(written).unwrap_or_default());
        if rested.is_ok_and(|rested| rested > STALE_AFTER) {
            fs::remove_file(entry.path()).ok();
        }
    }
    Ok(())
}
