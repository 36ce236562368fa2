//! Reads the table that says to which municipality each town belongs in each period.
//!
//! The table has only codes, and the whole history of each town. A row may begin on a future day; the previous row of the town then
//! ends on that day. Source: BAG 2.0 XSD v20200601, `BagvsGemeenteWoonplaatsRelatieProduct-2.1.0.xsd`.

use postduif_schema::{GemeenteCode, WoonplaatsCode};

use crate::day::{Day, ValidityPeriod};
use crate::record_issues::{IssueEffect, RecordIssues};
use crate::xml::{XmlError, XmlReader};

/// The name of a row's element. Issues of rows are counted under this name.
pub(crate) const RELATION_ELEMENT: &str = "GemeenteWoonplaatsRelatie";

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

/// The rows of the table.
#[derive(Debug, Default)]
pub(crate) struct RelationTable {
    pub(crate) rows: Vec<GemeenteWoonplaats>,
    /// Invalid rows, which were left out. A row that ended by the day of the delivery is not reported.
    pub(crate) issues: RecordIssues,
}

/// Reads a whole GEM-WPL-RELATIE document of a delivery of this day.
pub(crate) fn read_relations(
    file: &str,
    day: Day,
    bytes: &[u8],
) -> Result<RelationTable, XmlError> {
    XmlReader::read_document(file, bytes, |xml, root| {
        if root != "BAG-GWR-Deelbestand-LVC" {
            return Err(xml.error(format!(
                "root <{root}> where <BAG-GWR-Deelbestand-LVC> is expected"
            )));
        }
        let mut table = RelationTable::default();
        xml.for_each_child(|xml, name| match name {
            "SelectieGegevens" => table.read_day(xml, day),
            "Product" => xml.for_each_child(|xml, name| match name {
                "GemeenteWoonplaatsRelatieProduct" => xml.for_each_child(|xml, name| match name {
                    RELATION_ELEMENT => table.read_row(xml, day),
                    _ => xml.skip(),
                }),
                _ => xml.skip(),
            }),
            _ => xml.skip(),
        })?;
        Ok(table)
    })
}

impl RelationTable {
    /// Notes an issue if the table is of another day than the delivery. The table is used all the same, because it is right unless a town
    /// has changed its municipality.
    fn read_day(&mut self, xml: &mut XmlReader<'_>, day: Day) -> Result<(), XmlError> {
        xml.for_each_child(|xml, name| match name {
            "StandTechnischeDatum" => {
                let read = xml.read_text("StandTechnischeDatum", IssueEffect::Kept)?;
                if let Some(text) = read.filter(|text| text.parse() != Ok(day)) {
                    let expected = format!("expected {day}, the day of the delivery");
                    xml.note("StandTechnischeDatum", IssueEffect::Kept, &text, &expected);
                }
                Ok(())
            }
            _ => xml.skip(),
        })?;
        let issues = xml.take_issues();
        self.issues
            .add_record(RELATION_ELEMENT, None, xml.file(), issues);
        Ok(())
    }

    fn read_row(&mut self, xml: &mut XmlReader<'_>, day: Day) -> Result<(), XmlError> {
        let row = ReadRow::read(xml)?;
        let issues = xml.take_issues();
        let town = row.woonplaats.map(|code| code.to_string());
        let ended = row.end.flatten().is_some_and(|end| end <= day);
        match row.into_relation() {
            Some(relation) => self.rows.push(relation),
            None if ended => {}
            None => self
                .issues
                .add_record(RELATION_ELEMENT, town.as_deref(), xml.file(), issues),
        }
        Ok(())
    }

    /// The number of rows that hold on a day or later, plus the number of invalid rows.
    pub(crate) fn count_current(&self, day: Day) -> u64 {
        let rows = self.rows.iter();
        let current = rows.filter(|row| row.period.holds_on_or_after(day)).count();
        current as u64 + self.issues.count(IssueEffect::Rejected)
    }

    /// Appends the rows and issues of the next document.
    pub(crate) fn append(&mut self, next: Self) {
        self.rows.extend(next.rows);
        self.issues.append(next.issues);
    }
}

/// The values of a row that could be read.
struct ReadRow {
    woonplaats: Option<WoonplaatsCode>,
    gemeente: Option<GemeenteCode>,
    begin: Option<Day>,
    /// `None` if the end is invalid, `Some(None)` if the row has no end.
    end: Option<Option<Day>>,
    definitive: Option<bool>,
}

