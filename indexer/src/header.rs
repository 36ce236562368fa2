//! The Leveringsdocument: what a delivery says of itself.

use jiff::civil::Date;
use postduif_schema::{Area, GemeenteCode};

use crate::xml::{Xml, XmlError};

/// What a delivery of a stand covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Header {
    /// StandTechnischeDatum: all that was registered before this day began.
    pub(crate) stand: Date,
    /// The country, or some municipalities.
    pub(crate) area: Area,
}

impl Header {
    /// Reads a Leveringsdocument. One of a mutation delivery is refused by name.
    pub(crate) fn read(file: &str, bytes: &[u8]) -> Result<Self, XmlError> {
        Xml::document(file, bytes, |xml, root| {
            if root != "BAG-Extract-Levering" {
                return Err(xml.error(format!(
                    "root <{root}> where <BAG-Extract-Levering> is expected"
                )));
            }
            let (mut stand, mut area) = (None, None);
            xml.children(|xml, name| match name {
                "SelectieGegevens" => xml.children(|xml, name| match name {
                    "LVC-Extract" => read_stand(xml, &mut stand),
                    "MUT-Extract" => {
                        Err(xml.error("a mutation delivery; `index build` reads a stand"))
                    }
                    "Gebied-Registratief" => read_area(xml, &mut area),
                    _ => xml.skip(),
                }),
                _ => xml.skip(),
            })?;
            Ok(Self {
                stand: xml.required(stand, "StandTechnischeDatum")?,
                area: xml.required(area, "Gebied-Registratief")?,
            })
        })
    }
}

/// Reads the `StandTechnischeDatum` in an `LVC-Extract`.
pub(crate) fn read_stand(xml: &mut Xml<'_>, stand: &mut Option<Date>) -> Result<(), XmlError> {
    xml.children(|xml, name| {
        match name {
            "StandTechnischeDatum" => *stand = Some(xml.parse()?),
            _ => xml.skip()?,
        }
        Ok(())
    })
}

fn read_area(xml: &mut Xml<'_>, area: &mut Option<Area>) -> Result<(), XmlError> {
    xml.children(|xml, name| match name {
        "Gebied-NLD" => {
            *area = Some(Area::Country);
            xml.skip()
        }
        "Gebied-GEM" => {
            let mut codes = Vec::new();
            read_codes(xml, &mut codes)?;
            codes.sort_unstable();
            codes.dedup();
            if codes.is_empty() {
                return Err(xml.error("Gebied-GEM names no municipality"));
            }
            *area = Some(Area::Municipalities(codes));
            Ok(())
        }
        _ => xml.skip(),
    })
}

/// Every `GemeenteIdentificatie` below the current element.
fn read_codes(xml: &mut Xml<'_>, codes: &mut Vec<GemeenteCode>) -> Result<(), XmlError> {
    xml.children(|xml, name| match name {
        "GemeenteIdentificatie" => {
            codes.push(xml.parse()?);
            Ok(())
        }
        "GemeenteCollectie" | "Gemeente" => read_codes(xml, codes),
        _ => xml.skip(),
    })
}
