//! Combines a house number with the fields of letter and addition.
//!
//! Source: decisions.md, section Parameters. Assumption: a placeholder in a field never removes the letter or the addition that was entered
//! in the field of the number.

use postduif_schema::{MAX_SUFFIX_CHARS, squashed};

use super::entered_number::EnteredNumber;
use super::suffix_placeholder::{SuffixPart, is_placeholder, may_be_placeholder};
use crate::search::{begins_with_digit, has_digit};

/// One way to combine a house number with the fields of letter and addition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldReading {
    /// The number with the combined letter and addition.
    pub number: EnteredNumber,
    /// Whether the reading would lose a part of the entered suffix if its placeholder, such as `0` or `x`, were removed. Such a reading counts
    /// only if an address has this suffix.
    pub is_literal: bool,
    /// The text of the fields, if the reading leaves it out as a note.
    pub ignored_note: Option<String>,
}

impl FieldReading {
    /// Combines a number with the texts of the fields for letter and addition. Returns one or more readings: first the literal ones, and
    /// then the others, the likeliest first. For 12A-3, a form may hold `12a` as the number and `3` as the addition. A field may also
    /// repeat the suffix that the number has, or hold a placeholder such as `n.v.t.`.
    #[must_use]
    pub fn all_readings(
        number: EnteredNumber,
        letter: Option<String>,
        addition: Option<String>,
    ) -> Vec<Self> {
        let fields = EnteredNumber {
            number: number.number,
            letter,
            addition,
        };
        if number.suffix_text().is_empty() {
            let readings = without_repeated_part(fields).into_iter();
            return readings.map(|number| Self::new(number, false)).collect();
        }
        let certain = without_placeholders(&fields);
        let given = EnteredNumber {
            // In the register, a letter is from A to Z, so only an addition can be `0`.
            letter: certain.letter.clone(),
            addition: fields.addition.filter(|text| !is_placeholder(text)),
            number: number.number,
        };
        let literal = match given == certain {
            true => Vec::new(),
            false => combinations(&number, given),
        };
        let literal = literal.into_iter().filter(|reading| *reading != number);
        // Letter `a` and addition `0` are just 12a without the placeholder, so this reading loses nothing.
        let literal = literal.map(|reading| {
            let is_literal = without_placeholders(&reading) != number;
            Self::new(reading, is_literal)
        });
        let note = note_beside(&number, &certain);
        let likely = combinations(&number, certain).into_iter();
        let likely = likely.map(|reading| Self {
            ignored_note: note.clone().filter(|_| reading == number),
            ..Self::new(reading, false)
        });
        literal.chain(likely).collect()
    }

    fn new(number: EnteredNumber, is_literal: bool) -> Self {
        Self {
            number,
            is_literal,
            ignored_note: None,
        }
    }
}

fn without_placeholders(number: &EnteredNumber) -> EnteredNumber {
    let keep =
        |text: &Option<String>, part| text.clone().filter(|text| !may_be_placeholder(text, part));
    EnteredNumber {
        number: number.number,
        letter: keep(&number.letter, SuffixPart::Letter),
        addition: keep(&number.addition, SuffixPart::Addition),
    }
}

/// The ways to combine a number that has a suffix with the suffix of `fields`.
fn combinations(number: &EnteredNumber, fields: EnteredNumber) -> Vec<EnteredNumber> {
    let field_suffix = fields.suffix_text();
    if number.has_suffix_text(&field_suffix) {
        return vec![number.clone()];
    }
    let joined = joined_with(number, &fields);
    let own = note_beside(number, &fields).map(|_| number.clone());
    joined.into_iter().chain([fields]).chain(own).collect()
}

/// The text of `fields`, if it is a note. A text that is longer than any suffix in the register is a note, such as `achterom`, unless it has
/// a digit, as in `kamer 3`.
fn note_beside(number: &EnteredNumber, fields: &EnteredNumber) -> Option<String> {
    let text = fields.suffix_text();
    let is_long = text.chars().count() > MAX_SUFFIX_CHARS;
    let is_note = is_long && !has_digit(&text) && !number.has_suffix_text(&text);
    let parts = [&fields.letter, &fields.addition].into_iter().flatten();
    is_note.then(|| parts.cloned().collect::<Vec<_>>().join(" "))
}

