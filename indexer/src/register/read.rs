//! Reading the register: objects by id, the ways back, and the tables that are read whole.

use std::path::{Path, PathBuf};

use postduif_schema::{
    BagId, Nummeraanduiding as NummeraanduidingKind, OpenbareRuimte as Street, Pand as PandKind,
    WoonplaatsCode,
};
use redb::{Database, ReadOnlyDatabase, ReadTransaction, ReadableDatabase, ReadableTable};
use serde::de::DeserializeOwned;

use super::object_types::{RegisterObject, RegisterObjectType};
use super::row::{RegisterKey, RowCodec, decode_value, decode_versions};
use super::{
    DUE_CHANGES, FORMAT_KEY, FORMAT_VERSION, HEAD_KEY, MUNICIPALITIES_KEY, MunicipalityTable,
    NUMMERAANDUIDINGEN, NUMMERAANDUIDINGEN_AT_STREET, NUMMERAANDUIDINGEN_IN_WOONPLAATS, OBJECTS,
    OBJECTS_IN_PAND, OBJECTS_OF_NUMMERAANDUIDING, OPENBARE_RUIMTEN, PANDEN, PENDING_KEY,
    PO_BOXES_KEY, PendingGeneration, RELATIONS_KEY, RegisterError, RegisterHead, RowTable,
    SINGLE_VALUES, STREETS_IN_WOONPLAATS, WOONPLAATSEN, register_error,
};
use crate::day::Day;
use crate::municipalities::Municipality;
use crate::objects::{
    AdresseerbaarObject, AdresseerbaarObjectId, GemeenteWoonplaats, Nummeraanduiding,
    OpenbareRuimte, Pand, Voorkomen, Woonplaats,
};
use crate::po_boxes::PoBoxRange;

/// A view of one state of the register. Every method fails when the store does or when a row is damaged.
pub struct RegisterReader {
    path: PathBuf,
    transaction: ReadTransaction,
    /// Closed behind the transaction, where nobody else has it open.
    _database: Option<ReaderDatabase>,
}

/// A store that is open for one reader alone.
#[expect(dead_code, reason = "held, not used")]
pub(super) enum ReaderDatabase {
    ReadOnly(ReadOnlyDatabase),
    Repaired(Database),
}

type RegisterResult<T> = Result<T, RegisterError>;
/// An object's versions that hold on the stand day or later; none when the register does not have the object.
type ObjectVersions<T> = RegisterResult<Option<Vec<Voorkomen<T>>>>;
/// Every object of a type with such versions.
type AllVersions<Id, T> = RegisterResult<Vec<(Id, Vec<Voorkomen<T>>)>>;

#[expect(clippy::missing_errors_doc, reason = "said once, at the type")]
impl RegisterReader {
    pub(super) fn new(path: &Path, store: &impl ReadableDatabase) -> RegisterResult<Self> {
        let transaction = store
            .begin_read()
            .map_err(|error| register_error(path, error))?;
        Ok(Self {
            path: path.to_owned(),
            transaction,
            _database: None,
        })
    }

    /// The same, with the store, which closes when the view ends.
    pub(super) fn with_database(self, store: ReaderDatabase) -> Self {
        Self {
            _database: Some(store),
            ..self
        }
    }

    /// Refuses rows that it cannot read; the version reads whatever they look like.
    pub(super) fn check_format(&self) -> RegisterResult<()> {
        let found: u32 = self.required_value(FORMAT_KEY)?;
        if found == FORMAT_VERSION {
            return Ok(());
        }
        let path = self.path.clone();
        Err(RegisterError::UnsupportedFormat { path, found })
    }

    /// What the register says of itself.
    pub fn head(&self) -> RegisterResult<RegisterHead> {
        self.required_value(HEAD_KEY)
    }

    /// The gemeente-woonplaats table.
    pub fn relations(&self) -> RegisterResult<Vec<GemeenteWoonplaats>> {
        self.required_value(RELATIONS_KEY)
    }

