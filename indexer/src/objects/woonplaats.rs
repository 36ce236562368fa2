//! Towns.

use super::voorkomen::VoorkomenValidity;
use super::{FromXml, MAX_NAME_CHARS, VoorkomenRecord};
use crate::xml::{XmlError, XmlReader};
use postduif_schema::WoonplaatsCode;

/// A town.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Woonplaats {
    /// Its name as the municipal council fixed it.
    pub naam: Box<str>,
    /// Status *Woonplaats aangewezen*, not *ingetrokken*.
    pub aangewezen: bool,
}

impl FromXml for Woonplaats {
    type Id = WoonplaatsCode;

    fn from_xml(
        xml: &mut XmlReader<'_>,
    ) -> Result<VoorkomenRecord<WoonplaatsCode, Self>, XmlError> {
        let (mut id, mut naam, mut aangewezen, mut validity) = (None, None, None, None);
        xml.for_each_child(|xml, name| {
            match name {
                "identificatie" => {
                    let code: WoonplaatsCode = xml.parse()?;
                    xml.set_object(Some(code.to_string()));
                    id = Some(code);
                }
                "naam" => naam = Some(xml.read_name(MAX_NAME_CHARS)?),
                "status" => aangewezen = Some(read_is_designated(xml)?),
                "voorkomen" => validity = Some(VoorkomenValidity::read(xml)?),
                _ => xml.skip()?,
            }
            Ok(())
        })?;
        let state = Self {
            naam: xml.required(naam, "naam")?,
            aangewezen: xml.required(aangewezen, "status")?,
        };
        let voorkomen = xml.required(validity, "voorkomen")?.with_state(state);
        Ok(VoorkomenRecord {
            id: xml.required(id, "identificatie")?,
            voorkomen,
        })
    }
}

fn read_is_designated(xml: &mut XmlReader<'_>) -> Result<bool, XmlError> {
    match &*xml.text()? {
        "Woonplaats aangewezen" => Ok(true),
        "Woonplaats ingetrokken" => Ok(false),
        other => Err(xml.error(format!(
            "status {other:?}; a woonplaats is `Woonplaats aangewezen` or `ingetrokken`"
        ))),
    }
}
