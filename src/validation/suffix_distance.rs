//! Measures how much the suffix of an address differs from the entered one, to suggest the nearest address at a number.
//!
//! Source: decisions.md, section Validation. Assumption: people see 12C as near 12B, and 12-9 as near 12-10. If no suffix at the
//! number begins as the entered one does, the address without a suffix is meant.

use std::cmp::Reverse;

use postduif_schema::{Address, MAX_SUFFIX_CHARS};

use super::floor_mention::FloorMention;
use super::house_number_suffix::{HouseNumberSuffix, joined_suffix};
use super::note::{names_suffix, names_word};
use super::similar_suffix::{SuffixSlip, has_code_before};
use super::suffix_words::{MAX_WORDS, first_of_range, rank_of_whole_words};
use crate::search::{are_equal_but_zeros, are_equivalent_suffixes};

/// Minimum number of characters of a suffix in the register that may abbreviate the entered text: `ben` for `beneden`.
const MIN_ABBREVIATION: usize = 2;

/// The rank of a suffix with its letter and addition exchanged. It comes after the suffix as entered.
const SWAP_RANK: usize = 1;

/// The rank of a suffix that has the entered letter and a short form of a word after it: `aschr` for `a schuur`. It comes before the letter alone.
const WORD_RANK: usize = SWAP_RANK + 1;

/// The rank of the first other slip. Whole words that are exactly the suffix come before it.
const FIRST_SLIP_RANK: usize = WORD_RANK + 1 + MAX_WORDS * MAX_WORDS;

/// The rank of the first number of a range, and of a unit that the floor is a part of. It comes after the slips.
const PART_RANK: usize = FIRST_SLIP_RANK + SuffixSlip::Unit as usize + 1;

/// The rank of a suffix that a word or a floor names: schr in `schuur`.
const NAME_RANK: usize = PART_RANK + 1;

/// The difference of a suffix that has a code before the entered number: `GA08` for `8`. It is the same as that of the next number, which then
/// comes first.
const CODE_DIFFERENCE: u32 = 1;

/// How much two suffixes differ. A smaller difference sorts before a larger one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SuffixDistance {
    /// At least one suffix is not a number, and the suffixes are neither equivalent nor similar.
    is_different_text: bool,
    /// The address has a suffix whose first character differs from that of the entered suffix.
    has_other_start: bool,
    /// Length of the common beginning.
    shared_prefix: Reverse<usize>,
    /// Difference of the numbers, or of the first characters that differ.
    difference: u32,
    /// Decides between otherwise equal distances. For texts, the difference of their lengths in bytes; for whole words or a slip, the rank. If
    /// the addition may repeat the house number, it has two readings, and the less likely one gets 1 more.
    tie_break: usize,
}

impl SuffixDistance {
    /// How much the suffix of an address differs from the entered one. Numbers are compared by value. Other texts are compared by
    /// the length of their common beginning, then by the first characters that differ, then by length. If no suffix was entered,
    /// the address without a suffix is the nearest, and all others are equally near.
    pub(crate) fn between(entered: HouseNumberSuffix<'_>, address: &Address) -> Self {
        let without_word = Self::as_entered(entered, address);
        let with_word = entered
            .with_unit_word()
            .map(|entered| Self::as_entered(entered, address));
        let as_entered = with_word.map_or(without_word, |distance| distance.min(without_word));
        let Some(rest) = entered.without_number(address.number) else {
            return as_entered;
        };
        let (mut as_entered, mut without_number) = (as_entered, Self::as_entered(rest, address));
        // At the same distance, `12A` after number 12 means 12-12A rather than 12A, and `12-2` means 12-2 rather than 12-122.
        match entered.repeats_number(address.number) {
            true => as_entered.tie_break += 1,
            false => without_number.tie_break += 1,
        }
        as_entered.min(without_number)
    }

