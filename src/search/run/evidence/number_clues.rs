//! Finds the house numbers in a text, also those that are written in words or with letters that look like digits.

use super::word_set::WordSet;
use crate::search::{NumberToken, number_tokens, numeral_tokens};

/// Maximum number of digits of a house number.
const MAX_NUMBER_DIGITS: usize = 5;

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
    push_numbers_with_last_letter(words, &mut numbers);
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
    if !(2..=MAX_NUMBER_DIGITS).contains(&word.len()) || !has_letter {
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
    let is_digits = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
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

/// If the text ends with a single letter, adds each house number with that letter, because some people write it after the town:
/// `Dijk 12 Ede a`.
fn push_numbers_with_last_letter(words: &[String], numbers: &mut Vec<(NumberToken, WordSet)>) {
    let Some(at) = words.len().checked_sub(1) else {
        return;
    };
    let letter = &words[at];
    let is_digit = |c: char| c.is_ascii_digit();
    // After another number, the letter belongs to that number.
    let is_after_number = at > 0 && words[at - 1].ends_with(is_digit);
    if letter.len() != 1 || letter.starts_with(is_digit) || is_after_number {
        return;
    }
    let before = numbers
        .iter()
        .filter(|(token, _)| token.number.suffix.is_empty() && token.end < at);
    let with_letter = before.map(|(token, words)| {
        let mut token = token.clone();
        token.number.suffix.clone_from(letter);
        token.number.word_starts.push(0);
        (token, words.union(WordSet::from_range(at..at + 1)))
    });
    let with_letter: Vec<_> = with_letter.collect();
    numbers.extend(with_letter);
}
