//! Nummeraanduidingen: house numbers at streets, from which addresses are made.

use postduif_schema::{
    BagId, HouseLetter, HouseNumber, HouseNumberAddition, NummeraanduidingKind, OpenbareRuimteKind,
    Postcode, WoonplaatsCode,
};

use super::from_xml::{CommonElements, FromXml};
use super::voorkomen::VoorkomenRecord;
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
    /// Its town, if that is not the town of its street.
    pub ligt_in: Option<WoonplaatsCode>,
    /// Status *Naamgeving uitgegeven*, not *ingetrokken*.
    pub uitgegeven: bool,
}

impl FromXml for Nummeraanduiding {
    type Id = BagId<NummeraanduidingKind>;

    fn from_xml(
        xml: &mut XmlReader<'_>,
    ) -> Result<VoorkomenRecord<BagId<NummeraanduidingKind>, Self>, XmlError> {
        let (mut huisnummer, mut ligt_aan, mut uitgegeven) = (None, None, None);
        let (mut huisletter, mut toevoeging, mut postcode, mut ligt_in) = (None, None, None, None);
        let mut common = CommonElements::new();
        xml.for_each_child(|xml, name| {
            match name {
                "huisnummer" => huisnummer = Some(xml.parse()?),
                "huisletter" => huisletter = Some(xml.parse()?),
                "huisnummertoevoeging" => toevoeging = Some(xml.parse()?),
                "postcode" => postcode = Some(xml.parse()?),
                "status" => uitgegeven = Some(read_is_issued(xml)?),
                "ligtAan" => xml.for_each_child(|xml, _| {
                    ligt_aan = Some(xml.parse()?);
                    Ok(())
                })?,
                "ligtIn" => xml.for_each_child(|xml, _| {
                    ligt_in = Some(xml.parse()?);
                    Ok(())
                })?,
                _ => common.read_element(xml, name)?,
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
        common.into_record(xml, state)
    }
}

fn read_is_issued(xml: &mut XmlReader<'_>) -> Result<bool, XmlError> {
    match &*xml.text()? {
        "Naamgeving uitgegeven" => Ok(true),
        "Naamgeving ingetrokken" => Ok(false),
        other => Err(xml.error(format!(
            "status {other:?}; a nummeraanduiding has `Naamgeving uitgegeven` or `ingetrokken`"
        ))),
    }
}
