//! Openbare ruimten: named public spaces such as streets, squares and canals.

use postduif_schema::{BagId, OpenbareRuimteKind, WoonplaatsCode};

use super::from_xml::{CommonElements, FromXml, MAX_NAME_CHARS, MAX_SHORT_NAME_CHARS};
use super::voorkomen::VoorkomenRecord;
use crate::xml::{XmlError, XmlReader};

/// A named public space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenbareRuimte {
    /// Its name as the register spells it, at most 80 characters.
    pub naam: Box<str>,
    /// The short name after NEN 5825, at most 24 characters; `None` if the register has none.
    pub verkorte_naam: Option<Box<str>>,
    /// Its town.
    pub woonplaats: WoonplaatsCode,
}

impl FromXml for OpenbareRuimte {
    type Id = BagId<OpenbareRuimteKind>;

    fn from_xml(
        xml: &mut XmlReader<'_>,
    ) -> Result<VoorkomenRecord<BagId<OpenbareRuimteKind>, Self>, XmlError> {
        let (mut naam, mut verkorte_naam, mut woonplaats) = (None, None, None);
        let mut common = CommonElements::new();
        xml.for_each_child(|xml, name| {
            match name {
                "naam" => naam = Some(xml.read_name(MAX_NAME_CHARS)?),
                "verkorteNaam" => verkorte_naam = read_short_name(xml)?,
                "ligtIn" => xml.for_each_child(|xml, _| {
                    woonplaats = Some(xml.parse()?);
                    Ok(())
                })?,
                _ => common.read_element(xml, name)?,
            }
            Ok(())
        })?;
        let (naam, woonplaats) = (
            xml.required(naam, "naam")?,
            xml.required(woonplaats, "ligtIn")?,
        );
        common.into_record(
            xml,
            Self {
                naam,
                verkorte_naam,
                woonplaats,
            },
        )
    }
}

/// `verkorteNaam` contains a `VerkorteNaamOpenbareRuimte`, which contains another `verkorteNaam` with the text.
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
