//! Zip archives within zip archives, read in place.
//!
//! Nothing is unpacked to disk: a stored inner archive is a window of the outer file, a deflated one is inflated into
//! memory. Every size is checked before memory is allocated, so malicious archives are refused.

mod delivery;
mod entry_names;
mod reader;
#[cfg(test)]
mod tests;
mod zip_archive;

pub(crate) use delivery::{BagObjectType, DeliveryArchive, XmlFile};
pub use zip_archive::ArchiveError;
pub(crate) use zip_archive::{Archive, saturating_sum};
