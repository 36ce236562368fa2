//! Recognises columns with the name of a part of an address that belong to something else, such as a customer number.

use super::cell_text::squashed;
use super::column_content::ColumnContent;
use super::column_names::GENERIC_NAMES;
use super::column_role::{ColumnRole, FoundColumns};

/// Names that mean a letter or an addition only if the column is beside the house number. Elsewhere, `ext` belongs to a telephone number,
/// `suffix` to the name of a person, and `kamer` to a guest.
const GENERIC_SUFFIXES: [&str; 28] = [
    "ext",
    "extension",
    "suffix",
    "extensie",
    "box",
    "bte",
    "boite",
    "flat",
    "apartment",
    "appartement",
    "apt",
    "app",
    "unit",
    "bus",
    "letter",
    "ltr",
    "aanv",
    "hl",
    "tv",
    "aanvulling",
    "subnummer",
    "subnr",
    "extentie",
    "kamer",
    "kamernr",
    "kamernummer",
    "erganzung",
    "complement",
];

/// Words in column names that show that a city is not part of the address, such as a place of birth.
const OTHER_PLACES: [&str; 3] = ["geboorte", "birth", "herkomst"];

/// Beginning of the names of the columns that `check` adds. The input may be the output of an earlier run.
const ADDED_COLUMNS: &str = "postduif";

/// Whether an earlier run of `check` added the column, or it names another place, such as a place of birth or the
/// country of a bank.
pub(super) fn is_unrelated_column(name: &str) -> bool {
    let name = squashed(name);
    let mut words = OTHER_PLACES.iter();
    let is_of_bank = ["bankland", "bankcountry"]
        .iter()
        .any(|bank| name.starts_with(bank));
    name.starts_with(ADDED_COLUMNS) || is_of_bank || words.any(|word| name.contains(word))
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
const SUFFIXES_AFTER_LINE: [&str; 10] = [
    "apt",
    "app",
    "unit",
    "bus",
    "letter",
    "ltr",
    "aanv",
    "kamer",
    "kamernr",
    "kamernummer",
];

/// Whether the column found for the letter or the addition belongs to something else: a telephone number, a person, or a flag.
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
