//! Reads panden (buildings). Addresses need only the construction year and the status of a pand. Its outline, which is most of the XML, is
//! skipped.

use postduif_schema::{BagId, PandKind};

use super::from_xml::{CommonElements, FromXml, ParsedRecord, read_status};
use crate::day::Day;
use crate::record_issues::IssueEffect;
use crate::xml::{XmlError, XmlReader};

/// A building.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Pand {
    /// The year in which the pand was first built or will be built, also if that is too far ahead for an address; `None` if unknown.
    pub bouwjaar: Option<u16>,
    /// Whether the building exists or is planned. False if its status is demolished, never built or recorded in error.
    pub exists: bool,
}

/// The years that mean *unknown*. Source for 9999: BAG catalogus 2018, oorspronkelijk bouwjaar. Source for 1005: real deliveries, in
/// which hundreds of panden of all ages have this year.
const UNKNOWN_YEARS: [u16; 2] = [1005, 9999];
/// Maximum number of years from the stand day to the construction year of a planned pand. A later year is invalid, but it is kept, because
/// it may become valid on a later stand day without another record.
const MAX_YEARS_AHEAD: u16 = 10;

impl Pand {
    /// The construction year for addresses on a stand day; `None` if it is unknown or too far ahead.
    pub(crate) fn bouwjaar_on(&self, stand: Day) -> Option<u16> {
        self.bouwjaar.filter(|&year| year <= last_year(stand))
    }
}

impl FromXml for Pand {
    type Id = BagId<PandKind>;

    fn from_xml(
        xml: &mut XmlReader<'_>,
        delivery_day: Day,
    ) -> Result<ParsedRecord<Self::Id, Self>, XmlError> {
        let (mut bouwjaar, mut exists) = (None, None);
        let mut common = CommonElements::new();
        xml.for_each_child(|xml, name| {
            match name {
                "oorspronkelijkBouwjaar" => bouwjaar = Some(read_year(xml, delivery_day)?),
                "status" => exists = read_status(xml, exists_by_status, true)?,
                _ => common.read_element(xml, name)?,
            }
            Ok(())
        })?;
        if bouwjaar.is_none() {
            note_year(xml, "", delivery_day);
        }
        let exists = xml.require(exists, "status");
        let state = exists.map(|exists| Self {
            bouwjaar: bouwjaar.flatten(),
            exists,
        });
        Ok(common.into_record(xml, state))
    }
}

/// Reads a year: an `xs:gYear`, which has four digits or more and may have a time zone.
fn read_year(xml: &mut XmlReader<'_>, delivery_day: Day) -> Result<Option<u16>, XmlError> {
    let Some(text) = xml.read_text("oorspronkelijkBouwjaar", IssueEffect::Nulled)? else {
        return Ok(None);
    };
    let year = parse_year(text.trim());
    if year.is_some_and(|year| UNKNOWN_YEARS.contains(&year)) {
        return Ok(None);
    }
    let year = year.filter(|&year| year > 0);
    if year.is_none_or(|year| year > last_year(delivery_day)) {
        note_year(xml, &text, delivery_day);
    }
    Ok(year)
}

fn parse_year(text: &str) -> Option<u16> {
    let digits = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (year, zone) = text.split_at(digits);
    let is_zone = zone.is_empty()
        || zone == "Z"
        || zone.strip_prefix(['+', '-']).is_some_and(|offset| {
            offset.len() == 5
                && offset
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || byte == b':')
        });
    (digits >= 4 && is_zone)
        .then(|| year.parse().ok())
        .flatten()
}

/// The last valid year on a day.
fn last_year(day: Day) -> u16 {
    day.year() + MAX_YEARS_AHEAD
}

fn note_year(xml: &mut XmlReader<'_>, value: &str, delivery_day: Day) {
    let expected = format!(
        "expected a year of four digits, 0001 to {:04}",
        last_year(delivery_day)
    );
    xml.note(
        "oorspronkelijkBouwjaar",
        IssueEffect::Nulled,
        value,
        &expected,
    );
}

fn exists_by_status(status: &str) -> Option<bool> {
    match status {
        "Bouwvergunning verleend"
        | "Bouw gestart"
        | "Pand in gebruik"
        | "Pand in gebruik (niet ingemeten)"
        | "Verbouwing pand"
        | "Sloopvergunning verleend"
        | "Pand buiten gebruik" => Some(true),
        "Niet gerealiseerd pand" | "Pand gesloopt" | "Pand ten onrechte opgevoerd" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_parses_like_an_xml_gyear() {
        for (text, expected) in [
            ("1462", Some(1462)),
            ("1462Z", Some(1462)),
            ("1462+01:00", Some(1462)),
            ("1462-05:00", Some(1462)),
            ("0000", Some(0)),
            ("19500", Some(19_500)),
            ("0", None),
            ("-1462", None),
            ("1462+1", None),
            ("1462 n.Chr.", None),
            ("", None),
            ("99999999", None),
        ] {
            assert_eq!(parse_year(text), expected, "{text:?}");
        }
    }
}
