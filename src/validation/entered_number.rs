//! Reads a house number as a person entered it, with letter and addition in one text: `12a-3`.
//!
//! Source: decisions.md, section Parameters. The text must begin with a house number. A fraction, 0 or a negative number is not
//! a house number.

use postduif_schema::{HouseNumber, MAX_SUFFIX_CHARS, fold, is_invisible, squashed};

use crate::search::{begins_with_digit, has_digit, is_digits, split_digits};
use crate::search::{is_floor_word, is_number_label, is_unit_word};

/// Maximum number of bytes of a text that are read as a house number and its suffix.
const MAX_TEXT_BYTES: usize = 200;

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
    pub fn from_number(number: HouseNumber) -> Self {
        Self {
            number,
            letter: None,
            addition: None,
        }
    }

    /// Reads the beginning of a text; `None` if it does not begin with a house number.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_start();
        let text = &text[..text.floor_char_boundary(MAX_TEXT_BYTES)];
        // Spreadsheets put an apostrophe before a number that they keep as text.
        let is_mark = |c: char| c.is_whitespace() || is_invisible(c) || matches!(c, '\'' | '"');
        let text = without_decimals(text.trim_matches(is_mark));
        let (number, rest) = split_digits(text);
        let number: HouseNumber = number.parse().ok()?;
        // ½, ² and digits of other scripts.
        let is_other_numeral = |c: char| c.is_numeric() && !c.is_ascii_digit();
        let decimals = rest.strip_prefix(['.', ',']);
        if decimals.is_some_and(begins_with_digit)
            || rest.trim_start().starts_with(is_other_numeral)
        {
            return None;
        }
        let is_separator = |c: char| !c.is_alphanumeric();
        let rest = rest.trim_start_matches(is_separator);
        // `nr5` is left as it is, because the register has such additions.
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let is_joined = letters > 0 && begins_with_digit(&rest[letters..]);
        let rest = if is_joined {
            rest
        } else {
            without_unit_word(rest)
        };
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

    /// Reads a text in which letters were typed for digits that they look like: `1O`, `l2`. `None` if it has no such letters
    /// or no digit beside them.
    pub fn parse_misread(text: &str) -> Option<Self> {
        let digit = |c: char| match c {
            'o' | 'O' => '0',
            'l' | 'I' => '1',
            other => other,
        };
        let text = text.trim();
        let misread = text
            .find(|c| !char::is_ascii_digit(&digit(c)))
            .unwrap_or(text.len());
        let (number, rest) = text.split_at(misread);
        let read: String = number.chars().map(digit).collect();
        (has_digit(number) && read != number)
            .then(|| Self::parse(&(read + rest)))
            .flatten()
    }

    /// Whether a text says nothing that the suffix of this number does not say: it is empty, the suffix, or a part of the suffix.
    pub(crate) fn has_suffix_text(&self, text: &str) -> bool {
        let text = squashed(text);
        text.is_empty() || text == self.suffix_text() || self.suffix_parts().contains(&text)
    }

    /// Letter and addition in lower case, without spaces and marks; empty for a part that the number lacks.
    pub(super) fn suffix_parts(&self) -> [String; 2] {
        [&self.letter, &self.addition].map(|part| squashed(part.as_deref().unwrap_or_default()))
    }

    /// Letter and addition as one text in lower case, without spaces and marks.
    pub(crate) fn suffix_text(&self) -> String {
        self.suffix_parts().concat()
    }
}

/// Signs that people write before a number. They are in lower case. `.`, `,`, `-` and `(` are not in the list, because `.5` is a fraction,
/// and `-5` and `(5)` are negative numbers.
const NUMBER_SIGNS: [&str; 7] = ["#", ":", "=", "n.", "n°", "nº", "№"];

/// Removes a label before the number, as in `nr. 12`, `n° 12` and `#12`.
pub(crate) fn without_leading_label(text: &str) -> &str {
    let at = text.find(|c: char| c.is_ascii_digit()).unwrap_or_default();
    let (label, number) = text.split_at(at);
    let word = squashed(label);
    let is_label = is_number_label(&word) || ["hnr", "hsnr", "huis"].contains(&&*word);
    let sign = label.trim().to_lowercase();
    match is_label || NUMBER_SIGNS.contains(&&*sign) {
        true => number,
        false => text,
    }
}

