//! Counts the edits between a text and a name. An edit is an extra letter, a missing letter, a wrong letter, or two swapped letters.
//!
//! Each step computes one column of the edit-distance matrix, with one bit per row.
//!
//! Source: H. Hyyrö, A bit-vector algorithm for computing Levenshtein and Damerau edit distances, 2003.

use super::letter_positions::{LetterPositions, MAX_POSITIONS};

/// A text to compare with names.
#[derive(Debug)]
pub(super) struct EditPattern {
    positions: LetterPositions,
    length: u32,
}

impl EditPattern {
    /// A pattern of the first 64 bytes of a text; the rest is ignored.
    pub(super) fn new(text: &str) -> Self {
        let text = &text.as_bytes()[..text.len().min(MAX_POSITIONS)];
        Self {
            positions: LetterPositions::new(text),
            length: u32::try_from(text.len()).expect("at most 64"),
        }
    }

    /// The number of edits between the text and a name. Ignores spaces in the name. The variables have the names of Hyyrö's article.
    pub(super) fn distance(&self, name: &str) -> u32 {
        let Some(last) = self.length.checked_sub(1) else {
            return u32::try_from(name.len()).unwrap_or(u32::MAX);
        };
        let (mut vertical_positive, mut vertical_negative, mut diagonal_zero, mut previous) =
            (u64::MAX, 0_u64, 0_u64, 0_u64);
        let mut distance = self.length;
        for byte in name.bytes().filter(|&byte| byte != b' ') {
            let matches = self.positions.bits_of(byte);
            let swapped = ((!diagonal_zero & matches) << 1) & previous;
            diagonal_zero = ((matches & vertical_positive).wrapping_add(vertical_positive)
                ^ vertical_positive)
                | matches
                | vertical_negative
                | swapped;
            let mut horizontal_positive = vertical_negative | !(diagonal_zero | vertical_positive);
            let mut horizontal_negative = diagonal_zero & vertical_positive;
            distance += u32::try_from(horizontal_positive >> last & 1).unwrap_or_default();
            distance -= u32::try_from(horizontal_negative >> last & 1).unwrap_or_default();
            horizontal_positive = horizontal_positive << 1 | 1;
            horizontal_negative <<= 1;
            vertical_positive = horizontal_negative | !(diagonal_zero | horizontal_positive);
            vertical_negative = horizontal_positive & diagonal_zero;
            previous = matches;
        }
        distance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FuzzyMatcher, MaxEdits};
    use proptest::prelude::*;

    #[test]
    fn distance_counts_edits_and_ignores_spaces() {
        #[track_caller]
        fn case(text: &str, name: &str, expected: u32) {
            assert_eq!(
                EditPattern::new(text).distance(name),
                expected,
                "{text} {name}"
            );
        }
        case("kerkstrat", "kerkstraat", 1);
        case("krekstraat", "kerk straat", 1);
        case("kerkstraat", "kerkstraat", 0);
        case("dorp", "kerk", 3);
        case("", "kerk", 4);
        case("kerk", "", 4);
        case("ħal", "ħall", 1);
    }

    proptest! {
        #[test]
        fn edit_pattern_and_fuzzy_matcher_agree(text in "[abc]{0,9}", name in "[abc]{0,9}") {
            let few = FuzzyMatcher::new(&text, MaxEdits::Two).distance(&name).map(u32::from);
            let counted = EditPattern::new(&text).distance(&name);
            prop_assert_eq!(Some(counted).filter(|&edits| edits <= 2), few);
        }
    }
}
