//! Streets, squares, canals: named public spaces.

use postduif_schema::{BagId, OpenbareRuimte as Kind, WoonplaatsCode};

use super::voorkomen::Validity;
use super::{MAX_NAME, MAX_SHORT_NAME, ReadObject, Record};
use crate::xml::{Xml, XmlError};

/// A named public space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenbareRuimte {
    /// Its name as the register spells it, at most 80 characters.
    pub naam: Box<str>,
    /// The short name after NEN 5825, at most 24 characters; only where the register holds one.
    pub verkorte_naam: Option<Box<str>>,
    /// The town it lies in.
    pub woonplaats: WoonplaatsCode,
}

impl ReadObject for OpenbareRuimte {
    type Id = BagId<Kind>;

    fn read(xml: &mut Xml<'_>) -> Result<Record<BagId<Kind>, Self>, XmlError> {
        let (mut id, mut naam, mut verkorte_naam, mut woonplaats, mut validity) =
            (None, None, None, None, None);
        xml.children(|xml, name| {
            match name {
                "identificatie" => {
                    let found: BagId<Kind> = xml.parse()?;
                    xml.enter_object(Some(found.to_string()));
                    id = Some(found);
                }
                "naam" => naam = Some(xml.name(MAX_NAME)?),
                "verkorteNaam" => verkorte_naam = read_short_name(xml)?,
                "ligtIn" => xml.children(|xml, _| {
                    woonplaats = Some(xml.parse()?);
                    Ok(())
                })?,
                "voorkomen" => validity = Some(Validity::read(xml)?),
                _ => xml.skip()?,
            }
            Ok(())
        })?;
        let (naam, woonplaats) = (
            xml.required(naam, "naam")?,
            xml.required(woonplaats, "ligtIn")?,
        );
        let voorkomen = xml.required(validity, "voorkomen")?.of(Self {
            naam,
            verkorte_naam,
            woonplaats,
        });
        Ok(Record {
            id: xml.required(id, "identificatie")?,
            voorkomen,
        })
    }
}

/// `verkorteNaam` holds a `VerkorteNaamOpenbareRuimte`, and that another `verkorteNaam` with the text.
fn read_short_name(xml: &mut Xml<'_>) -> Result<Option<Box<str>>, XmlError> {
    let mut short = None;
    xml.children(|xml, _| {
        xml.children(|xml, name| match name {
            "verkorteNaam" => {
                short = Some(xml.name(MAX_SHORT_NAME)?);
                Ok(())
            }
            _ => xml.skip(),
        })
    })?;
    Ok(short)
}