impl ReadRow {
    fn read(xml: &mut XmlReader<'_>) -> Result<Self, XmlError> {
        let (mut woonplaats, mut gemeente, mut begin, mut definitive) = (None, None, None, None);
        let mut end = Some(None);
        xml.for_each_child(|xml, name| match name {
            "tijdvakgeldigheid" => xml.for_each_child(|xml, name| {
                match name {
                    "begindatumTijdvakGeldigheid" => {
                        begin =
                            xml.read_value("begindatumTijdvakGeldigheid", IssueEffect::Rejected)?;
                    }
                    "einddatumTijdvakGeldigheid" => {
                        let read =
                            xml.read_value("einddatumTijdvakGeldigheid", IssueEffect::Rejected)?;
                        end = read.map(Some);
                    }
                    _ => xml.skip()?,
                }
                Ok(())
            }),
            "gerelateerdeWoonplaats" => xml.for_each_child(|xml, _| {
                woonplaats = xml.read_value("gerelateerdeWoonplaats", IssueEffect::Rejected)?;
                Ok(())
            }),
            "gerelateerdeGemeente" => xml.for_each_child(|xml, _| {
                gemeente = xml.read_value("gerelateerdeGemeente", IssueEffect::Rejected)?;
                Ok(())
            }),
            "status" => {
                let text = xml.read_text("status", IssueEffect::Rejected)?;
                definitive = text.map(|text| text == "definitief");
                Ok(())
            }
            _ => xml.skip(),
        })?;
        Ok(Self {
            woonplaats: xml.require(woonplaats, "gerelateerdeWoonplaats"),
            gemeente: xml.require(gemeente, "gerelateerdeGemeente"),
            begin: xml.require(begin, "begindatumTijdvakGeldigheid"),
            end,
            definitive: xml.require(definitive, "status"),
        })
    }

    /// The relation; `None` if a value is missing or invalid.
    fn into_relation(self) -> Option<GemeenteWoonplaats> {
        Some(GemeenteWoonplaats {
            woonplaats: self.woonplaats?,
            gemeente: self.gemeente?,
            period: ValidityPeriod {
                begin: self.begin?,
                end: self.end?,
            },
            definitive: self.definitive?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{TODAY, day};

    const ROW: &str = "<GemeenteWoonplaatsRelatie><tijdvakgeldigheid><begindatumTijdvakGeldigheid>2016-01-01\
        </begindatumTijdvakGeldigheid></tijdvakgeldigheid><gerelateerdeWoonplaats><identificatie>3631</identificatie>\
        </gerelateerdeWoonplaats><gerelateerdeGemeente><identificatie>0457</identificatie></gerelateerdeGemeente><status>\
        definitief</status></GemeenteWoonplaatsRelatie>";

    /// The number of rows that are read when a sound row follows `row`, and the report of issues.
    fn read(row: &str) -> (usize, String) {
        let document = format!(
            "<BAG-GWR-Deelbestand-LVC><Product><GemeenteWoonplaatsRelatieProduct>{row}{ROW}</GemeenteWoonplaatsRelatieProduct>\
             </Product></BAG-GWR-Deelbestand-LVC>"
        );
        let table = read_relations("test.xml", day(TODAY), document.as_bytes());
        let table = table.expect("a whole document");
        (table.rows.len(), table.issues.to_string())
    }

    #[test]
    fn an_invalid_row_is_left_out_and_named() {
        let case = |old: &str, new: &str, needle: &str| {
            let changed = ROW.replace(old, new);
            assert_ne!(changed, ROW);
            let (rows, report) = read(&changed);
            assert_eq!(rows, 1, "{changed}");
            assert!(report.contains(needle), "{needle:?} in {report}");
            assert!(report.contains("(test.xml, byte "), "{report}");
        };
        let end = "</begindatumTijdvakGeldigheid><einddatumTijdvakGeldigheid>2022-24-03</einddatumTijdvakGeldigheid>";
        case("0457", "45", "GemeenteWoonplaatsRelatie 3631");
        case("3631", "", "GemeenteWoonplaatsRelatie without an id");
        case("2016-01-01", "soon", "\"soon\"");
        case("</begindatumTijdvakGeldigheid>", end, "2022-24-03");
        case("<status>definitief</status>", "", "<status> is missing");
        assert_eq!(read(ROW), (2, String::new()));
    }

    #[test]
    fn a_table_of_another_day_is_reported() {
        let read = |text: &str| {
            let document = format!(
                "<BAG-GWR-Deelbestand-LVC><SelectieGegevens><StandTechnischeDatum>{text}</StandTechnischeDatum></SelectieGegevens>\
                 </BAG-GWR-Deelbestand-LVC>"
            );
            let table = read_relations("test.xml", day(TODAY), document.as_bytes());
            table.expect("a whole document").issues.to_string()
        };
        assert_eq!(read(TODAY), "");
        assert!(
            read("2012-01-01")
                .contains("\"2012-01-01\": expected 2021-09-15, the day of the delivery"),
            "{}",
            read("2012-01-01")
        );
    }

    #[test]
    fn an_invalid_row_that_has_ended_is_not_reported() {
        let end = "</begindatumTijdvakGeldigheid><einddatumTijdvakGeldigheid>2017-01-01</einddatumTijdvakGeldigheid>";
        let ended = ROW
            .replace("0457", "")
            .replace("</begindatumTijdvakGeldigheid>", end);
        assert_eq!(read(&ended), (1, String::new()));
    }
}
