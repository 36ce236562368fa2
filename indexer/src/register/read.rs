//! Reading the register: objects by id, the ways back, and the tables that are read whole.

use std::path::{Path, PathBuf};

use postduif_schema::{
    BagId, Nummeraanduiding as NummeraanduidingKind, OpenbareRuimte as Street, Pand as PandKind,
    WoonplaatsCode,
};
use redb::{Database, ReadOnlyDatabase, ReadTransaction, ReadableDatabase, ReadableTable};
use serde::de::DeserializeOwned;

use super::object_types::{Kept, ObjectType};
use super::row::{Key, Stored, decode, decode_plain};
use super::{
    BOXES, DUE, FORMAT, FORMAT_VERSION, HEAD, Head, MUNICIPALITIES, MunicipalityTable,
    NUMMERAANDUIDINGEN, NUMMERAANDUIDINGEN_AT_STREET, NUMMERAANDUIDINGEN_IN_WOONPLAATS, OBJECTS,
    OBJECTS_IN_PAND, OBJECTS_OF_NUMMERAANDUIDING, OPENBARE_RUIMTEN, PANDEN, PENDING, Pending,
    RELATIONS, RegisterError, Rows, SINGLE, STREETS_IN_WOONPLAATS, WOONPLAATSEN, failed,
};
use crate::day::Day;
use crate::municipalities::Municipality;
use crate::objects::{
    AdresseerbaarObject, GemeenteWoonplaats, Nummeraanduiding, ObjectId, OpenbareRuimte, Pand,
    Voorkomen, Woonplaats,
};
use crate::po_boxes::BoxRange;

/// A view of one state of the register. Every method fails when the store does or when a row is damaged.
pub struct RegisterReader {
    path: PathBuf,
    transaction: ReadTransaction,
    /// Closed behind the transaction, where nobody else has it open.
    _store: Option<Store>,
}

/// A store that is open for one reader alone.
#[expect(dead_code, reason = "held, not used")]
pub(super) enum Store {
    ReadOnly(ReadOnlyDatabase),
    Repaired(Database),
}

type Read<T> = Result<T, RegisterError>;
/// An object's versions that hold on the stand day or later; none when the register does not have the object.
type Versions<T> = Read<Option<Vec<Voorkomen<T>>>>;
/// Every object of a type with such versions.
type All<Id, T> = Read<Vec<(Id, Vec<Voorkomen<T>>)>>;

#[expect(clippy::missing_errors_doc, reason = "said once, at the type")]
impl RegisterReader {
    pub(super) fn new(path: &Path, store: &impl ReadableDatabase) -> Read<Self> {
        let transaction = store.begin_read().map_err(|error| failed(path, error))?;
        Ok(Self {
            path: path.to_owned(),
            transaction,
            _store: None,
        })
    }

    /// The same, with the store, which closes when the view ends.
    pub(super) fn with(self, store: Store) -> Self {
        Self {
            _store: Some(store),
            ..self
        }
    }

    /// Refuses rows that it cannot read; the version reads whatever they look like.
    pub(super) fn check_format(&self) -> Read<()> {
        let found: u32 = self.single(FORMAT)?;
        if found == FORMAT_VERSION {
            return Ok(());
        }
        let path = self.path.clone();
        Err(RegisterError::OtherFormat { path, found })
    }

    /// What the register says of itself.
    pub fn head(&self) -> Read<Head> {
        self.single(HEAD)
    }

    /// The gemeente-woonplaats table.
    pub fn relations(&self) -> Read<Vec<GemeenteWoonplaats>> {
        self.single(RELATIONS)
    }

    /// The municipalities that its state was joined with.
    pub fn municipalities(&self) -> Read<Vec<Municipality>> {
        Ok(self.municipality_table()?.rows)
    }

    /// Whether the municipalities were given, in place of those that come with postduif.
    pub fn municipalities_are_given(&self) -> Result<bool, RegisterError> {
        Ok(self.municipality_table()?.given)
    }

    /// The same, with where they come from.
    pub(crate) fn municipality_table(&self) -> Read<MunicipalityTable> {
        self.single(MUNICIPALITIES)
    }

    /// What its state has yet to be made into; none when it is published.
    pub(crate) fn pending(&self) -> Read<Option<Pending>> {
        self.optional(PENDING)
    }

    /// Every object that becomes another up to and including a day though nobody says so.
    pub(super) fn due_until(&self, day: Day) -> Read<Vec<(ObjectType, u64)>> {
        let failed = |error: redb::Error| failed(&self.path, error);
        let table = self.transaction.open_table(DUE);
        let table = table.map_err(|error| failed(error.into()))?;
        let last = (day.packed(), u8::MAX, u64::MAX);
        let rows = table.range(..=last).map_err(|error| failed(error.into()))?;
        let mut due = Vec::new();
        for row in rows {
            let (key, _) = row.map_err(|error| failed(error.into()))?;
            let (_, kind, id) = key.value();
            let kind = ObjectType::from_number(kind)
                .ok_or_else(|| self.damaged("due", &format!("{:?}", key.value())))?;
            due.push((kind, id));
        }
        Ok(due)
    }

