//! All addresses in the order of lists, whatever the segments are: two indexes of the same addresses give the same sequence.
//!
//! Every segment keeps its terms of postcode and number in order, so one address after the other comes from a merge of those
//! lists; nothing is held but the addresses of one number.

use tantivy::schema::IndexRecordOption;
use tantivy::termdict::TermStreamer;
use tantivy::{DocSet, TERMINATED};

use super::{AddressIndex, IndexError, Segment};
use crate::Address;

/// Every address of an index, in [listing order](Address::listing_order).
pub struct Sorted<'a> {
    ways: Vec<Way<'a>>,
    /// The addresses of one number, the last one first.
    at_number: Vec<Address>,
}

/// How far one segment is read.
struct Way<'a> {
    segment: &'a Segment,
    numbers: TermStreamer<'a>,
    more: bool,
}

impl AddressIndex {
    /// Every address, in [listing order](Address::listing_order).
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn sorted(&self) -> Result<Sorted<'_>, IndexError> {
        let ways = self.segments.iter().map(Way::begin);
        Ok(Sorted {
            ways: ways.collect::<Result<_, _>>()?,
            at_number: Vec::new(),
        })
    }
}

impl<'a> Way<'a> {
    fn begin(segment: &'a Segment) -> Result<Self, IndexError> {
        let mut numbers = segment.numbers.terms().stream()?;
        Ok(Self {
            segment,
            more: numbers.advance(),
            numbers,
        })
    }

    fn number(&self) -> Option<&[u8]> {
        self.more.then(|| self.numbers.key())
    }

    /// Reads what is at the number and goes to the next one.
    fn take(&mut self, found: &mut Vec<Address>) -> Result<(), IndexError> {
        let mut postings = self
            .segment
            .numbers
            .read_postings_from_terminfo(self.numbers.value(), IndexRecordOption::Basic)?;
        while postings.doc() != TERMINATED {
            if !self.segment.is_deleted(postings.doc()) {
                found.push(self.segment.read(postings.doc())?);
            }
            postings.advance();
        }
        self.more = self.numbers.advance();
        Ok(())
    }
}

impl Sorted<'_> {
    /// Reads the addresses of the lowest number there is; false when there is none any more.
    fn read_number(&mut self) -> Result<bool, IndexError> {
        let lowest = self.ways.iter().filter_map(Way::number).min();
        let Some(lowest) = lowest.map(<[u8]>::to_vec) else {
            return Ok(false);
        };
        for way in &mut self.ways {
            if way.number() == Some(&lowest) {
                way.take(&mut self.at_number)?;
            }
        }
        self.at_number.sort_by(|a, b| b.listing_order(a));
        Ok(true)
    }
}

impl Iterator for Sorted<'_> {
    type Item = Result<Address, IndexError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(address) = self.at_number.pop() {
                return Some(Ok(address));
            }
            match self.read_number() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    self.ways.clear();
                    return Some(Err(error));
                }
            }
        }
    }
}
