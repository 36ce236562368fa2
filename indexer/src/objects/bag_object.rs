//! The `bagObject` elements of a document, of any object type.

use postduif_schema::{BagId, NummeraanduidingKind, OpenbareRuimteKind, PandKind, WoonplaatsCode};

use super::adresseerbaar_object::{AdresseerbaarObject, AdresseerbaarObjectId};
use super::from_xml::FromXml;
use super::nummeraanduiding::Nummeraanduiding;
use super::openbare_ruimte::OpenbareRuimte;
use super::pand::Pand;
use super::voorkomen::VoorkomenRecord;
use super::woonplaats::Woonplaats;
use crate::xml::{XmlError, XmlReader};

/// A voorkomen of an object of any type.
pub(crate) enum AnyVoorkomenRecord {
    Woonplaats(VoorkomenRecord<WoonplaatsCode, Woonplaats>),
    OpenbareRuimte(VoorkomenRecord<BagId<OpenbareRuimteKind>, OpenbareRuimte>),
    Nummeraanduiding(VoorkomenRecord<BagId<NummeraanduidingKind>, Nummeraanduiding>),
    Object(VoorkomenRecord<AdresseerbaarObjectId, AdresseerbaarObject>),
    Pand(VoorkomenRecord<BagId<PandKind>, Pand>),
}

impl AnyVoorkomenRecord {
    /// Reads the current element as the object type of its name.
    pub(crate) fn read(xml: &mut XmlReader<'_>, element: &str) -> Result<Self, XmlError> {
        Ok(match element {
            "Woonplaats" => Self::Woonplaats(Woonplaats::from_xml(xml)?),
            "OpenbareRuimte" => Self::OpenbareRuimte(OpenbareRuimte::from_xml(xml)?),
            "Nummeraanduiding" => Self::Nummeraanduiding(Nummeraanduiding::from_xml(xml)?),
            "Verblijfsobject" | "Ligplaats" | "Standplaats" => {
                Self::Object(AdresseerbaarObject::from_xml(xml)?)
            }
            "Pand" => Self::Pand(Pand::from_xml(xml)?),
            _ => {
                return Err(xml.error(format!(
                    "element <{element}> where <Woonplaats>, <OpenbareRuimte>, <Nummeraanduiding>, <Verblijfsobject>, \
                     <Ligplaats>, <Standplaats> or <Pand> is expected"
                )));
            }
        })
    }
}

/// Calls `read_object` with the name of each object's element in a `standBestand`.
pub(crate) fn for_each_bag_object(
    xml: &mut XmlReader<'_>,
    read_object: &mut dyn FnMut(&mut XmlReader<'_>, &str) -> Result<(), XmlError>,
) -> Result<(), XmlError> {
    xml.for_each_child(|xml, name| match name {
        "stand" => xml.for_each_child(|xml, name| match name {
            "bagObject" => xml.for_each_child(|xml, name| {
                read_object(xml, name)?;
                xml.set_object(None);
                Ok(())
            }),
            _ => xml.skip(),
        }),
        _ => xml.skip(),
    })
}

/// Reads every object of a stand's document and returns how many there are, for benchmarks and fuzzers.
///
/// # Errors
/// When an object is malformed. The error calls the document `file`.
pub fn count_objects(file: &str, document: &[u8]) -> Result<u64, XmlError> {
    let mut count = 0;
    XmlReader::read_document(file, document, |xml, _| {
        xml.for_each_child(|xml, name| match name {
            "standBestand" => for_each_bag_object(xml, &mut |xml, name| {
                count += 1;
                AnyVoorkomenRecord::read(xml, name).map(drop)
            }),
            _ => xml.skip(),
        })
    })?;
    Ok(count)
}
