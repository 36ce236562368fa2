//! Panden: buildings, needed only for their construction year. Their outline, most of their XML, is skipped.

use postduif_schema::{BagId, PandKind};

use super::from_xml::{CommonElements, FromXml};
use super::voorkomen::VoorkomenRecord;
use crate::xml::{XmlError, XmlReader};

/// A building.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pand {
    /// The year in which it was first built, or will be; `None` if unknown.
    pub bouwjaar: Option<u16>,
    /// The building exists or will: its status is not demolished, never built or recorded in error.
    pub exists: bool,
}

/// The year that means *unknown*. Source: BAG catalogus 2018, oorspronkelijk bouwjaar.
const UNKNOWN_YEAR: u16 = 9999;

impl FromXml for Pand {
    type Id = BagId<PandKind>;

    fn from_xml(
        xml: &mut XmlReader<'_>,
    ) -> Result<VoorkomenRecord<BagId<PandKind>, Self>, XmlError> {
        let (mut bouwjaar, mut exists) = (None, None);
        let mut common = CommonElements::new();
        xml.for_each_child(|xml, name| {
            match name {
                "oorspronkelijkBouwjaar" => bouwjaar = Some(xml.parse::<u16>()?),
                "status" => exists = Some(read_exists(xml)?),
                _ => common.read_element(xml, name)?,
            }
            Ok(())
        })?;
        let year = xml.required(bouwjaar, "oorspronkelijkBouwjaar")?;
        let bouwjaar = Some(year).filter(|&year| year != UNKNOWN_YEAR);
        let state = Self {
            bouwjaar,
            exists: xml.required(exists, "status")?,
        };
        common.into_record(xml, state)
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
        other => Err(xml.error(format!("status {other:?} is unknown for a pand"))),
    }
}
