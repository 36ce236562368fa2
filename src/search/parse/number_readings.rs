//! Lists every way to read one of the words as the house number.

use std::ops::Range;

use postduif_schema::{HouseNumber, HouseNumberAddition, MAX_SUFFIX_CHARS};

use super::number::{TypedNumber, is_unit_code, significant_length};
use super::numerals::leading_numeral;
use super::reading::Reading;
use super::unit_words::{
    is_addition_label, is_floor_word, is_unit_label, may_follow_floor, shorten_suffix_word,
};
use crate::search::word_shape::{has_digit, is_digits, split_digits};

/// Maximum number of words that letter and addition may span together.
const MAX_SUFFIX_WORDS: usize = 3;

/// Maximum number of characters of a typed suffix, including leading zeros.
const MAX_TYPED_LENGTH: usize = 10;

/// All readings of the words. The first reading has no house number. In each of the others, another number is the house number, from the
/// last number to the first. `postcode` is the position from which a postcode was taken out, if any.
pub(super) fn readings(words: &[&str], postcode: Option<usize>) -> Vec<Reading> {
    let whole = Reading {
        words: to_strings(words),
        ..Reading::default()
    };
    let at = (0..words.len()).rev();
    let numbered = at.flat_map(|at| readings_with_number_at(words, at, postcode));
    std::iter::once(whole).chain(numbered).collect()
}

/// A house number among words, with one of the suffixes that may belong to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::search) struct NumberToken {
    /// Position of the number.
    pub position: usize,
    /// Position after the last word of the suffix.
    pub end: usize,
    /// The number and its suffix.
    pub number: TypedNumber,
}

/// Every way to read the word at a position as a house number and the words after it as its suffix. The longest suffix comes first.
pub(in crate::search) fn number_tokens<W: AsRef<str>>(
    words: &[W],
    position: usize,
) -> Vec<NumberToken> {
    let Some((number, attached_suffix)) = split_number(words[position].as_ref()) else {
        return Vec::new();
    };
    let (mut suffix, mut word_starts) = (attached_suffix.to_owned(), Vec::new());
    let mut tokens = Vec::new();
    let mut end = position + 1;
    loop {
        if !is_possible_suffix(&suffix) {
            break;
        }
        tokens.push(NumberToken {
            position,
            end,
            number: TypedNumber {
                number,
                may_continue: suffix.is_empty() && end == words.len(),
                suffix: suffix.clone(),
                word_starts: word_starts.clone(),
                is_leading: position == 0 && end < words.len(),
            },
        });
        let Some(next) = words.get(end).map(AsRef::as_ref) else {
            break;
        };
        // Two numbers are not joined: `39-1 2 hoog` is unit 1 on the second floor, not 39-12.
        if ends_with_digit(&suffix) && is_floor(&words[end..]) {
            end += 2;
            continue;
        }
        if is_unit_word_before_unit(words, end) || may_follow_floor(next) && !suffix.is_empty() {
            end += 1;
            continue;
        }
        let next = shorten_suffix_word(next);
        if word_starts.len() == MAX_SUFFIX_WORDS || !is_possible_suffix_word(next) {
            break;
        }
        word_starts.push(suffix.len());
        suffix.push_str(next);
        end += 1;
    }
    tokens.reverse();
    tokens
}

/// Like [`number_tokens`], for a number that is written in words: `vier en twintig a`.
pub(in crate::search) fn numeral_tokens<W: AsRef<str>>(
    words: &[W],
    position: usize,
) -> Vec<NumberToken> {
    let Some((value, length)) = leading_numeral(&words[position..]) else {
        return Vec::new();
    };
    let rest = words[position + length..].iter().map(AsRef::as_ref);
    let with_digits: Vec<String> = std::iter::once(value.to_string())
        .chain(rest.map(str::to_owned))
        .collect();
    let mut tokens = number_tokens(&with_digits, 0);
    for token in &mut tokens {
        token.position = position;
        token.end += position + length - 1;
        token.number.is_leading &= position == 0;
    }
    tokens
}

/// Whether the word at a position is a unit word, and a number, a letter or a code follows it. A short text may follow the label of an addition.
fn is_unit_word_before_unit<W: AsRef<str>>(words: &[W], position: usize) -> bool {
    let mut next = words[position + 1..].iter().map(AsRef::as_ref);
    let next = next.find(|word| !is_unit_label(word));
    let is_unit = |next: &str| next.len() == 1 || has_digit(next) || is_unit_code(next);
    let label = words[position].as_ref();
    let is_text =
        |next: &str| is_addition_label(label) && next.len() <= HouseNumberAddition::MAX_CHARS;
    is_unit_label(label) && next.is_some_and(|next| is_unit(next) || is_text(next))
}

/// Whether the words begin with a floor and its number: `2 hoog`, `verdieping 2`.
fn is_floor<W: AsRef<str>>(words: &[W]) -> bool {
    let [first, second, ..] = words else {
        return false;
    };
    let [first, second] = [first, second].map(AsRef::as_ref);
    // In `2 hoog 5`, the number after `hoog` is not that of the floor.
    let is_label = is_floor_word(first) && first != "hoog";
    is_digits(first) && is_floor_word(second) || is_label && is_digits(second)
}

fn ends_with_digit(text: &str) -> bool {
    text.ends_with(|c: char| c.is_ascii_digit())
}

/// The readings with the house number at a position.
fn readings_with_number_at(
    words: &[&str],
    position: usize,
    postcode: Option<usize>,
) -> Vec<Reading> {
    let reading = |token: NumberToken| {
        let between = position > 0 && token.end < words.len();
        Reading {
            words: to_strings(&[&words[..position], &words[token.end..]].concat()),
            split_at: between.then_some(position),
            steps_from_postcode: postcode
                .map_or(0, |at| steps_to_postcode(position..token.end, at)),
            number: Some(token.number),
            postcode: None,
        }
    };
    number_tokens(words, position)
        .into_iter()
        .map(reading)
        .collect()
}

/// How far a house number is from a postcode: 0 directly after it, 1 directly before it, 2 elsewhere.
fn steps_to_postcode(number: Range<usize>, postcode: usize) -> u8 {
    match postcode {
        at if at == number.start => 0,
        at if at == number.end => 1,
        _ => 2,
    }
}

/// Splits `12a1` into 12 and `a1`; `None` if the digits are not a house number.
fn split_number(word: &str) -> Option<(HouseNumber, &str)> {
    let (number, suffix) = split_digits(word);
    let number = number.parse().ok()?;
    suffix.is_ascii().then_some((number, suffix))
}

/// Whether a text may be an addition, or a letter with an addition.
fn is_possible_suffix(text: &str) -> bool {
    let with_letter = text.starts_with(|c: char| c.is_ascii_alphabetic());
    text.len() <= MAX_TYPED_LENGTH
        && significant_length(text) <= HouseNumberAddition::MAX_CHARS + usize::from(with_letter)
}

fn is_possible_suffix_word(word: &str) -> bool {
    word.is_ascii()
        && word.len() <= MAX_TYPED_LENGTH
        && significant_length(word) <= MAX_SUFFIX_CHARS
}

fn to_strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}
