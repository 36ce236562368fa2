//! Towns.

use postduif_schema::WoonplaatsCode;
use serde::{Deserialize, Serialize};

use super::voorkomen::Validity;
use super::{ReadObject, Record};
use crate::xml::{Xml, XmlError};

/// A town.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Woonplaats {
    /// Its name as the municipal council fixed it.
    pub naam: Box<str>,
}

impl ReadObject for Woonplaats {
    type Id = WoonplaatsCode;

    fn read(xml: &mut Xml<'_>) -> Result<Record<WoonplaatsCode, Self>, XmlError> {
        let (mut id, mut naam, mut validity) = (None, None, None);
        xml.children(|xml, name| {
            match name {
                "identificatie" => {
                    let code: WoonplaatsCode = xml.parse()?;
                    xml.enter_object(Some(code.to_string()));
                    id = Some(code);
                }
                "naam" => naam = Some(xml.text()?.into()),
                "voorkomen" => validity = Some(Validity::read(xml)?),
                _ => xml.skip()?,
            }
            Ok(())
        })?;
        let state = Self { naam: xml.required(naam, "naam")? };
        let voorkomen = xml.required(validity, "voorkomen")?.of(state);
        Ok(Record { id: xml.required(id, "identificatie")?, voorkomen })
    }
}
