//! The documents of each postcode in one segment of an index.

use std::ops::Range;

use tantivy::DocId;

use crate::Postcode;

/// All postcodes of a segment in order, with their documents.
pub(crate) struct SegmentPostcodeDirectory(pub(crate) Vec<(Postcode, PostcodeDocuments)>);

/// The documents of a postcode, including deleted ones.
#[derive(Clone)]
pub(crate) enum PostcodeDocuments {
    /// These documents, in the order of house number.
    Contiguous(Range<DocId>),
    /// The documents of the postcode's term.
    Scattered,
}

impl SegmentPostcodeDirectory {
    /// The documents of a postcode; `None` if it has none.
    pub(crate) fn get(&self, postcode: Postcode) -> Option<PostcodeDocuments> {
        let place = self.0.binary_search_by_key(&postcode, |(code, _)| *code);
        Some(self.0[place.ok()?].1.clone())
    }
}
