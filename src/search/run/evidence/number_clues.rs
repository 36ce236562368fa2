//! Finds the house numbers in a text, also those that are written in words or with letters that look like digits.

use postduif_schema::HouseNumber;

use super::word_set::WordSet;
use crate::search::parse::{
    NumberToken, is_letter_of_unit, is_spoken_mark, is_unit_label, is_unit_word, month_number,
    number_tokens, numeral_tokens,
};
use crate::search::word_shape::{has_digit, is_digits, is_letter, is_postcode_digits};

/// Maximum length of a suffix that does not directly follow its house number.
const MAX_SEPARATE_SUFFIX_LENGTH: usize = 5;

/// Every house number with its words, except numbers that share a word with `taken`.
pub(super) fn find_numbers(words: &[String], taken: WordSet) -> Vec<(NumberToken, WordSet)> {
    let as_typed = (0..words.len()).flat_map(|at| number_tokens(words, at));
    let in_words = (0..words.len()).flat_map(|at| numeral_tokens(words, at));
    let tokens = as_typed
        .chain(look_alike_numbers(words))
        .chain(numbers_with_separator(words))
        .chain(in_words);
    let tokens = tokens.map(|token| {
        let words = WordSet::from_range(token.position..token.end);
        (token, words)
    });
    let mut numbers: Vec<_> = tokens.filter(|(_, words)| !words.overlaps(taken)).collect();
    push_numbers_with_suffix_apart(words, taken, &mut numbers);
    numbers
}

/// House numbers in which a letter was typed for the digit that it looks like: `l2`, `4O`, `S1`.
fn look_alike_numbers(words: &[String]) -> Vec<NumberToken> {
    let mut tokens = Vec::new();
    for at in 0..words.len() {
        if let Some(digits) = look_alike_digits(&words[at]) {
            let mut read = words.to_vec();
            read[at] = digits;
            tokens.extend(number_tokens(&read, at));
        }
    }
    tokens
}

/// A word of digits and letters with the letters read as digits; `None` if the word is not a number in this reading. At the end of a
/// word, only `i`, `l` and `o` are read as digits, because other letters there are more likely house letters.
fn look_alike_digits(word: &str) -> Option<String> {
    let has_letter = word.bytes().any(|byte| byte.is_ascii_lowercase());
    if !(2..=HouseNumber::MAX_DIGITS).contains(&word.len()) || !has_letter {
        return None;
    }
    let digit = |(at, c): (usize, char)| match c {
        '0'..='9' => Some(c),
        'i' | 'l' => Some('1'),
        'o' => Some('0'),
        _ if at + 1 == word.len() => None,
        's' => Some('5'),
        'b' => Some('8'),
        'z' => Some('2'),
        'g' => Some('6'),
        _ => None,
    };
    word.char_indices().map(digit).collect()
}

/// House numbers of four or five digits with a separator before the last three: `1.409`.
fn numbers_with_separator(words: &[String]) -> Vec<NumberToken> {
    let may_be = |at: &usize| {
        let pair = [&*words[*at], &*words[*at + 1]];
        pair[0].len() <= 2 && pair[1].len() == 3 && pair.into_iter().all(is_digits)
    };
    let mut tokens = Vec::new();
    for at in (0..words.len().saturating_sub(1)).filter(may_be) {
        let mut read = words.to_vec();
        let last = read.remove(at + 1);
        read[at].push_str(&last);
        tokens.extend(
            number_tokens(&read, at)
                .into_iter()
                .map(|token| NumberToken {
                    end: token.end + 1,
                    ..token
                }),
        );
    }
    tokens
}

/// Adds each house number once more with a suffix from a later word: a single letter at the end of the text or after a unit word, or
/// otherwise the next word with a digit, as in `Dijk 12 Ede a`, `Dijk 12 Ede unit 3` and `Dijk 12 plek 3`.
fn push_numbers_with_suffix_apart(
    words: &[String],
    taken: WordSet,
    numbers: &mut Vec<(NumberToken, WordSet)>,
) {
    let mut apart = Vec::new();
    for (token, set) in numbers.iter() {
        if !token.number.suffix.is_empty() {
            continue;
        }
        let later = (token.end + 1..words.len()).find(|&at| is_suffix_apart(words, at));
        let Some(at) = later else { continue };
        // Only a unit word with its number outweighs a suffix directly after the number: `60 3 hoog kamer 20`. Other labels may describe the
        // building: `4-4 ede, villa 6 personen`.
        let is_labelled = is_unit_word(&words[at - 1]) && !is_letter(&words[at]);
        if !is_labelled && has_suffix_beside(words, token, numbers) {
            continue;
        }
        // In `12 plek d 18`, the letter may belong to the suffix.
        let has_letter = at > token.end + 1 && is_letter(&words[at - 1]);
        for first in at - usize::from(has_letter)..=at {
            let own = WordSet::from_range(first_label(words, first, token.end)..at + 1);
            if own.overlaps(taken) {
                continue;
            }
            let mut token = token.clone();
            token.number.suffix = words[first..=at].concat();
            token.number.word_starts.push(0);
            token.number.may_continue = false;
            apart.push((token, set.union(own)));
        }
    }
    numbers.extend(apart);
}

/// Whether a suffix directly follows a house number: 3 in `12-3 ede kamer a`, and k in `12k ede kamer a`.
fn has_suffix_beside(
    words: &[String],
    token: &NumberToken,
    numbers: &[(NumberToken, WordSet)],
) -> bool {
    let is_attached = words[token.position].ends_with(|c: char| c.is_ascii_lowercase());
    let mut others = numbers.iter().map(|(other, _)| other);
    // The town Een is not the suffix 1.
    let is_in_digits = |other: &NumberToken| {
        let suffix = &words[other.position + 1..other.end.max(other.position + 1)];
        suffix.iter().any(|word| has_digit(word))
    };
    is_attached
        || others.any(|other| {
            other.position == token.position
                && has_digit(&other.number.suffix)
                && is_in_digits(other)
        })
}

/// Whether a word may be the suffix of an earlier house number. A letter that follows a number belongs to that number.
fn is_suffix_apart(words: &[String], at: usize) -> bool {
    let word = &words[at];
    let is_digit = |c: char| c.is_ascii_digit();
    match word.contains(is_digit) {
        true => {
            // In `12 mei`, the number is a day.
            let is_day = words
                .get(at + 1)
                .is_some_and(|next| month_number(next).is_some());
            word.len() <= MAX_SEPARATE_SUFFIX_LENGTH && !is_postcode_digits(word) && !is_day
        }
        false => {
            let is_last = at + 1 == words.len() && !words[at - 1].ends_with(is_digit);
            // In `unit c 185a`, the letter belongs to the longer suffix.
            let is_suffix = |next: &String| {
                next.contains(is_digit)
                    && next.len() <= MAX_SEPARATE_SUFFIX_LENGTH
                    && !is_postcode_digits(next)
            };
            let is_whole = !words.get(at + 1).is_some_and(is_suffix);
            word.len() == 1 && is_last || is_whole && is_letter_of_unit(words, at)
        }
    }
}

/// The position at which the unit words and spoken marks directly before a suffix begin; at least `least`.
fn first_label(words: &[String], suffix: usize, least: usize) -> usize {
    let is_label = |at: &usize| {
        let word = &*words[*at];
        is_unit_label(word) || is_spoken_mark(word)
    };
    let labels = (least..suffix).rev().take_while(is_label).count();
    suffix - labels
}
