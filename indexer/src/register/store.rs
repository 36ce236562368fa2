//! Opens and fills the register's file, and commits changes to it.

use std::path::{Path, PathBuf};

use postduif_schema::IndexProgress;
use redb::{Database, Durability, WriteTransaction};

use super::commit::RegisterCommit;
use super::digested_rows::insert_single;
use super::error::RegisterError;
use super::load::RegisterContents;
use super::pending::PendingGeneration;
use super::read::RegisterReader;
use super::row::encode_value;
use super::store_panic::catch_store_panic;
use super::tables::{PENDING_KEY, SINGLE_VALUES};

/// Memory for the store's cache, in bytes. A larger cache would not help, because a build writes rows in order and a delivery reads
/// few rows.
pub(super) const CACHE_BYTES: usize = 256 << 20;

/// Memory for the store's cache while every page is checked. A cache makes the check slower: for the country it takes 3.1 s with 256 MB,
/// and 1.4 s without.
pub(super) const CHECK_CACHE_BYTES: usize = 0;

/// The register's file, open for reading and writing. Only one process can have it open.
pub struct Register {
    path: PathBuf,
    database: Database,
}

impl Register {
    /// Opens the register in a file, and checks the checksum of every page in use. Without this check, a row that cannot be found
    /// because of a damaged page would seem not to exist. The check takes a second and a half for the country.
    ///
    /// # Errors
    /// When the register is missing, in use, damaged or of another format.
    pub fn open(path: &Path) -> Result<Self, RegisterError> {
        catch_store_panic(path, || {
            check_pages(path)?;
            let mut builder = Database::builder();
            let database = builder.set_cache_size(CACHE_BYTES).open(path);
            let register = Self {
                path: path.to_owned(),
                database: database.map_err(RegisterError::from_store_error(path))?,
            };
            register.reader()?.check_format()?;
            Ok(register)
        })
    }

    /// Reads a few rows of the register in a file, without checking every page. Several processes may read at once. The file is
    /// written to only if the last process that wrote to it was killed, because the store then needs a repair.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open) and of `read`.
    pub fn read_only<T>(
        path: &Path,
        read: impl FnOnce(&RegisterReader) -> Result<T, RegisterError>,
    ) -> Result<T, RegisterError> {
        let check_and_read = |reader: RegisterReader| {
            reader.check_format()?;
            read(&reader)
        };
        catch_store_panic(path, || {
            let mut builder = Database::builder();
            builder.set_cache_size(CACHE_BYTES);
            match builder.open_read_only(path) {
                // The last process that wrote to the store was killed. Repair the store, which needs write access.
                Err(redb::DatabaseError::RepairAborted) => {
                    let database = builder.open(path);
                    let database = database.map_err(RegisterError::from_store_error(path))?;
                    check_and_read(RegisterReader::new(path, &database)?)
                }
                database => {
                    let database = database.map_err(RegisterError::from_store_error(path))?;
                    check_and_read(RegisterReader::new(path, &database)?)
                }
            }
        })
    }

    /// Creates a register in a new file. Returns only when the register is synced to disk.
    ///
    /// # Errors
    /// When the file exists already or cannot be written.
    pub(crate) fn create(
        path: &Path,
        contents: &RegisterContents<'_>,
        progress: &dyn IndexProgress,
    ) -> Result<Self, RegisterError> {
        let database = Database::builder()
            .set_cache_size(CACHE_BYTES)
            .create(path)
            .map_err(RegisterError::from_store_error(path))?;
        let fill = || -> Result<(), redb::Error> {
            let mut transaction = database.begin_write()?;
            transaction.set_durability(Durability::Immediate)?;
            contents.write(&transaction, progress)?;
            Ok(transaction.commit()?)
        };
        fill().map_err(RegisterError::from_store_error(path))?;
        Ok(Self {
            path: path.to_owned(),
            database,
        })
    }

    /// A view of the current state, which later writes do not change.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn reader(&self) -> Result<RegisterReader, RegisterError> {
        RegisterReader::new(&self.path, &self.database)
    }

    /// Writes the changes, then calls `pending`, which may wait, and commits the changes together with the result of `pending`. Rolls
    /// back if `pending` returns `None`. When this function returns, either all of the changes are on disk or none.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub(crate) fn commit(
        &self,
        commit: &RegisterCommit<'_>,
        pending: impl FnOnce() -> Option<PendingGeneration>,
    ) -> Result<(), RegisterError> {
        self.with_transaction(|transaction| {
            commit.write(transaction)?;
            let Some(pending) = pending() else {
                return Ok(false);
            };
            let mut single = transaction.open_table(SINGLE_VALUES)?;
            insert_single(&mut single, PENDING_KEY, encode_value(&pending))?;
            Ok(true)
        })
    }

    /// Records that the generation of the register's state is published.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub(crate) fn clear_pending(&self) -> Result<(), RegisterError> {
        self.with_transaction(|transaction| {
            transaction.open_table(SINGLE_VALUES)?.remove(PENDING_KEY)?;
            Ok(true)
        })
    }

    /// Like [`clear_pending`](Self::clear_pending), after the generation was published. A failure is only logged, because the generation is
    /// served, and the next run clears the record.
    pub(crate) fn clear_published(&self) {
        if let Err(error) = self.clear_pending() {
            tracing::warn!(
                %error,
                "the generation is served, but the register could not record this; the next delivery does"
            );
        }
    }

    /// Runs `write` in a transaction. Commits if `write` returns true, and rolls back otherwise.
    fn with_transaction(
        &self,
        write: impl FnOnce(&WriteTransaction) -> Result<bool, redb::Error>,
    ) -> Result<(), RegisterError> {
        let transact = || -> Result<(), redb::Error> {
            let mut transaction = self.database.begin_write()?;
            transaction.set_durability(Durability::Immediate)?;
            // Without quick repair, the first process that opens the store after a crash has to read all of it.
            transaction.set_quick_repair(true);
            if write(&transaction)? {
                Ok(transaction.commit()?)
            } else {
                Ok(transaction.abort()?)
            }
        };
        transact().map_err(RegisterError::from_store_error(&self.path))
    }
}

/// Checks the checksum of every page in use. Opens the file separately, because the size of the cache is fixed at opening.
fn check_pages(path: &Path) -> Result<(), RegisterError> {
    let mut builder = Database::builder();
    let database = builder.set_cache_size(CHECK_CACHE_BYTES).open(path);
    let checked = database
        .map_err(redb::Error::from)
        .and_then(|mut database| Ok(database.check_integrity()?));
    if !checked.map_err(RegisterError::from_store_error(path))? {
        tracing::warn!(
            register = %path.display(),
            "the register's list of free pages was damaged; it was made again, and no row is lost"
        );
    }
    Ok(())
}
