//! Finds names that match a typed text in spite of an extra letter, a missing letter, a wrong letter, or two swapped letters.
//!
//! A state has one bit for each prefix of the typed text and each number of edits, so one more letter of a name takes a few operations on
//! integers. A search also uses the states to walk the trie of all prefixes of names. An automaton that is built for each query would be
//! faster per letter, but building it would take longer than the whole search.
//!
//! Source: S. Wu and U. Manber, Fast text searching allowing errors, 1992. Swaps are counted as in optimal string alignment.

use super::letter_positions::{LetterPositions, MAX_POSITIONS};
use super::letter_set::LetterSet;

/// The number of allowed edits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaxEdits {
    /// One edit.
    One,
    /// Two edits.
    Two,
}

/// Number of bytes of the typed text that are compared; the rest is ignored. The remaining bit of a 64-bit state is for the empty prefix.
const MAX_LENGTH: usize = MAX_POSITIONS - 1;

/// Compares names with a typed text. The text must be folded and without spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FuzzyMatcher {
    pattern: Vec<u8>,
    positions: LetterPositions,
    letters: LetterSet,
    max_edits: u8,
}

/// The state of a comparison after some bytes of the name.
#[derive(Debug, Clone, Copy)]
pub(super) struct EditState {
    /// Bit `i` of `within[e]` is set if at most `e` edits turn the bytes of the name so far into the first `i` bytes of the typed text.
    within: [u64; 3],
    /// The first two numbers of `within` as they were before the last byte of the name. If the last byte and the next one are swapped, the
    /// comparison continues from these numbers.
    within_before: [u64; 2],
    /// The positions in the typed text that have the last byte of the name.
    last_positions: u64,
}

impl FuzzyMatcher {
    /// Creates a matcher for the first 63 bytes of a text; the rest is ignored. The text must be folded and without spaces.
    pub fn new(text: &str, max_edits: MaxEdits) -> Self {
        let max_edits = match max_edits {
            MaxEdits::One => 1,
            MaxEdits::Two => 2,
        };
        Self::from_bytes(text.as_bytes(), max_edits)
    }

    fn from_bytes(text: &[u8], max_edits: u8) -> Self {
        let pattern = text[..text.len().min(MAX_LENGTH)].to_vec();
        Self {
            positions: LetterPositions::new(&pattern),
            letters: LetterSet::from_bytes(&pattern),
            pattern,
            max_edits,
        }
    }

    /// The fewest edits between the text and a prefix of the name, ignoring spaces in the name. `None` if more edits than allowed are
    /// needed.
    pub fn prefix_distance(&self, other: &str) -> Option<u8> {
        let mut state = EditState::INITIAL;
        let mut fewest = self.final_distance(&state);
        for byte in letter_bytes(other) {
            state = self.next_state(&state, byte);
            fewest = fewest.into_iter().chain(self.final_distance(&state)).min();
            if !self.can_match(&state) {
                break;
            }
        }
        fewest
    }

    /// The number of edits between the text and the whole name, ignoring spaces in the name. `None` if more edits than allowed are needed.
    pub fn distance(&self, other: &str) -> Option<u8> {
        let mut state = EditState::INITIAL;
        for byte in letter_bytes(other) {
            state = self.next_state(&state, byte);
            if !self.can_match(&state) {
                return None;
            }
        }
        self.final_distance(&state)
    }

    /// Calls `on_match` for each text that has a matching prefix, with the index of the text and the fewest edits. `texts` gives each text
    /// with the number of bytes that it shares with the previous text, so that shared bytes are compared only once.
    pub(super) fn for_each_prefix_match<'t>(
        &self,
        texts: impl Iterator<Item = (&'t str, usize)>,
        mut on_match: impl FnMut(usize, u8),
    ) {
        // For each prefix of the previous text: its state, and the fewest edits of that prefix and all shorter ones.
        let mut states = vec![(EditState::INITIAL, self.final_distance(&EditState::INITIAL))];
        let mut dead_from = usize::MAX;
        for (at, (text, shared)) in texts.enumerate() {
            if shared >= dead_from {
                // The shared prefix rules out every longer match, so the best match within it is the best match of the text.
                if let Some((_, Some(fewest))) = states.last() {
                    on_match(at, *fewest);
                }
                continue;
            }
            dead_from = usize::MAX;
            states.truncate(shared + 1);
            for &byte in &text.as_bytes()[shared..] {
                let (state, fewest) = states[states.len() - 1];
                let state = self.next_state(&state, byte);
                let fewest = fewest.into_iter().chain(self.final_distance(&state)).min();
                states.push((state, fewest));
                if !self.can_match(&state) {
                    dead_from = states.len() - 1;
                    break;
                }
            }
            if let Some((_, Some(fewest))) = states.last() {
                on_match(at, *fewest);
            }
        }
    }

