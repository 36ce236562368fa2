//! Reads addresses from the index of a generation: by id, by postcode, by postcode and number, by street, or all of them.
//!
//! An index is opened once per generation and shared by all requests. A look-up takes a few microseconds and takes no lock.

mod error;
mod number_range;
mod sorted;

use std::path::Path;
use std::sync::Arc;

use tantivy::indexer::NoMergePolicy;
use tantivy::schema::Schema;
use tantivy::{DocId, Index, ReloadPolicy, Searcher, Term};

use crate::columns::AddressColumns;
use crate::corrupt_document::CorruptDocument;
use crate::layout::{AddressFields, address_layout};
use crate::read_only_directory::ReadOnlyDirectory;
use crate::segment::Segment;
use crate::segment_directory::SegmentDirectory;
use crate::{
    Address, AddressId, AddressSummary, HouseNumber, Postcode, PreferenceKey, RegisterVersion,
    StreetKey, to_document,
};

pub use error::IndexError;
pub use number_range::{AddressHandle, AddressRef, NumberRangeQuery};
pub use sorted::SortedAddresses;

/// All addresses of one generation.
pub struct AddressIndex {
    segments: Vec<Segment>,
    fields: AddressFields,
    register_version: Option<RegisterVersion>,
}

impl AddressIndex {
    /// Opens the index in a folder that no process writes to. The file system may be read-only.
    ///
    /// # Errors
    /// If a file is missing or damaged, or the fields differ from [`address_layout`].
    pub fn open(folder: &Path) -> Result<Self, IndexError> {
        let index = Index::open(ReadOnlyDirectory::open(folder)?)?;
        Self::from_index(&index)
    }

