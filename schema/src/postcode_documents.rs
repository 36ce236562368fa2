//! Finds the documents of a postcode in one segment of an index.

use std::ops::Range;

use tantivy::DocId;

use crate::Postcode;

/// All postcodes of a segment, with their documents.
pub(crate) struct PostcodeDocuments {
    /// For each combination of four digits, the index of its entry in `same_digits`.
    entry_indexes: Vec<u16>,
    /// The first entry is empty. All combinations of digits without a postcode use it.
    same_digits: Vec<SameDigits>,
    /// For each postcode, in ascending order, its documents, including deleted documents. `None` if the documents are not adjacent in the
    /// order of house number.
    documents: Vec<Option<Range<DocId>>>,
}

/// The postcodes with the same four digits. A look-up reads one entry of 96 bytes, where a binary search would read several places.
#[derive(Clone, Copy, Default)]
struct SameDigits {
    /// The number of postcodes with lower digits.
    before: usize,
    /// A bit for each pair of letters, from `AA` to `ZZ`.
    letters: [u64; LETTER_WORDS],
}

/// Where the documents of a postcode are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PostcodePlace {
    /// The segment has no document of this postcode.
    Absent,
    /// This range has all documents of the postcode, including deleted documents, and no others. They are in the order of house number.
    Contiguous(Range<DocId>),
    /// The documents are not adjacent. The caller must look up the term of the postcode.
    Scattered,
}

/// Number of machine words with a bit for each of the 676 pairs of letters.
const LETTER_WORDS: usize = 676_usize.div_ceil(u64::BITS as usize);

impl PostcodeDocuments {
    /// Makes a table of postcodes, which must be in ascending order.
    pub(crate) fn new(postcodes: Vec<(Postcode, Option<Range<DocId>>)>) -> Self {
        let mut entry_indexes = vec![0; Postcode::DIGIT_COMBINATIONS];
        let mut same_digits = vec![SameDigits::default()];
        for (index, (postcode, _)) in postcodes.iter().enumerate() {
            let entry: &mut u16 = &mut entry_indexes[postcode.digits() as usize];
            if *entry == 0 {
                *entry = u16::try_from(same_digits.len()).expect("at most 10,000 entries");
                same_digits.push(SameDigits {
                    before: index,
                    ..SameDigits::default()
                });
            }
            let (word, bit) = letters_bit(*postcode);
            same_digits[usize::from(*entry)].letters[word] |= bit;
        }
        let documents = postcodes.into_iter().map(|(_, documents)| documents);
        Self {
            entry_indexes,
            same_digits,
            documents: documents.collect(),
        }
    }

    /// Where the documents of a postcode are.
    pub(crate) fn find(&self, postcode: Postcode) -> PostcodePlace {
        let entry = self.entry_indexes[postcode.digits() as usize];
        let Some(index) = self.same_digits[usize::from(entry)].index_of(postcode) else {
            return PostcodePlace::Absent;
        };
        match &self.documents[index] {
            Some(documents) => PostcodePlace::Contiguous(documents.clone()),
            None => PostcodePlace::Scattered,
        }
    }
}

impl SameDigits {
    /// The index of this postcode in `documents`; `None` if the segment does not have the postcode.
    fn index_of(&self, postcode: Postcode) -> Option<usize> {
        let (word, bit) = letters_bit(postcode);
        let lower = self.letters[..word].iter().copied();
        let lower = lower.chain([self.letters[word] & (bit - 1)]);
        let count: u32 = lower.map(u64::count_ones).sum();
        (self.letters[word] & bit != 0).then_some(self.before + count as usize)
    }
}

/// The word and the bit of the two letters of a postcode.
fn letters_bit(postcode: Postcode) -> (usize, u64) {
    let letters = postcode.letters();
    ((letters / u64::BITS) as usize, 1 << (letters % u64::BITS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn documents_that_are_not_adjacent_are_scattered() {
        let postcode = |text: &str| text.parse::<Postcode>().expect("a postcode");
        let all = [("1000AA", Some(0..3)), ("1000ZZ", None)];
        let all = all.map(|(text, documents)| (postcode(text), documents));
        let table = PostcodeDocuments::new(all.into());
        let find = |text| table.find(postcode(text));
        assert_eq!(find("0000AA"), PostcodePlace::Absent);
        assert_eq!(find("1000AA"), PostcodePlace::Contiguous(0..3));
        assert_eq!(find("1000ZZ"), PostcodePlace::Scattered);
    }

    proptest! {
        #[test]
        fn every_postcode_of_the_table_is_found_and_no_other(
            postcodes in prop::collection::btree_set("(0000|100[12]|9999)[A-Z]{2}", 0..300),
            other in "(0000|100[0-2]|9999)[A-Z]{2}",
        ) {
            let postcode = |text: &String| text.parse::<Postcode>().expect("a postcode");
            let index_of = |text: &String| postcodes.iter().position(|known| known == text);
            let documents = |index| DocId::try_from(index).map(|first| first..first + 1).ok();
            let all = postcodes.iter().map(|text| (postcode(text), index_of(text).and_then(documents)));
            let table = PostcodeDocuments::new(all.collect());
            for text in postcodes.iter().chain([&other]) {
                let expected = index_of(text).and_then(documents);
                let expected = expected.map_or(PostcodePlace::Absent, PostcodePlace::Contiguous);
                prop_assert_eq!(table.find(postcode(text)), expected);
            }
        }
    }
}
