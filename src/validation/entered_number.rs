//! Reads a house number as a person entered it, with letter and addition in one text: `12a-3`.
//!
//! Source: decisions.md, section Parameters. The text must begin with a house number. A fraction, 0 or a negative number is not
//! a house number.

use postduif_schema::HouseNumber;

use crate::search::is_unit_word;

/// A house number with the letter and the addition that were entered in the same field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnteredNumber {
    /// The number.
    pub number: HouseNumber,
    /// The letter after the number.
    pub letter: Option<String>,
    /// The text after number and letter.
    pub addition: Option<String>,
}

impl EnteredNumber {
    /// A number without letter and addition.
    #[must_use]
    pub fn from_number(number: HouseNumber) -> Self {
        Self {
            number,
            letter: None,
            addition: None,
        }
    }

    /// Reads a text; `None` if it does not begin with a house number.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = text.split_at(digits);
        let number: HouseNumber = number.parse().ok()?;
        let is_fraction = |rest: &str| {
            let fraction = rest.strip_prefix(['.', ',']);
            fraction.is_some_and(|fraction| fraction.starts_with(|c: char| c.is_ascii_digit()))
                || rest.starts_with(char::is_numeric)
        };
        if is_fraction(rest) {
            return None;
        }
        let is_separator = |c: char| !c.is_alphanumeric();
        let rest = without_unit_word(rest.trim_start_matches(is_separator));
        let mut letters = rest.chars();
        let (letter, addition) = match (letters.next(), letters.next()) {
            (Some(letter), next)
                if letter.is_alphabetic() && !next.is_some_and(char::is_alphabetic) =>
            {
                (Some(letter.to_string()), &rest[letter.len_utf8()..])
            }
            _ => (None, rest),
        };
        let addition = addition.trim_matches(is_separator);
        Some(Self {
            number,
            letter,
            addition: (!addition.is_empty()).then(|| addition.to_owned()),
        })
    }
}

/// Removes the house number from the beginning of a text. `None` if the text begins with anything else, such as a longer
/// number.
pub(super) fn strip_number(text: &str, number: HouseNumber) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at(digits);
    (digits.parse() == Ok(number.get())).then_some(rest)
}

/// Splits a street before the last word that begins with the house number. Returns the name, and the text after the number.
pub(super) fn split_number_at_end(street: &str, number: HouseNumber) -> Option<(&str, &str)> {
    let mut spaces = street.rmatch_indices(' ');
    spaces.find_map(|(at, _)| {
        let after = strip_number(&street[at + 1..], number)?;
        Some((&street[..at], after))
    })
}

/// A unit word that [`is_unit_word`] does not accept, because type-ahead reads it as the beginning of a name such as Deurne.
const DOOR: &str = "deur";

/// Removes a first word such as `kamer` or `app.` if a number, a single letter or a unit such as `K12` follows it.
pub(super) fn without_unit_word(text: &str) -> &str {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (word, rest) = text.split_at(letters);
    let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    let mut next = rest.chars();
    let is_unit = match (next.next(), next.next()) {
        (Some(first), second) => {
            first.is_ascii_digit()
                || first.is_ascii_alphabetic()
                    && second.is_none_or(|second| second.is_ascii_digit())
        }
        (None, _) => false,
    };
    let word = word.to_ascii_lowercase();
    match is_unit && (is_unit_word(&word) || word == DOOR) {
        true => rest,
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letter_and_addition_are_read_after_the_number() {
        #[track_caller]
        fn case(text: &str, number: u32, letter: &str, addition: &str) {
            let entered = EnteredNumber::parse(text).expect("a house number");
            let text_of = |text: Option<String>| text.unwrap_or_default();
            assert_eq!(
                (
                    entered.number.get(),
                    text_of(entered.letter),
                    text_of(entered.addition)
                ),
                (number, letter.to_owned(), addition.to_owned()),
                "{text:?}"
            );
        }
        case("12", 12, "", "");
        case(" 12 ", 12, "", "");
        case("12a", 12, "a", "");
        case("12a-3", 12, "a", "3");
        case("12 A 3", 12, "A", "3");
        case("12-3", 12, "", "3");
        case("12 bis", 12, "", "bis");
        case("12-bis/2", 12, "", "bis/2");
        case("12/0039", 12, "", "0039");
        case("18 kamer 1", 18, "", "1");
        case("2 app. 07", 2, "", "07");
        case("12 unit B", 12, "B", "");
        case("12 wng 4", 12, "", "4");
        case("12 huis", 12, "", "huis");
        case("12 é", 12, "é", "");
    }

    #[test]
    fn a_text_without_a_house_number_is_refused() {
        for text in [
            "", "a12", "0", "-1", "12.5", "12,5", "100000", "12½", "\u{661}2",
        ] {
            assert_eq!(EnteredNumber::parse(text), None, "{text:?}");
        }
    }
}
