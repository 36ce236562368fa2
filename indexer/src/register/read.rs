//! Reads the register: objects by id, reverse links, and the tables that are read whole.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use redb::{
    Key, ReadOnlyTable, ReadTransaction, ReadableDatabase, ReadableTable,
    ReadableTableMetadata as _, TableDefinition, TableHandle as _, Value,
};
use serde::de::DeserializeOwned;

use super::digested_rows::{check_digest, check_id_digest, due_digest};
use super::error::{RegisterError, RegisterResult};
use super::head::RegisterHead;
use super::object_types::{RegisterObject, RegisterObjectType, ReverseLink};
use super::pending::PendingGeneration;
use super::row::{RegisterKey, decode_first_value, decode_value, decode_versions};
use super::tables::{
    DUE_CHANGES, FORMAT_KEY, FORMAT_VERSION, HEAD_KEY, LEFT_OUT_KEY, MUNICIPALITIES_KEY,
    PENDING_KEY, PO_BOXES_KEY, RELATIONS_KEY, RowTable, SINGLE_VALUES,
};
use crate::day::Day;
use crate::municipalities::MunicipalityTable;
use crate::objects::{GemeenteWoonplaats, Voorkomen};
use crate::po_boxes::PoBoxRange;

type OpenRowTable = ReadOnlyTable<u64, &'static [u8]>;

/// A view of one state of the register. Every method fails if the store fails or a row is damaged.
pub struct RegisterReader {
    path: PathBuf,
    transaction: ReadTransaction,
    /// The tables with rows, by their names. They are opened once, because opening a table takes as long as reading a row.
    row_tables: OnceLock<HashMap<String, OpenRowTable>>,
}

/// Every object of a type, with its versions that hold on the stand day or later.
type AllVersions<Id, T> = RegisterResult<Vec<(Id, Vec<Voorkomen<T>>)>>;

#[expect(
    clippy::missing_errors_doc,
    reason = "the type documents the errors of all methods"
)]
impl RegisterReader {
    pub(super) fn new(path: &Path, store: &impl ReadableDatabase) -> RegisterResult<Self> {
        let transaction = store
            .begin_read()
            .map_err(RegisterError::from_store_error(path))?;
        Ok(Self {
            path: path.to_owned(),
            transaction,
            row_tables: OnceLock::new(),
        })
    }

    /// Refuses a register of another format. The format version can be read in every format.
    pub(super) fn check_format(&self) -> RegisterResult<()> {
        let found = self.format_version()?;
        if found == FORMAT_VERSION {
            return self.required_value::<u32>(FORMAT_KEY).map(drop);
        }
        let path = self.path.clone();
        Err(RegisterError::UnsupportedFormat { path, found })
    }

    fn format_version(&self) -> RegisterResult<u32> {
        let single = self.open_table(SINGLE_VALUES)?;
        let row = single.get(FORMAT_KEY).map_err(self.store_error())?;
        row.and_then(|row| decode_first_value(row.value()))
            .ok_or_else(|| self.damaged_row("single", FORMAT_KEY))
    }

    /// The stand, area and generation of the register.
    pub fn head(&self) -> RegisterResult<RegisterHead> {
        self.required_value(HEAD_KEY)
    }

    /// The gemeente-woonplaats table.
    pub fn relations(&self) -> RegisterResult<Vec<GemeenteWoonplaats>> {
        self.required_value(RELATIONS_KEY)
    }

    /// Ids, as numbers, of objects with a record that was left out because it is invalid.
    pub(crate) fn left_out(&self) -> RegisterResult<HashSet<u64>> {
        Ok(self.optional_value(LEFT_OUT_KEY)?.unwrap_or_default())
    }

    /// Whether the operator gave a table of municipalities in place of the built-in one.
    pub fn has_custom_municipalities(&self) -> Result<bool, RegisterError> {
        Ok(self.municipality_table()?.custom)
    }

    /// The municipalities with which the register's addresses were joined.
    pub(crate) fn municipality_table(&self) -> RegisterResult<MunicipalityTable> {
        self.required_value(MUNICIPALITIES_KEY)
    }

    /// The work that remains until the register's generation is published; `None` if the generation is published.
    pub(crate) fn pending(&self) -> RegisterResult<Option<PendingGeneration>> {
        self.optional_value(PENDING_KEY)
    }

    /// Every object that changes by `day` without a mutation, because a version begins or ends.
    pub(super) fn due_until(&self, day: Day) -> RegisterResult<Vec<(RegisterObjectType, u64)>> {
        let last = (day.to_u32(), u8::MAX, u64::MAX);
        let table = self.open_table(DUE_CHANGES)?;
        let mut due = Vec::new();
        for row in table.range(..=last).map_err(self.store_error())? {
            let (key, digest) = row.map_err(self.store_error())?;
            let (key, digest) = (key.value(), digest.value());
            let kind = RegisterObjectType::from_number(key.1)
                .filter(|_| digest == due_digest(key))
                .ok_or_else(|| self.damaged_row("due", &format!("{key:?}")))?;
            due.push((kind, key.2));
        }
        Ok(due)
    }

    /// Every version, of the object with this id, that holds on the stand day or later. Empty if the register does not have the object.
    pub fn versions<T: RegisterObject>(&self, id: T::Id) -> RegisterResult<Vec<Voorkomen<T>>> {
        let versions = self.read_row(T::TYPE.row_table(), id.key(), decode_versions)?;
        Ok(versions.unwrap_or_default())
    }