    fn as_entered(suffix: HouseNumberSuffix<'_>, address: &Address) -> Self {
        let known: String = joined_suffix(address).collect();
        if suffix.is_empty() || suffix.is_too_long() {
            return Self {
                has_other_start: !known.is_empty(),
                ..Self::default()
            };
        }
        let entered: String = suffix.joined_chars().collect();
        if are_equivalent_suffixes(entered.as_bytes(), known.as_bytes()) {
            return Self::default();
        }
        let are_swapped = || {
            suffix
                .with_parts_swapped()
                .is_some_and(|swapped| swapped == known)
        };
        let tie_break = match suffix_slip(&entered, &known) {
            Some(SuffixSlip::Swap) => Some(SWAP_RANK),
            _ if are_swapped() => Some(SWAP_RANK),
            _ if suffix.letter.is_some() && names_word(suffix, address) => Some(WORD_RANK),
            slip => rank_of_whole_words(suffix, &known)
                .map(|rank| WORD_RANK + 1 + rank)
                .or_else(|| slip.map(|slip| FIRST_SLIP_RANK + slip as usize))
                .or_else(|| may_name_unit(suffix, &known).then_some(PART_RANK))
                .or_else(|| names_suffix(suffix, address).then_some(NAME_RANK)),
        };
        if let Some(tie_break) = tie_break {
            return Self {
                tie_break,
                ..Self::default()
            };
        }
        if let (Ok(entered), Ok(known)) = (entered.parse::<u32>(), known.parse::<u32>()) {
            return Self {
                difference: entered.abs_diff(known),
                ..Self::default()
            };
        }
        // People repeat the house number: `9` with addition `9`.
        let is_repeated = entered.parse() == Ok(address.number);
        if !is_repeated && has_code_before(&entered, &known) {
            return Self {
                difference: CODE_DIFFERENCE,
                tie_break: 1,
                ..Self::default()
            };
        }
        text_distance(&entered, &known)
    }
}

/// The usual slip by which two suffixes differ, if any. If both begin with the same letter, also compares the rest, because that letter
/// may be the house letter.
fn suffix_slip(entered: &str, known: &str) -> Option<SuffixSlip> {
    SuffixSlip::find(entered, known).or_else(|| {
        let letter = known.chars().next().filter(char::is_ascii_alphabetic)?;
        let [entered, known] = [entered, known].map(|text| text.strip_prefix(letter));
        SuffixSlip::find(entered?, known?)
    })
}

/// Whether the unit is the first number of an entered range, or has the entered floor in it: `789-790`, `4e etage C`.
fn may_name_unit(suffix: HouseNumberSuffix<'_>, known: &str) -> bool {
    let Some(addition) = suffix.addition.filter(|text| text.len() > MIN_ABBREVIATION) else {
        return false;
    };
    let is_known = |unit: String| are_equal_but_zeros(unit.as_bytes(), known.as_bytes());
    let on_floor = || {
        let unit = FloorMention::find(addition)?.unit_on_floor()?;
        let letter = suffix.letter.unwrap_or_default();
        Some(format!("{letter}{unit}").to_ascii_uppercase())
    };
    first_of_range(suffix)
        .or_else(on_floor)
        .is_some_and(is_known)
}

