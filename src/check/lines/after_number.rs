//! Splits off what comes after a house number and is not part of it: a note such as `t/o school`, or the end of a range such as
//! `36 t/m 40`.

use postduif_schema::{MAX_SUFFIX_CHARS, fold, squashed};

use super::addition_words::{is_free_word, is_number_like, without_unit_labels, words};
use crate::search::{begins_with_digit, has_digit, is_floor_word, is_ordinal};
use crate::validation::EnteredNumber;

/// Words between the first and the last number of a range, without spaces and marks.
const RANGE_WORDS: [&str; 6] = ["tm", "tot", "totenmet", "tem", "en", "to"];

/// Marks between the first and the last number of a range.
const RANGE_MARKS: [&str; 5] = ["-", "–", "/", "+", "&"];

/// Maximum number of characters between the first and the last number of a range.
const MAX_CONNECTOR_CHARS: usize = 16;

/// Maximum number of letters of a word in brackets that may be an addition: `12 (A)`. A longer word in brackets is a remark.
const MAX_CODE_LETTERS: usize = 2;

/// Maximum number of words before a note: a house number, letter and addition, as in `12 A 3 t/o school`.
const MAX_WORDS_BEFORE_NOTE: usize = 3;

/// A range of house numbers at the beginning of a text: `36 t/m 40`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NumberRange<'a> {
    pub(super) first: &'a str,
    pub(super) rest: &'a str,
}

/// Returns the text without the note at its end, once for each place where the note may begin. The longest result comes first. After the
/// number, a result has only words that can be an addition, because validating other words is slow.
pub(super) fn without_note(text: &str) -> impl Iterator<Item = &str> {
    // Do not cut inside a range of house numbers.
    let range_end = split_range(text).map_or(0, |range| text.len() - range.rest.len());
    let spaces = text.match_indices(char::is_whitespace);
    let spaces = spaces.filter(move |(at, _)| *at >= range_end);
    let cuts: Vec<usize> = spaces
        .map(|(at, _)| at)
        .take(MAX_WORDS_BEFORE_NOTE)
        .collect();
    let is_note = |at: usize| {
        let note = &text[at..];
        let plain = squashed(&without_unit_labels(note));
        // A text that is too long for letter and addition is a note: `2x bellen`.
        let is_too_long = has_digit(&plain) && plain.chars().count() > MAX_SUFFIX_CHARS;
        !plain.is_empty() && (is_too_long || is_remark(note) || !is_number_like(note))
    };
    let has_only_additions = |at: usize| {
        let suffix = text[..at].split_once(char::is_whitespace);
        suffix.is_none_or(|(_, suffix)| is_number_like(suffix))
    };
    let cuts = cuts.into_iter().rev();
    let cuts = cuts.filter(move |&at| is_note(at) && has_only_additions(at));
    cuts.map(|at| text[..at].trim_end())
}

/// Whether a text is a remark, although it could be an addition: it is in brackets (`(boven)`), about an ordinal floor (`2e etage`), or has
/// a word that no addition has (`bel 2x`).
fn is_remark(text: &str) -> bool {
    let in_brackets = text.trim_start().strip_prefix('(');
    let is_long =
        |word: &str| word.chars().filter(|c| c.is_alphabetic()).count() > MAX_CODE_LETTERS;
    if in_brackets.is_some_and(|text| words(text).any(is_long)) {
        return true;
    }
    let words: Vec<String> = words(text).map(squashed).collect();
    let has_floor = words
        .windows(2)
        .any(|pair| begins_with_ordinal(&pair[0]) && is_floor_word(&pair[1]));
    has_floor || has_digit(text) && words.iter().any(|word| is_free_word(word))
}

/// Whether a text begins with an ordinal in digits, such as `2e` in `2e Dijk`. The register may have the ordinal in words: Tweede Dijk.
pub(super) fn begins_with_ordinal(text: &str) -> bool {
    let word = text.split(|c: char| !c.is_alphanumeric()).next();
    let word = fold(word.unwrap_or_default());
    begins_with_digit(&word) && is_ordinal(&word)
}

/// Splits a range that begins a text. Its last number must be higher than the first, or have a later letter: `36-2` is not a range,
/// and neither is `36-A`.
pub(super) fn split_range(text: &str) -> Option<NumberRange<'_>> {
    let digits = leading_digits(text);
    let firsts = [Some(digits), with_letter(text)];
    firsts
        .into_iter()
        .flatten()
        .find_map(|first| split_range_after(text, first))
}

