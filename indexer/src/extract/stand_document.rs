//! Reads one document of a stand.

use jiff::civil::Date;

use super::{ExtractError, VoorkomenCounts};
use crate::archive::{BagObjectType, XmlFile};
use crate::day::Day;
use crate::delivery_header::read_stand_date;
use crate::objects::{FromXml, ParsedRecord, VoorkomenRecord, for_each_bag_object};
use crate::record_issues::RecordIssues;
use crate::xml::{XmlError, XmlReader};

/// The voorkomens of one document that hold on the day of the stand or later.
pub(super) struct StandDocument<T: FromXml> {
    pub(super) records: Vec<VoorkomenRecord<T::Id, T>>,
    pub(super) counts: VoorkomenCounts,
    pub(super) issues: RecordIssues,
    pub(super) rejected: Vec<u64>,
}

impl<T: FromXml> StandDocument<T> {
    pub(super) fn read(
        file: &XmlFile,
        kind: BagObjectType,
        stand: Date,
        bytes: &[u8],
    ) -> Result<Self, ExtractError> {
        let mut document = Self {
            records: Vec::new(),
            counts: VoorkomenCounts::default(),
            issues: RecordIssues::default(),
            rejected: Vec::new(),
        };
        let day = Day::from(stand);
        XmlReader::read_document(&file.path, bytes, |xml, root| {
            if root != "bagStand" {
                return Err(xml.error(format!("found root <{root}> where <bagStand> is expected")));
            }
            let mut stand_bestand = None;
            xml.for_each_child(|xml, name| match name {
                "bagInfo" => check_stand_date(xml, stand),
                "standBestand" => {
                    stand_bestand = Some(());
                    for_each_bag_object(xml, &mut |xml, name| {
                        let expected = kind.element_name();
                        if name != expected {
                            return Err(xml.error(format!(
                                "element <{name}> where <{expected}> is expected"
                            )));
                        }
                        let record = T::from_xml(xml, day)?;
                        document.add(record, expected, xml.file(), day);
                        Ok(())
                    })
                }
                _ => xml.skip(),
            })?;
            xml.required(stand_bestand, "standBestand")
        })?;
        // The records of all documents are in memory at once, and up to half of a vector that grew is unused. The allocator cannot
        // shrink a vector in place, so copy the records to a vector of the exact size.
        let mut records = Vec::with_capacity(document.records.len());
        records.append(&mut document.records);
        document.records = records;
        Ok(document)
    }

    /// Adds a record, or counts it as rejected. Skips a version that does not hold on `day` or later, so that its invalid values
    /// are not reported.
    fn add(&mut self, mut record: ParsedRecord<T::Id, T>, object_type: &str, file: &str, day: Day) {
        self.counts.read += 1;
        let Some((object, issues)) = record.take_report_on(day) else {
            return;
        };
        self.issues
            .add_record(object_type, object.as_deref(), file, issues);
        let id = record.id;
        match record.into_voorkomen() {
            Some(record) => {
                self.counts.kept += 1;
                self.records.push(record);
            }
            None => {
                self.counts.rejected += 1;
                let number = id.and_then(|id| id.to_string().parse().ok());
                self.rejected.extend::<Option<u64>>(number);
            }
        }
    }
}

/// Refuses a document with another date than the stand, because such a document is in the delivery by mistake.
fn check_stand_date(xml: &mut XmlReader<'_>, expected: Date) -> Result<(), XmlError> {
    let mut stand = None;
    xml.for_each_child(|xml, name| match name {
        "LVC-Extract" => read_stand_date(xml, &mut stand),
        _ => xml.skip(),
    })?;
    match stand {
        Some(stand) if stand != expected => Err(xml.error(format!(
            "the document is dated {stand}, but the delivery is dated {expected}; all documents must have the same date"
        ))),
        _ => Ok(()),
    }
}