/// The distance of two suffixes of which at least one is not a number. A long text that is not the full spelling of the known
/// suffix is free text, such as `achterzijde`, and its first letter says nothing about the suffix.
fn text_distance(entered: &str, known: &str) -> SuffixDistance {
    let is_spelled_out = known.chars().count() >= MIN_ABBREVIATION && entered.starts_with(known);
    let is_free_text = entered.chars().count() > MAX_SUFFIX_CHARS
        && entered.starts_with(char::is_alphabetic)
        && !is_spelled_out;
    let pairs = entered.chars().zip(known.chars());
    let shared = match is_free_text {
        true => 0,
        false => pairs.take_while(|(a, b)| a == b).count(),
    };
    let after = |text: &str| text.chars().nth(shared).map_or(0, u32::from);
    SuffixDistance {
        is_different_text: true,
        // An address without a suffix comes before one with an unrelated suffix.
        has_other_start: shared == 0 && !known.is_empty(),
        shared_prefix: Reverse(shared),
        difference: after(entered).abs_diff(after(known)),
        tie_break: entered.len().abs_diff(known.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validation::house_number_suffix::tests::address;

    #[test]
    fn the_nearest_suffix_is_the_most_similar_one() {
        #[track_caller]
        fn case(known: &[&str], asked: &str, nearest: &str) {
            let suffix = HouseNumberSuffix::new(None, Some(asked));
            let known = known.iter().map(|suffix| address(suffix));
            let found = known.min_by_key(|known| SuffixDistance::between(suffix, known));
            assert_eq!(found, Some(address(nearest)), "{asked}");
        }
        case(&["", "A", "B", "D", "E"], "c", "");
        case(&["A", "B", "D", "E"], "c", "B");
        case(&["", "/K301", "/K302"], "302", "/K302");
        case(&["", "/1", "/2", "/10", "/20"], "9", "/10");
        case(&["", "/1", "/2", "/10", "/20"], "16", "/20");
        case(&["A/1", "A/2", "A/9", "B/8"], "A-8", "A/9");
        case(&["", "/bis", "/hs"], "bisl", "/bis");
        case(&["", "A"], &"A".repeat(1000), "");
        // Free text.
        case(&["", "A"], "achterzijde", "");
        case(&["", "C"], "c/o Jansen", "");
        case(&["", "/ben", "/bov"], "beneden", "/ben");
        // Look-alikes, Roman numerals and swapped parts.
        case(&["", "/101", "/102"], "IO2", "/102");
        case(&["", "/1", "/2", "/3"], "III", "/3");
        case(&["", "A/1", "A/2"], "2A", "A/2");
        case(&["", "/21", "/22"], "K.22", "/22");
        case(&["", "/2", "/12"], "I2", "/12");
        case(&["C/9", "C/4"], "C IV", "C/4");
        case(&["", "B/12", "B/30"], "B k12", "B/12");
        case(&["", "/209"], "lift 209", "/209");
        case(&["", "/GA01", "/GA02"], "garage 2", "/GA02");
        case(&["", "/GA01", "/GA08"], "GAR 8", "/GA08");
        case(&["", "/GA01", "/GA08"], "box 8", "/GA08");
        case(&["", "/GA01", "/GA08", "/9", "/10"], "8", "/9");
        case(&["", "/D18"], "Platz D 18", "/D18");
        case(&["", "C", "D"], "d-achter", "D");
        // A whole word that is a suffix.
        case(&["", "A", "B", "C", "I"], "ingang B", "B");
        case(&["", "b", "c"], "bedrijfsunit c", "c");
        case(&["", "B", "H"], "lokaal B", "B");
        case(&["", "A", "T"], "A t.o. school", "A");
        case(&["", "/18", "/189"], "18 benedenwoning", "/18");
        case(&["", "/12", "/129"], "12 t.o. school", "/12");
        case(&["", "/1", "/15", "/19"], "1 5e etage links", "/1");
        case(&["", "/1", "/3", "/19"], "1 verdieping 3", "/1");
        case(&["", "/2", "B"], "2e etage B", "B");
        case(&["", "A/1", "C/1", "C/4"], "4e etage C", "C/4");
        case(&["", "/701", "/717"], "7e verd. 17", "/717");
        // The first number of a range, and a number after a count.
        case(&["", "/230", "/789", "/968"], "789-790", "/789");
        case(&["", "/230", "/789", "/968"], "789 & 790", "/789");
        case(&["", "/230", "/789", "/968"], "790-789", "/968");
        case(&["", "/230", "/789", "/968"], "2x 789", "/789");
        case(&["", "/2", "/3"], "3 hoog kamer 2", "/3");
        case(&["", "A", "A/4", "A/42"], "A 4 2-hoog", "A/4");
        case(&["", "/3", "/35"], "3 5-hoog", "/3");
        case(&["", "T"], "in 't midden", "");
        // Letter and addition exchanged, before look-alikes.
        case(&["G/56", "G/65"], "65G", "G/65");
        case(&["/56", "G/5"], "5G", "G/5");
        // The addition repeats the number.
        case(&["", "A", "/1", "/2"], "12-2", "/2");
        case(&["", "A", "/1"], "12 a", "A");
        case(&["", "A", "/12A"], "12A", "/12A");
        case(&["", "/2", "/122"], "12-2", "/2");
    }
}