/// Splits a range that begins with `first`.
fn split_range_after<'a>(text: &'a str, first: &'a str) -> Option<NumberRange<'a>> {
    let rest = &text[first.len()..];
    let ends = rest
        .char_indices()
        .map(|(at, _)| at)
        .take(MAX_CONNECTOR_CHARS);
    ends.filter(|&at| is_connector(rest[..at].trim()))
        .find_map(|at| {
            let after = rest[at..].trim_start();
            let lasts = [with_letter(after), Some(leading_digits(after))];
            let last = lasts.into_iter().flatten().find(|last| {
                is_later(last, first) && !is_addition(rest[..at].trim(), last, first)
            })?;
            let rest = &after[last.len()..];
            (!rest.starts_with(char::is_alphanumeric)).then_some(NumberRange { first, rest })
        })
}

fn is_connector(text: &str) -> bool {
    RANGE_MARKS.contains(&text) || RANGE_WORDS.contains(&&*squashed(text))
}

/// Whether a text after a mark is an addition and not the end of a range, because the first number has a letter: `33A-91`, `11A-C`.
fn is_addition(mark: &str, text: &str, first: &str) -> bool {
    let has_letter = |text: &str| text.ends_with(|c: char| c.is_ascii_alphabetic());
    has_letter(first)
        && match mark {
            "-" | "–" => !has_letter(text) || leading_digits(text).is_empty(),
            "/" => !has_letter(text),
            _ => false,
        }
}

/// Whether the number `last` comes after the number `first`: it is higher, or it is the same number with a later letter. `last` may be only
/// a letter: `12A en B`.
fn is_later(last: &str, first: &str) -> bool {
    let number = |text: &str| leading_digits(text).parse::<u32>().ok();
    let letter = |text: &str| text.chars().last().filter(char::is_ascii_alphabetic);
    let [first_letter, last_letter] =
        [first, last].map(|text| letter(text).map(|c| c.to_ascii_lowercase()));
    let is_later_letter = first_letter.is_some() && last_letter > first_letter;
    match number(last) {
        None => is_later_letter,
        last if last == number(first) => is_later_letter,
        last => last > number(first),
    }
}

/// The digits and the single letter that begin a text; the digits may be missing. `None` if no single letter comes after them.
fn with_letter(text: &str) -> Option<&str> {
    let digits = leading_digits(text);
    let rest = &text[digits.len()..];
    let letter = rest
        .trim_start()
        .chars()
        .next()
        .filter(|c| c.is_ascii_alphabetic())?;
    let end = text.len() - rest.trim_start().len() + letter.len_utf8();
    // `12 t/o school` has no letter.
    let is_word = rest.starts_with(' ') && text[end..].starts_with('/');
    (!is_word && !text[end..].starts_with(char::is_alphanumeric)).then_some(&text[..end])
}

/// The first number of a text that is only a range.
pub(super) fn first_of_range(text: &str) -> Option<EnteredNumber> {
    let range = split_range(text).filter(|range| range.rest.trim().is_empty())?;
    EnteredNumber::parse(range.first)
}

fn leading_digits(text: &str) -> &str {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    &text[..digits]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_free_text_after_the_number() {
        #[track_caller]
        fn case(text: &str, expected: &[&str]) {
            assert_eq!(without_note(text).collect::<Vec<_>>(), expected, "{text}");
        }
        case("54 t/o school", &["54 t/o", "54"]);
        case("12 A-3 achterom", &["12 A-3", "12"]);
        case("36 tot en met 40", &[]);
        case("55-605 t/o school", &["55-605 t/o", "55-605"]);
        case("12 (poort)", &["12"]);
        case("5 naast de kerk", &["5"]);
        case("12 bis", &[]);
        case("1 hoog", &[]);
        case("12 A", &[]);
        case("12 bel 2x", &["12"]);
        case("12 2e etage", &["12"]);
        case("12 (boven)", &["12"]);
        case("12-438 (boven)", &["12-438"]);
        case("12 bus 3", &[]);
        case("12 (A)", &[]);
        case("12 (3)", &[]);
        case("12 1 hoog", &[]);
        case("12 E hoog", &[]);
        case("12", &[]);
        case("3A (2x bellen)", &["3A (2x", "3A"]);
        case("12 sinds 2019", &["12"]);
        case("12 tel 0612345678", &["12"]);
        case("12 A-103", &[]);
    }

    #[test]
    fn a_range_has_a_higher_last_number() {
        for text in [
            "36 t/m 40", "36-40", "36 tot en met 40", "36 + 38", "36/38", "36 en 38", "36 – 38",
            "36A en 36B", "36a/b", "36 A t/m C", "36a-38b",
        ] {
            let first = first_of_range(text).map(|number| number.number.get());
            assert_eq!(first, Some(36), "{text}");
        }
        for text in [
            "36-2", "36", "36 A", "36, 38", "36 38", "36-A", "36 bus 40", "36B-A", "36A-3",
            "33A-91", "11A-C", "11A/103", "36 en A", "36 t 40",
        ] {
            assert_eq!(first_of_range(text), None, "{text}");
        }
        let range = split_range("36-40, Weesp");
        assert_eq!(range.map(|range| range.rest), Some(", Weesp"));
    }
}
