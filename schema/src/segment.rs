//! Reads one segment of the index. A segment is a part of the index that is written once. Later generations share its files; only the
//! set of deleted documents changes.

use std::ops::Range;
use std::sync::Arc;

use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, InvertedIndexReader, SegmentReader, Term};

use crate::columns::AddressColumns;
use crate::layout::{AddressFields, postcode_number_key};
use crate::postcode_documents::PostcodePlace;
use crate::segment_directory::SegmentDirectory;
use crate::{Address, AddressId, HouseNumber, IndexError, ListingKey, LonLat, Postcode};

/// A part of an [`AddressIndex`](crate::AddressIndex), with documents numbered from 0.
///
/// Other modules can build structures from the segment's [`locations`](Self::locations). Such a structure stays valid in every generation
/// that has a segment with the same [`id`](Self::id), even if other documents are deleted there.
pub struct Segment {
    /// The position of the segment in the list of its generation's segments.
    pub(crate) position: u32,
    pub(crate) reader: SegmentReader,
    fields: AddressFields,
    pub(crate) columns: AddressColumns,
    pub(crate) id_terms: Arc<InvertedIndexReader>,
    pub(crate) postcode_terms: Arc<InvertedIndexReader>,
    pub(crate) postcode_number_terms: Arc<InvertedIndexReader>,
    pub(crate) street_number_terms: Arc<InvertedIndexReader>,
    /// The directory for look-ups by postcode and by street. If `None`, as in an index with few look-ups, terms are used.
    pub(crate) directory: Option<Arc<SegmentDirectory>>,
}

/// Identifies a segment across generations.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SegmentId {
    uuid: String,
    /// The number of documents. The UUID alone identifies the segment, but comparing this number as well makes sure that a document
    /// number is never used with a shorter segment.
    total_document_count: u32,
}

impl Segment {
    pub(crate) fn open(
        position: u32,
        reader: &SegmentReader,
        fields: &AddressFields,
    ) -> Result<Self, IndexError> {
        Ok(Self {
            position,
            columns: AddressColumns::open(reader)?,
            id_terms: reader.inverted_index(fields.id)?,
            postcode_terms: reader.inverted_index(fields.postcode)?,
            postcode_number_terms: reader.inverted_index(fields.postcode_number)?,
            street_number_terms: reader.inverted_index(fields.street_number)?,
            reader: reader.clone(),
            fields: *fields,
            directory: None,
        })
    }

    /// The documents with this term that are not deleted.
    pub(crate) fn live_documents(
        &self,
        terms: &InvertedIndexReader,
        term: &Term,
    ) -> Result<Vec<DocId>, IndexError> {
        let mut found = Vec::new();
        let Some(mut block) = terms.read_block_postings(term, IndexRecordOption::Basic)? else {
            return Ok(found);
        };
        while !block.docs().is_empty() {
            let documents = block.docs().iter().copied();
            found.extend(documents.filter(|&document| !self.reader.is_deleted(document)));
            block.advance();
        }
        Ok(found)
    }

    /// The documents of a postcode that are not deleted.
    pub(crate) fn documents_in_postcode(
        &self,
        postcode: Postcode,
    ) -> Result<Vec<DocId>, IndexError> {
        match self.find_postcode(postcode) {
            PostcodePlace::Absent => Ok(Vec::new()),
            PostcodePlace::Contiguous(all) => Ok(self.filter_live(all).collect()),
            PostcodePlace::Scattered => {
                let term = Term::from_field_u64(self.fields.postcode, postcode.code().into());
                self.live_documents(&self.postcode_terms, &term)
            }
        }
    }

    /// The documents of a postcode and number that are not deleted.
    pub(crate) fn documents_at_number(
        &self,
        postcode: Postcode,
        number: HouseNumber,
    ) -> Result<Vec<DocId>, IndexError> {
        match self.find_postcode(postcode) {
            PostcodePlace::Absent => Ok(Vec::new()),
            PostcodePlace::Contiguous(all) => {
                let first = self.first_at_or_above(all.clone(), number)?;
                let mut found = Vec::new();
                for document in self.filter_live(first..all.end) {
                    if self.columns.number(document)? != number {
                        break;
                    }
                    found.push(document);
                }
                Ok(found)
            }
            PostcodePlace::Scattered => {
                let key = postcode_number_key(postcode, number);
                let term = Term::from_field_u64(self.fields.postcode_number, key);
                self.live_documents(&self.postcode_number_terms, &term)
            }
        }
    }

    fn find_postcode(&self, postcode: Postcode) -> PostcodePlace {
        match &self.directory {
            Some(directory) => directory.postcodes.find(postcode),
            None => PostcodePlace::Scattered,
        }
    }

    /// The first document in a range with this house number or a higher one. The range must be in the order of house numbers.
    fn first_at_or_above(
        &self,
        all: Range<DocId>,
        number: HouseNumber,
    ) -> Result<DocId, IndexError> {
        let Range { mut start, mut end } = all;
        while start < end {
            let middle = start + (end - start) / 2;
            if self.columns.number(middle)? < number {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        Ok(start)
    }

    fn filter_live(&self, documents: Range<DocId>) -> impl Iterator<Item = DocId> {
        documents.filter(|&document| !self.reader.is_deleted(document))
    }

    /// The id of the segment. It is the same in every generation that has the segment.
    pub fn id(&self) -> SegmentId {
        SegmentId {
            uuid: self.reader.segment_id().uuid_string(),
            total_document_count: self.reader.max_doc(),
        }
    }

    /// Number of documents, including deleted ones.
    pub fn total_document_count(&self) -> u32 {
        self.reader.max_doc()
    }

    /// Every document with a location, including deleted ones, in ascending order.
    pub fn locations(&self) -> impl Iterator<Item = (u32, LonLat)> {
        (0..self.total_document_count())
            .filter_map(|document| Some((document, self.columns.lon_lat(document)?)))
    }

    /// Whether a document is deleted in this generation.
    ///
    /// # Panics
    /// May panic if `document` is not below [`total_document_count`](Self::total_document_count).
    pub fn is_deleted(&self, document: u32) -> bool {
        self.reader.is_deleted(document)
    }

    /// Reads only the id of a document's address.
    pub(crate) fn address_id(&self, document: u32) -> Result<AddressId, IndexError> {
        Ok(self.columns.id(document)?)
    }

    /// Reads the key by which lists sort the address of a document. This is cheaper than reading the address.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn listing_key(&self, document: u32) -> Result<ListingKey, IndexError> {
        Ok(self.columns.listing_key(document)?)
    }

    /// Reads the address of a document.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn read(&self, document: u32) -> Result<Address, IndexError> {
        Ok(self.columns.read(document)?)
    }

    /// Reads the address of a document. Its names are borrowed from the index.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn read_borrowed(&self, document: u32) -> Result<Address<&str>, IndexError> {
        Ok(self.columns.read_borrowed(document)?)
    }
}
