//! Joins postcodes and house numbers that were dictated or written in boxes, digit by digit or in groups: `8 2 4 5 j e`, `een tachtig`.

use postduif_schema::{HouseNumber, Postcode};

use super::numerals::{below_hundred, leading_numeral};
use super::ordinals::is_ordinal;
use super::postcode::is_postcode;
use super::unit_words::{is_floor_word, is_number_label, is_unit_label, may_follow_floor};
use crate::search::word_shape::{begins_with_digit, is_digits, is_lowercase};

/// Minimum number of digits of a house number that was written digit by digit, such as `1 8 0`. Two digits may be a house number and its
/// addition.
const MIN_SEPARATE_DIGITS: usize = 3;

/// The words of the Dutch and the international spelling alphabet, which people dictate for a letter: `anton` for A. Words that are also
/// names of towns are left out.
const SPELLING_WORDS: [&str; 34] = [
    "anton", "alpha", "alfa", "bernard", "bravo", "cornelis", "charlie", "dirk", "delta", "eduard",
    "echo", "ferdinand", "foxtrot", "gerard", "golf", "hendrik", "hotel", "izaak", "india", "jan",
    "johan", "juliett", "karel", "kilo", "lodewijk", "lima", "maria", "mike", "nico", "november",
    "otto", "oscar", "pieter", "papa",
];

/// Joins the words of a postcode of which each character, or each group of digits, is a word: `8 2 4 5 j e`, `acht twee vier vijf je`,
/// `tweeentachtig vijfenveertig j e`.
pub(super) fn join_dictated_postcode(words: &mut Vec<String>) {
    for first in 0..words.len() {
        let Some((digits, end)) = join_digits(words, first, Postcode::DIGITS) else {
            continue;
        };
        let Some((letters, end_of_letters)) = join_letters(words, end) else {
            continue;
        };
        let is_letter_by_letter = end_of_letters == end + 2;
        let is_in_words = words[first..end].iter().any(|word| is_in_words(word));
        let is_in_boxes = end - first == Postcode::DIGITS && is_letter_by_letter;
        let is_preposition =
            !is_letter_by_letter && matches!(&*letters, "in" | "te" | "op" | "de" | "en");
        if (is_in_words || is_in_boxes) && !is_preposition && is_postcode(&digits, &letters) {
            words.splice(first..end_of_letters, [digits, letters]);
            return;
        }
    }
}

/// Joins a house number that was written digit by digit: `dijk 180` for `dijk 1 8 0`. `None` if the text has no such number.
pub(in crate::search) fn join_separate_digits(words: &[String]) -> Option<Vec<String>> {
    (0..words.len()).find_map(|at| Some(replace(words, at, join_number(words, at, false)?)))
}

/// Joins a house number of which the hundreds were written apart: `dijk 686` for `dijk 600 86`. `None` if the text has no such number.
pub(in crate::search) fn join_hundreds(words: &[String]) -> Option<Vec<String>> {
    let read_at = |at: usize| {
        let [hundreds, rest] = [&*words[at], &*words[at + 1]];
        let hundreds = hundreds
            .strip_suffix("00")
            .filter(|count| (1..=3).contains(&count.len()))?;
        let is_rest = (1..=2).contains(&rest.len()) && !rest.starts_with('0');
        (is_rest && is_digits(hundreds) && is_digits(rest))
            .then(|| replace(words, at, (format!("{hundreds}{rest:0>2}"), at + 2)))
    };
    (0..words.len().saturating_sub(1)).find_map(read_at)
}

/// Leaves out a house number that was typed again with its suffix: `dijk 9 238` for `dijk 9 9 238`, `dijk 12d` for `dijk 12, nr 12d`. `None`
/// if no number was typed twice.
pub(in crate::search) fn drop_repeated_number(words: &[String]) -> Option<Vec<String>> {
    (1..words.len()).find_map(|again| {
        let is_label = |at: &usize| is_number_label(&words[*at]);
        let before = (0..again).rev().find(|at| !is_label(at))?;
        let suffix = words[again].strip_prefix(&*words[before])?;
        // `82 82e etage` is a floor, and in `17-17 kamer 6` the second number is the addition.
        let next = words.get(again + 1).map_or("", String::as_str);
        let is_floor = is_ordinal(&words[again]) && is_floor_word(next);
        let is_addition = suffix.is_empty() && is_unit_label(next);
        (is_digits(&words[before]) && !begins_with_digit(suffix) && !is_floor && !is_addition)
            .then(|| [&words[..before], &words[again..]].concat())
    })
}

/// Joins a house number that was dictated in words: `dijk 180` for `dijk een tachtig`, `dijk 6a` for `dijk 6 anton`. `None` if the text has
/// no such number. The words may also be a number and its suffix.
pub(in crate::search) fn read_dictated_number(words: &[String]) -> Option<Vec<String>> {
    let read_at = |at: usize| {
        let read = join_number(words, at, true).or_else(|| join_spelled_letter(words, at))?;
        Some(replace(words, at, read))
    };
    (0..words.len()).find_map(read_at)
}

/// Replaces the words from `at` to before `end` by `number`.
fn replace(words: &[String], at: usize, (number, end): (String, usize)) -> Vec<String> {
    [&words[..at], &[number], &words[end..]].concat()
}

