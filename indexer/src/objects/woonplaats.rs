//! Reads woonplaatsen, which are towns and villages.

use super::from_xml::{CommonElements, FromXml, ParsedRecord, read_status};
use super::names::{MAX_NAME_CHARS, read_name};
use crate::day::Day;
use crate::xml::{XmlError, XmlReader};
use postduif_schema::WoonplaatsCode;

/// A town.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Woonplaats {
    /// The town's name, as decided by the municipal council.
    pub naam: Box<str>,
    /// Whether the status is *Woonplaats aangewezen* and not *Woonplaats ingetrokken*.
    pub aangewezen: bool,
}

impl FromXml for Woonplaats {
    type Id = WoonplaatsCode;

    fn from_xml(xml: &mut XmlReader<'_>, _: Day) -> Result<ParsedRecord<Self::Id, Self>, XmlError> {
        let (mut naam, mut aangewezen) = (None, None);
        let mut common = CommonElements::new();
        xml.for_each_child(|xml, name| {
            match name {
                "naam" => naam = read_name(xml, "naam", MAX_NAME_CHARS)?,
                "status" => aangewezen = read_status(xml, is_designated, false)?,
                _ => common.read_element(xml, name)?,
            }
            Ok(())
        })?;
        let (naam, aangewezen) = (xml.require(naam, "naam"), xml.require(aangewezen, "status"));
        let state = || {
            Some(Self {
                naam: naam?,
                aangewezen: aangewezen?,
            })
        };
        Ok(common.into_record(xml, state()))
    }
}

fn is_designated(status: &str) -> Option<bool> {
    match status {
        "Woonplaats aangewezen" => Some(true),
        "Woonplaats ingetrokken" => Some(false),
        _ => None,
    }
}
