//! Counts the edits between a text and a name. An edit is an extra letter, a missing letter, a wrong letter, or two swapped letters.
//!
//! Each step computes one column of the edit-distance matrix, with one bit per row. The number of edits never decreases along a diagonal of the
//! matrix, so a comparison stops once the diagonal of the result has too many. Most names are ruled out within a few letters.
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

    /// The number of edits between the text and a name; `None` if there are more than `max_edits`. Ignores spaces in the name. The variables
    /// have the names of Hyyrö's article.
    pub(super) fn distance_within(&self, max_edits: u32, name: &str) -> Option<u32> {
        let letters = || name.bytes().filter(|&byte| byte != b' ');
        let name_length = u32::try_from(letters().count()).ok()?;
        // The value at the start of the diagonal on which the result is.
        let mut edits = self.length.abs_diff(name_length);
        if edits > max_edits {
            return None;
        }
        let (mut vertical_positive, mut vertical_negative, mut diagonal_zero, mut previous) =
            (u64::MAX, 0_u64, 0_u64, 0_u64);
        for (column, byte) in (self.length..).zip(letters()) {
            let matches = self.positions.bits_of(byte);
            let swapped = ((!diagonal_zero & matches) << 1) & previous;
            diagonal_zero = ((matches & vertical_positive).wrapping_add(vertical_positive)
                ^ vertical_positive)
                | matches
                | vertical_negative
                | swapped;
            // The row of the diagonal in this column; `None` before the diagonal starts.
            if let Some(row) = column.checked_sub(name_length) {
                edits += u32::from(diagonal_zero >> row & 1 == 0);
                if edits > max_edits {
                    return None;
                }
            }
            let horizontal_positive =
                (vertical_negative | !(diagonal_zero | vertical_positive)) << 1 | 1;
            let horizontal_negative = (diagonal_zero & vertical_positive) << 1;
            vertical_positive = horizontal_negative | !(diagonal_zero | horizontal_positive);
            vertical_negative = horizontal_positive & diagonal_zero;
            previous = matches;
        }
        Some(edits)
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
            let pattern = EditPattern::new(text);
            let within = |max_edits| pattern.distance_within(max_edits, name);
            assert_eq!(within(expected), Some(expected), "{text} {name}");
            let fewer = expected.checked_sub(1).and_then(within);
            assert_eq!(fewer, None, "{text} {name}");
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
            let pattern = EditPattern::new(&text);
            prop_assert_eq!(pattern.distance_within(2, &name), few);
            let one = pattern.distance_within(1, &name);
            prop_assert_eq!(one, few.filter(|&edits| edits <= 1));
            let none = pattern.distance_within(0, &name);
            prop_assert_eq!(none, few.filter(|&edits| edits == 0));
        }
    }
}
