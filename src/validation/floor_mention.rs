//! Reads a floor that was entered in the place of the addition, or beside it: `3 hoog`, `3e verdieping, appartement 20`.
//!
//! Source: decisions.md, section Validation: in Amsterdam, `3 hoog` is the addition 3. Assumption: at a number with more additions than a
//! building has floors, the additions are units, and a floor says little about the unit.

use postduif_schema::{Address, HouseNumberAddition, MAX_SUFFIX_CHARS, fold, squash};

use super::entered_number::without_unit_word;
use crate::search::{has_digit, is_digits, split_digits};
use crate::search::{is_floor_word, is_letter_of_unit, is_ordinal, read_floor, roman_value};

/// The highest addition that may be a floor.
const MAX_FLOOR_ADDITION: u32 = 10;

/// Maximum number of bytes of a text in which a floor is looked for.
const MAX_TEXT_BYTES: usize = 64;

/// The addition of a dwelling above another one.
const UPPER_DWELLING: &str = "BOV";

/// A floor in the text of an addition.
pub(super) struct FloorMention {
    floor: u32,
    /// The other words of the text.
    pub(super) rest: String,
}

impl FloorMention {
    /// Finds a floor in the text after a house number. `None` if the text has no floor, or if the floor word is between two numbers.
    pub(super) fn find(text: &str) -> Option<Self> {
        if text.len() > MAX_TEXT_BYTES {
            return None;
        }
        let words: Vec<String> = fold(text).split(' ').flat_map(split_glued_floor).collect();
        let is_between_numbers = |three: &[String]| {
            is_floor_label(&three[1]) && is_digits(&three[0]) && is_digits(&three[2])
        };
        if words.windows(3).any(is_between_numbers) {
            return None;
        }
        (0..words.len()).find_map(|at| Self::read_at(&words, at))
    }

    /// The floor at a position of the words.
    fn read_at(words: &[String], at: usize) -> Option<Self> {
        let (floor, count) = match &words[at..] {
            [label, number, ..] if is_floor_label(label) => (number.parse().ok()?, 2),
            // Unlike `read_floor`, also reads a number that is too high for a floor.
            [number, word, ..] if is_digits(number) && is_floor_word(word) => {
                (number.parse().ok()?, 2)
            }
            words => read_floor(words)?,
        };
        let rest = [&words[..at], &words[at + count..]].concat().join(" ");
        Some(Self { floor, rest })
    }

    /// Whether the other words are one unit, such as `appartement 20` or `20`.
    pub(super) fn has_unit(&self) -> bool {
        let unit = squash([without_unit_word(&self.rest)]);
        let words: Vec<&str> = self.rest.split(' ').collect();
        Self::find(&self.rest).is_none()
            && unit.len() <= MAX_SUFFIX_CHARS
            && (has_digit(&unit) && !is_ordinal(&unit)
                || is_letter_of_unit(&words, words.len() - 1))
    }

    /// Whether the other words begin with a label, such as `appartement`.
    pub(super) fn is_unit_labelled(&self) -> bool {
        without_unit_word(&self.rest) != self.rest
    }

    /// The unit of which the floor is a part: `c4` for `4e etage C`, and `717` for `7e verd. 17`. `None` if the other words are not one letter
    /// or two digits.
    pub(super) fn unit_on_floor(&self) -> Option<String> {
        match self.rest.as_bytes() {
            [b'a'..=b'z'] => Some(format!("{}{}", self.rest, self.floor)),
            [b'0'..=b'9', b'0'..=b'9'] => Some(format!("{}{}", self.floor, self.rest)),
            _ => None,
        }
    }

    /// Whether a suffix of the register, in upper case, means this floor.
    pub(super) fn is_suffix(&self, known: &str) -> bool {
        let is_number = known.parse() == Ok(self.floor) || roman_value(known) == Some(self.floor);
        is_number || self.floor > 0 && known == UPPER_DWELLING
    }

    /// Whether an address has this floor as its addition.
    pub(super) fn is_addition_of(&self, address: &Address) -> bool {
        addition_number(address) == Some(self.floor)
    }
}

/// Whether the addition of an address is a number that is too high for a floor.
pub(super) fn is_above_floors(address: &Address) -> bool {
    addition_number(address).is_some_and(|number| number > MAX_FLOOR_ADDITION)
}

fn addition_number(address: &Address) -> Option<u32> {
    let addition = address.addition.as_ref().map(HouseNumberAddition::as_str)?;
    addition.parse().ok()
}

/// Separates an ordinal from the floor word that was written together with it: `1` and `etage` for `1eetage`.
fn split_glued_floor(word: &str) -> Vec<String> {
    let (number, rest) = split_digits(word);
    match rest.strip_prefix('e').filter(|rest| is_floor_word(rest)) {
        Some(floor) if !number.is_empty() => vec![number.to_owned(), floor.to_owned()],
        _ => vec![word.to_owned()],
    }
}

/// Whether a word may come before the number of a floor: `etage 3`. The word `hoog` only comes after it.
fn is_floor_label(word: &str) -> bool {
    is_floor_word(word) && word != "hoog"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_floor_is_separated_from_the_unit() {
        #[track_caller]
        fn case(text: &str, expected: Option<(u32, &str, bool)>) {
            let found = FloorMention::find(text);
            let found = found
                .as_ref()
                .map(|found| (found.floor, &*found.rest, found.has_unit()));
            assert_eq!(found, expected, "{text}");
        }
        case("3 hoog", Some((3, "", false)));
        case("3e etage", Some((3, "", false)));
        case("etage 3", Some((3, "", false)));
        case("24eetage", Some((24, "", false)));
        case(
            "3e verdieping, appartement 20",
            Some((3, "appartement 20", true)),
        );
        case("derde verdieping app. B", Some((3, "app b", true)));
        case("app. 20, 3e etage", Some((3, "app 20", true)));
        case("app B 3e etage", Some((3, "app b", true)));
        case("20 3e etage", Some((3, "20", true)));
        case("etage 3 nr 20", Some((3, "nr 20", true)));
        case("3hoog app 20", Some((3, "app 20", true)));
        case("2e etage 14a", Some((2, "14a", true)));
        case("3 hoog achter", Some((3, "achter", false)));
        case("3 hoog 2 hoog", Some((3, "2 hoog", false)));
        case("2e etage d", Some((2, "d", false)));
        case("20 etage 3", None);
        case("20", None);
        case("hoog", None);
        case("", None);
    }

    #[test]
    fn the_floor_may_be_a_part_of_the_unit() {
        for (text, expected) in [
            ("4e etage C", Some("c4")),
            ("C 4 hoog", Some("c4")),
            ("7e verd. 17", Some("717")),
            ("7e verd. 1", None),
            ("4e etage links", None),
            ("4e etage", None),
        ] {
            let unit = FloorMention::find(text).and_then(|mention| mention.unit_on_floor());
            assert_eq!(unit.as_deref(), expected, "{text}");
        }
    }
}