    /// Every object of a type, with its versions that hold on the stand day or later.
    pub fn read_all<T: RegisterObject>(&self) -> AllVersions<T::Id, T> {
        self.read_matching(|_| true)
    }

    /// Every object of a type that has a version with this property. Reads the whole table, but keeps only these objects in memory.
    pub(crate) fn read_matching<T: RegisterObject>(
        &self,
        has_property: impl Fn(&T) -> bool,
    ) -> AllVersions<T::Id, T> {
        let rows = T::TYPE.row_table();
        let mut all = Vec::new();
        for row in self.open_table(rows)?.iter().map_err(self.store_error())? {
            let (key, row) = row.map_err(self.store_error())?;
            let key = key.value();
            let versions = check_id_digest(rows.name(), key, row.value()).and_then(decode_versions);
            let parsed = T::Id::from_key(key).zip(versions);
            let object = parsed.ok_or_else(|| self.damaged_row(rows.name(), &key.to_string()))?;
            if object.1.iter().any(|version| has_property(&version.state)) {
                all.push(object);
            }
        }
        Ok(all)
    }

    /// The ids of the objects that refer to `target` by this link.
    pub fn linked_ids<Id: RegisterKey>(
        &self,
        link: ReverseLink,
        target: impl RegisterKey,
    ) -> RegisterResult<Vec<Id>> {
        let decode = |bytes: &[u8]| {
            decode_value::<Vec<u64>>(bytes)?
                .into_iter()
                .map(Id::from_key)
                .collect()
        };
        Ok(self
            .read_row(link.row_table(), target.key(), decode)?
            .unwrap_or_default())
    }

    /// The post-office boxes of the last build.
    pub fn po_boxes(&self) -> RegisterResult<Vec<PoBoxRange>> {
        self.required_value(PO_BOXES_KEY)
    }

    fn open_table<K: Key + 'static, V: Value + 'static>(
        &self,
        table: TableDefinition<'_, K, V>,
    ) -> RegisterResult<ReadOnlyTable<K, V>> {
        self.transaction
            .open_table(table)
            .map_err(self.store_error())
    }

    fn row_table(&self, rows: RowTable) -> RegisterResult<&OpenRowTable> {
        let tables = match self.row_tables.get() {
            Some(tables) => tables,
            None => {
                let tables = self.open_row_tables()?;
                self.row_tables.get_or_init(|| tables)
            }
        };
        Ok(tables
            .get(rows.name())
            .expect("every table with rows is open"))
    }

    fn open_row_tables(&self) -> RegisterResult<HashMap<String, OpenRowTable>> {
        let objects = RegisterObjectType::ALL.map(RegisterObjectType::row_table);
        let links = ReverseLink::ALL.map(ReverseLink::row_table);
        let tables = objects.into_iter().chain(links);
        tables
            .map(|rows| Ok((rows.name().to_owned(), self.open_table(rows)?)))
            .collect()
    }

    fn store_error<E: Into<redb::Error>>(&self) -> impl FnOnce(E) -> RegisterError {
        RegisterError::from_store_error(&self.path)
    }

    fn required_value<T: DeserializeOwned>(&self, key: &'static str) -> RegisterResult<T> {
        self.optional_value(key)?
            .ok_or_else(|| self.damaged_row("single", key))
    }

    fn optional_value<T: DeserializeOwned>(&self, key: &'static str) -> RegisterResult<Option<T>> {
        let table = self.open_table(SINGLE_VALUES)?;
        let row = table.get(key).map_err(self.store_error())?;
        let decoded = |row: &[u8]| {
            check_digest(SINGLE_VALUES.name(), key.as_bytes(), row)
                .and_then(decode_value)
                .ok_or_else(|| self.damaged_row("single", key))
        };
        row.map(|row| decoded(row.value())).transpose()
    }

    fn read_row<T>(
        &self,
        rows: RowTable,
        key: u64,
        decode: impl Fn(&[u8]) -> Option<T>,
    ) -> RegisterResult<Option<T>> {
        let table = self.row_table(rows)?;
        let Some(row) = table.get(key).map_err(self.store_error())? else {
            return Ok(None);
        };
        check_id_digest(rows.name(), key, row.value())
            .and_then(decode)
            .map(Some)
            .ok_or_else(|| self.damaged_row(rows.name(), &key.to_string()))
    }

    /// Reads every row of a table and returns the number of rows. Fails if this number differs from the store's count for the table.
    pub(super) fn verify_table(
        &self,
        rows: RowTable,
        is_sound: impl Fn(&[u8]) -> bool,
    ) -> RegisterResult<u64> {
        let table = self.open_table(rows)?;
        let mut count = 0;
        for row in table.iter().map_err(self.store_error())? {
            let (key, row) = row.map_err(self.store_error())?;
            let value = check_id_digest(rows.name(), key.value(), row.value());
            if !value.is_some_and(&is_sound) {
                return Err(self.damaged_row(rows.name(), &key.value().to_string()));
            }
            count += 1;
        }
        let expected = table.len().map_err(self.store_error())?;
        if count != expected {
            return Err(RegisterError::Damaged {
                path: self.path.clone(),
                place: format!("the table {}: {count} of {expected} rows", rows.name()),
            });
        }
        Ok(count)
    }

    pub(super) fn damaged_row(&self, table: &str, key: &str) -> RegisterError {
        RegisterError::Damaged {
            path: self.path.clone(),
            place: format!("row {key} in the table {table}"),
        }
    }
}
