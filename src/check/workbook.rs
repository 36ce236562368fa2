//! Workbooks (.xlsx): the first sheet with rows, as the text of a table.

use std::path::Path;

use calamine::{Data, Reader as _, Xlsx, XlsxError, open_workbook};

use super::FileCheckError;
use super::cells::push_cells;

/// Separator of the text.
pub const WORKBOOK_SEPARATOR: u8 = b';';

/// The most columns of a sheet. A stray cell in the last of the 16,384 columns would make every row as wide.
const MAX_COLUMNS: usize = 1_000;

/// The most rows of a sheet. Source: specifications and limits of Excel.
const MAX_ROWS: u32 = 1_048_576;

/// Reads the first sheet that has rows. It is read cell by cell, because two cells may be so far apart that a table of all cells
/// between them fits in no memory. Columns begin at A.
///
/// # Errors
/// When the file is no workbook, has no rows, or is larger than 1,000 columns or 1,048,576 rows.
pub fn read_workbook(path: &Path) -> Result<Vec<u8>, FileCheckError> {
    let mut workbook: Xlsx<_> = open_workbook(path).map_err(not_a_workbook)?;
    for name in workbook.sheet_names() {
        let text = read_sheet(&mut workbook, &name)?;
        if !text.is_empty() {
            return Ok(text);
        }
    }
    Err(FileCheckError::NotATable(
        "the workbook has no rows".to_owned(),
    ))
}

/// The rows of a sheet from its first one with a cell.
fn read_sheet<R: std::io::Read + std::io::Seek>(
    workbook: &mut Xlsx<R>,
    name: &str,
) -> Result<Vec<u8>, FileCheckError> {
    let mut reader = workbook
        .worksheet_cells_reader(name)
        .map_err(not_a_workbook)?;
    let mut text = Vec::new();
    let mut cells: Vec<String> = Vec::new();
    let mut current = None;
    while let Some(cell) = reader.next_cell().map_err(not_a_workbook)? {
        let value = cell_text(&Data::from(cell.get_value().clone()));
        if value.is_empty() {
            continue;
        }
        let (row, column) = cell.get_position();
        let column = column as usize;
        if column >= MAX_COLUMNS || row >= MAX_ROWS || current.is_some_and(|last| row < last) {
            return Err(FileCheckError::NotATable(format!(
                "sheet {name}, cell in row {} and column {}: expected rows in order, at most {MAX_COLUMNS} columns and {MAX_ROWS} rows",
                u64::from(row) + 1,
                column + 1
            )));
        }
        for _ in current.unwrap_or(row)..row {
            push_row(&mut text, &mut cells);
        }
        current = Some(row);
        cells.resize(cells.len().max(column + 1), String::new());
        cells[column] = value;
    }
    if current.is_some() {
        push_row(&mut text, &mut cells);
    }
    Ok(text)
}

fn push_row(text: &mut Vec<u8>, cells: &mut Vec<String>) {
    push_cells(text, cells.iter().map(String::as_str), WORKBOOK_SEPARATOR);
    text.push(b'\n');
    cells.clear();
}

fn not_a_workbook(error: XlsxError) -> FileCheckError {
    FileCheckError::NotATable(format!("the workbook cannot be read: {error}"))
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
