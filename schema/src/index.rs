//! Reading an index of addresses: by id, by postcode, by postcode and number, along a street, and all of them.
//!
//! Opened once per generation and shared by all requests; a look-up costs a few microseconds and no lock.

mod along;

use std::path::Path;

use tantivy::indexer::NoMergePolicy;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet, Index, InvertedIndexReader, ReloadPolicy, TERMINATED, Term};

use crate::columns::BadDocument;
use crate::layout::{AddressFields, address_layout, number_key};
use crate::read_only::ReadOnlyDirectory;
use crate::segment::Segment;
use crate::{Address, AddressId, HouseNumber, Postcode, to_document};

pub use along::Along;

/// An index that does not open or does not read.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// tantivy could not open or read its files.
    #[error("reading the index: {0}")]
    Tantivy(#[from] tantivy::TantivyError),
    /// A file could not be read.
    #[error("reading the index: {0}")]
    Io(#[from] std::io::Error),
    /// The fields are not those of this version.
    #[error(
        "the index has other fields than this version of postduif; build it anew with `postduif index build`"
    )]
    OtherLayout,
    /// The places lie in more than one segment, so their order is lost.
    #[error("the index of places is damaged: it is not in one piece")]
    PlacesInPieces,
    /// A document of the index of places is no street.
    #[error("the index of places is damaged: document {0} holds no street")]
    NoStreet(u32),
    /// A document holds a value that no address can have.
    #[error("the index is damaged: {0}")]
    Damaged(#[from] BadDocument),
}

/// All addresses of one generation.
pub struct AddressIndex {
    segments: Vec<Segment>,
    fields: AddressFields,
}

impl AddressIndex {
    /// Opens the index in a folder that nobody writes to; works on a read-only file system.
    ///
    /// # Errors
    /// When a file is missing or damaged, or the fields are not those of [`address_layout`].
    pub fn open(folder: &Path) -> Result<Self, IndexError> {
        let index = Index::open(ReadOnlyDirectory::open(folder)?)?;
        Self::of(&index)
    }

    /// Makes an index in memory, for a fixed set of addresses.
    ///
    /// # Errors
    /// When tantivy cannot write, which for a small set it can.
    pub fn in_memory<'a>(
        addresses: impl IntoIterator<Item = &'a Address>,
    ) -> Result<Self, IndexError> {
        let (schema, fields) = address_layout();
        let index = Index::create_in_ram(schema);
        let mut writer = index.writer_with_num_threads(1, 15_000_000)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        for address in addresses {
            writer.add_document(to_document(address, &fields))?;
        }
        writer.commit()?;
        Self::of(&index)
    }

    fn of(index: &Index) -> Result<Self, IndexError> {
        let (schema, fields) = address_layout();
        if index.schema() != schema {
            return Err(IndexError::OtherLayout);
        }
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        let searcher = reader.searcher();
        let segments = searcher
            .segment_readers()
            .iter()
            .map(|segment| Segment::open(segment, &fields));
        Ok(Self {
            segments: segments.collect::<Result<_, _>>()?,
            fields,
        })
    }

    /// How many addresses there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.segments
            .iter()
            .map(|segment| u64::from(segment.reader.num_docs()))
            .sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The segments, for those who keep something beside the index. Together they hold every address.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The address with this id.
    ///
    /// # Errors
    /// When the index is damaged; likewise below.
    pub fn by_id(&self, id: AddressId) -> Result<Option<Address>, IndexError> {
        Ok(self
            .with_term(|segment| &segment.ids, self.fields.id, id.get())?
            .pop())
    }

    /// Every address at a number, letters and additions included, in no particular order.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn at_number(
        &self,
        postcode: Postcode,
        number: HouseNumber,
    ) -> Result<Vec<Address>, IndexError> {
        let key = number_key(postcode, number);
        self.with_term(|segment| &segment.numbers, self.fields.postcode_number, key)
    }

    /// Every address of a postcode, in no particular order.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn in_postcode(&self, postcode: Postcode) -> Result<Vec<Address>, IndexError> {
        self.with_term(
            |segment| &segment.postcodes,
            self.fields.postcode,
            postcode.code().into(),
        )
    }

    /// Every address, in the order in which they are stored.
    pub fn iter(&self) -> impl Iterator<Item = Result<Address, IndexError>> {
        self.segments.iter().flat_map(|segment| {
            segment
                .reader
                .doc_ids_alive()
                .map(|document| Ok(segment.columns.read(document)?))
        })
    }

    fn with_term(
        &self,
        terms: impl Fn(&Segment) -> &InvertedIndexReader,
        field: Field,
        value: u64,
    ) -> Result<Vec<Address>, IndexError> {
        let term = Term::from_field_u64(field, value);
        let mut found = Vec::new();
        for segment in &self.segments {
            let Some(mut postings) =
                terms(segment).read_postings(&term, IndexRecordOption::Basic)?
            else {
                continue;
            };
            while postings.doc() != TERMINATED {
                if !segment.reader.is_deleted(postings.doc()) {
                    found.push(segment.columns.read(postings.doc())?);
                }
                postings.advance();
            }
        }
        Ok(found)
    }
}
