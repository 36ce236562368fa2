//! The object types that the register keeps: which table each has, and to what its objects lead back.

use std::iter;

use postduif_schema::{BagId, WoonplaatsCode};

use super::row::{Key, Stored};
use super::{
    NUMMERAANDUIDINGEN, NUMMERAANDUIDINGEN_AT_STREET, NUMMERAANDUIDINGEN_IN_WOONPLAATS, OBJECTS,
    OBJECTS_IN_PAND, OBJECTS_OF_NUMMERAANDUIDING, OPENBARE_RUIMTEN, PANDEN, Rows,
    STREETS_IN_WOONPLAATS, WOONPLAATSEN,
};
use crate::day::Day;
use crate::objects::{
    AdresseerbaarObject, Nummeraanduiding, ObjectId, OpenbareRuimte, Pand, Voorkomen, Woonplaats,
};

/// An object type with a table of its own.
pub(crate) trait Kept: Stored + Clone + PartialEq {
    /// What names an object.
    type Id: Key;
    const TYPE: ObjectType;

    /// What an object with this state refers to: the way back leads from there to the object.
    fn referred(&self) -> impl Iterator<Item = (Link, u64)>;
}

/// An object type of the register, as a number in the list of days to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum ObjectType {
    Woonplaats,
    OpenbareRuimte,
    Nummeraanduiding,
    Object,
    Pand,
}

impl ObjectType {
    pub(super) const ALL: [Self; 5] = [
        Self::Woonplaats,
        Self::OpenbareRuimte,
        Self::Nummeraanduiding,
        Self::Object,
        Self::Pand,
    ];

    pub(super) const fn rows(self) -> Rows {
        match self {
            Self::Woonplaats => WOONPLAATSEN,
            Self::OpenbareRuimte => OPENBARE_RUIMTEN,
            Self::Nummeraanduiding => NUMMERAANDUIDINGEN,
            Self::Object => OBJECTS,
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

/// A way back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Link {
    StreetsInWoonplaats,
    NummeraanduidingenInWoonplaats,
    NummeraanduidingenAtStreet,
    ObjectsOfNummeraanduiding,
    ObjectsInPand,
}

impl Link {
    pub(super) const fn rows(self) -> Rows {
        match self {
            Self::StreetsInWoonplaats => STREETS_IN_WOONPLAATS,
            Self::NummeraanduidingenInWoonplaats => NUMMERAANDUIDINGEN_IN_WOONPLAATS,
            Self::NummeraanduidingenAtStreet => NUMMERAANDUIDINGEN_AT_STREET,
            Self::ObjectsOfNummeraanduiding => OBJECTS_OF_NUMMERAANDUIDING,
            Self::ObjectsInPand => OBJECTS_IN_PAND,
        }
    }
}

/// The days after `stand` on which an object becomes another without a word from anybody.
pub(super) fn days_to_come<T>(versions: &[Voorkomen<T>], stand: Day) -> impl Iterator<Item = Day> {
    let days = versions
        .iter()
        .flat_map(|version| iter::once(version.period.begin).chain(version.period.end));
    days.filter(move |&day| day > stand)
}

impl Kept for Woonplaats {
    type Id = WoonplaatsCode;
    const TYPE: ObjectType = ObjectType::Woonplaats;

    fn referred(&self) -> impl Iterator<Item = (Link, u64)> {
        iter::empty()
    }
}

impl Kept for OpenbareRuimte {
    type Id = BagId<postduif_schema::OpenbareRuimte>;
    const TYPE: ObjectType = ObjectType::OpenbareRuimte;

    fn referred(&self) -> impl Iterator<Item = (Link, u64)> {
        iter::once((Link::StreetsInWoonplaats, self.woonplaats.key()))
    }
}

impl Kept for Nummeraanduiding {
    type Id = BagId<postduif_schema::Nummeraanduiding>;
    const TYPE: ObjectType = ObjectType::Nummeraanduiding;

    fn referred(&self) -> impl Iterator<Item = (Link, u64)> {
        let town = self
            .ligt_in
            .map(|town| (Link::NummeraanduidingenInWoonplaats, town.key()));
        iter::once((Link::NummeraanduidingenAtStreet, self.ligt_aan.key())).chain(town)
    }
}

impl Kept for AdresseerbaarObject {
    type Id = ObjectId;
    const TYPE: ObjectType = ObjectType::Object;

    fn referred(&self) -> impl Iterator<Item = (Link, u64)> {
        let adressen = self
            .adressen()
            .map(|id| (Link::ObjectsOfNummeraanduiding, id.key()));
        let panden = self.panden.iter().map(|id| (Link::ObjectsInPand, id.key()));
        adressen.chain(panden)
    }
}

impl Kept for Pand {
    type Id = BagId<postduif_schema::Pand>;
    const TYPE: ObjectType = ObjectType::Pand;

    fn referred(&self) -> impl Iterator<Item = (Link, u64)> {
        iter::empty()
    }
}
