//! Reads verblijfsobjecten, ligplaatsen and standplaatsen into one type, because addresses are made from all three in the same way.

use std::fmt;
use std::str::FromStr;

use postduif_schema::{
    AddressKind, BagId, LigplaatsKind, NummeraanduidingKind, PandKind, Purpose, PurposeSet, Rd,
    StandplaatsKind, VerblijfsobjectKind,
};

use super::from_xml::{CommonElements, FromXml, ParsedRecord, read_status};
use super::geometry;
use crate::day::Day;
use crate::record_issues::IssueEffect::{Kept, Nulled, Rejected};
use crate::xml::{XmlError, XmlReader};

/// The id of a verblijfsobject, ligplaats or standplaats. The fifth and sixth digits give the kind of object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AdresseerbaarObjectId(u64);

/// A verblijfsobject, ligplaats or standplaats.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct AdresseerbaarObject {
    /// The object's status.
    pub status: ObjectStatus,
    /// The object's main address.
    #[serde(with = "crate::stored_value")]
    pub hoofdadres: BagId<NummeraanduidingKind>,
    /// The object's other addresses.
    #[serde(with = "crate::stored_value")]
    pub nevenadressen: Box<[BagId<NummeraanduidingKind>]>,
    /// The object's point, or the centroid of its polygon; `None` if the location is missing or outside the country.
    pub location: Option<Rd>,
    /// Use purposes; only a verblijfsobject has any.
    #[serde(with = "crate::stored_value")]
    pub purposes: PurposeSet,
    /// Purposes that are not in the catalogue; `None` for nearly every object.
    pub other_purposes: Option<Box<OtherPurposes>>,
    /// Floor area in square metres; `None` if unknown.
    pub surface_m2: Option<u32>,
    /// The panden that the object is part of; only a verblijfsobject has any.
    #[serde(with = "crate::stored_value")]
    pub panden: Box<[BagId<PandKind>]>,
}

/// Purposes that are not in the catalogue, one per line. An object has this type behind an `Option<Box<…>>`, which takes half the memory of
/// an `Option<Box<str>>`.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct OtherPurposes(pub Box<str>);

/// The status of an object, as far as addresses need it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ObjectStatus {
    /// In use, or temporarily out of use.
    InUse,
    /// *Verblijfsobject gevormd*: permitted, but not in use yet.
    Planned,
    /// Never built, withdrawn, or recorded in error.
    Gone,
}

const EXPECTED_PURPOSE: &str = "expected at least one purpose, which is not empty";
/// Maximum length, in characters, of a use purpose that is not in the catalogue; the rest is cut.
const MAX_PURPOSE_CHARS: usize = 80;
/// Maximum length in bytes of all such purposes of one object; further ones are not read.
const MAX_OTHER_PURPOSES_BYTES: usize = 4_096;
/// The floor area that means *unknown*. Source: BAG catalogus 2018, oppervlakte.
const UNKNOWN_SURFACE_M2: u32 = 999_999;

impl AdresseerbaarObject {
    /// The ids of all addresses, the main address first.
    pub fn adressen(&self) -> impl Iterator<Item = BagId<NummeraanduidingKind>> {
        std::iter::once(self.hoofdadres).chain(self.nevenadressen.iter().copied())
    }
}

impl FromXml for AdresseerbaarObject {
    type Id = AdresseerbaarObjectId;

    fn from_xml(xml: &mut XmlReader<'_>, _: Day) -> Result<ParsedRecord<Self::Id, Self>, XmlError> {
        let (mut status, mut hoofdadres, mut surface) = (None, None, None);
        let (mut nevenadressen, mut panden) = (Vec::new(), Vec::new());
        let (mut purposes, mut location) = (PurposeSet::EMPTY, None);
        let mut other_purposes = String::new();
        let mut common = CommonElements::new();
        xml.for_each_child(|xml, name| {
            match name {
                "heeftAlsHoofdadres" => xml.for_each_child(|xml, _| {
                    hoofdadres = xml.read_value("heeftAlsHoofdadres", Rejected)?;
                    Ok(())
                })?,
                "heeftAlsNevenadres" => xml.for_each_child(|xml, _| {
                    let adres: Option<BagId<_>> = xml.read_value("heeftAlsNevenadres", Nulled)?;
                    nevenadressen.extend(adres);
                    Ok(())
                })?,
                "maaktDeelUitVan" => xml.for_each_child(|xml, _| {
                    let pand: Option<BagId<_>> = xml.read_value("maaktDeelUitVan", Nulled)?;
                    panden.extend(pand);
                    Ok(())
                })?,
                "status" => status = read_status(xml, object_status, ObjectStatus::InUse)?,
                "geometrie" => location = geometry::read_location(xml)?,
                "gebruiksdoel" => match read_purpose(xml)? {
                    Some(Ok(purpose)) => purposes.insert(purpose),
                    Some(Err(other))
                        if other_purposes.len() < MAX_OTHER_PURPOSES_BYTES
                            && other_purposes.lines().all(|known| known != other) =>
                    {
                        other_purposes.push_str(&other);
                        other_purposes.push('\n');
                    }
                    Some(Err(_)) | None => {}
                },
                "oppervlakte" => surface = Some(read_surface(xml)?),
                _ => common.read_element(xml, name)?,
            }
            Ok(())
        })?;
        let is_verblijfsobject =
            |id: AdresseerbaarObjectId| id.kind() == AddressKind::Verblijfsobject;
        if common.id().is_some_and(is_verblijfsobject) {
            if surface.is_none() {
                note_surface(xml, "");
            }
            let has_purpose = purposes != PurposeSet::EMPTY || !other_purposes.is_empty();
            if !has_purpose && !xml.is_noted("gebruiksdoel") {
                xml.note("gebruiksdoel", Nulled, "", &EXPECTED_PURPOSE);
            }
            if panden.is_empty() && !xml.is_noted("maaktDeelUitVan") {
                xml.note("maaktDeelUitVan", Nulled, "", &"expected at least one pand");
            }
        }
        if location.is_none() && !xml.is_noted("geometrie") {
            geometry::note_location(xml, "");
        }
        let status = xml.require(status, "status");
        let hoofdadres = xml.require(hoofdadres, "heeftAlsHoofdadres");
        let state = || {
            Some(Self {
                status: status?,
                hoofdadres: hoofdadres?,
                nevenadressen: nevenadressen.into(),
                location,
                purposes,
                other_purposes: (!other_purposes.is_empty())
                    .then(|| Box::new(OtherPurposes(other_purposes.trim_end().into()))),
                surface_m2: surface.flatten(),
                panden: panden.into(),
            })
        };
        Ok(common.into_record(xml, state()))
    }
}

