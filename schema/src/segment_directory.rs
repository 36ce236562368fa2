//! Where the documents of postcodes and streets are in one segment of an index.

use crate::postcode_documents::PostcodeDocuments;
use crate::street_documents::StreetDocuments;

/// The documents of each postcode and of each street. Deletions do not change the directory.
pub(crate) struct SegmentDirectory {
    pub(crate) postcodes: PostcodeDocuments,
    pub(crate) streets: StreetDocuments,
}