    /// Whether a name with these letters can have a matching prefix. Each edit allows for one typed letter that the name lacks.
    pub(super) fn may_match_prefix(&self, known: LetterSet) -> bool {
        self.letters.count_missing_from(known) <= u32::from(self.max_edits)
    }

    /// The beginning of the text that must match exactly in a search of a whole dictionary. It is two bytes long if two edits are allowed,
    /// because the search would otherwise visit a third of the trie. If one edit is allowed, it is empty.
    pub(super) fn exact_prefix(&self) -> &[u8] {
        let sure = if self.max_edits > 1 { 2 } else { 0 };
        &self.pattern[..sure.min(self.pattern.len())]
    }

    /// The same matcher with one edit allowed.
    #[must_use]
    pub fn with_one_edit(&self) -> Self {
        Self {
            max_edits: 1,
            ..self.clone()
        }
    }

    /// The same matcher for at most the first `bytes` bytes of the text.
    pub(super) fn with_max_len(&self, bytes: usize) -> Self {
        let length = bytes.min(self.pattern.len());
        Self::from_bytes(&self.pattern[..length], self.max_edits)
    }

    /// The state after one more byte of the name.
    pub(super) fn next_state(&self, state: &EditState, byte: u8) -> EditState {
        let positions = self.positions.bits_of(byte);
        let EditState {
            within: [none, one, two],
            within_before: [none_before, one_before],
            last_positions,
        } = *state;
        let equal = |before: u64| (before & positions) << 1;
        let swapped = |before: u64| (equal(before) & last_positions) << 1;
        // The prefixes that one edit more reaches from `before` and `after`: the byte of the name is extra or wrong, or a byte of the typed
        // text is missing.
        let edited = |before: u64, after: u64| before | (before | after) << 1;
        let next_none = equal(none);
        let next_one = equal(one) | edited(none, next_none) | swapped(none_before);
        let next_two = equal(two) | edited(one, next_one) | swapped(one_before);
        EditState {
            within: [next_none, next_one, next_two],
            within_before: [none, one],
            last_positions: positions,
        }
    }

    /// The number of edits between the typed text and a name that ends at this state. `None` if more edits than allowed are needed.
    pub(super) fn final_distance(&self, state: &EditState) -> Option<u8> {
        let whole = 1 << self.pattern.len();
        let allowed = (0..).zip(&state.within[..=usize::from(self.max_edits)]);
        let mut fitting = allowed.filter(|(_, prefixes)| *prefixes & whole != 0);
        fitting.next().map(|(edits, _)| edits)
    }

    pub(super) fn can_match(&self, state: &EditState) -> bool {
        // The shifts can set bits above the length of the text.
        let prefixes = u64::MAX >> (MAX_LENGTH - self.pattern.len());
        state.within[usize::from(self.max_edits)] & prefixes != 0
    }
}

impl EditState {
    /// The state before the first byte. With `e` edits, the first `e` bytes of the typed text may be missing.
    pub(super) const INITIAL: Self = Self {
        within: [0b1, 0b11, 0b111],
        within_before: [0; 2],
        last_positions: 0,
    };
}

/// The length of the common prefix of two texts, in bytes.
pub(super) fn shared_prefix_len(a: &str, b: &str) -> usize {
    let alike = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b);
    alike.count()
}

