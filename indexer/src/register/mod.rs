//! The register: the state of the BAG as far as addresses need it, in one embedded transactional store (redb).
//!
//! It holds every object with the voorkomens that hold on the stand day or later, the tables that are not in the BAG, and
//! the ways back that a mutation needs: from a street to its nummeraanduidingen, from a nummeraanduiding or pand to its
//! objects, from a woonplaats to its streets and to the nummeraanduidingen that name it themselves. A key is an id as a
//! number; a value is a row in postcard, see [`row`].

mod commit;
mod load;
mod object_types;
mod overlay;
mod read;
mod row;

use std::path::{Path, PathBuf};

use jiff::civil::Date;
use postduif_schema::{Area, GenerationName};
use redb::{Database, TableDefinition};
use serde::{Deserialize, Serialize};

use crate::municipalities::Municipality;

pub(crate) use commit::{PendingGeneration, RegisterCommit};
pub(crate) use load::RegisterContents;
pub(crate) use object_types::{RegisterObjectType, ReverseLink};
pub(crate) use overlay::{OverlayObject, PriorVersion, RegisterOverlay};
use read::ReaderDatabase;
pub use read::RegisterReader;

/// Raised with any change to keys or rows; a register of another version is refused.
const FORMAT_VERSION: u32 = 2;

/// Pages held in memory. A build writes them in order and a delivery reads some here and there, so more would not help.
const CACHE_BYTES: usize = 256 << 20;

type RowTable = TableDefinition<'static, u64, &'static [u8]>;

const WOONPLAATSEN: RowTable = TableDefinition::new("woonplaatsen");
const OPENBARE_RUIMTEN: RowTable = TableDefinition::new("openbare_ruimten");
const NUMMERAANDUIDINGEN: RowTable = TableDefinition::new("nummeraanduidingen");
const OBJECTS: RowTable = TableDefinition::new("adresseerbare_objecten");
const PANDEN: RowTable = TableDefinition::new("panden");

const STREETS_IN_WOONPLAATS: RowTable = TableDefinition::new("openbare_ruimten_in_woonplaats");
const NUMMERAANDUIDINGEN_IN_WOONPLAATS: RowTable =
    TableDefinition::new("nummeraanduidingen_in_woonplaats");
const NUMMERAANDUIDINGEN_AT_STREET: RowTable =
    TableDefinition::new("nummeraanduidingen_at_openbare_ruimte");
const OBJECTS_OF_NUMMERAANDUIDING: RowTable = TableDefinition::new("objecten_of_nummeraanduiding");
const OBJECTS_IN_PAND: RowTable = TableDefinition::new("objecten_in_pand");

/// Days after the stand on which an object becomes another though nobody says so then: day, object type, id.
const DUE_CHANGES: TableDefinition<'static, (u32, u8, u64), ()> = TableDefinition::new("due");

/// Whole tables under one key each: the head, relations, municipalities, post-office boxes.
const SINGLE_VALUES: TableDefinition<'static, &'static str, &'static [u8]> =
    TableDefinition::new("single");
const FORMAT_KEY: &str = "format_version";
const HEAD_KEY: &str = "head";
const RELATIONS_KEY: &str = "gemeente_woonplaats";
const MUNICIPALITIES_KEY: &str = "municipalities";
const PO_BOXES_KEY: &str = "po_boxes";
/// There while the state has yet to be made into a generation.
const PENDING_KEY: &str = "pending";

/// What the register says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisterHead {
    /// The day whose state it holds.
    pub stand: Date,
    /// What it covers.
    pub area: Area,
    /// How many mutation deliveries were applied since the full build.
    pub sequence: u64,
    /// The generation that is made of this state.
    pub generation: GenerationName,
}

/// The municipalities that the register's state was joined with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MunicipalityTable {
    pub(crate) rows: Vec<Municipality>,
    /// They were given, in place of those that come with postduif.
    pub(crate) custom: bool,
}

/// A register that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RegisterError {
    /// The store failed.
    #[error("register {}: {source}", path.display())]
    Database {
        /// Its file.
        path: PathBuf,
        /// Why.
        source: Box<redb::Error>,
    },
    /// Another process has it open.
    #[error("register {}: another postduif index command has it open; wait for it to end", path.display())]
    Busy {
        /// Its file.
        path: PathBuf,
    },
    /// A row is not what was written.
    #[error("register {}: damaged row {key} in {table}; build it anew with `postduif index build`", path.display())]
    Damaged {
        /// Its file.
        path: PathBuf,
        /// The table.
        table: String,
        /// The key.
        key: String,
    },
    /// Written by a postduif with other rows.
    #[error(
        "register {}: format {found}, but this postduif reads format {FORMAT_VERSION}; build it anew with \
         `postduif index build`",
        path.display()
    )]
    UnsupportedFormat {
        /// Its file.
        path: PathBuf,
        /// Its format version.
        found: u32,
    },
}

/// The register's file, open for reading and writing. One process at a time has it.
pub struct Register {
    path: PathBuf,
    database: Database,
}

impl Register {
    /// Opens the register in a file.
    ///
    /// # Errors
    /// When it is missing, in use, damaged or of another format.
    pub fn open(path: &Path) -> Result<Self, RegisterError> {
        let store = Database::builder().set_cache_size(CACHE_BYTES).open(path);
        let store = store.map_err(|error| register_error(path, error))?;
        let register = Self {
            path: path.to_owned(),
            database: store,
        };
        register.reader()?.check_format()?;
        Ok(register)
    }

    /// A view of the register in a file for those who write nothing; several may look at once, and none of them writes to the
    /// file, unless the last one who did was killed.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_read_only(path: &Path) -> Result<RegisterReader, RegisterError> {
        let builder = || {
            let mut builder = Database::builder();
            builder.set_cache_size(CACHE_BYTES);
            builder
        };
        let reader = match builder().open_read_only(path) {
            // Whoever wrote last was killed.
            Err(redb::DatabaseError::RepairAborted) => {
                let store = builder()
                    .open(path)
                    .map_err(|error| register_error(path, error))?;
                RegisterReader::new(path, &store)?.with_database(ReaderDatabase::Repaired(store))
            }
            store => {
                let store = store.map_err(|error| register_error(path, error))?;
                RegisterReader::new(path, &store)?.with_database(ReaderDatabase::ReadOnly(store))
            }
        };
        reader.check_format()?;
        Ok(reader)
    }

    /// A view of one state, undisturbed by later writes.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn reader(&self) -> Result<RegisterReader, RegisterError> {
        RegisterReader::new(&self.path, &self.database)
    }
}

fn register_error(path: &Path, error: impl Into<redb::Error>) -> RegisterError {
    let path = path.to_owned();
    match error.into() {
        redb::Error::DatabaseAlreadyOpen => RegisterError::Busy { path },
        error => RegisterError::Database {
            path,
            source: Box::new(error),
        },
    }
}
