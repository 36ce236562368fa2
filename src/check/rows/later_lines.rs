//! Appends the third and later lines of an address to the second line.

use postduif_schema::{HouseNumberAddition, squashed};

use crate::check::cell_text::is_placeholder;
use crate::check::column_role::ColumnRole;
use crate::check::columns::ColumnMap;
use crate::check::lines::is_number_like;
use crate::search::has_digit;

/// Copies the cells of a row and appends its later lines to the second line, if they may be a part of the address. `None` if nothing
/// changes.
pub(in crate::check) fn join_later_lines(
    cells: &[String],
    columns: &ColumnMap,
) -> Option<Vec<String>> {
    let second = columns.get(ColumnRole::Line2)?;
    let text = |at: usize| {
        let text = cells.get(at).map_or("", |cell| cell.trim());
        Some(text).filter(|text| !is_placeholder(text, ColumnRole::Line2))
    };
    let first = [ColumnRole::Street, ColumnRole::Line].map(|role| columns.get(role));
    let mut first = first.into_iter().flatten().filter_map(text);
    let has_number = first.any(has_digit);
    let later = columns.later_lines().iter().filter_map(|&at| text(at));
    let own = text(second).unwrap_or_default();
    let is_numbered = has_number || has_digit(own);
    let used = later.filter(|line| match is_numbered {
        true => is_short(line),
        false => is_short(line) || begins_with_name(line) && is_number_like(line),
    });
    let joined = used.fold(own.to_owned(), |joined, line| {
        let is_text = !is_number_like(&joined);
        match begins_with_name(line) {
            // The lines before this line are the name of a company or a department, so they are dropped.
            true if is_text => line.to_owned(),
            false if is_text && has_number => line.to_owned(),
            true => format!("{joined}, {line}"),
            false => format!("{joined} {line}"),
        }
    });
    (joined != own).then(|| {
        let mut cells = cells.to_vec();
        cells.resize(cells.len().max(second + 1), String::new());
        joined.trim().clone_into(&mut cells[second]);
        cells
    })
}

/// Whether a line is short enough for an addition. A longer line with digits may be a telephone number or a reference.
fn is_short(line: &str) -> bool {
    is_number_like(line) && squashed(line).chars().count() <= HouseNumberAddition::MAX_CHARS
}

/// Whether a line begins with a name, and not with a number or an addition.
fn begins_with_name(line: &str) -> bool {
    let word = line.split(|c: char| !c.is_alphabetic()).next();
    word.is_some_and(|word| word.chars().count() > 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_lines_that_may_be_part_of_the_address_are_joined() {
        let header = ["Address1", "Address2", "Address3", "Postcode"].map(str::to_owned);
        let columns = ColumnMap::from_header(&header);
        for (row, expected) in [
            ("Bedrijf;Dijk 1;661;", Some("Dijk 1 661")),
            ("Dijk;1;A;", Some("1 A")),
            ("Dijk 1;;661;", Some("661")),
            ("Dijk 1;t.a.v. Jansen;661", Some("661")),
            ("Bedrijf;Afdeling;Dijk 1;", Some("Dijk 1")),
            ("Dijk 1;661;;", None),
            ("Dijk 1;;0592-123456;", None),
            ("Dijk 1;;Tussen 9 en 12 uur;", None),
            ("Bedrijf;Dijk 1;etage 3;", None),
            ("Dijk 1;661;t/o school;", None),
            ("Dijk 1", None),
        ] {
            let cells: Vec<String> = row.split(';').map(str::to_owned).collect();
            let joined = join_later_lines(&cells, &columns);
            let second = joined.as_ref().map(|cells| &*cells[1]);
            assert_eq!(second, expected, "{row}");
        }
    }
}
