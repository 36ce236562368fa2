//! Reading the register: objects by id, the ways back, and the tables that are read whole.

use std::path::{Path, PathBuf};

use postduif_schema::{
    BagId, Nummeraanduiding as NummeraanduidingKind, OpenbareRuimte as Street, Pand as PandKind,
    WoonplaatsCode,
};
use redb::{Database, ReadTransaction, ReadableDatabase, ReadableTable};
use serde::de::DeserializeOwned;

use super::row::{Key, Stored, decode, decode_plain};
use super::{
    BOXES, FORMAT, HEAD, Head, MUNICIPALITIES, NUMMERAANDUIDINGEN, NUMMERAANDUIDINGEN_AT_STREET,
    NUMMERAANDUIDINGEN_IN_WOONPLAATS, OBJECTS, OBJECTS_IN_PAND, OBJECTS_OF_NUMMERAANDUIDING,
    OPENBARE_RUIMTEN, PANDEN, RELATIONS, RegisterError, Rows, SINGLE, STREETS_IN_WOONPLAATS,
    WOONPLAATSEN, failed,
};
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
}

type Read<T> = Result<T, RegisterError>;
/// An object's versions that hold on the stand day or later; none when the register does not have the object.
type Versions<T> = Read<Option<Vec<Voorkomen<T>>>>;
/// Every object of a type with such versions.
type All<Id, T> = Read<Vec<(Id, Vec<Voorkomen<T>>)>>;

#[expect(clippy::missing_errors_doc, reason = "said once, at the type")]
impl RegisterReader {
    pub(super) fn new(path: &Path, store: &Database) -> Read<Self> {
        let transaction = store.begin_read().map_err(|error| failed(path, error))?;
        Ok(Self {
            path: path.to_owned(),
            transaction,
        })
    }

    /// Which rows it was written with; it reads whatever the other rows look like.
    pub(super) fn format_version(&self) -> Read<u32> {
        self.single(FORMAT)
    }

    /// What the register says of itself.
    pub fn head(&self) -> Read<Head> {
        self.single(HEAD)
    }

    /// The gemeente-woonplaats table.
    pub fn relations(&self) -> Read<Vec<GemeenteWoonplaats>> {
        self.single(RELATIONS)
    }

    /// The municipalities that the last build was given.
    pub fn municipalities(&self) -> Read<Vec<Municipality>> {
        self.single(MUNICIPALITIES)
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
        let table = self
            .transaction
            .open_table(SINGLE)
            .map_err(|error| failed(&self.path, error))?;
        let row = table.get(key).map_err(|error| failed(&self.path, error))?;
        row.and_then(|row| decode_plain(row.value()))
            .ok_or_else(|| self.damaged("single", key))
    }

    fn object<T: Stored>(&self, rows: Rows, id: impl Key) -> Versions<T> {
        self.row(rows, id.key(), decode)
    }

    fn linked<B: Key>(&self, rows: Rows, id: impl Key) -> Read<Vec<B>> {
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

    fn damaged(&self, table: &str, key: &str) -> RegisterError {
        RegisterError::Damaged {
            path: self.path.clone(),
            table: table.to_owned(),
            key: key.to_owned(),
        }
    }
}