/// Reads a use purpose. A purpose that is not in the catalogue is noted as an issue and returned as one line of text. An empty purpose is
/// left out.
///
/// Source: decisions.md, section Addresses.
fn read_purpose(xml: &mut XmlReader<'_>) -> Result<Option<Result<Purpose, String>>, XmlError> {
    let Some(text) = xml.read_text("gebruiksdoel", Nulled)? else {
        return Ok(None);
    };
    if text.trim().is_empty() {
        xml.note("gebruiksdoel", Nulled, &text, &EXPECTED_PURPOSE);
        return Ok(None);
    }
    let purpose = text.trim().parse::<Purpose>();
    Ok(Some(purpose.map_err(|error| {
        xml.note("gebruiksdoel", Kept, &text, &error);
        let words: Vec<&str> = text.split_whitespace().collect();
        words.join(" ").chars().take(MAX_PURPOSE_CHARS).collect()
    })))
}

/// Reads a floor area; `None` if the area is unknown or invalid.
fn read_surface(xml: &mut XmlReader<'_>) -> Result<Option<u32>, XmlError> {
    let Some(text) = xml.read_text("oppervlakte", Nulled)? else {
        return Ok(None);
    };
    let surface = text.trim().parse().ok();
    let surface = surface.filter(|m2| (1..=UNKNOWN_SURFACE_M2).contains(m2));
    if surface.is_none() {
        note_surface(xml, &text);
    }
    Ok(surface.filter(|&m2| m2 != UNKNOWN_SURFACE_M2))
}

fn note_surface(xml: &mut XmlReader<'_>, value: &str) {
    xml.note(
        "oppervlakte",
        Nulled,
        value,
        &"expected whole square metres, 1 to 999999",
    );
}

fn object_status(status: &str) -> Option<ObjectStatus> {
    match status {
        "Verblijfsobject in gebruik"
        | "Verblijfsobject in gebruik (niet ingemeten)"
        | "Verbouwing verblijfsobject"
        | "Verblijfsobject buiten gebruik"
        | "Plaats aangewezen" => Some(ObjectStatus::InUse),
        "Verblijfsobject gevormd" => Some(ObjectStatus::Planned),
        "Niet gerealiseerd verblijfsobject"
        | "Verblijfsobject ingetrokken"
        | "Verblijfsobject ten onrechte opgevoerd"
        | "Plaats ingetrokken" => Some(ObjectStatus::Gone),
        _ => None,
    }
}

impl AdresseerbaarObjectId {
    /// The sixteen digits as a number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The id with this number; `None` if the fifth and sixth digits are not of one of the three kinds.
    pub fn from_number(number: u64) -> Option<Self> {
        address_kind(number).map(|_| Self(number))
    }

    /// The kind of object, from the fifth and sixth digits.
    pub fn kind(self) -> AddressKind {
        address_kind(self.0).expect("every id names one of the three kinds")
    }
}

fn address_kind(number: u64) -> Option<AddressKind> {
    let verblijfsobject =
        BagId::<VerblijfsobjectKind>::from_number(number).map(|_| AddressKind::Verblijfsobject);
    verblijfsobject
        .or_else(|| BagId::<LigplaatsKind>::from_number(number).map(|_| AddressKind::Ligplaats))
        .or_else(|| BagId::<StandplaatsKind>::from_number(number).map(|_| AddressKind::Standplaats))
}

/// The error for a text that is not an id of one of the three kinds of object.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not the id of a verblijfsobject, ligplaats or standplaats: sixteen digits, the fifth and sixth 01, 02 or 03"
)]
pub struct BadAdresseerbaarObjectId(String);

impl FromStr for AdresseerbaarObjectId {
    type Err = BadAdresseerbaarObjectId;

    fn from_str(text: &str) -> Result<Self, BadAdresseerbaarObjectId> {
        let digits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_digit());
        digits
            .then(|| text.parse().ok().and_then(Self::from_number))
            .flatten()
            .ok_or_else(|| BadAdresseerbaarObjectId(text.chars().take(40).collect()))
    }
}

impl fmt::Display for AdresseerbaarObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016}", self.0)
    }
}

impl fmt::Debug for AdresseerbaarObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
