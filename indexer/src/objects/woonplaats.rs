//! Towns.

use super::voorkomen::Validity;
use super::{MAX_NAME, ReadObject, Record};
use crate::xml::{Xml, XmlError};
use postduif_schema::WoonplaatsCode;

/// A town.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Woonplaats {
    /// Its name as the municipal council fixed it.
    pub naam: Box<str>,
    /// Status *Woonplaats aangewezen*, not *ingetrokken*.
    pub aangewezen: bool,
}

impl ReadObject for Woonplaats {
    type Id = WoonplaatsCode;

    fn read(xml: &mut Xml<'_>) -> Result<Record<WoonplaatsCode, Self>, XmlError> {
        let (mut id, mut naam, mut aangewezen, mut validity) = (None, None, None, None);
        xml.children(|xml, name| {
            match name {
                "identificatie" => {
                    let code: WoonplaatsCode = xml.parse()?;
                    xml.enter_object(Some(code.to_string()));
                    id = Some(code);
                }
                "naam" => naam = Some(xml.name(MAX_NAME)?),
                "status" => aangewezen = Some(is_designated(xml)?),
                "voorkomen" => validity = Some(Validity::read(xml)?),
                _ => xml.skip()?,
            }
            Ok(())
        })?;
        let state = Self {
            naam: xml.required(naam, "naam")?,
            aangewezen: xml.required(aangewezen, "status")?,
        };
        let voorkomen = xml.required(validity, "voorkomen")?.of(state);
        Ok(Record {
            id: xml.required(id, "identificatie")?,
            voorkomen,
        })
    }
}

fn is_designated(xml: &mut Xml<'_>) -> Result<bool, XmlError> {
    match &*xml.text()? {
        "Woonplaats aangewezen" => Ok(true),
        "Woonplaats ingetrokken" => Ok(false),
        other => Err(xml.error(format!(
            "status {other:?}; a woonplaats is `Woonplaats aangewezen` or `ingetrokken`"
        ))),
    }
}
