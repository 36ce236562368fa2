//! House numbers at streets: what becomes an address.

use postduif_schema::{
    BagId, HouseLetter, HouseNumber, HouseNumberAddition, NummeraanduidingKind, OpenbareRuimteKind,
    Postcode, WoonplaatsCode,
};

use super::voorkomen::VoorkomenValidity;
use super::{FromXml, VoorkomenRecord};
use crate::xml::{XmlError, XmlReader};

/// A house number at a street.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nummeraanduiding {
    /// House number.
    pub huisnummer: HouseNumber,
    /// House letter.
    pub huisletter: Option<HouseLetter>,
    /// Addition.
    pub toevoeging: Option<HouseNumberAddition>,
    /// Postcode; new buildings and transformer huts may have none.
    pub postcode: Option<Postcode>,
    /// The street.
    pub ligt_aan: BagId<OpenbareRuimteKind>,
    /// Its own town, where that is another than its street's.
    pub ligt_in: Option<WoonplaatsCode>,
    /// Status *Naamgeving uitgegeven*, not *ingetrokken*.
    pub uitgegeven: bool,
}

impl FromXml for Nummeraanduiding {
    type Id = BagId<NummeraanduidingKind>;

    fn from_xml(
        xml: &mut XmlReader<'_>,
    ) -> Result<VoorkomenRecord<BagId<NummeraanduidingKind>, Self>, XmlError> {
        let (mut id, mut huisnummer, mut ligt_aan, mut uitgegeven, mut validity) =
            (None, None, None, None, None);
        let (mut huisletter, mut toevoeging, mut postcode, mut ligt_in) = (None, None, None, None);
        xml.for_each_child(|xml, name| {
            match name {
                "identificatie" => {
                    let found: BagId<NummeraanduidingKind> = xml.parse()?;
                    xml.set_object(Some(found.to_string()));
                    id = Some(found);
                }
                "huisnummer" => huisnummer = Some(xml.parse()?),
                "huisletter" => huisletter = Some(xml.parse()?),
                "huisnummertoevoeging" => toevoeging = Some(xml.parse()?),
                "postcode" => postcode = Some(xml.parse()?),
                "status" => uitgegeven = Some(read_is_issued(xml)?),
                "voorkomen" => validity = Some(VoorkomenValidity::read(xml)?),
                "ligtAan" => xml.for_each_child(|xml, _| {
                    ligt_aan = Some(xml.parse()?);
                    Ok(())
                })?,
                "ligtIn" => xml.for_each_child(|xml, _| {
                    ligt_in = Some(xml.parse()?);
                    Ok(())
                })?,
                _ => xml.skip()?,
            }
            Ok(())
        })?;
        let state = Self {
            huisnummer: xml.required(huisnummer, "huisnummer")?,
            huisletter,
            toevoeging,
            postcode,
            ligt_aan: xml.required(ligt_aan, "ligtAan")?,
            ligt_in,
            uitgegeven: xml.required(uitgegeven, "status")?,
        };
        let voorkomen = xml.required(validity, "voorkomen")?.with_state(state);
        Ok(VoorkomenRecord {
            id: xml.required(id, "identificatie")?,
            voorkomen,
        })
    }
}

fn read_is_issued(xml: &mut XmlReader<'_>) -> Result<bool, XmlError> {
    match &*xml.text()? {
        "Naamgeving uitgegeven" => Ok(true),
        "Naamgeving ingetrokken" => Ok(false),
        other => Err(xml.error(format!(
            "status {other:?}; a nummeraanduiding is `Naamgeving uitgegeven` or `ingetrokken`"
        ))),
    }
}
