//! Woonplaatsen: towns and villages.

use super::from_xml::{CommonElements, FromXml, MAX_NAME_CHARS};
use super::voorkomen::VoorkomenRecord;
use crate::xml::{XmlError, XmlReader};
use postduif_schema::WoonplaatsCode;

/// A town.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Woonplaats {
    /// Its name, as the municipal council decided it.
    pub naam: Box<str>,
    /// Status *Woonplaats aangewezen*, not *ingetrokken*.
    pub aangewezen: bool,
}

impl FromXml for Woonplaats {
    type Id = WoonplaatsCode;

    fn from_xml(
        xml: &mut XmlReader<'_>,
    ) -> Result<VoorkomenRecord<WoonplaatsCode, Self>, XmlError> {
        let (mut naam, mut aangewezen) = (None, None);
        let mut common = CommonElements::new();
        xml.for_each_child(|xml, name| {
            match name {
                "naam" => naam = Some(xml.read_name(MAX_NAME_CHARS)?),
                "status" => aangewezen = Some(read_is_designated(xml)?),
                _ => common.read_element(xml, name)?,
            }
            Ok(())
        })?;
        let state = Self {
            naam: xml.required(naam, "naam")?,
            aangewezen: xml.required(aangewezen, "status")?,
        };
        common.into_record(xml, state)
    }
}

fn read_is_designated(xml: &mut XmlReader<'_>) -> Result<bool, XmlError> {
    match &*xml.text()? {
        "Woonplaats aangewezen" => Ok(true),
        "Woonplaats ingetrokken" => Ok(false),
        other => Err(xml.error(format!(
            "status {other:?}; a woonplaats has `Woonplaats aangewezen` or `ingetrokken`"
        ))),
    }
}
