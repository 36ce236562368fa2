//! Recognises a unit in front of the street: `Kamer 12, Dijk 5`.

use postduif_schema::squashed;

use super::addition_words::is_number_like;
use super::address_entry::AddressEntry;
use super::after_number::begins_with_ordinal;
use super::postcode_text::digit_word_starts;
use crate::check::cell_text::{is_separator, trim_separators};
use crate::check::reason::FieldReason;
use crate::search::is_unit_word;
use crate::validation::EnteredNumber;

/// Maximum number of bytes of the number of a unit, such as `B-12`. A longer word is a name: `Flat Zuidzicht`.
const MAX_UNIT_BYTES: usize = 6;

/// Words of units that may also be the name of a building or a company: `Studio 54`.
const BUILDING_WORDS: [&str; 2] = ["studio", "gebouw"];

/// Marks the readings of the text after a unit as doubtful. The number of the unit may be the addition of the house number, so there is
/// also a reading with that addition.
pub(super) fn add_unit(unit: &str, readings: Vec<AddressEntry>) -> Vec<AddressEntry> {
    let readings = readings.into_iter().flat_map(|entry| {
        let entry = AddressEntry {
            doubt: entry.doubt.or(Some(FieldReason::ADDITION_MALFORMED)),
            has_earlier_number: true,
            ..entry
        };
        let is_plain = entry.number.suffix_text().is_empty();
        let with_unit = format!("{} {unit}", entry.number.number);
        let with_unit = EnteredNumber::parse(&with_unit).filter(|_| is_plain);
        let with_unit = with_unit.map(|number| entry.with_number(number));
        with_unit.into_iter().chain([entry])
    });
    readings.collect()
}

/// Finds a unit in front of the street. Returns the number of the unit and the text after the unit: `12` and `Dijk 5` for
/// `Kamer 12, Dijk 5`, and also for `Jan Jansen, Kamer 12, Dijk 5`.
pub(super) fn split_after_unit(line: &str) -> Option<(&str, &str)> {
    let spaced = |line: &str| [" / ", " - "].iter().find_map(|mark| line.find(mark));
    let is_mark = |c: char| c.is_whitespace() || is_separator(c) || matches!(c, '-' | '/');
    let mut rest = line;
    loop {
        let at = rest.find(is_separator).or_else(|| spaced(rest))?;
        let (part, after) = rest.split_at(at);
        rest = after.trim_start_matches(is_mark);
        if let Some((_, number)) = split_unit(part) {
            return Some((number, trim_separators(rest)));
        }
    }
}

/// Splits a line before the text after its last separator, which is returned second: `Jan Jansen,` and `Dijk` for `Jan Jansen, Dijk`. `None` if
/// there is no separator, or if a number or a unit comes before it, because the text after `Dijk 5,` is not the street, and `Kamer A,` is part
/// of the address.
pub(in crate::check) fn split_last_part(text: &str) -> Option<(&str, &str)> {
    let mark = text.rfind(is_separator);
    let spaced = [" - ", " / "].map(|mark| text.rfind(mark).map(|at| at + 1));
    let at = spaced.into_iter().fold(mark, Option::max)?;
    let (before, after) = text.split_at(at);
    let mut numbers = digit_word_starts(before).into_iter();
    let has_number = numbers.any(|at| !begins_with_ordinal(&before[at..]));
    let is_name = !has_number && split_after_unit(text).is_none();
    let after = trim_separators(after.trim_start_matches(['-', '/']));
    is_name.then_some((before, after))
}

/// Whether a line is only the name of a unit, and not that of a building or a company.
pub(in crate::check) fn is_unit_line(line: &str) -> bool {
    split_unit(line).is_some_and(|(word, _)| !BUILDING_WORDS.contains(&&*word))
}

/// The word for a unit and its number in a text that is only the name of a unit: `kamer` and `12` of `Kamer 12`, `flat` and `A` of `Flat A`.
fn split_unit(text: &str) -> Option<(String, &str)> {
    let (word, number) = text.trim().split_once(' ')?;
    let (word, number) = (squashed(word), number.trim());
    let is_number =
        number.len() <= MAX_UNIT_BYTES && !number.contains(' ') && is_number_like(number);
    (is_number && is_unit_word(&word)).then_some((word, number))
}