    /// The municipalities that its state was joined with.
    pub fn municipalities(&self) -> RegisterResult<Vec<Municipality>> {
        Ok(self.municipality_table()?.rows)
    }

    /// Whether the municipalities were given, in place of those that come with postduif.
    pub fn has_custom_municipalities(&self) -> Result<bool, RegisterError> {
        Ok(self.municipality_table()?.custom)
    }

    /// The same, with where they come from.
    pub(crate) fn municipality_table(&self) -> RegisterResult<MunicipalityTable> {
        self.required_value(MUNICIPALITIES_KEY)
    }

    /// What its state has yet to be made into; none when it is published.
    pub(crate) fn pending(&self) -> RegisterResult<Option<PendingGeneration>> {
        self.optional_value(PENDING_KEY)
    }

    /// Every object that becomes another up to and including a day though nobody says so.
    pub(super) fn due_until(&self, day: Day) -> RegisterResult<Vec<(RegisterObjectType, u64)>> {
        let failed = |error: redb::Error| register_error(&self.path, error);
        let table = self.transaction.open_table(DUE_CHANGES);
        let table = table.map_err(|error| failed(error.into()))?;
        let last = (day.to_u32(), u8::MAX, u64::MAX);
        let rows = table.range(..=last).map_err(|error| failed(error.into()))?;
        let mut due = Vec::new();
        for row in rows {
            let (key, _) = row.map_err(|error| failed(error.into()))?;
            let (_, kind, id) = key.value();
            let kind = RegisterObjectType::from_number(kind)
                .ok_or_else(|| self.damaged_row("due", &format!("{:?}", key.value())))?;
            due.push((kind, id));
        }
        Ok(due)
    }

    /// Every version of an object that holds on the stand day or later.
    pub(super) fn versions<T: RegisterObject>(
        &self,
        id: T::Id,
    ) -> RegisterResult<Vec<Voorkomen<T>>> {
        Ok(self
            .read_versions(T::TYPE.row_table(), id)?
            .unwrap_or_default())
    }

    /// The post-office boxes that the last build was given.
    pub fn po_boxes(&self) -> RegisterResult<Vec<PoBoxRange>> {
        self.required_value(PO_BOXES_KEY)
    }

    /// Every town with its versions.
    pub fn woonplaatsen(&self) -> AllVersions<WoonplaatsCode, Woonplaats> {
        self.read_all(WOONPLAATSEN)
    }

    /// Every street with its versions.
    pub fn openbare_ruimten(&self) -> AllVersions<BagId<Street>, OpenbareRuimte> {
        self.read_all(OPENBARE_RUIMTEN)
    }

    /// One nummeraanduiding.
    pub fn nummeraanduiding(
        &self,
        id: BagId<NummeraanduidingKind>,
    ) -> ObjectVersions<Nummeraanduiding> {
        self.read_versions(NUMMERAANDUIDINGEN, id)
    }

    /// One verblijfsobject, ligplaats or standplaats.
    pub fn adresseerbaar_object(
        &self,
        id: AdresseerbaarObjectId,
    ) -> ObjectVersions<AdresseerbaarObject> {
        self.read_versions(OBJECTS, id)
    }

    /// One pand.
    pub fn pand(&self, id: BagId<PandKind>) -> ObjectVersions<Pand> {
        self.read_versions(PANDEN, id)
    }

    /// The streets in a town.
    pub fn streets_in_woonplaats(
        &self,
        woonplaats: WoonplaatsCode,
    ) -> RegisterResult<Vec<BagId<Street>>> {
        self.linked_ids(STREETS_IN_WOONPLAATS, woonplaats)
    }

    /// The nummeraanduidingen that name a town themselves, other than their street's.
    pub fn nummeraanduidingen_in_woonplaats(
        &self,
        woonplaats: WoonplaatsCode,
    ) -> RegisterResult<Vec<BagId<NummeraanduidingKind>>> {
        self.linked_ids(NUMMERAANDUIDINGEN_IN_WOONPLAATS, woonplaats)
    }

