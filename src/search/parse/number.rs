//! Compares house numbers as people type them with those in the register, in every spelling of the letter and the addition: `12a`,
//! `12-2`, `12 bis`, `12 A 1`.
//!
//! Source: BAG openapi.yaml. A letter and an addition in the register contain no hyphen, space or slash, and have at most five
//! characters together. So the typed text is compared without hyphens, spaces and slashes.

use postduif_schema::{HouseLetter, HouseNumber, HouseNumberAddition, MAX_SUFFIX_CHARS};

use super::roman_numerals::roman_value;
use super::unit_words::is_suffix_word;
use crate::search::word_shape::{is_digits, is_lowercase};

/// Pairs of letters after a house number that are one suffix. In other pairs, the first letter may be the house letter.
const TWO_LETTER_SUFFIXES: [&str; 8] = ["bg", "bv", "de", "hs", "rd", "rt", "st", "zw"];

/// Whether a suffix is the Roman numeral of a floor.
pub(in crate::search) fn is_roman_numeral(suffix: &str) -> bool {
    roman_floor(suffix).is_some()
}

/// The floor, up to 9, for which a suffix is the Roman numeral. `None` for `i`, `v` and `x`, which are more likely house letters.
fn roman_floor(suffix: &str) -> Option<u32> {
    roman_value(suffix).filter(|floor| *floor < 10 && suffix.len() > 1)
}

/// Whether a word is the code of a unit: one or two letters with a number (`c18`, `hh5`), a Roman numeral, or the same letter twice (`aa`).
pub(in crate::search) fn is_unit_code(word: &str) -> bool {
    let letters = word.bytes().take_while(u8::is_ascii_lowercase).count();
    let digits = &word[letters..];
    let is_same_letter_twice =
        matches!(word.as_bytes(), [first @ b'a'..=b'z', second] if first == second);
    matches!(letters, 1 | 2) && !digits.is_empty() && is_digits(digits)
        || is_same_letter_twice
        || is_roman_numeral(word)
}

/// Minimum number of letters of a word that is more likely a name than a part of a suffix.
const MIN_NAME_LETTERS: usize = 4;

/// Minimum number of letters of an unknown word that is skipped before an addition, such as `plek` in `12 plek 3`.
const MIN_SKIPPED_LETTERS: usize = 3;

/// Minimum number of letters of an addition that may abbreviate the typed word, as `bov` does `boven`.
const MIN_SHORTENED_LETTERS: usize = 3;

/// A typed house number with its suffix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedNumber {
    /// The number.
    pub number: HouseNumber,
    /// Letter and addition joined, in lower case; empty if none was typed.
    pub suffix: String,
    /// The positions in `suffix` at which a word begins that was typed apart from the number.
    pub word_starts: Vec<usize>,
    /// The number ends the text, so the user may still type more digits.
    pub may_continue: bool,
    /// The number comes before all other words.
    pub is_leading: bool,
}

/// How a letter and an addition match the typed suffix. A better match sorts before a worse one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SuffixMatch {
    /// Letter and addition equal the typed suffix, or there is no suffix on either side.
    Exact,
    /// Letter and addition equal the typed suffix except for leading zeros, the letter of a unit or their order: the typed `39` matches 0039,
    /// `302` matches K302, and `24b` matches B24.
    Equivalent,
    /// Letter and addition begin with the typed suffix, which may be empty.
    Prefix,
}

impl TypedNumber {
    /// Compares the suffix with the letter and addition of an address; `None` if they do not match.
    pub fn match_suffix(
        &self,
        letter: Option<HouseLetter>,
        addition: Option<HouseNumberAddition>,
    ) -> Option<SuffixMatch> {
        let (known, length) = joined_suffix(letter, addition);
        let (known, typed) = (&known[..length], self.suffix.as_bytes());
        if known == typed || is_ground_floor(known) && is_ground_floor(typed) {
            return Some(SuffixMatch::Exact);
        }
        if !typed.is_empty() && are_equivalent_suffixes(typed, known)
            || are_parts_swapped(typed, known)
        {
            return Some(SuffixMatch::Equivalent);
        }
        let begins = known.starts_with(typed) || without_zeros(known).starts_with(typed);
        begins.then_some(SuffixMatch::Prefix)
    }

