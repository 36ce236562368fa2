//! Streets, squares, canals: named public spaces.

use postduif_schema::{BagId, OpenbareRuimteKind, WoonplaatsCode};

use super::voorkomen::VoorkomenValidity;
use super::{FromXml, MAX_NAME_CHARS, MAX_SHORT_NAME_CHARS, VoorkomenRecord};
use crate::xml::{XmlError, XmlReader};

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

impl FromXml for OpenbareRuimte {
    type Id = BagId<OpenbareRuimteKind>;

    fn from_xml(
        xml: &mut XmlReader<'_>,
    ) -> Result<VoorkomenRecord<BagId<OpenbareRuimteKind>, Self>, XmlError> {
        let (mut id, mut naam, mut verkorte_naam, mut woonplaats, mut validity) =
            (None, None, None, None, None);
        xml.for_each_child(|xml, name| {
            match name {
                "identificatie" => {
                    let found: BagId<OpenbareRuimteKind> = xml.parse()?;
                    xml.set_object(Some(found.to_string()));
                    id = Some(found);
                }
                "naam" => naam = Some(xml.read_name(MAX_NAME_CHARS)?),
                "verkorteNaam" => verkorte_naam = read_short_name(xml)?,
                "ligtIn" => xml.for_each_child(|xml, _| {
                    woonplaats = Some(xml.parse()?);
                    Ok(())
                })?,
                "voorkomen" => validity = Some(VoorkomenValidity::read(xml)?),
                _ => xml.skip()?,
            }
            Ok(())
        })?;
        let (naam, woonplaats) = (
            xml.required(naam, "naam")?,
            xml.required(woonplaats, "ligtIn")?,
        );
        let voorkomen = xml.required(validity, "voorkomen")?.with_state(Self {
            naam,
            verkorte_naam,
            woonplaats,
        });
        Ok(VoorkomenRecord {
            id: xml.required(id, "identificatie")?,
            voorkomen,
        })
    }
}

/// `verkorteNaam` holds a `VerkorteNaamOpenbareRuimte`, and that another `verkorteNaam` with the text.
fn read_short_name(xml: &mut XmlReader<'_>) -> Result<Option<Box<str>>, XmlError> {
    let mut short = None;
    xml.for_each_child(|xml, _| {
        xml.for_each_child(|xml, name| match name {
            "verkorteNaam" => {
                short = Some(xml.read_name(MAX_SHORT_NAME_CHARS)?);
                Ok(())
            }
            _ => xml.skip(),
        })
    })?;
    Ok(short)
}