fn letter_bytes(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().filter(|&byte| byte != b' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn distances_count_edits_of_the_whole_name_and_of_its_prefixes() {
        #[track_caller]
        fn case(typed: &str, edits: MaxEdits, other: &str, begins: Option<u8>, is: Option<u8>) {
            let typo = FuzzyMatcher::new(typed, edits);
            let counted = (typo.prefix_distance(other), typo.distance(other));
            assert_eq!(counted, (begins, is), "{typed} {other}");
        }
        case("kerkstrat", MaxEdits::One, "kerkstraat", Some(1), Some(1));
        case("kekr", MaxEdits::One, "kerkstraat", Some(1), None);
        case("kerk", MaxEdits::One, "kerkstraat", Some(0), None);
        case("dorpsstrat", MaxEdits::One, "kerkstraat", None, None);
        case("krekstrat", MaxEdits::One, "kerkstraat", None, None);
        case("krekstrat", MaxEdits::Two, "kerkstraat", Some(2), Some(2));
        case("kerkstraat", MaxEdits::Two, "kerk", None, None);
        case("kerkstraat", MaxEdits::One, "kerk straat", Some(0), Some(0));
        case("", MaxEdits::One, "a", Some(0), Some(1));
        case("a", MaxEdits::Two, "", Some(1), Some(1));
        case("ħal", MaxEdits::One, "ħall", Some(0), Some(1));
        case("ħala", MaxEdits::One, "ħall", Some(1), Some(1));
    }

    #[test]
    fn the_first_63_bytes_of_a_long_text_are_compared() {
        for length in 61..=66 {
            let name = "abcdefghij".repeat(7)[..length].to_owned();
            let compared = length.min(MAX_LENGTH);
            for (wrong, edits) in [(0, MaxEdits::One), (1, MaxEdits::One), (2, MaxEdits::Two)] {
                let typed = "x".repeat(wrong) + &name[wrong..];
                let found = FuzzyMatcher::new(&typed, edits).distance(&name[..compared]);
                assert_eq!(found.map(usize::from), Some(wrong), "{length} {wrong}");
            }
            let three = "xxx".to_owned() + &name[3..];
            let found = FuzzyMatcher::new(&three, MaxEdits::Two).distance(&name[..compared]);
            assert_eq!(found, None, "{length}");
        }
    }

    /// The edit distance, computed naively from the whole table.
    fn distance(typed: &[u8], other: &[u8]) -> usize {
        let mut table = vec![vec![0; other.len() + 1]; typed.len() + 1];
        for i in 0..=typed.len() {
            for j in 0..=other.len() {
                table[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let changed = usize::from(typed[i - 1] != other[j - 1]);
                    let mut fewest = (table[i - 1][j - 1] + changed)
                        .min(table[i - 1][j] + 1)
                        .min(table[i][j - 1] + 1);
                    let swapped = i > 1
                        && j > 1
                        && typed[i - 1] == other[j - 2]
                        && typed[i - 2] == other[j - 1];
                    if swapped {
                        fewest = fewest.min(table[i - 2][j - 2] + 1);
                    }
                    fewest
                };
            }
        }
        table[typed.len()][other.len()]
    }

    proptest! {
        #[test]
        fn edits_agree_with_the_whole_table(
            typed in "[abc]{0,8}",
            other in "[abc]{0,9}",
            two in any::<bool>(),
        ) {
            let (edits, forgiven) = if two { (MaxEdits::Two, 2) } else { (MaxEdits::One, 1) };
            let typo = FuzzyMatcher::new(&typed, edits);
            let within = |mistakes: usize| (mistakes <= forgiven).then_some(mistakes);
            let (typed, bytes) = (typed.as_bytes(), other.as_bytes());
            let is = within(distance(typed, bytes));
            prop_assert_eq!(typo.distance(&other).map(usize::from), is);
            prop_assert!(typo.prefix_distance(&other).is_none() || typo.may_match_prefix(LetterSet::from_text(&other)));
            let begins = (0..=bytes.len()).filter_map(|end| within(distance(typed, &bytes[..end])));
            prop_assert_eq!(typo.prefix_distance(&other).map(usize::from), begins.min());
        }

        #[test]
        fn skipping_shared_prefixes_changes_no_match(
            typed in "[abc]{0,6}",
            others in proptest::collection::btree_set("[abc]{1,7}", 0..40),
            two in any::<bool>(),
        ) {
            let typo = FuzzyMatcher::new(&typed, if two { MaxEdits::Two } else { MaxEdits::One });
            let others: Vec<String> = others.into_iter().collect();
            let shared = |at: usize| match at.checked_sub(1) {
                Some(before) => shared_prefix_len(&others[before], &others[at]),
                None => 0,
            };
            let texts = others.iter().enumerate().map(|(at, text)| (&**text, shared(at)));
            let mut found = Vec::new();
            typo.for_each_prefix_match(texts, |at, edits| found.push((at, edits)));
            let alone = others.iter().enumerate();
            let alone = alone.filter_map(|(at, text)| Some((at, typo.prefix_distance(text)?)));
            prop_assert_eq!(found, alone.collect::<Vec<_>>());
        }
    }
}
