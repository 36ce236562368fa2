//! Joins the lines of an address after the second one with the second one.

use super::addition_words::is_number_like;
use super::cell_text::is_placeholder;
use super::{ColumnMap, ColumnRole};

/// The cells of a row with its later lines in the cell of the second line; `None` if the row has no later line that may be part of an
/// address. Free text such as `t/o school` is left out.
pub(super) fn join_later_lines(cells: &[String], columns: &ColumnMap) -> Option<Vec<String>> {
    let second = columns.get(ColumnRole::Line2)?;
    let text = |at: usize| {
        let text = cells.get(at).map_or("", |cell| cell.trim());
        Some(text).filter(|text| !is_placeholder(text, ColumnRole::Line2))
    };
    let first = [ColumnRole::Street, ColumnRole::Line].map(|role| columns.get(role));
    let mut first = first.into_iter().flatten().filter_map(text);
    let has_number = first.any(|line| line.contains(|c: char| c.is_ascii_digit()));
    let later = columns.later_lines().iter().filter_map(|&at| text(at));
    let used = later.filter(|line| is_number_like(line));
    let own = text(second).unwrap_or_default();
    let joined = used.fold(own.to_owned(), |joined, line| {
        let is_text = !is_number_like(&joined);
        match has_street(line) {
            // The lines before it are the name of a company or a department.
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

/// Whether a line begins with a name, and not with a number or an addition.
fn has_street(line: &str) -> bool {
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
