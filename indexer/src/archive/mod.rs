//! Zip archives within zip archives, read in place.
//!
//! Nothing is unpacked to disk: a stored inner archive is a window of the outer file, a deflated one is inflated into
//! memory. Every size is checked before memory is allocated, so malicious archives are refused.

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
