//! Words that may be mistyped: a letter too many, too few, another, or two swapped.
//!
//! Compares by a band of the table of edit distances (optimal string alignment), as wide as the mistakes that are forgiven.
//! A row of it is a state that walks a dictionary. An automaton made for each question would answer faster, but making it
//! costs more than asking it. Bytes count as letters: folded names are ASCII but for scripts that the register does not use.

use std::cell::Cell;

use tantivy_fst::Automaton;

/// How many mistakes are forgiven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edits {
    /// One.
    One,
    /// Two.
    Two,
}

/// The cost of walking one letter.
const WALK_COST: u32 = 2;

/// Cells of the widest band. One more behind them never matches.
const BAND: usize = 5;

/// A squashed text as it was typed, compared with others that it may stand for.
#[derive(Debug, PartialEq, Eq)]
pub struct Typo {
    typed: Vec<u8>,
    letters: Letters,
    forgiven: u8,
}

/// Which letters and digits a text has, a bit for each letter. Most names can be told apart from what was typed by it alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Letters(u32);

impl Letters {
    pub(super) fn of(text: &str) -> Self {
        let bit = |byte: u8| match byte {
            b'a'..=b'z' => 1 << (byte - b'a'),
            // Six bits are left for ten digits.
            b'0'..=b'9' => 1 << (26 + byte % 6),
            _ => 0,
        };
        Self(text.bytes().fold(0, |letters, byte| letters | bit(byte)))
    }

    pub(super) fn of_all<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        Self(texts.fold(0, |letters, text| letters | Self::of(text).0))
    }
}

/// What is known after some bytes of the other text: the mistakes with which each length of the typed text within the band
/// makes those bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// Bytes of the other text.
    read: usize,
    last: u8,
    cells: [u8; BAND + 1],
    before: [u8; BAND + 1],
}

impl Typo {
    /// Takes a squashed text.
    #[must_use]
    pub fn new(text: &str, edits: Edits) -> Self {
        Self {
            typed: text.as_bytes().to_vec(),
            letters: Letters::of(text),
            forgiven: match edits {
                Edits::One => 1,
                Edits::Two => 2,
            },
        }
    }

    /// The fewest mistakes with which the other text begins with what was meant; its spaces do not count.
    #[must_use]
    pub fn begins(&self, other: &str) -> Option<u8> {
        let mut row = self.first();
        let mut fewest = self.mistakes(&row);
        for byte in letters(other) {
            row = self.next(&row, byte);
            fewest = fewest.into_iter().chain(self.mistakes(&row)).min();
            if !self.may_match(&row) {
                break;
            }
        }
        fewest
    }

    /// The number of mistakes when the other text is what was meant; its spaces do not count.
    #[must_use]
    pub fn is(&self, other: &str) -> Option<u8> {
        let mut row = self.first();
        for byte in letters(other) {
            row = self.next(&row, byte);
            if !self.may_match(&row) {
                return None;
            }
        }
        self.mistakes(&row)
    }

    /// Goes through texts in their order, each with how many bytes it shares with the one before, and hands out those that
    /// begin with what was meant, with the fewest mistakes. What texts share is compared once.
    pub(super) fn each_beginning<'t>(
        &self,
        texts: impl Iterator<Item = (&'t str, usize)>,
        mut take: impl FnMut(usize, u8),
    ) {
        // A row for each byte of the text before, and the fewest mistakes up to there.
        let mut rows = vec![(self.first(), self.mistakes(&self.first()))];
        let mut dead_from = usize::MAX;
        for (at, (text, shared)) in texts.enumerate() {
            if shared >= dead_from {
                // It begins like one that cannot match any more; what that had found counts for this one too.
                if let Some((_, Some(fewest))) = rows.last() {
                    take(at, *fewest);
                }
                continue;
            }
            dead_from = usize::MAX;
            rows.truncate(shared + 1);
            for &byte in &text.as_bytes()[shared..] {
                let (row, fewest) = rows[rows.len() - 1];
                let row = self.next(&row, byte);
                let fewest = fewest.into_iter().chain(self.mistakes(&row)).min();
                rows.push((row, fewest));
                if !self.may_match(&row) {
                    dead_from = rows.len() - 1;
                    break;
                }
            }
            if let Some((_, Some(fewest))) = rows.last() {
                take(at, *fewest);
            }
        }
    }

    /// Whether a text with these letters may begin with what was meant: a mistake puts in one foreign letter at most.
    pub(super) fn may_begin(&self, known: Letters) -> bool {
        let foreign = self.letters.0 & !known.0;
        foreign.count_ones() <= u32::from(self.forgiven)
    }

    /// How much of the text counts as right when a whole dictionary is walked: with two mistakes forgiven, a third of it
    /// would be read if they could be in front.
    pub(super) fn surely(&self) -> &[u8] {
        let sure = if self.forgiven > 1 { 2 } else { 0 };
        &self.typed[..sure.min(self.typed.len())]
    }

    /// The same with one mistake forgiven.
    #[must_use]
    pub fn once(&self) -> Self {
        Self {
            typed: self.typed.clone(),
            letters: self.letters,
            forgiven: 1,
        }
    }

    /// The same, of no more than the first bytes of the text.
    pub(super) fn cut(&self, bytes: usize) -> Self {
        let typed = self.typed[..bytes.min(self.typed.len())].to_vec();
        Self {
            letters: Letters::of(&String::from_utf8_lossy(&typed)),
            typed,
            forgiven: self.forgiven,
        }
    }

    fn first(&self) -> Row {
        let mut cells = [u8::MAX; BAND + 1];
        for (cell, typed) in cells[self.band()..].iter_mut().zip(0..=self.forgiven) {
            *cell = typed;
        }
        Row {
            read: 0,
            last: 0,
            cells,
            before: [u8::MAX; BAND + 1],
        }
    }

