//! Reads zip archives within zip archives, in place.
//!
//! Nothing is unpacked to disk. An inner archive that is stored without compression is read as a part of the outer file. An inner archive
//! that is compressed is inflated into memory. Every size is checked before memory is allocated, so that a malicious archive cannot exhaust
//! the memory.

mod bag_object_type;
mod delivery;
mod entry_names;
mod reader;
#[cfg(test)]
mod tests;
mod zip_archive;

pub(crate) use bag_object_type::BagObjectType;
pub(crate) use delivery::{DeliveryArchive, XmlFile};
pub use zip_archive::ArchiveError;
pub(crate) use zip_archive::{Archive, saturating_sum};
