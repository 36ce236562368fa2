//! Where the addresses of each postcode lie, in memory: eight megabytes for the whole country and a fraction of a microsecond a
//! question, where the terms would take two.
//!
//! Documents are written in the order of postcode and number, so those of a postcode lie side by side until segments are
//! merged: then only postcodes that mutations did not touch do, and the others are looked up by terms. Which are deleted makes no
//! difference, so the directory of a segment holds in every generation that has it.

use std::ops::Range;
use std::sync::Arc;

use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, TERMINATED};

use crate::{AddressIndex, HouseNumber, IndexError, Postcode, Segment};

/// The directories of all segments of an index, in its order.
pub struct PostcodeDirectory(pub(crate) Vec<Arc<SegmentDirectory>>);

/// All postcodes of a segment in order, with their documents.
pub(crate) struct SegmentDirectory(Vec<(Postcode, Documents)>);

/// The documents of a postcode, deleted ones among them.
#[derive(Clone)]
pub(crate) enum Documents {
    /// These, their house numbers ascending.
    Together(Range<DocId>),
    /// Those that the terms name.
    Scattered,
}

impl PostcodeDirectory {
    /// Reads it, but for the segments that an index `before` has a directory of.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn read(index: &AddressIndex, before: Option<&AddressIndex>) -> Result<Self, IndexError> {
        let known = |wanted: &Segment| {
            let mut segments = before?.segments().iter();
            let same = segments.find(|segment| segment.id() == wanted.id())?;
            same.directory.clone()
        };
        let mut directories = Vec::new();
        for segment in index.segments() {
            directories.push(match known(segment) {
                Some(directory) => directory,
                None => Arc::new(SegmentDirectory::read(segment)?),
            });
        }
        Ok(Self(directories))
    }
}

impl SegmentDirectory {
    fn read(segment: &Segment) -> Result<Self, IndexError> {
        let mut all = Vec::new();
        let (mut terms, mut documents) = (segment.postcodes.terms().stream()?, Vec::new());
        while terms.advance() {
            let basic = IndexRecordOption::Basic;
            let mut postings = segment
                .postcodes
                .read_postings_from_terminfo(terms.value(), basic)?;
            documents.clear();
            while postings.doc() != TERMINATED {
                documents.push(postings.doc());
                postings.advance();
            }
            if let Some(&first) = documents.first() {
                let postcode = segment.columns.postcode(first)?;
                all.push((postcode, placed(segment, &documents)?));
            }
        }
        all.shrink_to_fit();
        Ok(Self(all))
    }

    /// Where the documents of a postcode are; none when there is none.
    pub(crate) fn documents_of(&self, postcode: Postcode) -> Option<Documents> {
        let place = self.0.binary_search_by_key(&postcode, |(code, _)| *code);
        Some(self.0[place.ok()?].1.clone())
    }
}

fn placed(segment: &Segment, documents: &[DocId]) -> Result<Documents, IndexError> {
    let [Some(&first), Some(&last)] = [documents.first(), documents.last()] else {
        return Ok(Documents::Scattered);
    };
    let mut together = usize::try_from(last - first).is_ok_and(|gap| gap + 1 == documents.len());
    let mut before: Option<HouseNumber> = None;
    for &document in documents {
        let number = segment.columns.number(document)?;
        together &= before.is_none_or(|before| before <= number);
        before = Some(number);
    }
    Ok(if together {
        Documents::Together(first..last + 1)
    } else {
        Documents::Scattered
    })
}
