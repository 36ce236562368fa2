//! Reading one document by itself and keeping nothing of it: the very readers of a build or an application, for those who
//! try them with whatever comes.

use crate::delivery_header::{DeliveryHeader, MutationPeriod};
use crate::mutations::count_mutations;
use crate::objects::{count_objects, read_relations};
use crate::xml::XmlError;

/// What a document of a delivery may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentKind {
    /// What the delivery says of itself.
    Header,
    /// Which municipality each town belongs to.
    Relations,
    /// Objects of a stand.
    Objects,
    /// What changed in this period.
    Mutations(MutationPeriod),
}

impl DocumentKind {
    /// Reads a whole document of this kind and forgets it; how many records it held.
    ///
    /// # Errors
    /// When it is not as the register's documents are; `file` is how the error calls it.
    pub fn count_records(self, file: &str, document: &[u8]) -> Result<u64, XmlError> {
        match self {
            Self::Header => DeliveryHeader::read(file, document).map(|_| 1),
            Self::Relations => read_relations(file, document).map(|rows| rows.len() as u64),
            Self::Objects => count_objects(file, document),
            Self::Mutations(period) => count_mutations(file, period, document),
        }
    }
}
