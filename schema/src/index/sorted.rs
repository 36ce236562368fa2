//! Iterates over all addresses in the order of lists. The order does not depend on the segments, so two indexes with the same
//! addresses give the same sequence.
//!
//! In each segment, the terms of postcode and number are sorted. The iterator merges the sorted terms of all segments. It keeps only the
//! addresses of one postcode and number in memory.

use tantivy::schema::IndexRecordOption;
use tantivy::termdict::TermStreamer;
use tantivy::{DocSet, TERMINATED};

use super::error::IndexError;
use crate::Address;
use crate::segment::Segment;

/// Every address of an index, in [listing order](Address::cmp_by_listing_key).
pub struct SortedAddresses<'a> {
    cursors: Vec<SegmentCursor<'a>>,
    /// The addresses of the current postcode and number, in reverse order.
    buffer: Vec<Address>,
}

/// The read position in one segment.
struct SegmentCursor<'a> {
    segment: &'a Segment,
    number_terms: TermStreamer<'a>,
    has_current: bool,
}

impl<'a> SortedAddresses<'a> {
    pub(super) fn new(segments: &'a [Segment]) -> Result<Self, IndexError> {
        let cursors = segments.iter().map(SegmentCursor::new);
        Ok(Self {
            cursors: cursors.collect::<Result<_, _>>()?,
            buffer: Vec::new(),
        })
    }
}

impl<'a> SegmentCursor<'a> {
    fn new(segment: &'a Segment) -> Result<Self, IndexError> {
        let mut numbers = segment.postcode_number_terms.terms().stream()?;
        Ok(Self {
            segment,
            has_current: numbers.advance(),
            number_terms: numbers,
        })
    }

    fn current_key(&self) -> Option<&[u8]> {
        self.has_current.then(|| self.number_terms.key())
    }

    /// Reads the addresses of the current postcode and number, and advances to the next term.
    fn read_current(&mut self, found: &mut Vec<Address>) -> Result<(), IndexError> {
        let mut postings = self
            .segment
            .postcode_number_terms
            .read_postings_from_terminfo(self.number_terms.value(), IndexRecordOption::Basic)?;
        while postings.doc() != TERMINATED {
            if !self.segment.is_deleted(postings.doc()) {
                found.push(self.segment.read(postings.doc())?);
            }
            postings.advance();
        }
        self.has_current = self.number_terms.advance();
        Ok(())
    }
}

impl SortedAddresses<'_> {
    /// Buffers the addresses of the lowest remaining postcode and number. Returns `false` if no address remains.
    fn fill_buffer(&mut self) -> Result<bool, IndexError> {
        let lowest = self
            .cursors
            .iter()
            .filter_map(SegmentCursor::current_key)
            .min();
        let Some(lowest) = lowest.map(<[u8]>::to_vec) else {
            return Ok(false);
        };
        for cursor in &mut self.cursors {
            if cursor.current_key() == Some(&lowest) {
                cursor.read_current(&mut self.buffer)?;
            }
        }
        self.buffer.sort_by(|a, b| b.cmp_by_listing_key(a));
        Ok(true)
    }
}

impl Iterator for SortedAddresses<'_> {
    type Item = Result<Address, IndexError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(address) = self.buffer.pop() {
                return Some(Ok(address));
            }
            match self.fill_buffer() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    self.cursors.clear();
                    return Some(Err(error));
                }
            }
        }
    }
}
