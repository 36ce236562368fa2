//! Finds the columns of a house number and its suffix that are named plainly, by the columns beside them.

use postduif_schema::squashed;

use super::column_content::ColumnContent;
use super::column_names::{has_plain_number, is_known_name, is_plain_number};
use super::known_names::known_names;
use super::name_words::words;
use crate::check::column_role::{ColumnRole, FoundColumns};

/// Words for a house letter that count together with the name of a block: `Object letter`, `Letter pand`.
const LETTER_WORDS: &[&str] = &["letter", "ltr", "lett"];

/// Words for an addition that count together with the name of a block: `shipping_suffix` beside `shipping_house_number`.
const ADDITION_WORDS: &[&str] = &["suffix", "extension", "ext"];

/// Words before `nr` that make it the number of a customer or an invoice, unless the column comes directly after the street.
const OTHER_NUMBERS: [&str; 8] = [
    "klant", "customer", "relatie", "debiteur", "order", "factuur", "invoice", "lid",
];

/// Names of a house number that may also be the number of a building or an address in its owner's records.
pub(super) const BUILDING_NUMBERS: [&str; 7] = [
    "adresnr", "adresnummer", "buildingnumber", "buildingno", "bldgnb", "pandnummer",
    "straatnummer",
];

/// A name that means street and number, or only the number if the column is directly after the street.
const STREET_WITH_NUMBER: &str = "straatnr";

/// Finds the free column directly after the street that has a plain name such as `Nr`, or the name `Straatnr` and house numbers in its
/// cells. A column of that name elsewhere, such as the first of `Nr;Naam;Straat;Nr`, holds customer numbers. An address line counts as the
/// street if no column is a street, and if its cells do not end in other numbers. `whole` has the names of all columns.
pub(super) fn plain_number_after_street(
    whole: &[[String; 2]],
    free: &[usize],
    content: &ColumnContent,
) -> Option<usize> {
    let has_name = |at: usize, role: ColumnRole| is_known_name(role, &whole[at]);
    let has_street = (0..whole.len()).any(|at| has_name(at, ColumnRole::Street));
    let is_street = |at: usize| match has_street {
        true => has_name(at, ColumnRole::Street),
        false => has_name(at, ColumnRole::Line) && !content.numbers_differ(at, at + 1),
    };
    let is_plain = |at: usize| {
        let name = &*whole[at][0];
        is_plain_number(name) || name == STREET_WITH_NUMBER && content.holds_house_numbers(at)
    };
    let mut after = free.iter().copied().filter(|&at| at > 0 && is_plain(at));
    after.find(|&at| is_street(at - 1))
}

/// A column such as `receiver_number` among the free ones. It must have the block name of the street, and be beside a column already found.
pub(super) fn number_of_block(
    (found, free): (&FoundColumns, &[usize]),
    header: &[String],
    blocks: &[String],
    content: &ColumnContent,
) -> Option<usize> {
    let street = found[ColumnRole::Street as usize].or(found[ColumnRole::Line as usize])?;
    let block = blocks.get(street).filter(|block| !block.is_empty())?;
    let is_beside = |at: usize| found.iter().flatten().any(|other| other.abs_diff(at) == 1);
    let is_number = |at: &usize| {
        let is_certain = *at == street + 1
            || is_beside(*at)
                && !OTHER_NUMBERS.contains(&&**block)
                && !content.numbers_differ(street, *at);
        blocks[*at] == *block && has_plain_number(&header[*at]) && is_certain
    };
    let numbers = free.iter().copied().filter(is_number);
    numbers.min_by_key(|&at| at != street + 1)
}

/// A column such as `Object letter`, `Object suffix` or `Extensie object` among the free ones, if it is beside the house number of the same
/// block, or beside the other part of its suffix. `role` is the letter or the addition.
pub(super) fn suffix_of_block(
    role: ColumnRole,
    (found, free): (&FoundColumns, &[usize]),
    header: &[String],
    blocks: &[String],
) -> Option<usize> {
    let number = found[ColumnRole::Number as usize]?;
    let block = blocks.get(number).filter(|block| !block.is_empty())?;
    let (glued, other) = match role {
        ColumnRole::Letter => (LETTER_WORDS, ColumnRole::Addition),
        _ => (ADDITION_WORDS, ColumnRole::Letter),
    };
    let beside = [Some(number), found[other as usize]];
    let is_beside = |at: usize| beside.iter().flatten().any(|other| other.abs_diff(at) == 1);
    let is_suffix = |at: usize| {
        let name = squashed(&header[at]);
        let is_glued = |word: &&str| name.starts_with(word) || name.ends_with(word);
        let mut parts = words(&header[at]).map(squashed);
        glued.iter().any(is_glued) || parts.any(|word| known_names(role).any(|known| known == word))
    };
    let mut free = free.iter().copied();
    free.find(|&at| blocks[at] == *block && is_beside(at) && is_suffix(at))
}
