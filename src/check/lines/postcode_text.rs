//! Finds a postcode in the text of a cell, and splits it from the city or the house number beside it.

use postduif_schema::{Postcode, squashed};

use super::country::is_abroad;
use crate::check::cell_text::{is_separator, trim_separators};
use crate::search::{begins_with_digit, has_digit, is_four_digits};

/// Words before a postcode that only name it or its country.
const POSTCODE_LABELS: [&str; 4] = ["pc", "postcode", "zip", "nl"];

/// A postcode in a text.
pub(in crate::check) struct FoundPostcode<'a> {
    /// The text before the postcode, without a label such as `NL-`.
    pub(in crate::check) before: &'a str,
    pub(in crate::check) postcode: &'a str,
    pub(super) after: &'a str,
}

/// Maximum length in bytes of a text in which a postcode is looked for.
const MAX_TEXT_BYTES: usize = 1_000;

/// Finds the last postcode in a text. `None` for a text of more than [`MAX_TEXT_BYTES`].
pub(in crate::check) fn find_postcode(text: &str) -> Option<FoundPostcode<'_>> {
    if text.len() > MAX_TEXT_BYTES {
        return None;
    }
    let mut starts = text
        .char_indices()
        .rev()
        .filter(|(_, c)| c.is_ascii_digit());
    starts.find_map(|(from, _)| {
        let (before, rest) = text.split_at(from);
        let letters = rest.get(4..)?.trim_start();
        let to = rest.len() - letters.len() + 2;
        let (postcode, after) = rest.split_at_checked(to)?;
        let is_end = !after.starts_with(char::is_alphabetic);
        if !is_end || Postcode::from_input(postcode).is_err() {
            return None;
        }
        Some(FoundPostcode {
            before: before_postcode(before)?,
            postcode,
            after,
        })
    })
}

/// `text` is the text before a postcode. Returns it without a label at its end, such as `NL-`; `None` if the postcode would begin inside a
/// word.
fn before_postcode(text: &str) -> Option<&str> {
    let marked = text.trim_end_matches([' ', '-', ':', '.']);
    let start = marked.rfind(|c: char| !c.is_alphanumeric());
    let start = start.map_or(0, |at| {
        at + marked[at..].chars().next().map_or(0, char::len_utf8)
    });
    let (rest, word) = marked.split_at(start);
    let is_label = POSTCODE_LABELS.contains(&&*word.to_lowercase());
    let is_inside = text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '/' | '.'));
    match is_label {
        true => Some(rest),
        false => (!is_inside).then_some(text),
    }
}

/// The postcode of a text that otherwise holds only marks, a name or code of the Netherlands, or a label: `NL-1234 AB`, `Postcode: 1234 AB.`.
pub(in crate::check) fn postcode_with_label(text: &str) -> Option<&str> {
    let found = find_postcode(text)?;
    let beside = [found.before, found.after].concat();
    (is_country_or_label(&beside) && !has_digit(&beside)).then_some(found.postcode)
}

/// Whether a text has no letters other than a name or code of the Netherlands, or a label of a postcode.
fn is_country_or_label(text: &str) -> bool {
    POSTCODE_LABELS.contains(&&*squashed(text)) || !is_abroad(text)
}

/// Splits `1234 AB Weesp` or `Weesp (1234 AB)` into postcode and city; `None` if one of them is missing.
pub(in crate::check) fn split_postcode_and_city(text: &str) -> Option<(&str, &str)> {
    let found = find_postcode(text)?;
    let is_first = found.before.trim().is_empty();
    let city = match is_first {
        true => trim_separators(found.after),
        false if found.after.contains(char::is_alphanumeric) => return None,
        false => trim_separators(found.before).trim_end_matches([' ', '(']),
    };
    let last_word = city.rsplit(' ').next().unwrap_or_default();
    let is_city = is_first || !has_digit(last_word);
    (is_city && !is_country_or_label(city)).then_some((found.postcode, city))
}

/// Splits `1234 AB 10` or `1234AB10` into postcode and house number.
pub(in crate::check) fn split_postcode_and_number(text: &str) -> Option<(&str, &str)> {
    let found = find_postcode(text)?;
    let is_mark = |c| c == '-' || c == '/' || c == ' ' || is_separator(c);
    let number = found.after.trim_start_matches(is_mark);
    (found.before.trim().is_empty() && begins_with_digit(number))
        .then_some((found.postcode, number))
}

/// Splits `1234 Weesp` into digits and city. Without four digits in front, returns empty digits and the whole text.
pub(in crate::check) fn split_four_digits(city: &str) -> (&str, &str) {
    match city.split_once(' ') {
        Some((digits, city)) if is_four_digits(digits) => (digits, city.trim_start()),
        _ => ("", city),
    }
}

/// The positions of the words that begin with a digit.
pub(super) fn digit_word_starts(text: &str) -> Vec<usize> {
    let mut before = ' ';
    let mut starts = Vec::new();
    for (at, c) in text.char_indices() {
        if c.is_ascii_digit() && !before.is_alphanumeric() && !matches!(before, '-' | '/' | '.') {
            starts.push(at);
        }
        before = c;
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postcode_and_city_are_split() {
        let both = Some(("1234 AB", "Weesp"));
        assert_eq!(split_postcode_and_city("1234 AB  Weesp"), both);
        assert_eq!(split_postcode_and_city("1234 AB, Weesp"), both);
        assert_eq!(split_postcode_and_city("Weesp 1234 AB"), both);
        assert_eq!(split_postcode_and_city("Weesp (1234 AB)"), both);
        assert_eq!(split_postcode_and_city("NL-1234 AB Weesp"), both);
        assert_eq!(split_postcode_and_city("NL - 1234 AB Weesp"), both);
        assert_eq!(split_postcode_and_city("NL1234 AB, Weesp"), both);
        assert_eq!(split_postcode_and_city("Weesp, pc. 1234 AB"), both);
        for text in [
            "1234AB",
            "Weesp",
            "Dijk 5 1234AB Weesp",
            "Dijk 5 1234AB",
            "1234 Weesp",
            "XNL1234AB Weesp",
            "",
        ] {
            assert_eq!(split_postcode_and_city(text), None, "{text}");
        }
    }
}
