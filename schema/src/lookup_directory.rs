//! Keeps the document numbers of each postcode and of each street in memory, and the names of each document. This takes some 120 megabytes
//! for the whole country. A look-up takes a fraction of a microsecond; a look-up by term takes two microseconds.
//!
//! The indexer writes documents in the order of postcode and number, so the documents of a postcode are adjacent until segments
//! are merged. After a merge, only the documents of postcodes that no mutation has changed are adjacent; the other postcodes are
//! looked up by term. Deletions do not change the directory of a segment, so all generations with that segment share the directory.

use std::ops::Range;
use std::sync::Arc;

use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, TERMINATED};

use crate::address_names::NameTable;
use crate::postcode_documents::PostcodeDocuments;
use crate::segment_directory::SegmentDirectory;
use crate::street_documents::StreetDocuments;
use crate::{AddressIndex, HouseNumber, IndexError, Segment};

/// The directories of all segments of an index, in the order of the segments.
pub struct LookupDirectory(pub(crate) Vec<Arc<SegmentDirectory>>);

impl LookupDirectory {
    /// Reads the directory of each segment. Reuses the directories of segments that `previous` also has.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn read(index: &AddressIndex, previous: Option<&AddressIndex>) -> Result<Self, IndexError> {
        let known = |wanted: &Segment| {
            let mut segments = previous?.segments().iter();
            let same = segments.find(|segment| segment.id() == wanted.id())?;
            same.directory.clone()
        };
        let mut directories = Vec::new();
        for segment in index.segments() {
            directories.push(match known(segment) {
                Some(directory) => directory,
                None => Arc::new(read_directory(segment)?),
            });
        }
        Ok(Self(directories))
    }

    /// Makes `index` use this directory instead of terms and of the columns with names. The directory must have been read from `index`.
    #[must_use]
    pub fn attach_to(self, index: AddressIndex) -> AddressIndex {
        index.with_segment_directories(self.0)
    }
}

fn read_directory(segment: &Segment) -> Result<SegmentDirectory, IndexError> {
    let (count, columns) = (segment.total_document_count(), &segment.columns);
    let names = NameTable::read(&columns.names, count)?;
    let street_and_number = |document| columns.street_and_number(document, names.get(document)?);
    Ok(SegmentDirectory {
        postcodes: read_postcodes(segment)?,
        streets: StreetDocuments::new(count, street_and_number)?,
        names: Arc::new(names),
    })
}

fn read_postcodes(segment: &Segment) -> Result<PostcodeDocuments, IndexError> {
    let mut all = Vec::new();
    let (mut terms, mut documents) = (segment.postcode_terms.terms().stream()?, Vec::new());
    while terms.advance() {
        let basic = IndexRecordOption::Basic;
        let mut postings = segment
            .postcode_terms
            .read_postings_from_terminfo(terms.value(), basic)?;
        documents.clear();
        while postings.doc() != TERMINATED {
            documents.push(postings.doc());
            postings.advance();
        }
        if let Some(&first) = documents.first() {
            let postcode = segment.columns.postcode(first)?;
            all.push((postcode, contiguous_range(segment, &documents)?));
        }
    }
    Ok(PostcodeDocuments::new(all))
}

/// These documents as a range; `None` if they are not adjacent, or not in the order of house number.
fn contiguous_range(
    segment: &Segment,
    documents: &[DocId],
) -> Result<Option<Range<DocId>>, IndexError> {
    let (Some(&first), Some(&last)) = (documents.first(), documents.last()) else {
        return Ok(None);
    };
    if usize::try_from(last - first).ok() != Some(documents.len() - 1) {
        return Ok(None);
    }
    let numbers = documents.iter();
    let numbers = numbers.map(|&document| segment.columns.number(document));
    let numbers: Vec<HouseNumber> = numbers.collect::<Result<_, _>>()?;
    Ok(numbers.is_sorted().then_some(first..last + 1))
}
