//! Corrects the roles of columns after looking at their cells.

use postduif_schema::fold;

use super::cell_text::squashed;
use super::column_content::ColumnContent;
use super::column_names::LATER_LINES;
use super::column_role::{ColumnRole, FoundColumns};

/// If no postcode or city column was found, uses the second or third line of an address as the city if most of its cells hold postcode
/// and city, as in `Adresregel 1;Adresregel 2`.
pub(super) fn use_line_as_city(
    found: &mut FoundColumns,
    columns: &[usize],
    header: &[String],
    content: &ColumnContent,
) {
    if [ColumnRole::Postcode, ColumnRole::City].map(|role| found[role as usize]) != [None; 2] {
        return;
    }
    let is_later = |at: &usize| {
        LATER_LINES
            .split(' ')
            .any(|name| squashed(&header[*at]) == name)
    };
    let second = found[ColumnRole::Line2 as usize];
    let is_free = |at: &usize| !found.contains(&Some(*at)) && is_later(at);
    let later = columns.iter().copied().filter(is_free);
    let mut lines = second.into_iter().chain(later);
    let Some(line) = lines.find(|&at| content.holds_postcode_and_city(at)) else {
        return;
    };
    drop(lines);
    found[ColumnRole::City as usize] = Some(line);
    found[ColumnRole::Line2 as usize] = second.filter(|&at| at != line);
}

/// A column with a word that has one of these beginnings may hold house numbers: `Huis#`, `Num`. Its cells decide.
const NUMBER_BEGINNINGS: [&str; 7] = ["huis", "house", "haus", "hnr", "nr", "num", "nmr"];

/// If no column has the house number, uses one with house numbers and a similar name, such as `Huisnr van`, or else the column of the
/// postcode if most of its cells hold both, as in `1234AB 10`.
pub(super) fn find_number_by_content(
    found: &mut FoundColumns,
    free: &[usize],
    header: &[String],
    content: &ColumnContent,
) {
    let with_number = [ColumnRole::Number, ColumnRole::Street, ColumnRole::Line];
    let has_number = with_number
        .iter()
        .any(|&role| found[role as usize].is_some_and(|at| content.holds_numbers(at)));
    if has_number {
        return;
    }
    let is_named = |at: &&usize| {
        let name = fold(&header[**at]);
        let mut words = name.split(' ');
        words.any(|word| {
            NUMBER_BEGINNINGS
                .iter()
                .any(|begin| word.starts_with(begin))
        })
    };
    let mut named = free.iter().filter(is_named);
    let number = named.find(|&&at| content.holds_house_numbers(at)).copied();
    let postcode = found[ColumnRole::Postcode as usize];
    let postcode = postcode.filter(|&at| number.is_none() && content.holds_postcode_and_number(at));
    if postcode.is_some() {
        found[ColumnRole::Postcode as usize] = None;
    }
    let number = number.or(postcode).or(found[ColumnRole::Number as usize]);
    found[ColumnRole::Number as usize] = number;
}

/// Parts of names that show that a postcode belongs to another address or is not a postcode.
const OTHER_POSTCODES: [&str; 18] = [
    "aflever",
    "afzender",
    "bezoek",
    "bezorg",
    "bill",
    "btw",
    "correspondentie",
    "factuur",
    "geboorte",
    "invoice",
    "mail",
    "old",
    "oud",
    "postadres",
    "postbus",
    "ship",
    "verzend",
    "vorig",
];

/// If no column has the postcode, uses the only column whose cells are mostly postcodes. `roles` has the part that each column holds by
/// its name.
pub(super) fn find_postcode_by_content(
    found: &mut FoundColumns,
    roles: &[Option<ColumnRole>],
    header: &[String],
    content: &ColumnContent,
) {
    let column = |role: ColumnRole| found[role as usize];
    let has_place = [ColumnRole::City, ColumnRole::Line]
        .iter()
        .any(|&role| column(role).is_some_and(|at| content.holds_places(at)));
    if column(ColumnRole::Postcode).is_some() || has_place || found.iter().all(Option::is_none) {
        return;
    }
    let is_other = |at: usize| {
        let name = squashed(&header[at]);
        OTHER_POSTCODES.iter().any(|other| name.contains(other))
    };
    let is_postcode = |&at: &usize| {
        !found.contains(&Some(at)) && roles[at].is_none() && content.holds_postcodes(at)
    };
    let mut columns = (0..header.len()).filter(is_postcode);
    if let (Some(at), None) = (columns.next(), columns.next())
        && !is_other(at)
    {
        drop(columns);
        found[ColumnRole::Postcode as usize] = Some(at);
    }
}
