//! Buildings: here only for the year they were built. Their outline is passed over, which is most of their XML.

use postduif_schema::{BagId, PandKind};

use super::voorkomen::VoorkomenValidity;
use super::{FromXml, VoorkomenRecord};
use crate::xml::{XmlError, XmlReader};

/// A building.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pand {
    /// The year it was first built, or is meant to be; none where it is not known.
    pub bouwjaar: Option<u16>,
    /// Not demolished, never built, or recorded by mistake.
    pub exists: bool,
}

/// The year that stands for *unknown*. Source: BAG catalogus 2018, oorspronkelijk bouwjaar.
const UNKNOWN_YEAR: u16 = 9999;

impl FromXml for Pand {
    type Id = BagId<PandKind>;

    fn from_xml(
        xml: &mut XmlReader<'_>,
    ) -> Result<VoorkomenRecord<BagId<PandKind>, Self>, XmlError> {
        let (mut id, mut bouwjaar, mut exists, mut validity) = (None, None, None, None);
        xml.for_each_child(|xml, name| {
            match name {
                "identificatie" => {
                    let found: BagId<PandKind> = xml.parse()?;
                    xml.set_object(Some(found.to_string()));
                    id = Some(found);
                }
                "oorspronkelijkBouwjaar" => bouwjaar = Some(xml.parse::<u16>()?),
                "status" => exists = Some(read_exists(xml)?),
                "voorkomen" => validity = Some(VoorkomenValidity::read(xml)?),
                _ => xml.skip()?,
            }
            Ok(())
        })?;
        let year = xml.required(bouwjaar, "oorspronkelijkBouwjaar")?;
        let bouwjaar = Some(year).filter(|&year| year != UNKNOWN_YEAR);
        let state = Self {
            bouwjaar,
            exists: xml.required(exists, "status")?,
        };
        let voorkomen = xml.required(validity, "voorkomen")?.with_state(state);
        Ok(VoorkomenRecord {
            id: xml.required(id, "identificatie")?,
            voorkomen,
        })
    }
}

fn read_exists(xml: &mut XmlReader<'_>) -> Result<bool, XmlError> {
    match &*xml.text()? {
        "Bouwvergunning verleend"
        | "Bouw gestart"
        | "Pand in gebruik"
        | "Pand in gebruik (niet ingemeten)"
        | "Verbouwing pand"
        | "Sloopvergunning verleend"
        | "Pand buiten gebruik" => Ok(true),
        "Niet gerealiseerd pand" | "Pand gesloopt" | "Pand ten onrechte opgevoerd" => Ok(false),
        other => Err(xml.error(format!("status {other:?} is none that a pand has"))),
    }
}
