//! Reads the table that says to which municipality each town belongs in each period.
//!
//! The table has only codes, and the whole history of each town. A row may begin on a future day; the previous row of the town then
//! ends on that day. Source: BAG 2.0 XSD v20200601, `BagvsGemeenteWoonplaatsRelatieProduct-2.1.0.xsd`.

use postduif_schema::{GemeenteCode, WoonplaatsCode};

use crate::day::ValidityPeriod;
use crate::xml::{XmlError, XmlReader};

/// One row of the table: a town that belongs to a municipality for a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct GemeenteWoonplaats {
    /// The town.
    pub woonplaats: WoonplaatsCode,
    /// The municipality.
    pub gemeente: GemeenteCode,
    /// The period in which the relation holds.
    pub period: ValidityPeriod,
    /// Whether the status is *definitief* and not *voorlopig*.
    pub definitive: bool,
}

/// Reads a whole GEM-WPL-RELATIE document.
pub(crate) fn read_relations(
    file: &str,
    bytes: &[u8],
) -> Result<Vec<GemeenteWoonplaats>, XmlError> {
    XmlReader::read_document(file, bytes, |xml, root| {
        if root != "BAG-GWR-Deelbestand-LVC" {
            return Err(xml.error(format!(
                "root <{root}> where <BAG-GWR-Deelbestand-LVC> is expected"
            )));
        }
        let mut relations = Vec::new();
        xml.for_each_child(|xml, name| match name {
            "Product" => xml.for_each_child(|xml, name| match name {
                "GemeenteWoonplaatsRelatieProduct" => xml.for_each_child(|xml, name| match name {
                    "GemeenteWoonplaatsRelatie" => {
                        relations.push(read_relation(xml)?);
                        Ok(())
                    }
                    _ => xml.skip(),
                }),
                _ => xml.skip(),
            }),
            _ => xml.skip(),
        })?;
        Ok(relations)
    })
}

fn read_relation(xml: &mut XmlReader<'_>) -> Result<GemeenteWoonplaats, XmlError> {
    let (mut woonplaats, mut gemeente, mut begin, mut end, mut definitive) =
        (None, None, None, None, None);
    xml.for_each_child(|xml, name| match name {
        "tijdvakgeldigheid" => xml.for_each_child(|xml, name| {
            match name {
                "begindatumTijdvakGeldigheid" => begin = Some(xml.parse()?),
                "einddatumTijdvakGeldigheid" => end = Some(xml.parse()?),
                _ => xml.skip()?,
            }
            Ok(())
        }),
        "gerelateerdeWoonplaats" => xml.for_each_child(|xml, _| {
            woonplaats = Some(xml.parse()?);
            Ok(())
        }),
        "gerelateerdeGemeente" => xml.for_each_child(|xml, _| {
            gemeente = Some(xml.parse()?);
            Ok(())
        }),
        "status" => {
            definitive = Some(&*xml.text()? == "definitief");
            Ok(())
        }
        _ => xml.skip(),
    })?;
    Ok(GemeenteWoonplaats {
        woonplaats: xml.required(woonplaats, "gerelateerdeWoonplaats")?,
        gemeente: xml.required(gemeente, "gerelateerdeGemeente")?,
        period: ValidityPeriod {
            begin: xml.required(begin, "begindatumTijdvakGeldigheid")?,
            end,
        },
        definitive: xml.required(definitive, "status")?,
    })
}
