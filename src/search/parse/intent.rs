//! Lists every way to read the typed text as a name, a house number and a postcode.
//!
//! This module does not choose between the readings. `Plein 1944 12` may be number 12 of Plein 1944 or number 1944-12 of Plein,
//! and only the register says which street exists. So the search tries each reading and keeps the best hits. Source for how
//! people write numbers and postcodes: the project's list of Dutch address facts.

use super::postcode::is_postcode;
use super::postcode_readings;
use super::reading::Reading;
use super::typed_words::typed_words;
use super::unit_words::is_number_label;
use crate::search::word_shape::{begins_with_digit, has_digit, is_four_digits, is_name};

/// Maximum number of words that are read. Later words are ignored.
pub(super) const MAX_WORDS: usize = 12;

/// Maximum number of readings that are tried. The last readings are dropped.
pub(super) const MAX_READINGS: usize = 16;

/// All readings of a text, the likeliest first.
#[derive(Debug, PartialEq, Eq)]
pub struct Intent {
    /// At least one, unless the text has no words.
    pub readings: Vec<Reading>,
    /// Whether the letters of the postcode may be the article of a street, as in `8251 De Noord 68`.
    pub may_begin_with_article: bool,
}

impl Intent {
    /// Lists the readings of the typed text.
    pub fn parse(typed: &str) -> Self {
        Self::from_words(&typed_words(typed))
    }

    /// Lists the readings of the words of the typed text.
    pub fn from_words(words: &[String]) -> Self {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let words_with_postcode_letters =
            drop_labels_and_country(&words, is_postcode_letters, |_, _| false);
        let words_without_labels = drop_labels_and_country(&words, |_, _| false, is_before_town);
        let mut readings = readings_of(&words_with_postcode_letters);
        if words_with_postcode_letters != words_without_labels {
            readings.extend(readings_of(&words_without_labels));
        }
        if let Some(joined) = join_ordinal(&words) {
            let joined: Vec<&str> = joined.iter().map(String::as_str).collect();
            readings.extend(readings_of(&joined));
        }
        if ends_with_country(&words) && !words.iter().any(|word| has_digit(word)) {
            // The country may be the beginning of a street: Hollandiastraat.
            readings.extend(readings_of(&words));
        }
        readings.truncate(MAX_READINGS);
        Self {
            readings,
            may_begin_with_article: may_begin_with_article(&words),
        }
    }
}

fn may_begin_with_article(words: &[&str]) -> bool {
    let is_letters = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let mut triples = words.windows(3);
    triples.any(|triple| is_four_digits(triple[0]) && triple[1] == "de" && is_letters(triple[2]))
}

/// Reads a digit and `de` at the beginning of the text as an ordinal: `2e Dijk 5` for `2 de Dijk 5`. The search tries the text as typed
/// too, because in `8 de Peppel` the digit is the house number.
fn join_ordinal(words: &[&str]) -> Option<Vec<String>> {
    let [number, "de", name, ..] = words else {
        return None;
    };
    let is_digit = matches!(number.as_bytes(), [b'1'..=b'9']);
    let rest = words[2..].iter().map(|&word| word.to_owned());
    (is_digit && is_name(name)).then(|| std::iter::once(format!("{number}e")).chain(rest).collect())
}

fn readings_of(words: &[&str]) -> Vec<Reading> {
    let words = &words[..words.len().min(MAX_WORDS)];
    postcode_readings::readings(words)
}

/// Whether a word such as `nr` is the letters of a postcode and not the label of a number, as in `8316 NR 6`.
fn is_postcode_letters(words: &[&str], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    before.is_some_and(|digits| is_postcode(digits, words[at]))
}

/// Whether a word after a house number introduces a town, as `te` does in `12a te Almere`.
fn is_before_town(words: &[&str], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    matches!(words[at], "te" | "in")
        && at + 1 < words.len()
        && before.is_some_and(|before| begins_with_digit(before))
}

/// Drops each label of a house number (`nr`) for which `is_kept` is false. Also drops a country at the end, and each word for
/// which `is_dropped` is true.
fn drop_labels_and_country<'a>(
    words: &[&'a str],
    is_kept: impl Fn(&[&str], usize) -> bool,
    is_dropped: impl Fn(&[&str], usize) -> bool,
) -> Vec<&'a str> {
    let is_number_label = |at: usize| {
        let next = words.get(at + 1);
        is_number_label(words[at])
            && at > 0
            && !is_kept(words, at)
            && next.is_some_and(|next| begins_with_digit(next))
    };
    let country = |at: usize| at + 1 == words.len() && ends_with_country(words);
    let kept = (0..words.len())
        .filter(|&at| !is_number_label(at) && !country(at) && !is_dropped(words, at));
    kept.map(|at| words[at]).collect()
}

/// Whether the last word is a country, and the words before it are not only a house number.
fn ends_with_country(words: &[&str]) -> bool {
    let country = ["nederland", "netherlands", "holland"];
    let last = words
        .split_last()
        .filter(|(last, _)| country.contains(last));
    last.is_some_and(|(_, before)| !before.is_empty() && !is_house_number(before))
}

/// Whether the words are only a house number, so that the word after them begins the name of a street. Four digits do not count as a house
/// number here, because they may be a postcode.
fn is_house_number(words: &[&str]) -> bool {
    let digits = |word: &str| word.bytes().take_while(u8::is_ascii_digit).count();
    matches!(words, [number] if matches!(digits(number), 1..=3 | 5))
}