    /// Every version of an object that holds on the stand day or later.
    pub(super) fn versions<T: Kept>(&self, id: T::Id) -> Read<Vec<Voorkomen<T>>> {
        Ok(self.object(T::TYPE.rows(), id)?.unwrap_or_default())
    }

    /// The post-office boxes that the last build was given.
    pub fn boxes(&self) -> Read<Vec<BoxRange>> {
        self.single(BOXES)
    }

    /// Every town with its versions.
    pub fn woonplaatsen(&self) -> All<WoonplaatsCode, Woonplaats> {
        self.all(WOONPLAATSEN)
    }

    /// Every street with its versions.
    pub fn openbare_ruimten(&self) -> All<BagId<Street>, OpenbareRuimte> {
        self.all(OPENBARE_RUIMTEN)
    }

    /// One nummeraanduiding.
    pub fn nummeraanduiding(&self, id: BagId<NummeraanduidingKind>) -> Versions<Nummeraanduiding> {
        self.object(NUMMERAANDUIDINGEN, id)
    }

    /// One verblijfsobject, ligplaats or standplaats.
    pub fn adresseerbaar_object(&self, id: ObjectId) -> Versions<AdresseerbaarObject> {
        self.object(OBJECTS, id)
    }

    /// One pand.
    pub fn pand(&self, id: BagId<PandKind>) -> Versions<Pand> {
        self.object(PANDEN, id)
    }

    /// The streets in a town.
    pub fn streets_in(&self, woonplaats: WoonplaatsCode) -> Read<Vec<BagId<Street>>> {
        self.linked(STREETS_IN_WOONPLAATS, woonplaats)
    }

    /// The nummeraanduidingen that name a town themselves, other than their street's.
    pub fn nummeraanduidingen_in(
        &self,
        woonplaats: WoonplaatsCode,
    ) -> Read<Vec<BagId<NummeraanduidingKind>>> {
        self.linked(NUMMERAANDUIDINGEN_IN_WOONPLAATS, woonplaats)
    }

    /// The nummeraanduidingen at a street.
    pub fn nummeraanduidingen_at(
        &self,
        street: BagId<Street>,
    ) -> Read<Vec<BagId<NummeraanduidingKind>>> {
        self.linked(NUMMERAANDUIDINGEN_AT_STREET, street)
    }

    /// The objects that a nummeraanduiding is an address of.
    pub fn objects_of(&self, nummeraanduiding: BagId<NummeraanduidingKind>) -> Read<Vec<ObjectId>> {
        self.linked(OBJECTS_OF_NUMMERAANDUIDING, nummeraanduiding)
    }

    /// The verblijfsobjecten in a pand.
    pub fn objects_in(&self, pand: BagId<PandKind>) -> Read<Vec<ObjectId>> {
        self.linked(OBJECTS_IN_PAND, pand)
    }

    fn single<T: DeserializeOwned>(&self, key: &'static str) -> Read<T> {
        self.optional(key)?
            .ok_or_else(|| self.damaged("single", key))
    }

    fn optional<T: DeserializeOwned>(&self, key: &'static str) -> Read<Option<T>> {
        let table = self
            .transaction
            .open_table(SINGLE)
            .map_err(|error| failed(&self.path, error))?;
        let row = table.get(key).map_err(|error| failed(&self.path, error))?;
        let decoded = |bytes: &[u8]| decode_plain(bytes).ok_or_else(|| self.damaged("single", key));
        row.map(|row| decoded(row.value())).transpose()
    }

    fn object<T: Stored>(&self, rows: Rows, id: impl Key) -> Versions<T> {
        self.row(rows, id.key(), decode)
    }

    pub(super) fn linked<B: Key>(&self, rows: Rows, id: impl Key) -> Read<Vec<B>> {
        let decode = |bytes: &[u8]| {
            decode_plain::<Vec<u64>>(bytes)?
                .into_iter()
                .map(B::from_key)
                .collect()
        };
        Ok(self.row(rows, id.key(), decode)?.unwrap_or_default())
    }

    fn row<T>(&self, rows: Rows, key: u64, decode: impl Fn(&[u8]) -> Option<T>) -> Read<Option<T>> {
        let table = self
            .transaction
            .open_table(rows)
            .map_err(|error| failed(&self.path, error))?;
        let Some(row) = table.get(key).map_err(|error| failed(&self.path, error))? else {
            return Ok(None);
        };
        decode(row.value())
            .map(Some)
            .ok_or_else(|| self.damaged(&rows.to_string(), &key.to_string()))
    }

    fn all<A: Key, T: Stored>(&self, rows: Rows) -> All<A, T> {
        let table = self
            .transaction
            .open_table(rows)
            .map_err(|error| failed(&self.path, error))?;
        let mut all = Vec::new();
        for row in table.iter().map_err(|error| failed(&self.path, error))? {
            let (key, value) = row.map_err(|error| failed(&self.path, error))?;
            let parsed = A::from_key(key.value()).zip(decode(value.value()));
            all.push(
                parsed.ok_or_else(|| self.damaged(&rows.to_string(), &key.value().to_string()))?,
            );
        }
        Ok(all)
    }

    pub(super) fn damaged(&self, table: &str, key: &str) -> RegisterError {
        RegisterError::Damaged {
            path: self.path.clone(),
            table: table.to_owned(),
            key: key.to_owned(),
        }
    }
}
