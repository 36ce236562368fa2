//! Defines the object types in the register: the table of each type, and the references that its objects make.

use std::iter;

use postduif_schema::{BagId, WoonplaatsCode};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::row::RegisterKey;
use super::tables::{
    NUMMERAANDUIDINGEN, NUMMERAANDUIDINGEN_AT_STREET, NUMMERAANDUIDINGEN_IN_WOONPLAATS, OBJECTS,
    OBJECTS_IN_PAND, OBJECTS_OF_NUMMERAANDUIDING, OPENBARE_RUIMTEN, PANDEN, RowTable,
    STREETS_IN_WOONPLAATS, WOONPLAATSEN,
};
use crate::day::Day;
use crate::objects::{
    AdresseerbaarObject, AdresseerbaarObjectId, Nummeraanduiding, OpenbareRuimte, Pand, Voorkomen,
    Woonplaats,
};

/// An object type with its own table.
pub trait RegisterObject: Serialize + DeserializeOwned + Clone + PartialEq + Send {
    type Id: RegisterKey;
    const TYPE: RegisterObjectType;

    /// The targets to which an object with this state refers. Each target gets a reverse link to the object.
    fn references(&self) -> impl Iterator<Item = (ReverseLink, u64)>;
}

/// An object type of the register. The number of a type is part of the keys of `DUE_CHANGES`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum RegisterObjectType {
    Woonplaats,
    OpenbareRuimte,
    Nummeraanduiding,
    AdresseerbaarObject,
    Pand,
}

impl RegisterObjectType {
    pub(super) const ALL: [Self; 5] = [
        Self::Woonplaats,
        Self::OpenbareRuimte,
        Self::Nummeraanduiding,
        Self::AdresseerbaarObject,
        Self::Pand,
    ];

    pub(super) const fn row_table(self) -> RowTable {
        match self {
            Self::Woonplaats => WOONPLAATSEN,
            Self::OpenbareRuimte => OPENBARE_RUIMTEN,
            Self::Nummeraanduiding => NUMMERAANDUIDINGEN,
            Self::AdresseerbaarObject => OBJECTS,
            Self::Pand => PANDEN,
        }
    }

    pub(super) const fn number(self) -> u8 {
        self as u8
    }

    pub(super) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.number() == number)
    }
}

/// A table that lists, for each target of a reference, the objects that refer to the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReverseLink {
    /// The streets in a town.
    StreetsInWoonplaats,
    /// The nummeraanduidingen that name this town as their own town, because their street is in another town.
    NummeraanduidingenInWoonplaats,
    /// The nummeraanduidingen at a street.
    NummeraanduidingenAtStreet,
    /// The objects that have this nummeraanduiding as an address.
    ObjectsOfNummeraanduiding,
    /// The verblijfsobjecten in a pand.
    ObjectsInPand,
}

impl ReverseLink {
    pub(super) const ALL: [Self; 5] = [
        Self::StreetsInWoonplaats,
        Self::NummeraanduidingenInWoonplaats,
        Self::NummeraanduidingenAtStreet,
        Self::ObjectsOfNummeraanduiding,
        Self::ObjectsInPand,
    ];

    pub(super) const fn row_table(self) -> RowTable {
        match self {
            Self::StreetsInWoonplaats => STREETS_IN_WOONPLAATS,
            Self::NummeraanduidingenInWoonplaats => NUMMERAANDUIDINGEN_IN_WOONPLAATS,
            Self::NummeraanduidingenAtStreet => NUMMERAANDUIDINGEN_AT_STREET,
            Self::ObjectsOfNummeraanduiding => OBJECTS_OF_NUMMERAANDUIDING,
            Self::ObjectsInPand => OBJECTS_IN_PAND,
        }
    }
}

/// The days after `stand` on which an object changes without a mutation.
pub(super) fn future_days<'a, T: 'a>(
    versions: impl IntoIterator<Item = &'a Voorkomen<T>>,
    stand: Day,
) -> impl Iterator<Item = Day> {
    let days = versions
        .into_iter()
        .flat_map(|version| iter::once(version.period.begin).chain(version.period.end));
    days.filter(move |&day| day > stand)
}

impl RegisterObject for Woonplaats {
    type Id = WoonplaatsCode;
    const TYPE: RegisterObjectType = RegisterObjectType::Woonplaats;

    fn references(&self) -> impl Iterator<Item = (ReverseLink, u64)> {
        iter::empty()
    }
}

impl RegisterObject for OpenbareRuimte {
    type Id = BagId<postduif_schema::OpenbareRuimteKind>;
    const TYPE: RegisterObjectType = RegisterObjectType::OpenbareRuimte;

    fn references(&self) -> impl Iterator<Item = (ReverseLink, u64)> {
        iter::once((ReverseLink::StreetsInWoonplaats, self.woonplaats.key()))
    }
}

impl RegisterObject for Nummeraanduiding {
    type Id = BagId<postduif_schema::NummeraanduidingKind>;
    const TYPE: RegisterObjectType = RegisterObjectType::Nummeraanduiding;

    fn references(&self) -> impl Iterator<Item = (ReverseLink, u64)> {
        let town = self
            .ligt_in
            .map(|town| (ReverseLink::NummeraanduidingenInWoonplaats, town.key()));
        iter::once((ReverseLink::NummeraanduidingenAtStreet, self.ligt_aan.key())).chain(town)
    }
}

impl RegisterObject for AdresseerbaarObject {
    type Id = AdresseerbaarObjectId;
    const TYPE: RegisterObjectType = RegisterObjectType::AdresseerbaarObject;

    fn references(&self) -> impl Iterator<Item = (ReverseLink, u64)> {
        let adressen = self
            .adressen()
            .map(|id| (ReverseLink::ObjectsOfNummeraanduiding, id.key()));
        let panden = self
            .panden
            .iter()
            .map(|id| (ReverseLink::ObjectsInPand, id.key()));
        adressen.chain(panden)
    }
}

impl RegisterObject for Pand {
    type Id = BagId<postduif_schema::PandKind>;
    const TYPE: RegisterObjectType = RegisterObjectType::Pand;

    fn references(&self) -> impl Iterator<Item = (ReverseLink, u64)> {
        iter::empty()
    }
}
