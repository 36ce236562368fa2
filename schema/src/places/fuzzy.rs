//! Matches words with an extra letter, a missing letter, a wrong letter, or two swapped letters.
//!
//! Computes a band of the table of edit distances (optimal string alignment). Each allowed edit widens the band. A row of the
//! band is the state of an automaton that walks a dictionary. An automaton that is built for each query would be faster per step, but
//! building it would take longer than the whole search. Bytes count as letters, because folded names are ASCII except in scripts that
//! the register does not use.

use std::cell::Cell;

use tantivy_fst::Automaton;

use super::letter_set::LetterSet;

/// The number of allowed edits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaxEdits {
    /// One edit.
    One,
    /// Two edits.
    Two,
}

/// The cost of walking one letter in a dictionary, in steps of [`SearchBudget`](super::lookup::SearchBudget).
const WALK_COST: u32 = 2;

/// Number of cells in the widest band. A row has one more cell at its end, which never matches.
const ROW_WIDTH: usize = 5;

/// Matches a squashed typed text with names.
#[derive(Debug, PartialEq, Eq)]
pub struct FuzzyMatcher {
    pattern: Vec<u8>,
    letters: LetterSet,
    max_edits: u8,
}

/// The state after some bytes of the name: the number of edits between these bytes and each prefix of the typed text within the band.
#[derive(Debug, Clone, Copy)]
pub(super) struct EditDistanceRow {
    /// Bytes of the name that were read.
    bytes_read: usize,
    last_byte: u8,
    cells: [u8; ROW_WIDTH + 1],
    previous_cells: [u8; ROW_WIDTH + 1],
}

impl FuzzyMatcher {
    /// Creates a matcher for a squashed text.
    #[must_use]
    pub fn new(text: &str, max_edits: MaxEdits) -> Self {
        Self {
            pattern: text.as_bytes().to_vec(),
            letters: LetterSet::from_text(text),
            max_edits: match max_edits {
                MaxEdits::One => 1,
                MaxEdits::Two => 2,
            },
        }
    }

    /// The fewest edits between the text and a prefix of the name, ignoring spaces in the name. `None` if more edits than allowed are
    /// needed.
    #[must_use]
    pub fn prefix_distance(&self, other: &str) -> Option<u8> {
        let mut row = self.initial_row();
        let mut fewest = self.final_distance(&row);
        for byte in letter_bytes(other) {
            row = self.next_row(&row, byte);
            fewest = fewest.into_iter().chain(self.final_distance(&row)).min();
            if !self.can_match(&row) {
                break;
            }
        }
        fewest
    }

    /// The number of edits between the text and the whole name, ignoring spaces in the name. `None` if more edits than allowed are needed.
    #[must_use]
    pub fn distance(&self, other: &str) -> Option<u8> {
        let mut row = self.initial_row();
        for byte in letter_bytes(other) {
            row = self.next_row(&row, byte);
            if !self.can_match(&row) {
                return None;
            }
        }
        self.final_distance(&row)
    }

    /// Calls `on_match` with the index and the number of edits of each text that has a matching prefix. `texts` has each text with the
    /// number of bytes that it shares with the previous text, so that shared bytes are compared only once.
    pub(super) fn for_each_prefix_match<'t>(
        &self,
        texts: impl Iterator<Item = (&'t str, usize)>,
        mut on_match: impl FnMut(usize, u8),
    ) {
        // For each prefix of the previous text: its row, and the fewest edits of that prefix and all shorter ones.
        let mut rows = vec![(self.initial_row(), self.final_distance(&self.initial_row()))];
        let mut dead_from = usize::MAX;
        for (at, (text, shared)) in texts.enumerate() {
            if shared >= dead_from {
                // The shared prefix rules out every longer match, so the best match within it is the best match of the text.
                if let Some((_, Some(fewest))) = rows.last() {
                    on_match(at, *fewest);
                }
                continue;
            }
            dead_from = usize::MAX;
            rows.truncate(shared + 1);
            for &byte in &text.as_bytes()[shared..] {
                let (row, fewest) = rows[rows.len() - 1];
                let row = self.next_row(&row, byte);
                let fewest = fewest.into_iter().chain(self.final_distance(&row)).min();
                rows.push((row, fewest));
                if !self.can_match(&row) {
                    dead_from = rows.len() - 1;
                    break;
                }
            }
            if let Some((_, Some(fewest))) = rows.last() {
                on_match(at, *fewest);
            }
        }
    }

    /// Whether a name with these letters can have a matching prefix. Each edit allows for one typed letter that the name lacks.
    pub(super) fn may_match_prefix(&self, known: LetterSet) -> bool {
        self.letters.without(known) <= u32::from(self.max_edits)
    }

