//! Recognises columns with the name of a part of an address that belong to something else, such as a customer number.

use postduif_schema::squashed;

use super::column_content::ColumnContent;
use super::known_names::GENERIC_NAMES;
use super::name_words::words;
use crate::check::column_role::{ColumnRole, FoundColumns};
use crate::check::output::RESULT_PREFIX;

/// Names that mean a letter or an addition only if the column is beside the house number. Elsewhere, `ext` belongs to a telephone number,
/// `suffix` to the name of a person, and `kamer` to a guest.
pub(super) const GENERIC_SUFFIXES: [&str; 29] = [
    "ext", "extension", "suffix", "extensie", "box", "bte", "boite", "flat", "apartment",
    "appartement", "apt", "app", "unit", "bus", "letter", "ltr", "aanv", "hl", "tv", "aanvulling",
    "subnummer", "subnr", "extentie", "kamer", "kamernr", "kamernummer", "erganzung", "complement",
    "achtervoegsel",
];

/// Words in column names that show that a city is not part of the address, such as a place of birth.
const OTHER_PLACES: [&str; 5] = ["geboorte", "gebplaats", "birth", "herkomst", "standplaats"];

const COUNTRY_WORDS: [&str; 2] = ["land", "country"];

/// Beginnings of words that show that a country is not the country of the address: `Bank country`, `Land van oorsprong`.
const OTHER_COUNTRIES: [&str; 17] = [
    "bank", "iban", "bic", "tel", "phone", "mobi", "origin", "oorsprong", "nationali", "product",
    "goods", "tax", "vat", "btw", "belasting", "pas", "kenteken",
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
    whole.starts_with(RESULT_PREFIX.trim_end_matches('_'))
        || is_country && words(name).any(is_of_other)
        || OTHER_PLACES.iter().any(contains)
}

/// Whether the column found for the house number probably holds customer numbers: it has a generic name such as `Nummer`, and either no
/// column of the address is beside it (`Nummer;Naam;Adres`), or the cells of the street end in other numbers. A column directly after the
/// street is not compared with the street, because the name of a street may end in a number.
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
    GENERIC_NAMES.contains(&&*squashed(&header[at]))
        && (!found.iter().flatten().any(|&other| is_beside(other))
            || at != line + 1 && content.numbers_differ(line, at))
}

/// The [`GENERIC_SUFFIXES`] that mean a letter or an addition also directly after the line or the street.
const SUFFIXES_AFTER_LINE: [&str; 12] = [
    "apt", "app", "unit", "bus", "letter", "ltr", "aanv", "kamer", "kamernr", "kamernummer",
    "apartment", "appartement",
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
    GENERIC_SUFFIXES.contains(&&*squashed(&header[at]))
        && !beside.any(|other| other.abs_diff(at) == 1)
}
