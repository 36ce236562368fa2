//! Gives the columns found by their names other roles, if their cells hold several parts of an address.

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

/// If no column has the house number, uses the column of the postcode as the house number if most of its cells hold both, as in `1234AB 10`.
pub(super) fn use_postcode_as_number(found: &mut FoundColumns, content: &ColumnContent) {
    let with_number = [ColumnRole::Number, ColumnRole::Street, ColumnRole::Line];
    let has_number = with_number
        .iter()
        .any(|&role| found[role as usize].is_some_and(|at| content.holds_numbers(at)));
    let postcode = found[ColumnRole::Postcode as usize];
    if let Some(at) = postcode.filter(|&at| !has_number && content.holds_postcode_and_number(at)) {
        found[ColumnRole::Number as usize] = Some(at);
        found[ColumnRole::Postcode as usize] = None;
    }
}
