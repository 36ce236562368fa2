//! Finds the addition in a column beside the house number whose name is unknown, by its cells.

use super::cell_text::squashed;
use super::column_content::ColumnContent;
use super::column_names::is_address_column;
use super::column_role::{ColumnRole, FoundColumns};

/// Parts of names that show that a column with short cells is not an addition.
const OTHER_NAMES: [&str; 50] = [
    "aanhef", "aantal", "age", "betaal", "categ", "class", "code", "count", "datum", "date",
    "eenheid", "fase", "gender", "geslacht", "gewicht", "groep", "group", "init", "jaar", "kanaal",
    "kenmerk", "klas", "kleur", "korting", "land", "leeftijd", "maand", "maat", "naam", "name",
    "persoon", "personen", "prior", "prov", "qty", "regio", "route", "score", "segment", "sex",
    "size", "soort", "staat", "status", "taal", "team", "tit", "type", "voegsel", "voorl",
];

/// Sets of texts that have another meaning, squashed. A column whose cells are all in one of them is not an addition.
const OTHER_TEXTS: [&str; 4] = [
    // Flags, men and women, and salutations.
    "j n ja nee y yes no x 0 1 true fals waar m v f w o man dhr mw mevr hr mr mrs ms dr ir drs fam",
    // Sizes.
    "xs s m l xl xxl 2xl 3xl",
    // Countries.
    "nl be de fr lu gb uk at ch es it pl pt dk se no ie us bel deu nld fra",
    // Prefixes of family names.
    "de van den der te ten ter het in op",
];

/// Uses a column directly after the house number or its letter as the addition if its name is unknown and its cells look like additions.
/// If in doubt, does not use it.
pub(super) fn find_unknown_addition(
    found: &mut FoundColumns,
    header: &[String],
    content: &ColumnContent,
) {
    let [number, letter, addition] = [ColumnRole::Number, ColumnRole::Letter, ColumnRole::Addition]
        .map(|role| found[role as usize]);
    let Some(number) = number.filter(|_| addition.is_none()) else {
        return;
    };
    let next = match letter {
        Some(letter) if letter != number + 1 => return,
        Some(letter) => letter + 1,
        None => number + 1,
    };
    let Some(name) = header.get(next).filter(|_| !found.contains(&Some(next))) else {
        return;
    };
    // The title `Huisnr` may span two columns.
    let is_unnamed = name.is_empty() && letter.is_none() && content.holds_short_suffixes(next);
    if is_unnamed || is_unknown(name) && holds_additions(number, next, content) {
        found[ColumnRole::Addition as usize] = Some(next);
    }
}

fn is_unknown(name: &str) -> bool {
    let is_known = is_address_column(name);
    let name = squashed(name);
    !is_known && !OTHER_NAMES.iter().any(|other| name.contains(other))
}

/// Whether the cells of a column are probably additions: they are short, differ and have letters, some rows have none, and the column of
/// the house number has no letters.
fn holds_additions(number: usize, at: usize, content: &ColumnContent) -> bool {
    let texts: Vec<String> = content.cells(at).map(squashed).collect();
    let has_letter = |text: &str| text.contains(char::is_alphabetic);
    let is_other = |known: &str| {
        let mut texts = texts.iter();
        texts.all(|text| known.split(' ').any(|known| known == text))
    };
    content.holds_short_suffixes(at)
        && texts.iter().any(|text| *text != texts[0])
        && texts.iter().any(|text| has_letter(text))
        && texts.len() < content.cells(number).count()
        && !content.cells(number).any(has_letter)
        && !OTHER_TEXTS.into_iter().any(is_other)
}