    /// The nummeraanduidingen at a street.
    pub fn nummeraanduidingen_at_street(
        &self,
        street: BagId<Street>,
    ) -> RegisterResult<Vec<BagId<NummeraanduidingKind>>> {
        self.linked_ids(NUMMERAANDUIDINGEN_AT_STREET, street)
    }

    /// The objects that a nummeraanduiding is an address of.
    pub fn objects_of_nummeraanduiding(
        &self,
        nummeraanduiding: BagId<NummeraanduidingKind>,
    ) -> RegisterResult<Vec<AdresseerbaarObjectId>> {
        self.linked_ids(OBJECTS_OF_NUMMERAANDUIDING, nummeraanduiding)
    }

    /// The verblijfsobjecten in a pand.
    pub fn objects_in_pand(
        &self,
        pand: BagId<PandKind>,
    ) -> RegisterResult<Vec<AdresseerbaarObjectId>> {
        self.linked_ids(OBJECTS_IN_PAND, pand)
    }

    fn required_value<T: DeserializeOwned>(&self, key: &'static str) -> RegisterResult<T> {
        self.optional_value(key)?
            .ok_or_else(|| self.damaged_row("single", key))
    }

    fn optional_value<T: DeserializeOwned>(&self, key: &'static str) -> RegisterResult<Option<T>> {
        let table = self
            .transaction
            .open_table(SINGLE_VALUES)
            .map_err(|error| register_error(&self.path, error))?;
        let row = table
            .get(key)
            .map_err(|error| register_error(&self.path, error))?;
        let decoded =
            |bytes: &[u8]| decode_value(bytes).ok_or_else(|| self.damaged_row("single", key));
        row.map(|row| decoded(row.value())).transpose()
    }

    fn read_versions<T: RowCodec>(
        &self,
        rows: RowTable,
        id: impl RegisterKey,
    ) -> ObjectVersions<T> {
        self.read_row(rows, id.key(), decode_versions)
    }

    pub(super) fn linked_ids<B: RegisterKey>(
        &self,
        rows: RowTable,
        id: impl RegisterKey,
    ) -> RegisterResult<Vec<B>> {
        let decode = |bytes: &[u8]| {
            decode_value::<Vec<u64>>(bytes)?
                .into_iter()
                .map(B::from_key)
                .collect()
        };
        Ok(self.read_row(rows, id.key(), decode)?.unwrap_or_default())
    }

    fn read_row<T>(
        &self,
        rows: RowTable,
        key: u64,
        decode: impl Fn(&[u8]) -> Option<T>,
    ) -> RegisterResult<Option<T>> {
        let table = self
            .transaction
            .open_table(rows)
            .map_err(|error| register_error(&self.path, error))?;
        let Some(row) = table
            .get(key)
            .map_err(|error| register_error(&self.path, error))?
        else {
            return Ok(None);
        };
        decode(row.value())
            .map(Some)
            .ok_or_else(|| self.damaged_row(&rows.to_string(), &key.to_string()))
    }

    fn read_all<A: RegisterKey, T: RowCodec>(&self, rows: RowTable) -> AllVersions<A, T> {
        let table = self
            .transaction
            .open_table(rows)
            .map_err(|error| register_error(&self.path, error))?;
        let mut all = Vec::new();
        for row in table
            .iter()
            .map_err(|error| register_error(&self.path, error))?
        {
            let (key, value) = row.map_err(|error| register_error(&self.path, error))?;
            let parsed = A::from_key(key.value()).zip(decode_versions(value.value()));
            all.push(
                parsed
                    .ok_or_else(|| self.damaged_row(&rows.to_string(), &key.value().to_string()))?,
            );
        }
        Ok(all)
    }

    pub(super) fn damaged_row(&self, table: &str, key: &str) -> RegisterError {
        RegisterError::Damaged {
            path: self.path.clone(),
            table: table.to_owned(),
            key: key.to_owned(),
        }
    }
}
