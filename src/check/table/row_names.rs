//! Recognises a first column without a name, such as the names of rows that R writes: the header is one cell shorter than the rows.

use crate::check::column_role::ColumnRole;
use crate::check::columns::{ColumnContent, ColumnMap};

/// Whether the first name of a header belongs to the second column. Then most rows have one cell more than the header, and with each name
/// moved to the next column, more columns hold what their names say. `rows` begins with the header.
pub(super) fn lacks_first_name(rows: &[Vec<String>]) -> bool {
    let Some((header, data)) = rows.split_first() else {
        return false;
    };
    let filled = data.iter().filter(|row| !row.is_empty());
    let longer = filled.clone().filter(|row| row.len() == header.len() + 1);
    if 2 * longer.count() <= filled.count() {
        return false;
    }
    let columns = ColumnMap::from_header(header);
    let content = ColumnContent::new(data);
    let count_fitting = |shift: usize| {
        let is_fitting = |role: &ColumnRole| {
            let at = columns.get(*role).map(|at| at + shift);
            at.is_some_and(|at| match role {
                ColumnRole::Postcode => {
                    content.holds_postcodes(at) || content.holds_postcode_and_city(at)
                }
                ColumnRole::Number => content.holds_house_numbers(at),
                ColumnRole::Line => content.holds_numbers(at),
                _ => false,
            })
        };
        ColumnRole::ALL
            .iter()
            .filter(|role| is_fitting(role))
            .count()
    };
    count_fitting(1) > count_fitting(0)
}