    /// The first bytes of the text, which must match exactly in a search of a whole dictionary. If two edits were allowed in these bytes,
    /// the search would read a third of the dictionary.
    pub(super) fn exact_prefix(&self) -> &[u8] {
        let sure = if self.max_edits > 1 { 2 } else { 0 };
        &self.pattern[..sure.min(self.pattern.len())]
    }

    /// The same matcher with one edit allowed.
    #[must_use]
    pub fn with_one_edit(&self) -> Self {
        Self {
            pattern: self.pattern.clone(),
            letters: self.letters,
            max_edits: 1,
        }
    }

    /// The same matcher for at most the first `bytes` bytes of the text.
    pub(super) fn with_max_len(&self, bytes: usize) -> Self {
        let typed = self.pattern[..bytes.min(self.pattern.len())].to_vec();
        Self {
            letters: LetterSet::from_text(&String::from_utf8_lossy(&typed)),
            pattern: typed,
            max_edits: self.max_edits,
        }
    }

    fn initial_row(&self) -> EditDistanceRow {
        let mut cells = [u8::MAX; ROW_WIDTH + 1];
        for (cell, typed) in cells[self.band_radius()..]
            .iter_mut()
            .zip(0..=self.max_edits)
        {
            *cell = typed;
        }
        EditDistanceRow {
            bytes_read: 0,
            last_byte: 0,
            cells,
            previous_cells: [u8::MAX; ROW_WIDTH + 1],
        }
    }

    /// The row after one more byte of the name. Cell `c` of the new row is for `bytes_read - band + c` bytes of the typed text.
    fn next_row(&self, row: &EditDistanceRow, byte: u8) -> EditDistanceRow {
        let (band, read) = (self.band_radius(), row.bytes_read + 1);
        let mut cells = [u8::MAX; ROW_WIDTH + 1];
        let mut in_front = u8::MAX;
        for (c, cell) in cells.iter_mut().enumerate().take(2 * band + 1) {
            let Some(typed) = (read + c).checked_sub(band) else {
                continue;
            };
            if typed > self.pattern.len() {
                break;
            }
            let mut fewest = in_front.min(row.cells[c + 1]).saturating_add(1);
            if typed > 0 {
                let meant = self.pattern[typed - 1];
                fewest = fewest.min(row.cells[c].saturating_add(u8::from(meant != byte)));
                if typed > 1 && meant == row.last_byte && self.pattern[typed - 2] == byte {
                    fewest = fewest.min(row.previous_cells[c].saturating_add(1));
                }
            }
            *cell = fewest;
            in_front = fewest;
        }
        EditDistanceRow {
            bytes_read: read,
            last_byte: byte,
            cells,
            previous_cells: row.cells,
        }
    }

    fn band_radius(&self) -> usize {
        usize::from(self.max_edits)
    }

    /// The number of edits between the typed text and a name that ends at this row. `None` if more edits than allowed are needed.
    fn final_distance(&self, row: &EditDistanceRow) -> Option<u8> {
        let cell = (self.pattern.len() + self.band_radius()).checked_sub(row.bytes_read)?;
        let cell = row
            .cells
            .get(cell)
            .filter(|_| cell <= 2 * self.band_radius());
        cell.copied().filter(|&mistakes| mistakes <= self.max_edits)
    }

    fn can_match(&self, row: &EditDistanceRow) -> bool {
        row.cells.iter().any(|&mistakes| mistakes <= self.max_edits)
    }
}

/// The length of the common prefix of two texts, in bytes.
pub(super) fn shared_prefix_len(a: &str, b: &str) -> usize {
    let alike = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b);
    alike.count()
}

fn letter_bytes(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().filter(|&byte| byte != b' ')
}

/// Walks a dictionary for all terms close to the text, within the remaining budget.
pub(super) struct FuzzyAutomaton<'a> {
    pub(super) matcher: &'a FuzzyMatcher,
    pub(super) remaining_budget: Cell<u32>,
}

impl Automaton for FuzzyAutomaton<'_> {
    type State = EditDistanceRow;

    fn start(&self) -> EditDistanceRow {
        self.matcher.initial_row()
    }

    fn is_match(&self, row: &EditDistanceRow) -> bool {
        self.matcher.final_distance(row).is_some()
    }

    fn can_match(&self, row: &EditDistanceRow) -> bool {
        self.remaining_budget.get() > 0 && self.matcher.can_match(row)
    }

    fn accept(&self, row: &EditDistanceRow, byte: u8) -> EditDistanceRow {
        self.remaining_budget
            .set(self.remaining_budget.get().saturating_sub(WALK_COST));
        self.matcher.next_row(row, byte)
    }
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
        fn the_band_agrees_with_the_whole_table(
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
