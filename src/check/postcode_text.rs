//! Finds a postcode in the text of a cell, and splits it from the city or the house number beside it.

use postduif_schema::Postcode;

use super::cell_text::{is_separator, squashed, trim_separators};
use super::country::is_abroad;

/// Words beside a postcode that only name it.
const POSTCODE_LABELS: [&str; 3] = ["pc", "postcode", "zip"];

/// The start and the end of the last postcode in a text.
pub(super) fn find_postcode(text: &str) -> Option<(usize, usize)> {
    digit_word_starts(text).into_iter().rev().find_map(|from| {
        let rest = &text[from..];
        let letters = rest.get(4..)?.trim_start();
        let to = rest.len() - letters.len() + 2;
        let found = rest.get(..to)?;
        let ends = !rest[to..].starts_with(char::is_alphabetic);
        (ends && Postcode::from_input(found).is_ok()).then_some((from, from + to))
    })
}

/// The postcode of a text that otherwise holds only marks, a name or code of the Netherlands, or a label: `NL-1234 AB`, `Postcode: 1234 AB.`.
pub(super) fn postcode_with_label(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let after_country = text.get(..2).filter(|code| code.eq_ignore_ascii_case("nl"));
    let text = after_country.map_or(text, |code| {
        text[code.len()..].trim_start_matches(['-', ' '])
    });
    let (from, to) = find_postcode(text)?;
    let beside = [&text[..from], &text[to..]].concat();
    let has_digit = beside.contains(|c: char| c.is_ascii_digit());
    (is_country_or_label(&beside) && !has_digit).then_some(&text[from..to])
}

/// Whether a text has no letters other than a name or code of the Netherlands, or a label of a postcode.
fn is_country_or_label(text: &str) -> bool {
    POSTCODE_LABELS.contains(&&*squashed(text)) || !is_abroad(text)
}

/// Splits `1234 AB Weesp` or `Weesp (1234 AB)` into postcode and city; `None` if one of them is missing.
pub(super) fn split_postcode_and_city(text: &str) -> Option<(&str, &str)> {
    let (from, to) = find_postcode(text)?;
    let city = match from {
        0 => trim_separators(&text[to..]),
        _ if text[to..].contains(char::is_alphanumeric) => return None,
        _ => trim_separators(&text[..from]).trim_end_matches([' ', '(']),
    };
    let last_word = city.rsplit(' ').next().unwrap_or_default();
    let is_city = from == 0 || !last_word.contains(|c: char| c.is_ascii_digit());
    (is_city && !is_country_or_label(city)).then_some((&text[from..to], city))
}

/// Splits `1234 AB 10` or `1234AB10` into postcode and house number.
pub(super) fn split_postcode_and_number(text: &str) -> Option<(&str, &str)> {
    let (from, to) = find_postcode(text)?;
    let number =
        text[to..].trim_start_matches(|c| c == '-' || c == '/' || c == ' ' || is_separator(c));
    let is_number = number.starts_with(|c: char| c.is_ascii_digit());
    (from == 0 && is_number).then_some((&text[..to], number))
}

/// Splits `1234 Weesp` into digits and city. Without four digits in front, returns empty digits and the whole text.
pub(super) fn split_four_digits(city: &str) -> (&str, &str) {
    match city.split_once(' ') {
        Some((digits, city)) if is_postcode_digits(digits) => (digits, city.trim_start()),
        _ => ("", city),
    }
}

/// Whether a text has the digits of a postcode without its letters.
pub(super) fn is_postcode_digits(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())
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
        for text in [
            "1234AB",
            "Weesp",
            "Dijk 5 1234AB Weesp",
            "Dijk 5 1234AB",
            "1234 Weesp",
            "",
        ] {
            assert_eq!(split_postcode_and_city(text), None, "{text}");
        }
    }
}
