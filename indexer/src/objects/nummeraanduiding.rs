//! House numbers at streets: what becomes an address.

use postduif_schema::{
    Addition, BagId, HouseLetter, HouseNumber, Nummeraanduiding as Kind, OpenbareRuimte, Postcode,
    WoonplaatsCode,
};

use super::voorkomen::Validity;
use super::{ReadObject, Record};
use crate::xml::{Xml, XmlError};

/// A house number at a street.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nummeraanduiding {
    /// House number.
    pub huisnummer: HouseNumber,
    /// House letter.
    pub huisletter: Option<HouseLetter>,
    /// Addition.
    pub toevoeging: Option<Addition>,
    /// Postcode; new buildings and transformer huts may have none.
    pub postcode: Option<Postcode>,
    /// The street.
    pub ligt_aan: BagId<OpenbareRuimte>,
    /// Its own town, where that is another than its street's.
    pub ligt_in: Option<WoonplaatsCode>,
    /// Status *Naamgeving uitgegeven*, not *ingetrokken*.
    pub uitgegeven: bool,
}

impl ReadObject for Nummeraanduiding {
    type Id = BagId<Kind>;

    fn read(xml: &mut Xml<'_>) -> Result<Record<BagId<Kind>, Self>, XmlError> {
        let (mut id, mut huisnummer, mut ligt_aan, mut uitgegeven, mut validity) =
            (None, None, None, None, None);
        let (mut huisletter, mut toevoeging, mut postcode, mut ligt_in) = (None, None, None, None);
        xml.children(|xml, name| {
            match name {
                "identificatie" => {
                    let found: BagId<Kind> = xml.parse()?;
                    xml.enter_object(Some(found.to_string()));
                    id = Some(found);
                }
                "huisnummer" => huisnummer = Some(xml.parse()?),
                "huisletter" => huisletter = Some(xml.parse()?),
                "huisnummertoevoeging" => toevoeging = Some(xml.parse()?),
                "postcode" => postcode = Some(xml.parse()?),
                "status" => uitgegeven = Some(is_issued(xml)?),
                "voorkomen" => validity = Some(Validity::read(xml)?),
                "ligtAan" => xml.children(|xml, _| {
                    ligt_aan = Some(xml.parse()?);
                    Ok(())
                })?,
                "ligtIn" => xml.children(|xml, _| {
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
        let voorkomen = xml.required(validity, "voorkomen")?.of(state);
        Ok(Record {
            id: xml.required(id, "identificatie")?,
            voorkomen,
        })
    }
}

fn is_issued(xml: &mut Xml<'_>) -> Result<bool, XmlError> {
    match &*xml.text()? {
        "Naamgeving uitgegeven" => Ok(true),
        "Naamgeving ingetrokken" => Ok(false),
        other => Err(xml.error(format!(
            "status {other:?}; a nummeraanduiding is `Naamgeving uitgegeven` or `ingetrokken`"
        ))),
    }
}
