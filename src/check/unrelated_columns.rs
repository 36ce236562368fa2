//! Recognises columns with the name of a part of an address that belong to something else, such as a customer number.

use super::cell_text::squashed;
use super::column_content::ColumnContent;
use super::column_names::{GENERIC_SUFFIXES, is_generic_name};
use super::column_role::{ColumnRole, FoundColumns};
use super::name_words::words;

/// Further names that mean a letter or an addition only if the column is beside the house number, like [`GENERIC_SUFFIXES`]. They also
/// match at the end of a longer name.
const SUFFIXES_BESIDE_NUMBER: [&str; 4] = ["aanv", "kamer", "kamernr", "kamernummer"];

/// Words in column names that show that a city is not part of the address, such as a place of birth.
const OTHER_PLACES: [&str; 3] = ["geboorte", "birth", "herkomst"];

/// Beginning of the names of the columns that `check` adds. The input may be the output of an earlier run.
const ADDED_COLUMNS: &str = "postduif";

/// Words for a country.
const COUNTRY_WORDS: [&str; 2] = ["land", "country"];

/// Beginnings of words that show that a country is not the country of the address: `Bank country`, `Land van oorsprong`.
const OTHER_COUNTRIES: [&str; 17] = [
    "bank",
    "iban",
    "bic",
    "tel",
    "phone",
    "mobi",
    "origin",
    "oorsprong",
    "nationali",
    "product",
    "goods",
    "tax",
    "vat",
    "btw",
    "belasting",
    "pas",
    "kenteken",
];

/// Whether an earlier run of `check` added the column, or it names another place, such as a place of birth or the
/// country of a bank.
pub(super) fn is_unrelated_column(name: &str) -> bool {
    let whole = squashed(name);
    let is_of_other = |word: &str| {
        let word = squashed(word);
        word == "ip" || OTHER_COUNTRIES.iter().any(|other| word.starts_with(other))
    };
    let contains = |word: &&str| whole.contains(*word);
    let is_country = COUNTRY_WORDS.iter().any(contains);
    whole.starts_with(ADDED_COLUMNS)
        || is_country && words(name).any(is_of_other)
        || OTHER_PLACES.iter().any(contains)
}

/// Whether the column found for the house number probably holds customer numbers: it has a generic name such as `Nummer`, and either no
/// column of the address is beside it (`Nummer;Naam;Adres`), or the cells of the street end in other numbers. Directly after the street, a
/// column with other numbers must look like serial numbers too, because the name of a street may end in a number.
pub(super) fn is_unrelated_number(
    found: &FoundColumns,
    header: &[String],
    content: &ColumnContent,
) -> bool {
    let column = |role: ColumnRole| found[role as usize];
    let Some(at) = column(ColumnRole::Number) else {
        return false;
    };
    let is_beside = |other: usize| other.abs_diff(at) == 1;
    let Some(line) = column(ColumnRole::Line).or(column(ColumnRole::Street)) else {
        return false;
    };
    is_generic_name(&squashed(&header[at]))
        && (!found.iter().flatten().any(|&other| is_beside(other))
            || content.numbers_differ(line, at)
                && (at != line + 1 || content.holds_serial_numbers(at, line)))
}

/// The names of [`GENERIC_SUFFIXES`] and [`SUFFIXES_BESIDE_NUMBER`] that mean a letter or an addition also directly after the line or the
/// street.
const SUFFIXES_AFTER_LINE: [&str; 11] = [
    "apt",
    "app",
    "unit",
    "bus",
    "letter",
    "ltr",
    "lett",
    "aanv",
    "kamer",
    "kamernr",
    "kamernummer",
];

/// Whether the column found for the letter or the addition belongs to something else, such as a telephone number or the name of a person.
pub(super) fn is_unrelated_suffix(
    role: ColumnRole,
    found: &FoundColumns,
    header: &[String],
) -> bool {
    let Some(at) = found[role as usize] else {
        return false;
    };
    let others = [ColumnRole::Number, ColumnRole::Letter, ColumnRole::Addition];
    let line = [ColumnRole::Line, ColumnRole::Street].map(|role| found[role as usize]);
    // `Adres;Letter`, but not `Street;Suffix`, which may be the suffix of a person's name.
    let is_after_line = at > 0 && line.contains(&Some(at - 1));
    if is_after_line && SUFFIXES_AFTER_LINE.contains(&&*squashed(&header[at])) {
        return false;
    }
    let mut beside = others.into_iter().filter_map(|other| found[other as usize]);
    let name = squashed(&header[at]);
    let is_vague = GENERIC_SUFFIXES.contains(&&*name) || SUFFIXES_BESIDE_NUMBER.contains(&&*name);
    is_vague && !beside.any(|other| other.abs_diff(at) == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::column_names::COLUMN_NAMES;

    #[test]
    fn names_that_need_a_neighbour_are_known_names_of_letters_or_additions() {
        let known = [ColumnRole::Letter, ColumnRole::Addition]
            .map(|role| COLUMN_NAMES[role as usize].1.split(' '));
        let known: Vec<&str> = known.into_iter().flatten().collect();
        for name in GENERIC_SUFFIXES.iter().chain(&SUFFIXES_BESIDE_NUMBER) {
            assert!(known.contains(name), "{name}");
        }
        for name in SUFFIXES_BESIDE_NUMBER {
            assert!(!is_generic_name(name), "{name}");
        }
        for name in SUFFIXES_AFTER_LINE {
            let needs_neighbour =
                GENERIC_SUFFIXES.contains(&name) || SUFFIXES_BESIDE_NUMBER.contains(&name);
            assert!(needs_neighbour, "{name}");
        }
    }
}
