//! A set of postcodes, one bit for each of the 6,760,000 that can be written: 845 kB, and a question costs a nanosecond.

use crate::Postcode;

const WORD_BITS: usize = 64;

/// Which postcodes there are.
#[derive(Clone, PartialEq, Eq)]
pub struct PostcodeSet {
    words: Box<[u64]>,
}

impl PostcodeSet {
    /// Whether it holds a postcode.
    #[must_use]
    pub fn contains(&self, postcode: Postcode) -> bool {
        let (word, bit) = place(postcode);
        self.words[word] & bit != 0
    }

    pub(crate) fn insert(&mut self, postcode: Postcode) {
        let (word, bit) = place(postcode);
        self.words[word] |= bit;
    }
}

fn place(postcode: Postcode) -> (usize, u64) {
    let code = usize::try_from(postcode.code()).expect("32 bits fit");
    (code / WORD_BITS, 1 << (code % WORD_BITS))
}

impl Default for PostcodeSet {
    fn default() -> Self {
        let last = Postcode::from_code(Postcode::COMBINATIONS - 1).expect("the last");
        let (words, _) = place(last);
        Self {
            words: vec![0; words + 1].into(),
        }
    }
}

impl FromIterator<Postcode> for PostcodeSet {
    fn from_iter<I: IntoIterator<Item = Postcode>>(postcodes: I) -> Self {
        let mut set = Self::default();
        postcodes
            .into_iter()
            .for_each(|postcode| set.insert(postcode));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_first_and_the_last_have_their_place() {
        let ends = ["0000AA", "9999ZZ"].map(|text| text.parse().expect("a postcode"));
        let set = PostcodeSet::from_iter(ends);
        assert!(ends.iter().all(|&end| set.contains(end)));
        assert_eq!(
            set.words.iter().map(|word| word.count_ones()).sum::<u32>(),
            2
        );
    }

    proptest! {
        #[test]
        fn it_holds_what_was_put_in_and_nothing_else(codes in prop::collection::btree_set(0..6_760_000_u32, 0..50), near in 0..3_u32) {
            let postcodes: BTreeSet<Postcode> = codes.iter().filter_map(|&code| Postcode::from_code(code)).collect();
            let set: PostcodeSet = postcodes.iter().copied().collect();
            for postcode in codes.iter().filter_map(|code| Postcode::from_code(code + near)) {
                prop_assert_eq!(set.contains(postcode), postcodes.contains(&postcode));
            }
        }
    }
}