/// The readings of a number with a letter and an addition that may be the same text. If they are, the first reading has both, and the
/// second has only the letter. If the text begins with a digit, it is not a letter, so the only reading has it as the addition.
fn without_repeated_part(number: EnteredNumber) -> Vec<EnteredNumber> {
    let [letter, addition] = number.suffix_parts();
    if letter.is_empty() || letter != addition {
        return vec![number];
    }
    match begins_with_digit(&letter) {
        true => vec![EnteredNumber {
            letter: None,
            ..number
        }],
        false => vec![
            number.clone(),
            EnteredNumber {
                addition: None,
                ..number
            },
        ],
    }
}

/// Joins the suffix of a number and the suffix of `fields` into one suffix, in which the letter is first. `None` if two numbers would run
/// together: 3 and 4 would become 34 for `12-3` with addition 4.
fn joined_with(number: &EnteredNumber, fields: &EnteredNumber) -> Option<EnteredNumber> {
    let (letter, parts) = match (&number.letter, &fields.letter) {
        (None, Some(letter)) => (Some(letter), [&number.addition, &None, &fields.addition]),
        (letter, _) => (
            letter.as_ref(),
            [&number.addition, &fields.letter, &fields.addition],
        ),
    };
    let is_digit = |c: char| c.is_ascii_digit();
    let mut addition = String::new();
    for part in parts.map(|part| squashed(part.as_deref().unwrap_or_default())) {
        if addition.ends_with(is_digit) && part.starts_with(is_digit) {
            return None;
        }
        addition.push_str(&part);
    }
    Some(EnteredNumber {
        number: number.number,
        letter: letter.cloned(),
        addition: Some(addition).filter(|addition| !addition.is_empty()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suffix_in_the_number_is_combined_with_the_other_fields() {
        #[track_caller]
        fn case(number: &str, letter: &str, addition: &str, expected: &[&str]) {
            let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            let number = EnteredNumber::parse(number).expect("a house number");
            let readings = FieldReading::all_readings(number, text(letter), text(addition));
            let found: Vec<String> = readings
                .iter()
                .map(|reading| {
                    let [letter, addition] = [&reading.number.letter, &reading.number.addition]
                        .map(|part| part.as_deref().unwrap_or_default());
                    let mark = if reading.is_literal { "!" } else { "" };
                    format!("{letter}/{addition}{mark}")
                })
                .collect();
            assert_eq!(found, expected);
        }
        case("12", "", "", &["/"]);
        case("12", "a", "-", &["a/-"]);
        case("12", "a", "A", &["a/A", "a/"]);
        case("12", "1", "1", &["/1"]);
        case("12a", "", "-", &["a/"]);
        case("12a", "n.v.t.", "geen", &["a/"]);
        case("12a-3", "a", "3", &["a/3"]);
        case("12a-3", "", "3", &["a/3"]);
        case("12a", "", "3", &["a/3", "/3"]);
        case("12-3", "a", "", &["a/3", "a/"]);
        case("12-3", "", "4", &["/4"]);
        case("12-3", "", "b", &["/3b", "/b"]);
        case("12a", "b", "", &["a/b", "b/"]);
        case("12a", "", "0", &["a/0", "/0!", "a/"]);
        case("12 bis", "0", "0", &["/bis0!", "/0!", "/bis"]);
        case("12 bis", "-", "x", &["/bisx!", "/x!", "/bis"]);
        case("12 bis", "b", "0", &["b/bis0!", "b/0!", "b/bis", "b/"]);
        case("12 bis", "0", "", &["/bis"]);
        case("12x", "", "x", &["x/"]);
        case("12a", "", "achterom", &["a/achterom", "/achterom", "a/"]);
    }
}
