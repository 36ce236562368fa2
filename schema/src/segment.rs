//! One segment of the index: a part that is written once. Later generations share its files; all that changes is which of
//! its documents are deleted.

use std::sync::Arc;

use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, InvertedIndexReader, SegmentReader, TERMINATED, Term};

use crate::columns::AddressColumns;
use crate::layout::AddressFields;
use crate::{Address, AddressId, IndexError, ListingKey, LonLat};

/// A part of an [`AddressIndex`](crate::AddressIndex), with documents numbered from 0.
///
/// It lets others keep a structure of their own beside the index: what is made of [`places`](Self::places) is right for as
/// long as there is a segment with this [`id`](Self::id), whatever is deleted meanwhile.
pub struct Segment {
    pub(crate) reader: SegmentReader,
    pub(crate) columns: AddressColumns,
    pub(crate) ids: Arc<InvertedIndexReader>,
    pub(crate) postcodes: Arc<InvertedIndexReader>,
    pub(crate) numbers: Arc<InvertedIndexReader>,
    pub(crate) streets: Arc<InvertedIndexReader>,
}

/// Which segment it is, the same in every generation that holds it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SegmentId {
    uuid: String,
    /// Implied by the UUID; it keeps a document number of one segment from ever being asked of a shorter one.
    documents: u32,
}

impl Segment {
    pub(crate) fn open(reader: &SegmentReader, fields: &AddressFields) -> Result<Self, IndexError> {
        Ok(Self {
            columns: AddressColumns::open(reader)?,
            ids: reader.inverted_index(fields.id)?,
            postcodes: reader.inverted_index(fields.postcode)?,
            numbers: reader.inverted_index(fields.postcode_number)?,
            streets: reader.inverted_index(fields.street_number)?,
            reader: reader.clone(),
        })
    }

    /// The documents with a term that are not deleted.
    pub(crate) fn live(
        &self,
        terms: &InvertedIndexReader,
        term: &Term,
    ) -> Result<impl Iterator<Item = DocId>, IndexError> {
        let mut postings = terms.read_postings(term, IndexRecordOption::Basic)?;
        let documents = std::iter::from_fn(move || {
            let postings = postings.as_mut()?;
            let document = postings.doc();
            (document != TERMINATED).then(|| {
                postings.advance();
                document
            })
        });
        Ok(documents.filter(|&document| !self.reader.is_deleted(document)))
    }

    /// Which segment this is.
    #[must_use]
    pub fn id(&self) -> SegmentId {
        SegmentId {
            uuid: self.reader.segment_id().uuid_string(),
            documents: self.reader.max_doc(),
        }
    }

    /// How many documents it was written with; deleted ones count.
    #[must_use]
    pub fn documents(&self) -> u32 {
        self.reader.max_doc()
    }

    /// Every document that has a place, deleted or not, in ascending order.
    pub fn places(&self) -> impl Iterator<Item = (u32, LonLat)> {
        (0..self.documents())
            .filter_map(|document| Some((document, self.columns.lon_lat(document)?)))
    }

    /// Whether a document is deleted in this generation.
    ///
    /// # Panics
    /// May panic for a number that is not below [`documents`](Self::documents); likewise below.
    #[must_use]
    pub fn is_deleted(&self, document: u32) -> bool {
        self.reader.is_deleted(document)
    }

    /// The id of a document's address alone.
    pub(crate) fn id_of(&self, document: u32) -> Result<AddressId, IndexError> {
        Ok(self.columns.id(document)?)
    }

    /// Where a document's address stands in a list; cheaper than reading the address.
    ///
    /// # Errors
    /// When the index is damaged; likewise below.
    pub fn listing_key(&self, document: u32) -> Result<ListingKey, IndexError> {
        Ok(self.columns.listing_key(document)?)
    }

    /// The address that a document holds.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn read(&self, document: u32) -> Result<Address, IndexError> {
        Ok(self.columns.read(document)?)
    }
}
