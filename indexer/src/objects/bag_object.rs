//! Reads the `bagObject` elements of a document, of any object type.

use postduif_schema::{BagId, NummeraanduidingKind, OpenbareRuimteKind, PandKind, WoonplaatsCode};

use super::adresseerbaar_object::{AdresseerbaarObject, AdresseerbaarObjectId};
use super::from_xml::{FromXml, ParsedRecord};
use super::nummeraanduiding::Nummeraanduiding;
use super::openbare_ruimte::OpenbareRuimte;
use super::pand::Pand;
use super::woonplaats::Woonplaats;
use crate::archive::BagObjectType;
use crate::day::Day;
use crate::record_issues::ValueIssue;
use crate::xml::{XmlError, XmlReader};

/// A voorkomen of an object of any type, with the values that could be read.
pub(crate) enum AnyParsedRecord {
    Woonplaats(ParsedRecord<WoonplaatsCode, Woonplaats>),
    OpenbareRuimte(ParsedRecord<BagId<OpenbareRuimteKind>, OpenbareRuimte>),
    Nummeraanduiding(ParsedRecord<BagId<NummeraanduidingKind>, Nummeraanduiding>),
    Object(ParsedRecord<AdresseerbaarObjectId, AdresseerbaarObject>),
    Pand(ParsedRecord<BagId<PandKind>, Pand>),
}

impl AnyParsedRecord {
    /// Reads the current element as one voorkomen. `element` is the name of the element, which gives the object type, and `day` is the day
    /// of the delivery.
    pub(crate) fn read(
        xml: &mut XmlReader<'_>,
        element: &str,
        day: Day,
    ) -> Result<(BagObjectType, Self), XmlError> {
        let object_type = BagObjectType::from_element_name(element).ok_or_else(|| {
            xml.error(format!(
                "element <{element}> where <Woonplaats>, <OpenbareRuimte>, <Nummeraanduiding>, <Verblijfsobject>, \
                 <Ligplaats>, <Standplaats> or <Pand> is expected"
            ))
        })?;
        let record = match object_type {
            BagObjectType::Woonplaats => Self::Woonplaats(Woonplaats::from_xml(xml, day)?),
            BagObjectType::OpenbareRuimte => {
                Self::OpenbareRuimte(OpenbareRuimte::from_xml(xml, day)?)
            }
            BagObjectType::Nummeraanduiding => {
                Self::Nummeraanduiding(Nummeraanduiding::from_xml(xml, day)?)
            }
            BagObjectType::Verblijfsobject
            | BagObjectType::Ligplaats
            | BagObjectType::Standplaats => Self::Object(AdresseerbaarObject::from_xml(xml, day)?),
            BagObjectType::Pand => Self::Pand(Pand::from_xml(xml, day)?),
        };
        Ok((object_type, record))
    }

    /// The id and the issues of a version that a mutation sets or removes, see [`ParsedRecord::take_mutation_report`].
    pub(crate) fn take_mutation_report(
        &mut self,
        day: Day,
        is_removed: bool,
    ) -> Option<(Option<String>, Vec<ValueIssue>)> {
        match self {
            Self::Woonplaats(record) => record.take_mutation_report(day, is_removed),
            Self::OpenbareRuimte(record) => record.take_mutation_report(day, is_removed),
            Self::Nummeraanduiding(record) => record.take_mutation_report(day, is_removed),
            Self::Object(record) => record.take_mutation_report(day, is_removed),
            Self::Pand(record) => record.take_mutation_report(day, is_removed),
        }
    }

    /// The id as a number, if it is valid.
    pub(crate) fn id_number(&self) -> Option<u64> {
        match self {
            Self::Woonplaats(record) => Some(record.id?.get().into()),
            Self::OpenbareRuimte(record) => Some(record.id?.get()),
            Self::Nummeraanduiding(record) => Some(record.id?.get()),
            Self::Object(record) => Some(record.id?.get()),
            Self::Pand(record) => Some(record.id?.get()),
        }
    }
}

/// Calls `read_object` for each object in a `standBestand`, with the name of the object's element.
pub(crate) fn for_each_bag_object(
    xml: &mut XmlReader<'_>,
    read_object: &mut dyn FnMut(&mut XmlReader<'_>, &str) -> Result<(), XmlError>,
) -> Result<(), XmlError> {
    xml.for_each_child(|xml, name| match name {
        "stand" => xml.for_each_child(|xml, name| match name {
            "bagObject" => xml.for_each_child(|xml, name| {
                read_object(xml, name)?;
                xml.set_object_id(None);
                Ok(())
            }),
            _ => xml.skip(),
        }),
        _ => xml.skip(),
    })
}
