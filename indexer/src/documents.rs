//! Reads one document without its delivery, for fuzzers. Uses the same readers as `index build` and `index apply`.

use crate::day::Day;
use crate::delivery_header::{DeliveryHeader, MutationPeriod};
use crate::mutations::count_mutations;
use crate::objects::{count_objects, read_relations};
use crate::xml::XmlError;

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
            Self::Objects => count_objects(file, document),
            Self::Mutations(period) => count_mutations(file, period, document),
        }
    }
}
