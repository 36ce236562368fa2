//! Defines the directory of a segment, which finds the documents of a postcode or a street, and the names of a document.

use std::sync::Arc;

use crate::address_names::NameTable;
use crate::postcode_documents::PostcodeDocuments;
use crate::street_documents::StreetDocuments;

/// The documents of each postcode and of each street, and the names of each document. Deletions do not change the directory.
pub(crate) struct SegmentDirectory {
    pub(crate) postcodes: PostcodeDocuments,
    pub(crate) streets: StreetDocuments,
    pub(crate) names: Arc<NameTable>,
}