    /// The row after one more byte. Cell `c` of a row stands for `read - band + c` bytes of the typed text.
    fn next(&self, row: &Row, byte: u8) -> Row {
        let (band, read) = (self.band(), row.read + 1);
        let mut cells = [u8::MAX; BAND + 1];
        let mut in_front = u8::MAX;
        for (c, cell) in cells.iter_mut().enumerate().take(2 * band + 1) {
            let Some(typed) = (read + c).checked_sub(band) else {
                continue;
            };
            if typed > self.typed.len() {
                break;
            }
            let mut fewest = in_front.min(row.cells[c + 1]).saturating_add(1);
            if typed > 0 {
                let meant = self.typed[typed - 1];
                fewest = fewest.min(row.cells[c].saturating_add(u8::from(meant != byte)));
                if typed > 1 && meant == row.last && self.typed[typed - 2] == byte {
                    fewest = fewest.min(row.before[c].saturating_add(1));
                }
            }
            *cell = fewest;
            in_front = fewest;
        }
        Row {
            read,
            last: byte,
            cells,
            before: row.cells,
        }
    }

    fn band(&self) -> usize {
        usize::from(self.forgiven)
    }

    /// The mistakes when the other text ends here.
    fn mistakes(&self, row: &Row) -> Option<u8> {
        let cell = (self.typed.len() + self.band()).checked_sub(row.read)?;
        let cell = row.cells.get(cell).filter(|_| cell <= 2 * self.band());
        cell.copied().filter(|&mistakes| mistakes <= self.forgiven)
    }

    fn may_match(&self, row: &Row) -> bool {
        row.cells.iter().any(|&mistakes| mistakes <= self.forgiven)
    }
}

/// How many bytes two texts begin with alike.
pub(super) fn shared(a: &str, b: &str) -> usize {
    let alike = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b);
    alike.count()
}

fn letters(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().filter(|&byte| byte != b' ')
}

/// Walks a dictionary for all that is nearly the text, for as many steps as are left.
pub(super) struct Walk<'a> {
    pub(super) typo: &'a Typo,
    pub(super) left: Cell<u32>,
}

impl Automaton for Walk<'_> {
    type State = Row;

    fn start(&self) -> Row {
        self.typo.first()
    }

    fn is_match(&self, row: &Row) -> bool {
        self.typo.mistakes(row).is_some()
    }

    fn can_match(&self, row: &Row) -> bool {
        self.left.get() > 0 && self.typo.may_match(row)
    }

    fn accept(&self, row: &Row, byte: u8) -> Row {
        self.left.set(self.left.get().saturating_sub(WALK_COST));
        self.typo.next(row, byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn mistakes_are_counted() {
        #[track_caller]
        fn case(typed: &str, edits: Edits, other: &str, begins: Option<u8>, is: Option<u8>) {
            let typo = Typo::new(typed, edits);
            let counted = (typo.begins(other), typo.is(other));
            assert_eq!(counted, (begins, is), "{typed} {other}");
        }
        case("kerkstrat", Edits::One, "kerkstraat", Some(1), Some(1));
        case("kekr", Edits::One, "kerkstraat", Some(1), None);
        case("kerk", Edits::One, "kerkstraat", Some(0), None);
        case("dorpsstrat", Edits::One, "kerkstraat", None, None);
        case("krekstrat", Edits::One, "kerkstraat", None, None);
        case("krekstrat", Edits::Two, "kerkstraat", Some(2), Some(2));
        case("kerkstraat", Edits::Two, "kerk", None, None);
        case("kerkstraat", Edits::One, "kerk straat", Some(0), Some(0));
        case("", Edits::One, "a", Some(0), Some(1));
        case("a", Edits::Two, "", Some(1), Some(1));
    }

    /// The whole table, the plain way.
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
        fn the_band_tells_what_the_whole_table_tells(
            typed in "[abc]{0,8}",
            other in "[abc]{0,9}",
            two in any::<bool>(),
        ) {
            let (edits, forgiven) = if two { (Edits::Two, 2) } else { (Edits::One, 1) };
            let typo = Typo::new(&typed, edits);
            let within = |mistakes: usize| (mistakes <= forgiven).then_some(mistakes);
            let (typed, bytes) = (typed.as_bytes(), other.as_bytes());
            let is = within(distance(typed, bytes));
            prop_assert_eq!(typo.is(&other).map(usize::from), is);
            prop_assert!(typo.begins(&other).is_none() || typo.may_begin(Letters::of(&other)));
            let begins = (0..=bytes.len()).filter_map(|end| within(distance(typed, &bytes[..end])));
            prop_assert_eq!(typo.begins(&other).map(usize::from), begins.min());
        }

        #[test]
        fn texts_in_their_order_are_compared_as_each_alone(
            typed in "[abc]{0,6}",
            others in proptest::collection::btree_set("[abc]{1,7}", 0..40),
            two in any::<bool>(),
        ) {
            let typo = Typo::new(&typed, if two { Edits::Two } else { Edits::One });
            let others: Vec<String> = others.into_iter().collect();
            let shared = |at: usize| match at.checked_sub(1) {
                Some(before) => shared(&others[before], &others[at]),
                None => 0,
            };
            let texts = others.iter().enumerate().map(|(at, text)| (&**text, shared(at)));
            let mut found = Vec::new();
            typo.each_beginning(texts, |at, edits| found.push((at, edits)));
            let alone = others.iter().enumerate();
            let alone = alone.filter_map(|(at, text)| Some((at, typo.begins(text)?)));
            prop_assert_eq!(found, alone.collect::<Vec<_>>());
        }
    }
}
