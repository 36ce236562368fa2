//! Keeps the streets of each postcode in memory, which takes five megabytes for the whole country. A look-up takes a fraction of a
//! microsecond; a look-up of a term in the index takes 2 µs.

use tantivy::InvertedIndexReader;
use tantivy::postings::BlockSegmentPostings;

use super::lookup::posting_blocks;
use super::street::StreetRank;
use crate::{IndexError, Postcode, PostcodeSet};

/// The streets of all postcodes.
pub(super) struct PostcodeTable {
    /// Sorted by postcode. The streets of one postcode are in descending order of weight.
    pairs: Vec<(Postcode, StreetRank)>,
    /// For every combination of four digits, the index of its first pair; at the end the number of pairs.
    starts: Vec<u32>,
    postcodes: PostcodeSet,
}

impl PostcodeTable {
    /// Reads the postcodes of all streets from their terms.
    ///
    /// # Errors
    /// If the index is damaged.
    pub(super) fn read(postcode_terms: &InvertedIndexReader) -> Result<Self, IndexError> {
        let (mut pairs, mut starts) = (Vec::new(), Vec::new());
        let mut terms = postcode_terms.terms().stream()?;
        while terms.advance() {
            let code = terms.key().try_into().ok().map(u64::from_be_bytes);
            let postcode = code.and_then(|code| Postcode::from_code(code.try_into().ok()?));
            let Some(postcode) = postcode else {
                continue;
            };
            while starts.len() <= postcode.digits() as usize {
                starts.push(index_of_next(&pairs));
            }
            let list = posting_blocks(postcode_terms, terms.value())?;
            push_streets(postcode, list, &mut pairs);
        }
        starts.resize(Postcode::DIGIT_COMBINATIONS + 1, index_of_next(&pairs));
        pairs.shrink_to_fit();
        let postcodes = pairs.iter().map(|(postcode, _)| *postcode).collect();
        Ok(Self {
            pairs,
            starts,
            postcodes,
        })
    }

    /// The streets of the postcodes from the first to the last of a range, in the order of the postcodes.
    pub(super) fn streets(&self, [first, last]: [Postcode; 2]) -> &[(Postcode, StreetRank)] {
        let start_of = |digits: u32| self.starts[digits as usize] as usize;
        let start = start_of(first.digits());
        let end = start_of(last.digits() + 1).max(start);
        let pairs = &self.pairs[start..end];
        let start = pairs.partition_point(|(postcode, _)| *postcode < first);
        let end = pairs.partition_point(|(postcode, _)| *postcode <= last);
        &pairs[start..end.max(start)]
    }

    /// Every pair of a postcode and a street, in the order of the postcodes.
    pub(super) fn pairs(&self) -> &[(Postcode, StreetRank)] {
        &self.pairs
    }

    pub(super) fn postcodes(&self) -> &PostcodeSet {
        &self.postcodes
    }
}

fn index_of_next(pairs: &[(Postcode, StreetRank)]) -> u32 {
    u32::try_from(pairs.len()).expect("a country has fewer than 2³² pairs")
}

fn push_streets(
    postcode: Postcode,
    mut list: BlockSegmentPostings,
    pairs: &mut Vec<(Postcode, StreetRank)>,
) {
    while !list.docs().is_empty() {
        let streets = list.docs().iter();
        pairs.extend(streets.map(|&street| (postcode, StreetRank(street))));
        list.advance();
    }
}
