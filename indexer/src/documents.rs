//! Reads one document without its delivery, for fuzzers and benchmarks. Uses the same readers as `index build` and `index apply`.

use postduif_schema::Area;

use crate::day::Day;
use crate::delivery_header::{DeliveryHeader, MutationPeriod};
use crate::mutations::MutationDocument;
use crate::objects::{AnyParsedRecord, for_each_bag_object, read_relations};
use crate::xml::{XmlError, XmlReader};

/// The kind of a document in a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentKind {
    /// The header of the delivery.
    Header,
    /// The gemeente-woonplaats table of a delivery of this day.
    Relations(Day),
    /// Objects of a stand.
    Objects,
    /// Mutations of this period.
    Mutations(MutationPeriod),
}

impl DocumentKind {
    /// Reads a whole document of this kind and returns its number of records.
    ///
    /// # Errors
    /// When the document is malformed. The error gives `file` as the document's path.
    pub fn count_records(self, file: &str, document: &[u8]) -> Result<u64, XmlError> {
        match self {
            Self::Header => DeliveryHeader::read(file, document).map(|_| 1),
            Self::Relations(day) => {
                read_relations(file, day, document).map(|table| table.rows.len() as u64)
            }
            Self::Objects => {
                let mut count = 0;
                let day = Day::from(jiff::civil::Date::MAX);
                XmlReader::read_document(file, document, |xml, _| {
                    xml.for_each_child(|xml, name| match name {
                        "standBestand" => for_each_bag_object(xml, &mut |xml, name| {
                            count += 1;
                            AnyParsedRecord::read(xml, name, day).map(drop)
                        }),
                        _ => xml.skip(),
                    })
                })?;
                Ok(count)
            }
            Self::Mutations(period) => {
                let coverage = (period, &Area::Country);
                let counts = MutationDocument::read(file, coverage, document)?.counts;
                Ok(counts.added + counts.changed + counts.removed)
            }
        }
    }
}
