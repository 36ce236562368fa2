//! Every way to read one of the words as the house number.

use postduif_schema::HouseNumber;

use super::number::TypedNumber;
use super::reading::Reading;

/// Words that the letter and the addition may span.
const MAX_SUFFIX_WORDS: usize = 3;

/// Every way to find a house number among the words: first without one, then the last number first.
pub(super) fn readings(words: &[&str]) -> Vec<Reading> {
    let whole = Reading {
        words: to_strings(words),
        ..Reading::default()
    };
    let at = (0..words.len()).rev();
    let numbered = at.flat_map(|at| readings_with_number_at(words, at));
    std::iter::once(whole).chain(numbered).collect()
}

/// The readings with the house number at a position, the longest suffix first.
fn readings_with_number_at(words: &[&str], position: usize) -> Vec<Reading> {
    let Some((number, attached_suffix)) = split_number(words[position]) else {
        return Vec::new();
    };
    let mut suffix = attached_suffix.to_owned();
    let mut readings = Vec::new();
    for suffix_words in 0..=MAX_SUFFIX_WORDS {
        let end = position + 1 + suffix_words;
        if suffix_words > 0 {
            let Some(next) = words
                .get(end - 1)
                .filter(|word| is_possible_suffix_word(word))
            else {
                break;
            };
            suffix.push_str(next);
        }
        if !is_possible_suffix(&suffix) {
            break;
        }
        let between = position > 0 && end < words.len();
        readings.push(Reading {
            words: to_strings(&words[..position])
                .into_iter()
                .chain(to_strings(&words[end..]))
                .collect(),
            split_at: between.then_some(position),
            number: Some(TypedNumber {
                number,
                may_continue: suffix.is_empty() && end == words.len(),
                suffix: suffix.clone(),
                is_leading: position == 0 && !words[end..].is_empty(),
            }),
            postcode: None,
        });
    }
    readings.reverse();
    readings
}

/// Splits `12a1` into 12 and `a1`; `None` if the digits are not a house number.
fn split_number(word: &str) -> Option<(HouseNumber, &str)> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let (number, suffix) = word.split_at(digits);
    let number = number.parse().ok()?;
    suffix.is_ascii().then_some((number, suffix))
}

/// Whether a text may be an addition, or a letter with an addition.
fn is_possible_suffix(text: &str) -> bool {
    let with_letter = text.starts_with(|c: char| c.is_ascii_alphabetic());
    text.len() <= 4 + usize::from(with_letter)
}

fn is_possible_suffix_word(word: &str) -> bool {
    word.len() <= 5 && word.is_ascii()
}

fn to_strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}
