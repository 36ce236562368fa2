//! Recognises words that are additions, such as `bis`, and words that only introduce an addition, such as `toev`.

use postduif_schema::squashed;

use crate::search::{has_digit, is_unit_word};

/// Words before or after an addition, as in `1 hoog`. [`is_unit_word`] does not accept them, because type-ahead reads them in another way.
const ADDITION_LABELS: [&str; 3] = ["hoog", "toevoegsel", "floor"];

/// Words that are additions. A word of one or two letters may be an addition even if it is not in this list.
const ADDITION_WORDS: [&str; 16] = [
    "bis", "ter", "rood", "zwart", "wit", "huis", "boven", "beneden", "onder", "links", "rechts",
    "voor", "achter", "midden", "iii", "souterrain",
];

/// Maximum number of letters of a word that is not in [`ADDITION_WORDS`] but may be an addition.
const MAX_UNKNOWN_LETTERS: usize = 2;

/// Maximum number of words of a text without digits that may be an addition. A longer text is not an addition.
const MAX_ADDITION_WORDS: usize = 3;

/// Whether a text has a digit or consists of additions and the words that introduce them.
pub(in crate::check) fn is_number_like(text: &str) -> bool {
    if has_digit(text) {
        return true;
    }
    let words: Vec<String> = words(text).map(squashed).collect();
    words.len() <= MAX_ADDITION_WORDS
        && words.iter().any(|word| is_addition(word))
        && !words.iter().any(|word| is_free_word(word))
}

/// Whether a word has no digits, is not an addition and does not introduce an addition: `bel`.
pub(in crate::check) fn is_free_word(word: &str) -> bool {
    !has_digit(word) && !is_addition(word) && !is_addition_label(word)
}

fn is_addition(word: &str) -> bool {
    word.chars().count() <= MAX_UNKNOWN_LETTERS || ADDITION_WORDS.contains(&word)
}

/// Whether a word only introduces an addition: `toev A`, `unit 3`, `1 hoog`.
fn is_addition_label(word: &str) -> bool {
    is_unit_word(word) || ADDITION_LABELS.contains(&word)
}

pub(in crate::check) fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty())
}

/// The text without the words that only introduce an addition.
pub(in crate::check) fn without_unit_labels(text: &str) -> String {
    let kept = words(text).filter(|word| !is_addition_label(&squashed(word)));
    kept.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_only_introduce_an_addition_are_removed() {
        for (text, expected) in [("toev. A", "A"), ("1 hoog", "1"), ("Unit 3-b", "3 b")] {
            assert_eq!(without_unit_labels(text), expected);
        }
    }
}
