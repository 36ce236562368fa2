//! Workbooks: the first sheet with rows, as the text of a table.

use std::path::Path;

use calamine::{Data, Reader as _, open_workbook_auto};

use super::FileCheckError;
use super::cells::push_cells;

/// Separator of the text.
pub const WORKBOOK_SEPARATOR: u8 = b';';

/// Reads the first sheet that has rows. A sheet has at most 1,048,576 rows, so it fits in memory.
///
/// # Errors
/// When the file is no workbook, or has no rows.
pub fn read_workbook(path: &Path) -> Result<Vec<u8>, FileCheckError> {
    let not_a_workbook = |error: calamine::Error| {
        FileCheckError::NotATable(format!("the workbook cannot be read: {error}"))
    };
    let mut workbook = open_workbook_auto(path).map_err(not_a_workbook)?;
    for name in workbook.sheet_names() {
        let range = workbook.worksheet_range(&name).map_err(not_a_workbook)?;
        if range.is_empty() {
            continue;
        }
        let mut text = Vec::new();
        for row in range.rows() {
            let cells: Vec<String> = row.iter().map(cell_text).collect();
            push_cells(
                &mut text,
                cells.iter().map(String::as_str),
                WORKBOOK_SEPARATOR,
            );
            text.push(b'\n');
        }
        return Ok(text);
    }
    Err(FileCheckError::NotATable(
        "the workbook has no rows".to_owned(),
    ))
}

/// Whole numbers without decimals: workbooks keep every number as a fraction.
fn cell_text(cell: &Data) -> String {
    match cell {
        Data::Float(number) if number.fract() == 0.0 && number.abs() < 1e15 => {
            format!("{number:.0}")
        }
        Data::DateTimeIso(text) => text.clone(),
        other => other.to_string(),
    }
}