/// Reads a house number that begins at word `at`, and returns it with the position after it. Its first part is one digit. If `in_words`,
/// all parts are numerals. Otherwise all parts are digits, and there are at least three of them, because `1 80` may be number 1 with
/// addition 80.
fn join_number(words: &[String], at: usize, in_words: bool) -> Option<(String, usize)> {
    if leading_numeral(&words[at..]).is_some_and(|(_, length)| length > 1) {
        return None;
    }
    let first = read_digits(&words[at]).filter(|digits| digits.len() == 1 && digits != "0")?;
    let next = read_digits(words.get(at + 1)?)?;
    let is_digit = |word: &&String| read_digits(word).is_some_and(|digits| digits.len() == 1);
    let (joined, end): (String, usize) = match next.len() {
        2 => (first + &next, at + 2),
        _ => {
            let digits = words[at..].iter().take_while(is_digit);
            let digits: Vec<String> = digits.filter_map(|word| read_digits(word)).collect();
            (digits.concat(), at + digits.len())
        }
    };
    let parts = words[at..end].iter();
    let count_in_words = parts.filter(|word| is_in_words(word)).count();
    let is_dictated = match in_words {
        true => count_in_words == end - at,
        false => count_in_words == 0 && end >= at + MIN_SEPARATE_DIGITS,
    };
    let is_floor = words.get(end).is_some_and(|next| may_follow_floor(next));
    (is_dictated && !is_floor && end > at + 1 && joined.len() <= HouseNumber::MAX_DIGITS)
        .then_some((joined, end))
}

/// A house number with a letter that is dictated as a word: `6a` for `6 anton` and `6 a van anton`.
fn join_spelled_letter(words: &[String], at: usize) -> Option<(String, usize)> {
    let is_number = at > 0 && is_digits(&words[at]);
    let number = is_number.then_some(&words[at])?;
    let rest: Vec<&str> = words[at + 1..].iter().take(3).map(String::as_str).collect();
    let (letter, count) = match *rest {
        [letter, "van", word] if letter.len() == 1 && word.starts_with(letter) => (word, 3),
        [word, ..] => (word, 1),
        [] => return None,
    };
    // The names of most towns have one word. If more words follow, `letter` is a first name and not a dictated letter.
    let is_before_name = words.len() > at + 1 + count + 1;
    let letter = spelled_letter(letter).filter(|_| !is_before_name)?;
    Some((format!("{number}{letter}"), at + 1 + count))
}

/// The letter for which people dictate this word: `a` for `anton`.
pub(super) fn spelled_letter(word: &str) -> Option<&str> {
    SPELLING_WORDS.contains(&word).then(|| &word[..1])
}

/// Joins the digits of the words from `first` on until there are `count` digits, and returns the digits with the position after the last
/// word. `None` unless two or more words have exactly `count` digits together.
fn join_digits(words: &[String], first: usize, count: usize) -> Option<(String, usize)> {
    let (mut digits, mut end) = (String::new(), first);
    while digits.len() < count {
        digits.push_str(&read_digits(words.get(end)?)?);
        end += 1;
    }
    (digits.len() == count && end > first + 1).then_some((digits, end))
}

/// The two letters at a position, in one word or in two, and the position after them.
fn join_letters(words: &[String], at: usize) -> Option<(String, usize)> {
    let first = words.get(at)?;
    let (letters, end) = match first.len() {
        1 => (format!("{first}{}", words.get(at + 1)?), at + 2),
        _ => (first.clone(), at + 1),
    };
    let is_pair = letters.len() == 2 && is_lowercase(&letters);
    is_pair.then_some((letters, end))
}

/// The digits of a word that is written in digits, or is a numeral below a hundred.
fn read_digits(word: &str) -> Option<String> {
    match word {
        "nul" => Some("0".to_owned()),
        _ if is_digits(word) => Some(word.to_owned()),
        _ => below_hundred(word).map(|value| value.to_string()),
    }
}

fn is_in_words(word: &str) -> bool {
    !begins_with_digit(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::parse::typed_words;

    #[test]
    fn a_dictated_postcode_is_joined() {
        #[track_caller]
        fn case(typed: &str, expected: &str) {
            assert_eq!(typed_words(typed).join(" "), expected, "{typed:?}");
        }
        case("7 7 6 1 D T 25", "7761 dt 25");
        case("dijk 25 7 7 6 1 d t ede", "dijk 25 7761 dt ede");
        case("zeven zeven zes een d t nummer 5", "7761 dt nummer 5");
        case("zevenenzeventig eenenzestig dt 5", "7761 dt 5");
        case("dijk 7 7 6 1 dt", "dijk 7 7 6 1 dt");
        case("dijk tien twaalf te ede", "dijk tien twaalf te ede");
    }

    #[test]
    fn a_dictated_house_number_is_joined() {
        #[track_caller]
        fn case(typed: &str, expected: Option<&str>) {
            let words: Vec<String> = typed.split(' ').map(String::from).collect();
            let read = join_separate_digits(&words)
                .or_else(|| join_hundreds(&words))
                .or_else(|| read_dictated_number(&words));
            let read = read.map(|words| words.join(" "));
            assert_eq!(read.as_deref(), expected, "{typed:?}");
        }
        case("dijk 1 8 0 ede", Some("dijk 180 ede"));
        case("dijk een acht nul", Some("dijk 180"));
        case("dijk een tachtig", Some("dijk 180"));
        case("dijk 600 86 ede", Some("dijk 686 ede"));
        case("dijk 1200 5", Some("dijk 1205"));
        case("dijk 600 05", None);
        case("dijk 00 5", None);
        case("dijk 1 45 ede", None);
        case("dijk 1 2 ede", None);
        case("dijk een twee hoog", None);
        case("dijk 6 anton ede", Some("dijk 6a ede"));
        case("dijk 6 a van anton ede", Some("dijk 6a ede"));
        case("6 anton", None);
        case("dijk 12 45", None);
        case("dijk 145", None);
        case("dijk vijf en twintig", None);
        case("dijk zes honderd vijf", None);
    }
}