/// Removes decimals that are all zero, because spreadsheets export 12 as `12.0` or `12,00`. Three zeros are kept, because `1.000` may be a
/// thousand.
pub(super) fn without_decimals(text: &str) -> &str {
    match text.split_once(['.', ',']) {
        Some((whole, "0" | "00")) if !whole.is_empty() && is_digits(whole) => whole,
        _ => text,
    }
}

/// Removes the house number from the beginning of a text. `None` if the text begins with anything else, such as a longer
/// number.
pub(super) fn strip_number(text: &str, number: HouseNumber) -> Option<&str> {
    let (digits, rest) = split_digits(text);
    (digits.parse() == Ok(number.get())).then_some(rest)
}

/// Splits a street before the last word that begins with the house number. Returns the name of the street, and the text after the number:
/// `Dijk` and `a` for `Dijk 12a`.
pub(super) fn split_number_at_end(street: &str, number: HouseNumber) -> Option<(&str, &str)> {
    let mut spaces = street.rmatch_indices(' ');
    spaces.find_map(|(at, _)| {
        let after = strip_number(&street[at + 1..], number)?;
        Some((&street[..at], after))
    })
}

/// A unit word that [`is_unit_word`] does not accept, because type-ahead reads it as the beginning of a name such as Deurne.
const DOOR_UNIT_WORD: &str = "deur";

/// Whether a folded word may be before the number of a unit.
pub(super) fn is_unit_label(word: &str) -> bool {
    is_unit_word(word) || word == DOOR_UNIT_WORD
}

/// The number of a floor without the word after it: the 2 of `2 hoog` and of `2e etage`. `None` if the text is not a floor.
fn floor_number(text: &str) -> Option<&str> {
    let (number, rest) = split_digits(text);
    let words = fold(rest);
    let after_ordinal = words.strip_prefix('e').unwrap_or_default().trim_start();
    let is_floor = is_floor_word(&words) || is_floor_word(after_ordinal);
    (!number.is_empty() && is_floor).then_some(number)
}

/// Removes a first word such as `kamer` or `app.` if a number, a single letter or a unit such as `K12` follows it. Also removes a word such
/// as `hoog` after the number of a floor.
pub(super) fn without_unit_word(text: &str) -> &str {
    if let Some(floor) = floor_number(text) {
        return floor;
    }
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (word, rest) = text.split_at(letters);
    let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    let word = word.to_ascii_lowercase();
    match begins_with_unit(rest) && is_unit_label(&word) {
        true => rest,
        false => text,
    }
}

/// Whether a text begins with a number, a single letter or a unit such as `K12`, or is a house letter and such a unit together: `gk203`.
fn begins_with_unit(text: &str) -> bool {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let digits = &text[letters..];
    match letters {
        0 => begins_with_digit(digits),
        1 => digits.is_empty() || begins_with_digit(digits),
        _ => {
            let is_number = !digits.is_empty() && is_digits(digits);
            is_number && text.len() <= MAX_SUFFIX_CHARS
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_look_like_digits_are_read_as_digits() {
        #[track_caller]
        fn case(text: &str, expected: Option<u32>) {
            let read = EnteredNumber::parse_misread(text);
            assert_eq!(read.map(|read| read.number.get()), expected, "{text}");
        }
        case("1O", Some(10));
        case("l2", Some(12));
        case("1I a", Some(11));
        case("12", None);
        case("12 o", None);
        case("O", None);
        case("lok 2", None);
        case("", None);
    }

    #[test]
    fn words_around_a_unit_are_removed() {
        for (text, expected) in [
            ("kamer 3", "3"),
            ("app. A", "A"),
            ("2 hoog", "2"),
            ("2e etage", "2"),
            ("1everdieping", "1"),
            ("3-hoog", "3"),
            ("1e Verd.", "1"),
            ("hoog", "hoog"),
            ("2e deur", "2e deur"),
        ] {
            assert_eq!(without_unit_word(text), expected, "{text}");
        }
    }

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
            "", "a12", "0", "-1", "12.5", "12,5", "100000", "12½", "12 ½", "\u{661}2",
        ] {
            assert_eq!(EnteredNumber::parse(text), None, "{text:?}");
        }
    }
}