    /// The length of the longest beginning of the typed suffix that equals letter and addition: 1 for the `c` of `2c hs`. Returns 0 if no
    /// beginning equals them. Returns the whole length if the typed suffix is a less usual way to write them (`IV` for 4, `K709` for 709,
    /// `boven` for bov), or if they are typed after an unknown word (`plek 3` for 3). Call this only for a suffix that
    /// [`match_suffix`](Self::match_suffix) does not match.
    pub fn matched_beginning(
        &self,
        letter: Option<HouseLetter>,
        addition: Option<HouseNumberAddition>,
    ) -> usize {
        let (known, length) = joined_suffix(letter, addition);
        let (known, typed) = (&known[..length], self.suffix.as_bytes());
        if known.is_empty() || typed.is_empty() {
            return 0;
        }
        if self.has_second_reading(known) || self.ends_with_suffix_after_word(known) {
            return typed.len();
        }
        let mut ends = (1..typed.len()).rev().filter(|&at| self.may_end_at(at));
        let longest = ends.find(|&end| are_equivalent_suffixes(&typed[..end], known));
        longest.unwrap_or_default()
    }

    /// Whether letter and addition equal the last words of the suffix, after a word of several letters: 3 in `12 plek 3`.
    fn ends_with_suffix_after_word(&self, known: &[u8]) -> bool {
        let mut starts = self.word_starts.iter();
        starts.any(|&at| {
            let (word, rest) = self.suffix.as_bytes().split_at(at);
            word.len() >= MIN_SKIPPED_LETTERS
                && word.iter().all(u8::is_ascii_lowercase)
                && rest.iter().any(u8::is_ascii_digit)
                && are_equivalent_suffixes(rest, known)
        })
    }

    /// Whether the suffix ends with a word that is more likely a name, such as a mistyped town.
    pub fn ends_with_name(&self) -> bool {
        let last = self.word_starts.last().map_or("", |&at| &self.suffix[at..]);
        last.len() >= MIN_NAME_LETTERS && is_lowercase(last) && !is_suffix_word(last)
    }

    /// Whether the letter and addition of an address may end at a position inside the typed suffix: between two words, between
    /// letters and digits, and between the two letters of `60fz`.
    fn may_end_at(&self, position: usize) -> bool {
        let typed = self.suffix.as_bytes();
        let attached = &self.suffix[..self.word_starts.first().copied().unwrap_or(typed.len())];
        let is_pair = attached.len() == 2
            && is_lowercase(attached)
            && !TWO_LETTER_SUFFIXES.contains(&attached);
        self.word_starts.contains(&position)
            || typed[position - 1].is_ascii_digit() != typed[position].is_ascii_digit()
            || is_pair && position == 1
    }

    /// Whether the last word of the suffix may be another way to write the end of `known`: a Roman numeral, `bg` for HS, a number with the
    /// letter of a unit, or a word that `known` shortens.
    fn has_second_reading(&self, known: &[u8]) -> bool {
        let start = self.word_starts.last().copied().unwrap_or_default();
        let (before, last) = self.suffix.split_at(start);
        let Some(known) = known.strip_prefix(before.as_bytes()) else {
            return false;
        };
        let is_apart = self.word_starts.contains(&start);
        let is_floor = |roman: &str, digit: &[u8]| {
            roman_floor(roman).is_some_and(|floor| floor.to_string().as_bytes() == digit)
        };
        let is_roman = is_floor(last, known)
            || str::from_utf8(known).is_ok_and(|known| is_floor(known, last.as_bytes()));
        // Not the other way round: H and I may be house letters (10 A to 10 L). So a typed `1` does not match a known I, and a typed `bg`
        // does not match a known H.
        let is_floor_in_other_words =
            matches!((last, known), ("i", b"1") | ("bg", b"hs" | b"huis"));
        let unit = last.strip_prefix(|c: char| c.is_ascii_alphabetic());
        let is_unit =
            |unit: &str| is_apart && is_digits(unit) && are_equal_but_zeros(unit.as_bytes(), known);
        let is_shortened = known.len() >= MIN_SHORTENED_LETTERS
            && known.iter().all(u8::is_ascii_lowercase)
            && last.as_bytes().starts_with(known);
        is_roman
            || is_floor_in_other_words
            || is_shortened
            || unit.is_some_and(|unit| !unit.is_empty() && is_unit(unit))
    }
}

