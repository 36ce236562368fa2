//! Where the addresses of each postcode of a segment lie, and which streets they have, in memory: some twelve megabytes for the
//! whole country and a fraction of a microsecond a question, where the terms would take two.

use std::ops::Range;

use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, InvertedIndexReader, SegmentReader, TERMINATED};

use crate::columns::{AddressColumns, StreetNames};
use crate::index::IndexError;
use crate::{HouseNumber, Postcode, PostcodeSet};

/// All postcodes that have an address, in order.
#[derive(Default)]
pub(crate) struct PostcodeDirectory {
    postcodes: Vec<Postcode>,
    /// Of each of them, in the same order.
    entries: Vec<Entry>,
    streets: Vec<StreetNames>,
}

struct Entry {
    /// Among `streets`.
    streets: Range<u32>,
    /// None where other documents lie between its own, or their house numbers do not ascend.
    documents: Option<Range<DocId>>,
}

/// The documents of a postcode, deleted ones among them.
pub(crate) enum Documents {
    /// These, their house numbers ascending.
    Together(Range<DocId>),
    /// Those that the terms name.
    Scattered,
}

impl PostcodeDirectory {
    /// Reads it. The terms give the order, but outlive the last of their addresses until the next merge.
    pub(crate) fn read(
        segment: &SegmentReader,
        columns: &AddressColumns,
        terms: &InvertedIndexReader,
    ) -> Result<Self, IndexError> {
        let mut directory = Self::default();
        let (mut terms_left, mut documents) = (terms.terms().stream()?, Vec::new());
        while terms_left.advance() {
            let basic = IndexRecordOption::Basic;
            let mut postings = terms.read_postings_from_terminfo(terms_left.value(), basic)?;
            documents.clear();
            while postings.doc() != TERMINATED {
                documents.push(postings.doc());
                postings.advance();
            }
            directory.add(segment, columns, &documents)?;
        }
        directory.postcodes.shrink_to_fit();
        directory.entries.shrink_to_fit();
        directory.streets.shrink_to_fit();
        Ok(directory)
    }

    /// Adds the postcode of these documents, in ascending order, unless all of them are deleted.
    fn add(
        &mut self,
        segment: &SegmentReader,
        columns: &AddressColumns,
        documents: &[DocId],
    ) -> Result<(), IndexError> {
        let first = self.streets.len();
        let mut postcode = None;
        for &document in documents.iter().filter(|at| !segment.is_deleted(**at)) {
            let names = columns.street_names(document)?;
            if !self.streets[first..].contains(&names) {
                self.streets.push(names);
            }
            postcode = Some(document);
        }
        if let Some(document) = postcode {
            self.postcodes.push(columns.postcode(document)?);
            self.entries.push(Entry {
                streets: place(first)..place(self.streets.len()),
                documents: together(columns, documents)?,
            });
        }
        Ok(())
    }

    /// Every postcode that has an address.
    pub(crate) fn add_postcodes_to(&self, set: &mut PostcodeSet) {
        self.postcodes
            .iter()
            .for_each(|postcode| set.insert(*postcode));
    }

    /// The streets of one postcode, none when it has no address.
    pub(crate) fn streets_of(&self, postcode: Postcode) -> impl Iterator<Item = StreetNames> {
        let streets = self.entry(postcode).map_or(0..0, |entry| {
            let [first, end] = [entry.streets.start, entry.streets.end].map(index);
            first..end
        });
        self.streets[streets].iter().copied()
    }

    /// Where its documents are; none when it has no address.
    pub(crate) fn documents_of(&self, postcode: Postcode) -> Option<Documents> {
        let documents = self.entry(postcode)?.documents.clone();
        Some(documents.map_or(Documents::Scattered, Documents::Together))
    }

    fn entry(&self, postcode: Postcode) -> Option<&Entry> {
        let place = self.postcodes.binary_search(&postcode).ok()?;
        Some(&self.entries[place])
    }
}

/// The range of documents that lie side by side, their house numbers ascending.
fn together(
    columns: &AddressColumns,
    documents: &[DocId],
) -> Result<Option<Range<DocId>>, IndexError> {
    let [Some(&first), Some(&last)] = [documents.first(), documents.last()] else {
        return Ok(None);
    };
    let mut ascending = index(last - first) + 1 == documents.len();
    let mut before: Option<HouseNumber> = None;
    for &document in documents {
        let number = columns.number(document)?;
        ascending &= before.is_none_or(|before| before <= number);
        before = Some(number);
    }
    Ok(ascending.then_some(first..last + 1))
}

fn place(index: usize) -> u32 {
    u32::try_from(index).expect("a segment has fewer streets than documents, which have 32 bits")
}

fn index(place: u32) -> usize {
    usize::try_from(place).expect("32 bits fit")
}
