//! Recognises a second header in the middle of a file that was joined from several exports.

use super::table_format::TableFormat;
use super::table_sample::is_numbered_name;
use crate::check::column_role::ColumnRole;
use crate::check::columns::ColumnMap;
use crate::search::has_digit;

/// Minimum number of parts of an address that a second header names.
const MIN_PARTS: usize = 3;

/// Whether a row is a header that names the same parts of the address, but in other columns. The rows after such a header would be read
/// wrongly, each cell as another part.
pub(in crate::check) fn is_header_in_other_order(cells: &[String], table: &TableFormat) -> bool {
    use ColumnRole::{City, Line, Number, Postcode, Street};
    let Some(header) = &table.header else {
        return false;
    };
    let holds_value = |role: &ColumnRole| {
        let cell = table.columns.trimmed_cell(*role, cells);
        cell.is_some_and(|cell| has_digit(cell) && !is_numbered_name(cell))
    };
    // Nearly all rows have a digit in one of these columns, so they return here. Names of columns are seldom compared below.
    if [Postcode, Number, Street, Line, City]
        .iter()
        .any(holds_value)
    {
        return false;
    }
    let filled = cells.iter().filter(|cell| !cell.trim().is_empty());
    if filled.count() < MIN_PARTS {
        return false;
    }
    // In a file of R, the first column has no name, and a repeated header lacks that cell.
    let lacks_first =
        header.first().is_some_and(String::is_empty) && cells.len() + 1 == header.len();
    let first = lacks_first.then(String::new);
    let cells: Vec<String> = first.into_iter().chain(cells.iter().cloned()).collect();
    let other = ColumnMap::from_header(&cells);
    if !other.has_number() || other.count() < MIN_PARTS {
        return false;
    }
    let own = ColumnMap::from_header(header);
    let is_moved = |role: ColumnRole| match (own.get(role), other.get(role)) {
        (Some(own), Some(other)) => own != other,
        _ => false,
    };
    ColumnRole::ALL.into_iter().any(is_moved)
}