/// Letter and addition joined, in lower case: a buffer, and how many of its bytes are used.
pub(super) fn joined_suffix(
    letter: Option<HouseLetter>,
    addition: Option<HouseNumberAddition>,
) -> ([u8; MAX_SUFFIX_CHARS], usize) {
    let letter = letter.map(HouseLetter::ascii);
    let addition = addition.as_ref().map_or("", HouseNumberAddition::as_str);
    let mut known = [0; MAX_SUFFIX_CHARS];
    let mut length = 0;
    for (place, byte) in known
        .iter_mut()
        .zip(letter.into_iter().chain(addition.bytes()))
    {
        *place = byte.to_ascii_lowercase();
        length += 1;
    }
    (known, length)
}

/// Whether letter and addition are the typed suffix, except for leading zeros.
pub(in crate::search) fn is_suffix(
    typed: &str,
    letter: Option<HouseLetter>,
    addition: Option<HouseNumberAddition>,
) -> bool {
    let (known, length) = joined_suffix(letter, addition);
    are_equal_but_zeros(typed.as_bytes(), &known[..length])
}

/// The number of characters of a suffix without the leading zeros of its numbers.
pub(super) fn significant_length(suffix: &str) -> usize {
    significant_bytes(suffix.as_bytes()).count()
}

/// Whether a typed suffix equals a suffix in the register, except for leading zeros of its numbers or the letter of a unit.
pub fn are_equivalent_suffixes(typed: &[u8], known: &[u8]) -> bool {
    let is_number = !typed.is_empty() && typed.iter().all(u8::is_ascii_digit);
    let unit = known
        .split_first()
        .filter(|(letter, _)| is_number && letter.is_ascii_alphabetic());
    let equals = |known| are_equal_but_zeros(typed, known);
    equals(known) || unit.is_some_and(|(_, unit)| equals(unit))
}

/// Whether two suffixes are equal except for leading zeros of their numbers.
pub fn are_equal_but_zeros(typed: &[u8], known: &[u8]) -> bool {
    significant_bytes(typed).eq(significant_bytes(known))
}

/// Whether digits and then letters were typed for the same letters and then the same digits: `24b` for B24.
fn are_parts_swapped(typed: &[u8], known: &[u8]) -> bool {
    let digits = typed.iter().take_while(|byte| byte.is_ascii_digit());
    let (digits, letters) = typed.split_at(digits.count());
    let known_digits = known.strip_prefix(letters);
    !digits.is_empty()
        && !letters.is_empty()
        && letters.iter().all(u8::is_ascii_alphabetic)
        && known_digits.is_some_and(|known| are_equal_but_zeros(digits, known))
}

/// The bytes of a suffix without the leading zeros of its numbers. The number 0 itself stays.
fn significant_bytes(text: &[u8]) -> impl Iterator<Item = u8> {
    let is_leading_zero = |at: usize| {
        let begins = text[..at]
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_digit());
        let is_followed = text.get(at + 1).is_some_and(u8::is_ascii_digit);
        text[at] == b'0' && is_followed && begins.into_iter().all(|&byte| byte == b'0')
    };
    (0..text.len())
        .filter(move |&at| !is_leading_zero(at))
        .map(|at| text[at])
}

fn without_zeros(text: &[u8]) -> &[u8] {
    let zeros = text.iter().take_while(|&&byte| byte == b'0').count();
    &text[zeros..]
}

/// Whether a suffix means the ground floor of a house with an upper dwelling. Amsterdam and Haarlem use several spellings of this
/// suffix.
fn is_ground_floor(suffix: &[u8]) -> bool {
    matches!(suffix, b"h" | b"hs" | b"huis")
}
