//! A house number and suffix, read from words that do not look like one.

use std::ops::Range;

use postduif_schema::{HouseNumber, ListingKey};

use super::number::is_suffix;

/// A house number and suffix, read from words that do not look like one: 12-2 from `12 feb`, 6b from `6 bee`.
pub(in crate::search) struct InterpretedNumber {
    /// The text with the number and the suffix in place of the typed words.
    pub words: Vec<String>,
    number: HouseNumber,
    suffix: String,
}

impl InterpretedNumber {
    /// A number and suffix in place of some of the words. `None` if the number is out of range.
    pub(super) fn new(
        words: &[String],
        replaced: Range<usize>,
        number: u32,
        suffix: &str,
    ) -> Option<Self> {
        let in_place = [number.to_string(), suffix.to_owned()];
        Some(Self {
            words: [&words[..replaced.start], &in_place, &words[replaced.end..]].concat(),
            number: HouseNumber::new(number)?,
            suffix: suffix.to_owned(),
        })
    }

    /// Whether an address has this number and this suffix, except for leading zeros.
    pub(in crate::search) fn matches(&self, address: &ListingKey) -> bool {
        address.number == self.number && is_suffix(&self.suffix, address.letter, address.addition)
    }
}
