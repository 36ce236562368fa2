//! Reads openbare ruimten, which are named public spaces such as streets, squares and canals.

use postduif_schema::{BagId, OpenbareRuimteKind, WoonplaatsCode};

use super::from_xml::{CommonElements, FromXml, ParsedRecord};
use super::names::{MAX_NAME_CHARS, MAX_SHORT_NAME_CHARS, read_name};
use crate::day::Day;
use crate::record_issues::IssueEffect::Rejected;
use crate::xml::{XmlError, XmlReader};

/// A named public space.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct OpenbareRuimte {
    /// The name as the register spells it, at most 80 characters.
    pub naam: Box<str>,
    /// The short name by NEN 5825, at most 24 characters; `None` if the register has no short name.
    pub verkorte_naam: Option<Box<str>>,
    /// The town of the openbare ruimte.
    #[serde(with = "crate::stored_value")]
    pub woonplaats: WoonplaatsCode,
}

impl FromXml for OpenbareRuimte {
    type Id = BagId<OpenbareRuimteKind>;

    fn from_xml(xml: &mut XmlReader<'_>, _: Day) -> Result<ParsedRecord<Self::Id, Self>, XmlError> {
        let (mut naam, mut verkorte_naam, mut woonplaats) = (None, None, None);
        let mut common = CommonElements::new();
        xml.for_each_child(|xml, name| {
            match name {
                "naam" => naam = read_name(xml, "naam", MAX_NAME_CHARS)?,
                "verkorteNaam" => verkorte_naam = read_short_name(xml)?,
                "ligtIn" => xml.for_each_child(|xml, _| {
                    woonplaats = xml.read_value("ligtIn", Rejected)?;
                    Ok(())
                })?,
                _ => common.read_element(xml, name)?,
            }
            Ok(())
        })?;
        let (naam, woonplaats) = (xml.require(naam, "naam"), xml.require(woonplaats, "ligtIn"));
        let state = || {
            Some(Self {
                naam: naam?,
                verkorte_naam,
                woonplaats: woonplaats?,
            })
        };
        Ok(common.into_record(xml, state()))
    }
}

/// Reads the short name. A `verkorteNaam` contains a `VerkorteNaamOpenbareRuimte`, which contains another `verkorteNaam` with the text.
fn read_short_name(xml: &mut XmlReader<'_>) -> Result<Option<Box<str>>, XmlError> {
    let mut short = None;
    xml.for_each_child(|xml, _| {
        xml.for_each_child(|xml, name| match name {
            "verkorteNaam" => {
                short = read_name(xml, "verkorteNaam", MAX_SHORT_NAME_CHARS)?;
                Ok(())
            }
            _ => xml.skip(),
        })
    })?;
    Ok(short)
}
