//! Reads nummeraanduidingen, the house numbers at streets from which addresses are made.

use std::str::FromStr;

use postduif_schema::{
    BadHouseNumber, BadPostcode, BagId, HouseLetter, HouseNumber, HouseNumberAddition,
    NummeraanduidingKind, OpenbareRuimteKind, Postcode, WoonplaatsCode,
};

use super::from_xml::{CommonElements, FromXml, ParsedRecord};
use crate::day::Day;
use crate::record_issues::IssueEffect::{Nulled, Rejected};
use crate::xml::{XmlError, XmlReader};

/// A house number at a street.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Nummeraanduiding {
    /// House number.
    #[serde(with = "crate::stored_value")]
    pub huisnummer: HouseNumber,
    /// House letter.
    #[serde(with = "crate::stored_value")]
    pub huisletter: Option<HouseLetter>,
    /// Addition.
    #[serde(with = "crate::stored_value")]
    pub toevoeging: Option<HouseNumberAddition>,
    /// Postcode. New buildings and transformer huts may have no postcode.
    #[serde(with = "crate::stored_value")]
    pub postcode: Option<Postcode>,
    /// The street.
    #[serde(with = "crate::stored_value")]
    pub ligt_aan: BagId<OpenbareRuimteKind>,
    /// The town of the nummeraanduiding, if it is not the town of its street.
    #[serde(with = "crate::stored_value")]
    pub ligt_in: Option<WoonplaatsCode>,
    /// Whether the status is *Naamgeving uitgegeven* and not *Naamgeving ingetrokken*.
    pub uitgegeven: bool,
}

impl FromXml for Nummeraanduiding {
    type Id = BagId<NummeraanduidingKind>;

    fn from_xml(xml: &mut XmlReader<'_>, _: Day) -> Result<ParsedRecord<Self::Id, Self>, XmlError> {
        let (mut huisnummer, mut ligt_aan, mut uitgegeven) = (None, None, None);
        let (mut huisletter, mut toevoeging, mut postcode, mut ligt_in) = (None, None, None, None);
        let mut common = CommonElements::new();
        xml.for_each_child(|xml, name| {
            match name {
                "huisnummer" => {
                    let number: Option<NumberInRegister> =
                        xml.read_value("huisnummer", Rejected)?;
                    huisnummer = number.map(|number| number.0);
                }
                // An invalid letter or addition rejects the record, because the record without it would be another address.
                "huisletter" => huisletter = xml.read_optional("huisletter", Rejected)?,
                "huisnummertoevoeging" => {
                    toevoeging = xml.read_optional("huisnummertoevoeging", Rejected)?;
                }
                "postcode" => {
                    let read: Option<PostcodeInRegister> =
                        xml.read_optional("postcode", Rejected)?;
                    postcode = read.map(|postcode| postcode.0);
                }
                "status" => uitgegeven = read_is_issued(xml)?,
                "ligtAan" => xml.for_each_child(|xml, _| {
                    ligt_aan = xml.read_value("ligtAan", Rejected)?;
                    Ok(())
                })?,
                "ligtIn" => xml.for_each_child(|xml, _| {
                    ligt_in = read_own_town(xml)?;
                    Ok(())
                })?,
                _ => common.read_element(xml, name)?,
            }
            Ok(())
        })?;
        let huisnummer = xml.require(huisnummer, "huisnummer");
        let ligt_aan = xml.require(ligt_aan, "ligtAan");
        let uitgegeven = xml.require(uitgegeven, "status");
        let state = || {
            Some(Self {
                huisnummer: huisnummer?,
                huisletter,
                toevoeging,
                postcode,
                ligt_aan: ligt_aan?,
                ligt_in,
                uitgegeven: uitgegeven?,
            })
        };
        Ok(common.into_record(xml, state()))
    }
}

/// A house number as the register writes it: without leading zeros. Source: BAG 2.0 XSD v20200601, `Objecten-2.1.0.xsd`, huisnummer.
struct NumberInRegister(HouseNumber);

impl FromStr for NumberInRegister {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text
            .parse()
            .map_err(|bad: BadHouseNumber| bad.to_string())?;
        match text.starts_with('0') {
            true => Err(format!(
                "house number {text:?} has a leading zero; expected {number}"
            )),
            false => Ok(Self(number)),
        }
    }
}

/// A postcode as the register writes it: in capitals, and possible. Source: BAG 2.0 XSD v20200601, `Objecten-2.1.0.xsd`, postcode.
struct PostcodeInRegister(Postcode);

impl FromStr for PostcodeInRegister {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let postcode: Postcode = text.parse().map_err(|bad: BadPostcode| bad.to_string())?;
        let postcode = postcode
            .require_possible()
            .map_err(|impossible| impossible.to_string())?;
        match text.bytes().any(|byte| byte.is_ascii_lowercase()) {
            true => Err(format!(
                "postcode {text:?} has small letters; expected {postcode}"
            )),
            false => Ok(Self(postcode)),
        }
    }
}

/// Reads the reference to the nummeraanduiding's own town. An empty reference, which occurs in deliveries, is noted as an issue and
/// counts as absent.
fn read_own_town(xml: &mut XmlReader<'_>) -> Result<Option<WoonplaatsCode>, XmlError> {
    let town = xml.read_optional("ligtIn", Rejected)?;
    if town.is_none() && !xml.is_noted("ligtIn") {
        xml.note(
            "ligtIn",
            Nulled,
            "",
            &"expected the code of a woonplaats, or no element",
        );
    }
    Ok(town)
}

/// Reads the status. An unknown status rejects the record, because an address needs the status *Naamgeving uitgegeven*.
fn read_is_issued(xml: &mut XmlReader<'_>) -> Result<Option<bool>, XmlError> {
    let Some(text) = xml.read_text("status", Rejected)? else {
        return Ok(None);
    };
    match text.trim() {
        "Naamgeving uitgegeven" => return Ok(Some(true)),
        "Naamgeving ingetrokken" => return Ok(Some(false)),
        "" => {}
        unknown => xml.note(
            "status",
            Rejected,
            unknown,
            &"expected `Naamgeving uitgegeven` or `Naamgeving ingetrokken`",
        ),
    }
    Ok(None)
}
