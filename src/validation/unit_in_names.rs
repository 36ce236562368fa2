//! Reads a unit that was entered in the street or in the city, and not as the addition: `Lange Dijk, huisje 365`, `App. C212, Lange Dijk`.
//!
//! Assumption: a unit word with the house number after it labels the house number if it may do so: `Lange Dijk nr 3` with number 3.

use std::sync::Arc;

use postduif_schema::{HouseNumber, MAX_SUFFIX_CHARS};

use super::entered_names::EnteredNames;
use super::entered_number::is_unit_label;
use super::name_mismatch::NameMismatch;
use super::suffix_placeholder::{SuffixPart, may_be_placeholder};
use crate::search::{has_digit, is_digits};
use crate::search::{is_floor_word, is_letter_of_unit, is_number_label, is_ordinal};

/// Maximum number of units that are read in the names. Each is looked up.
const MAX_UNITS: usize = 4;

/// As [`MAX_UNITS`], if a letter was entered: it may also be a unit in the names that was read before.
const MAX_UNITS_AFTER_LETTER: usize = 2;

/// Minimum number of letters of a label that may be joined with its number. Shorter ones are a part of additions, such as `nr5`.
const MIN_LABEL_LETTERS: usize = 3;

/// A unit word that also labels a house number.
const HOUSE_LABEL: &str = "huis";

/// A unit in one of the entered names.
pub(crate) struct UnitInNames {
    /// The names without the unit and its label.
    pub(crate) names: Arc<EnteredNames>,
    /// The name in which the unit was entered.
    pub(crate) wrong: NameMismatch,
    /// Letter and addition, joined. It is not a placeholder.
    pub(crate) suffix: String,
}

impl UnitInNames {
    /// The labelled units in the street and then those in the city, with the entered letter before them. The letter may be empty.
    pub(super) fn find(names: &EnteredNames, number: HouseNumber, letter: &str) -> Vec<Self> {
        let [street, city] = [names.street(), names.city()].map(Option::unwrap_or_default);
        let units = |name: &str| {
            let units = labelled_units(name, number).into_iter();
            units.flat_map(|(name, unit)| {
                let suffixes = suffix_candidates(letter, &unit).into_iter();
                suffixes.map(move |suffix| (name.clone(), suffix))
            })
        };
        let in_street = units(street).map(|(name, suffix)| Self {
            names: EnteredNames::new(Some(&name), Some(city)).into(),
            wrong: NameMismatch::STREET,
            suffix,
        });
        let in_city = units(city).map(|(name, suffix)| Self {
            names: EnteredNames::new(Some(street), Some(&name)).into(),
            wrong: NameMismatch::CITY,
            suffix,
        });
        let count = if letter.is_empty() {
            MAX_UNITS
        } else {
            MAX_UNITS_AFTER_LETTER
        };
        in_street.chain(in_city).take(count).collect()
    }
}

/// The suffixes that a unit and the entered letter may be together: `a109` for the letter `a` and the unit `109`. The unit may repeat the letter.
/// Empty if the unit is only the letter. All texts are in lower case.
pub(super) fn suffix_candidates(letter: &str, unit: &str) -> Vec<String> {
    let joined = format!("{letter}{unit}");
    match unit.strip_prefix(letter) {
        Some("") => Vec::new(),
        Some(_) if !letter.is_empty() => vec![unit.to_owned(), joined],
        _ => vec![joined],
    }
}

/// The units in a folded name that have a label before them, each after the other words of the name. A label of a floor does not count. A unit
/// that may be one word or two is listed twice, with two words first.
fn labelled_units(name: &str, number: HouseNumber) -> Vec<(String, String)> {
    let words: Vec<&str> = name.split(' ').flat_map(split_joined_unit).collect();
    let mut units = Vec::new();
    let is_label = |at: &usize| is_unit_label(words[*at]) && !is_floor_word(words[*at]);
    for at in (0..words.len()).filter(is_label) {
        let labels = words[at + 1..].iter();
        let labels = 1 + labels.take_while(|word| is_number_label(word)).count();
        let may_label_number = words[at..at + labels]
            .iter()
            .all(|label| is_number_label(label) || *label == HOUSE_LABEL);
        for count in [2, 1] {
            let end = at + labels + count;
            let Some(suffix) = unit_at(&words, at + labels, end) else {
                continue;
            };
            if !may_label_number || suffix != number.to_string() {
                let others = [&words[..at], &words[end..]].concat();
                units.push((others.join(" "), suffix));
            }
        }
    }
    units
}

/// Separates a label and the number that is joined with it: `huisje 365` for `huisje365`. Other words stay as they are.
fn split_joined_unit(word: &str) -> impl Iterator<Item = &str> {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (label, number) = word.split_at(letters);
    let is_joined = !number.is_empty() && label.len() >= MIN_LABEL_LETTERS && is_unit_label(label);
    let parts = match is_joined {
        true => [label, number],
        false => [word, ""],
    };
    parts.into_iter().filter(|part| !part.is_empty())
}

/// Joins the words from `start` to `end` to a unit: `c212` for `c 212`. A unit is one word with a digit, one letter, or a letter and a number in
/// either order. `None` for other words, an ordinal, a placeholder, or a text that is too long for a suffix.
fn unit_at(words: &[&str], start: usize, end: usize) -> Option<String> {
    let is_letter = |word: &str| matches!(word.as_bytes(), [b'a'..=b'z']);
    let is_unit = match words.get(start..end)? {
        [one] => is_letter_of_unit(words, start) || has_digit(one) && !is_ordinal(one),
        [one, other] => is_letter(one) && is_digits(other) || is_digits(one) && is_letter(other),
        _ => false,
    };
    let unit = words[start..end].concat();
    let is_suffix =
        unit.len() <= MAX_SUFFIX_CHARS && !may_be_placeholder(&unit, SuffixPart::Addition);
    (is_unit && is_suffix).then_some(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_after_its_label_is_read() {
        let number = HouseNumber::new(3).expect("a house number");
        for (name, expected) in [
            ("de drift huisje 365", &[("de drift", "365")][..]),
            ("huisje 365 de drift", &[("de drift", "365")]),
            ("de drift huisje365", &[("de drift", "365")]),
            (
                "de drift huisje nr 365",
                &[("de drift", "365"), ("de drift huisje", "365")],
            ),
            (
                "de west app c 212",
                &[("de west", "c212"), ("de west 212", "c")],
            ),
            ("de west unit b", &[("de west", "b")]),
            ("de west plaats d18", &[("de west", "d18")]),
            ("dijk huisje 3", &[("dijk", "3")]),
            ("dijk nr 3", &[]),
            ("dijk huis nr 3", &[]),
            ("dijk etage 2", &[]),
            ("dijk kamer 0", &[]),
            ("dijk kamer x", &[]),
            ("plaats s gravenhage", &[]),
            ("kamerlingh onnesstraat 5", &[]),
            ("standplaats 2e drift", &[]),
            ("kamer", &[]),
            ("", &[]),
        ] {
            let units = labelled_units(name, number);
            let units: Vec<(&str, &str)> = units
                .iter()
                .map(|(name, suffix)| (&**name, &**suffix))
                .collect();
            assert_eq!(units, expected, "{name}");
        }
    }
}
