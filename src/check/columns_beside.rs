//! Finds the columns of a house number and of a house letter that are named plainly, by the columns beside them.

use super::cell_text::squashed;
use super::column_content::ColumnContent;
use super::column_names::{COLUMN_NAMES, PLAIN_NUMBERS, has_plain_number};
use super::column_role::{ColumnRole, FoundColumns};
use super::name_words::words;

/// The word for a house letter that may be at the end of a longer word: `Objectletter`.
const GLUED_LETTER: &str = "letter";

/// Words for an address or a house that are no names of columns.
const ADDRESS_WORDS: [&str; 4] = ["addr", "huis", "house", "haus"];

/// Words before `nr` that make it the number of a customer or an invoice, unless the column comes directly after the street.
const OTHER_NUMBERS: [&str; 8] = [
    "klant", "customer", "relatie", "debiteur", "order", "factuur", "invoice", "lid",
];

/// The column with a plain name such as `Nr` that is directly after the street, among the free ones. Another column of that name, such as
/// the first of `Nr;Naam;Straat;Nr`, holds the numbers of customers. An address line counts as the street if no column is a street, and if
/// its cells do not end in other numbers. `whole` has the names of all columns.
pub(super) fn plain_number_after_street(
    whole: &[[String; 2]],
    free: &[usize],
    content: &ColumnContent,
) -> Option<usize> {
    let has_name = |at: usize, role: ColumnRole| {
        let mut known = COLUMN_NAMES[role as usize].1.split(' ');
        known.any(|known| whole[at].iter().any(|name| name == known))
    };
    let has_street = (0..whole.len()).any(|at| has_name(at, ColumnRole::Street));
    let is_street = |at: usize| match has_street {
        true => has_name(at, ColumnRole::Street),
        false => has_name(at, ColumnRole::Line) && !content.numbers_differ(at, at + 1),
    };
    let is_plain = |at: usize| PLAIN_NUMBERS.contains(&&*whole[at][0]);
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
    // `Factuurnummer` is the number of an invoice, but not directly after `Factuurstraat`.
    let is_glued = |at: usize| {
        let name = squashed(&header[at]);
        let mut plain = PLAIN_NUMBERS.iter().filter(|plain| plain.len() > 1);
        at == street + 1
            && plain.any(|plain| name.ends_with(plain))
            && content.holds_house_numbers(at)
    };
    let is_number = |at: &usize| {
        let is_certain = *at == street + 1
            || is_beside(*at)
                && !OTHER_NUMBERS.contains(&&**block)
                && !content.numbers_differ(street, *at);
        blocks[*at] == *block && (has_plain_number(&header[*at]) || is_glued(*at)) && is_certain
    };
    free.iter().copied().find(is_number)
}

/// A column such as `Object letter`, `Factuur ext` or `Factuur pc` among the free ones: its first or last word means the part, and the
/// others name the block of the address. If the address has no block name, one of the others must be a word for an address, a street or a
/// house number, as in `Adres letter`, because `Naam suffix` has no block name either. A letter or an addition must be beside the house
/// number, or beside the other one of these.
pub(super) fn part_of_block(
    role: ColumnRole,
    (found, free): (&FoundColumns, &[usize]),
    header: &[String],
    blocks: &[String],
) -> Option<usize> {
    use ColumnRole::{Addition, Letter, Line, Number, Postcode, Street};
    let column = |role: ColumnRole| found[role as usize];
    let block = blocks.get(column(Number).or(column(Street)).or(column(Line))?)?;
    let beside = [Number, Letter, Addition].into_iter().filter_map(column);
    let known: Vec<&str> = COLUMN_NAMES[role as usize].1.split(' ').collect();
    let names_block =
        |others: &[String]| !block.is_empty() || others.iter().any(|word| is_word_of_address(word));
    let is_named = |at: usize| {
        let words: Vec<String> = words(&header[at]).map(squashed).collect();
        if let [word] = &*words {
            let other = word.strip_suffix(GLUED_LETTER).map(str::to_owned);
            return role == Letter && other.is_some_and(|other| names_block(&[other]));
        }
        let is_part = |word: &String| known.contains(&word.as_str());
        let after = words.split_first();
        let before = words.split_last();
        let mut ends = after.into_iter().chain(before);
        ends.any(|(word, others)| is_part(word) && names_block(others))
    };
    let mut free = free.iter().copied();
    free.find(|&at| {
        let is_near = role == Postcode || beside.clone().any(|other| other.abs_diff(at) == 1);
        blocks[at] == *block && is_near && is_named(at)
    })
}

/// Whether a word of a name says that the column belongs to an address: `adres`, `straat`, `huisnr` or `huis`.
fn is_word_of_address(word: &str) -> bool {
    let parts = [ColumnRole::Line, ColumnRole::Street, ColumnRole::Number];
    let mut known = parts
        .iter()
        .flat_map(|role| COLUMN_NAMES[*role as usize].1.split(' '));
    ADDRESS_WORDS.contains(&word) || known.any(|known| known == word)
}
