//! Reads and writes ordinals such as `3e`, `24ste` and `twaalfde`.
//!
//! Source: the Dutch spelling of ordinals. Assumption: people write `e`, `de` or `ste` after any number.

use super::numerals::{below_hundred, write_below_hundred};
use crate::search::word_shape::{begins_with_digit, split_digits};

/// Ordinals that are irregular in Dutch.
const IRREGULAR: [(u32, &str); 2] = [(1, "eerste"), (3, "derde")];

/// Maximum number of digits of an ordinal. Four digits are rather those of a postcode: `8253e`.
const MAX_DIGITS: usize = 3;

/// The Roman numerals that names of streets have instead of an ordinal.
const ROMAN: [(u32, &str); 3] = [(2, "ii"), (3, "iii"), (4, "iv")];

/// Whether a word is an ordinal, in digits or in words.
pub fn is_ordinal(word: &str) -> bool {
    parse_ordinal(word).is_some()
}

/// The value of an ordinal in digits or in words: 24 for `24e`, `24ste` and `vierentwintigste`. Ordinals in words are read up to 99, and
/// those with a Roman numeral up to 4 (`iiie`).
pub(super) fn parse_ordinal(word: &str) -> Option<u32> {
    let (digits, ending) = split_digits(word);
    if digits.is_empty() {
        return parse_words(word).or_else(|| parse_roman(word));
    }
    if digits.len() > MAX_DIGITS {
        return None;
    }
    let value = digits.parse().ok();
    value.filter(|_| matches!(ending, "e" | "de" | "ste"))
}

fn parse_words(word: &str) -> Option<u32> {
    let is_irregular = |value: u32| IRREGULAR.iter().any(|(number, _)| *number == value);
    let regular = || {
        let numeral = word.strip_suffix("ste").or(word.strip_suffix("de"))?;
        below_hundred(numeral).filter(|value| !is_irregular(*value))
    };
    let irregular = IRREGULAR.iter().find(|(_, name)| *name == word);
    irregular.map(|(value, _)| *value).or_else(regular)
}

fn parse_roman(word: &str) -> Option<u32> {
    let numeral = word.strip_suffix("de").or(word.strip_suffix('e'))?;
    let roman = ROMAN.iter().find(|(_, text)| *text == numeral);
    roman.map(|(value, _)| *value)
}

/// The other ways to write an ordinal from 1 to 99: tweede and 2de for `2e`; 2e, 2de and ii for `tweede`. Only ordinals in words get a
/// Roman numeral, because few spellings of a name are tried. Empty if the word is no ordinal.
pub(super) fn other_ordinals(word: &str) -> Vec<String> {
    let Some(value) = parse_ordinal(word).filter(|value| (1..100).contains(value)) else {
        return Vec::new();
    };
    let is_in_digits = begins_with_digit(word);
    let mut forms = vec![
        write_ordinal(value),
        format!("{value}e"),
        format!("{value}{}", ordinal_ending(value)),
    ];
    let roman = ROMAN.iter().find(|(number, _)| *number == value);
    let roman = roman.filter(|_| !is_in_digits);
    forms.extend(roman.map(|(_, text)| (*text).to_owned()));
    forms.retain(|form| form != word);
    forms
}

/// An ordinal from 1 to 99 in words.
fn write_ordinal(value: u32) -> String {
    let irregular = IRREGULAR.iter().find(|(number, _)| *number == value);
    irregular.map_or_else(
        || format!("{}{}", write_below_hundred(value), ordinal_ending(value)),
        |(_, name)| (*name).to_owned(),
    )
}

/// The usual ending of an ordinal: `ste` after 1, 8, and all numbers from 20.
fn ordinal_ending(value: u32) -> &'static str {
    match value {
        1 | 8 | 20.. => "ste",
        _ => "de",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_are_read() {
        let values =
            ["1e", "1ste", "eerste", "derde", "8ste", "achtste", "24ste"].map(parse_ordinal);
        assert_eq!(values, [1, 1, 1, 3, 8, 8, 24].map(Some));
        assert_eq!(parse_ordinal("tweeentwintigste"), Some(22));
        assert_eq!(
            ["iie", "iiide", "ive"].map(parse_ordinal),
            [2, 3, 4].map(Some)
        );
        for word in [
            "24", "e", "de", "aarde", "vier", "12a", "beste", "99999999999e", "8253e", "iii", "ide",
        ] {
            assert_eq!(parse_ordinal(word), None, "{word:?}");
        }
    }

    #[test]
    fn every_ordinal_in_words_is_read_back() {
        for value in 1..100 {
            assert_eq!(parse_ordinal(&write_ordinal(value)), Some(value));
        }
    }

    #[test]
    fn other_ordinals_have_the_same_value() {
        assert_eq!(other_ordinals("1e"), ["eerste", "1ste"]);
        assert_eq!(other_ordinals("2de"), ["tweede", "2e"]);
        assert_eq!(other_ordinals("tweede"), ["2e", "2de", "ii"]);
        assert_eq!(other_ordinals("twaalfde"), ["12e", "12de"]);
        assert!(other_ordinals("100e").is_empty() && other_ordinals("0e").is_empty());
    }
}