    /// Builds an index in memory, for a fixed set of addresses.
    ///
    /// # Errors
    /// If tantivy cannot write, which does not happen with small sets.
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
        Self::from_index(&index)
    }

    /// Makes look-ups use these directories, one for each segment, instead of terms and of the columns with names.
    pub(crate) fn with_segment_directories(
        mut self,
        directories: Vec<Arc<SegmentDirectory>>,
    ) -> Self {
        for (segment, directory) in self.segments.iter_mut().zip(directories) {
            segment.columns.names.use_table(directory.names.clone());
            segment.directory = Some(directory);
        }
        self
    }

    pub(crate) fn from_index(index: &Index) -> Result<Self, IndexError> {
        let (schema, fields) = address_layout();
        let searcher = open_searcher(index, &schema)?;
        let segments = (0..)
            .zip(searcher.segment_readers())
            .map(|(position, segment)| Segment::open(position, segment, &fields));
        let segments: Vec<Segment> = segments.collect::<Result<_, _>>()?;
        Ok(Self {
            segments,
            fields,
            register_version: read_register_version(index)?,
        })
    }

    /// The state of the register from which the index was built; `None` for an index in memory.
    pub const fn register_version(&self) -> Option<RegisterVersion> {
        self.register_version
    }

    /// Number of addresses.
    pub fn len(&self) -> u64 {
        self.segments
            .iter()
            .map(|segment| u64::from(segment.reader.num_docs()))
            .sum()
    }

    /// Whether the index has no addresses.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The segments of the index. Together they contain every address. Other structures, such as the one for reverse geocoding, are
    /// built from them.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The address with this id.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn get_by_id(&self, id: AddressId) -> Result<Option<Address>, IndexError> {
        self.find_one(id, AddressColumns::read)
    }

    /// The address with this id. Its names are borrowed from the index.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn borrow_by_id(&self, id: AddressId) -> Result<Option<Address<&str>>, IndexError> {
        self.find_one(id, AddressColumns::read_borrowed)
    }

    /// The address that [`PreferenceKey`] orders first among all addresses with this postcode and number.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn find_preferred(
        &self,
        postcode: Postcode,
        number: HouseNumber,
    ) -> Result<Option<AddressSummary<'_>>, IndexError> {
        let mut found = Vec::new();
        for segment in &self.segments {
            let documents = segment.documents_at_number(postcode, number)?;
            found.extend(documents.into_iter().map(|document| (segment, document)));
        }
        // Most house numbers have one address, which needs no comparison.
        if let [(segment, document)] = found[..] {
            return Ok(Some(segment.columns.summary(document)?));
        }
        let mut best: Option<(PreferenceKey, &Segment, DocId)> = None;
        for (segment, document) in found {
            let key = segment.columns.preference_key(document)?;
            if best.is_none_or(|(first, ..)| key < first) {
                best = Some((key, segment, document));
            }
        }
        let read = best.map(|(_, segment, document)| segment.columns.summary(document));
        Ok(read.transpose()?)
    }

    /// Every address with this postcode and number, with all letters and additions, in no particular order.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn find_by_number(
        &self,
        postcode: Postcode,
        number: HouseNumber,
    ) -> Result<Vec<Address>, IndexError> {
        let find = |segment: &Segment| segment.documents_at_number(postcode, number);
        self.find_all(find, AddressColumns::read)
    }

    /// Every address with this postcode and number. The names are borrowed from the index.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn borrow_by_number(
        &self,
        postcode: Postcode,
        number: HouseNumber,
    ) -> Result<Vec<Address<&str>>, IndexError> {
        let find = |segment: &Segment| segment.documents_at_number(postcode, number);
        self.find_all(find, AddressColumns::read_borrowed)
    }

    /// Every address of a postcode, in no particular order.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn find_by_postcode(&self, postcode: Postcode) -> Result<Vec<Address>, IndexError> {
        self.find_all(
            |segment| segment.documents_in_postcode(postcode),
            AddressColumns::read,
        )
    }

    /// Every address of a postcode. The names are borrowed from the index.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn borrow_by_postcode(&self, postcode: Postcode) -> Result<Vec<Address<&str>>, IndexError> {
        self.find_all(
            |segment| segment.documents_in_postcode(postcode),
            AddressColumns::read_borrowed,
        )
    }

    /// The house number of every address of a postcode, in no particular order. Much cheaper than reading the addresses.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn house_numbers_in_postcode(
        &self,
        postcode: Postcode,
    ) -> Result<Vec<HouseNumber>, IndexError> {
        self.find_all(
            |segment| segment.documents_in_postcode(postcode),
            AddressColumns::number,
        )
    }

    /// Every address, in [listing order](Address::cmp_by_listing_key).
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn iter_sorted(&self) -> Result<SortedAddresses<'_>, IndexError> {
        SortedAddresses::new(&self.segments)
    }

    /// The addresses of a street, ascending by house number. If the street crosses a town's border, the addresses in both towns are
    /// included.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn query_street(
        &self,
        street: StreetKey,
        query: &NumberRangeQuery,
    ) -> Result<Vec<AddressRef<'_>>, IndexError> {
        number_range::collect_in_street(&self.segments, street, query)
    }

    /// The addresses of a postcode, ascending by house number.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn query_postcode(
        &self,
        postcode: Postcode,
        query: &NumberRangeQuery,
    ) -> Result<Vec<AddressRef<'_>>, IndexError> {
        number_range::collect_in_postcode(&self.segments, postcode, query)
    }

    /// Whether a street has this house number or a higher one. May be `true` even if all such addresses are deleted.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn street_has_number_at_or_above(
        &self,
        street: StreetKey,
        number: HouseNumber,
    ) -> Result<bool, IndexError> {
        number_range::street_has_at_or_above(&self.segments, street, number)
    }

    /// Whether a postcode has this house number or a higher one. May be `true` even if all such addresses are deleted.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn postcode_has_number_at_or_above(
        &self,
        postcode: Postcode,
        number: HouseNumber,
    ) -> Result<bool, IndexError> {
        number_range::postcode_has_at_or_above(&self.segments, postcode, number)
    }

    /// The address of a handle that this index returned earlier.
    ///
    /// # Errors
    /// If the index is damaged, or another index returned the handle.
    pub fn resolve(&self, handle: AddressHandle) -> Result<AddressRef<'_>, IndexError> {
        AddressRef::from_handle(&self.segments, handle)
    }

    /// Every address, in the order in which the index stores them.
    pub fn iter(&self) -> impl Iterator<Item = Result<Address, IndexError>> {
        self.segments.iter().flat_map(|segment| {
            segment
                .reader
                .doc_ids_alive()
                .map(|document| Ok(segment.columns.read(document)?))
        })
    }

    /// Applies `read` to the document with this id.
    fn find_one<'a, T>(
        &'a self,
        id: AddressId,
        read: fn(&'a AddressColumns, DocId) -> Result<T, CorruptDocument>,
    ) -> Result<Option<T>, IndexError> {
        let term = Term::from_field_u64(self.fields.id, id.get());
        for segment in &self.segments {
            if let [.., document] = segment.live_documents(&segment.id_terms, &term)?[..] {
                return Ok(Some(read(&segment.columns, document)?));
            }
        }
        Ok(None)
    }

    /// Applies `read` to every document that `find` returns.
    fn find_all<'a, T>(
        &'a self,
        find: impl Fn(&Segment) -> Result<Vec<DocId>, IndexError>,
        read: fn(&'a AddressColumns, DocId) -> Result<T, CorruptDocument>,
    ) -> Result<Vec<T>, IndexError> {
        let mut found = Vec::new();
        for segment in &self.segments {
            for document in find(segment)? {
                found.push(read(&segment.columns, document)?);
            }
        }
        Ok(found)
    }
}

/// Opens all segments of an index that no process writes to. Refuses an index that has other fields than `schema`.
pub(crate) fn open_searcher(index: &Index, schema: &Schema) -> Result<Searcher, IndexError> {
    if index.schema() != *schema {
        return Err(IndexError::LayoutMismatch);
    }
    let reader = index
        .reader_builder()
        .reload_policy(ReloadPolicy::Manual)
        .try_into()?;
    Ok(reader.searcher())
}

fn read_register_version(index: &Index) -> tantivy::Result<Option<RegisterVersion>> {
    let payload = index.load_metas()?.payload;
    Ok(payload.as_deref().and_then(RegisterVersion::from_payload))
}

#[cfg(test)]
mod tests;
