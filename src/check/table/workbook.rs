//! Reads one sheet of a workbook (.xlsx) as the text of a table. Reads the rows one by one. Only the shared texts are held in
//! memory, because any cell may refer to any shared text.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use calamine::{
    Data, DataRef, ExcelDateTime, Reader as _, Sheet, SheetType, SheetVisible, Xlsx, XlsxError,
    open_workbook,
};
use zip::ZipArchive;

use super::cells::push_cells;
use super::other_formats::describe_workbook_error;
use super::table_sample::has_address_columns;
use crate::check::check_error::FileCheckError;

/// Separator of cells in the text of a sheet.
pub const WORKBOOK_SEPARATOR: u8 = b';';

/// Maximum number of columns of a sheet. Excel allows 16,384 columns; a stray cell in the last of them would give every row 16,384 cells. A
/// wider sheet is refused.
const MAX_COLUMNS: usize = 1_000;

/// Maximum number of rows of a sheet. Source: specifications and limits of Excel.
const MAX_ROWS: u32 = 1_048_576;

/// Maximum number of bytes of sharedStrings.xml, which holds the texts that cells share.
const MAX_SHARED_BYTES: u64 = 1 << 30;

/// Maximum number of bytes before the end of the first tag of sharedStrings.xml. A workbook with a later first tag is refused.
const MAX_HEAD_BYTES: u64 = 4096;

/// Bytes of the shortest shared text, `<si/>`.
const MIN_TEXT_BYTES: u64 = 5;

/// Date values of Excel that are written as dates. They count days, from 1 January 1900 (1) to 31 December 9999. A value below
/// 1 is only a time of day.
const DATE_SERIALS: std::ops::Range<f64> = 1.0..2_958_466.0;

const CHUNK_BYTES: usize = 1 << 16;

/// Maximum number of chunks that the thread reads ahead of [`WorkbookText`].
const CHUNKS_IN_FLIGHT: usize = 4;

/// The text of a sheet. Another thread reads the workbook and sends the text in chunks.
pub struct WorkbookText {
    chunks: Receiver<io::Result<Vec<u8>>>,
    current: Cursor<Vec<u8>>,
    /// Whether the end of the sheet was received.
    is_complete: bool,
    /// Length of the whole text in bytes.
    pub bytes: u64,
    /// Name of the sheet.
    pub sheet: String,
    /// The names of the other sheets of the workbook.
    pub other_sheets: Vec<String>,
    /// Number of cells of the sheet with a formula but without its value. They are read as empty.
    pub formulas_without_value: u64,
}

type Workbook = Xlsx<BufReader<File>>;

/// Opens the sheet with this name or number (from 1). Without a name, opens the first visible sheet that has columns of an address. If no
/// visible sheet has such columns, opens the first visible sheet that has rows. Hidden sheets are tried last.
///
/// The text begins at column A. Cells are read one by one, because two cells may be so far apart that a table of all cells
/// between them does not fit in memory. The sheet is read twice, so that a damaged sheet is refused before any row is written.
///
/// # Errors
/// When the file is no workbook, lacks the sheet or has no rows, or when the sheet is larger than 1,000 columns, 1,048,576 rows or
/// 1 GiB of shared texts.
pub fn read_workbook(path: &Path, sheet: Option<&str>) -> Result<WorkbookText, FileCheckError> {
    check_shared_texts(path)?;
    let mut workbook: Workbook = open_workbook(path)
        .map_err(|error: XlsxError| FileCheckError::NotATable(describe_workbook_error(&error)))?;
    let mut formulas_without_value = 0;
    for sheets in list_sheets(&workbook, sheet)? {
        let mut first_with_rows = None;
        for sheet in sheets {
            let pass = read_first_pass(&mut workbook, &sheet)?;
            if pass.has_addresses {
                return Ok(WorkbookText::new(workbook, sheet, &pass));
            }
            formulas_without_value += pass.formulas_without_value;
            if pass.bytes > 0 && first_with_rows.is_none() {
                first_with_rows = Some((sheet, pass));
            }
        }
        if let Some((sheet, pass)) = first_with_rows {
            return Ok(WorkbookText::new(workbook, sheet, &pass));
        }
    }
    let reason = match formulas_without_value {
        0 => "the workbook has no rows".to_owned(),
        count => format!(
            "the workbook has no rows with values: {}",
            describe_formulas(count)
        ),
    };
    Err(FileCheckError::NotATable(reason))
}

/// Whether a file is a workbook by its content. Programs also give a workbook the extension .xls or .csv. Opens only regular files,
/// because a pipe can be read only once.
pub fn has_workbook_content(path: &Path) -> bool {
    let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file());
    let file = is_file.then(|| File::open(path).ok()).flatten();
    let archive = file.and_then(|file| ZipArchive::new(BufReader::new(file)).ok());
    archive.is_some_and(|archive| archive.index_for_name("xl/workbook.xml").is_some())
}

/// The groups of sheets to try in turn. If the user names a sheet, that sheet alone; otherwise the visible sheets, and then the
/// hidden sheets.
fn list_sheets(
    workbook: &Workbook,
    wanted: Option<&str>,
) -> Result<Vec<Vec<String>>, FileCheckError> {
    let sheets = workbook.sheets_metadata().iter();
    let sheets = sheets.filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let Some(wanted) = wanted else {
        let (visible, hidden): (Vec<_>, Vec<_>) =
            sheets.partition(|sheet| sheet.visible == SheetVisible::Visible);
        let names = |sheets: Vec<&Sheet>| sheets.iter().map(|sheet| sheet.name.clone()).collect();
        return Ok(vec![names(visible), names(hidden)]);
    };
    let names: Vec<&str> = sheets.map(|sheet| &*sheet.name).collect();
    let is_named = |name: &&&str| name.to_lowercase() == wanted.to_lowercase();
    let number = wanted.parse::<usize>().ok();
    let numbered = number.and_then(|number| names.get(number.checked_sub(1)?));
    match names.iter().find(is_named).or(numbered) {
        Some(&name) => Ok(vec![vec![name.to_owned()]]),
        None => Err(FileCheckError::NotATable(format!(
            "--sheet: there is no sheet {wanted:?}; the sheets are {}",
            names.join(", ")
        ))),
    }
}

/// The warning about formulas without their values, with the remedy. Programs that only write workbooks leave the values out.
pub fn describe_formulas(count: u64) -> String {
    let cells = match count {
        1 => "1 formula has no stored value, so its cell is".to_owned(),
        _ => format!("{count} formulas have no stored value, so their cells are"),
    };
    format!(
        "{cells} read as empty; open the workbook in a spreadsheet program and save it there, so that the values are in the file"
    )
}

/// The properties of a sheet that the first pass finds.
#[derive(Default)]
struct FirstPass {
    /// Length of the sheet's text in bytes.
    bytes: u64,
    /// Whether the first rows of the sheet have columns of an address.
    has_addresses: bool,
    formulas_without_value: u64,
}

fn read_first_pass(workbook: &mut Workbook, sheet: &str) -> Result<FirstPass, FileCheckError> {
    let mut pass = FirstPass::default();
    pass.formulas_without_value = read_sheet(workbook, sheet, |chunk| {
        if pass.bytes == 0 {
            pass.has_addresses = has_address_columns(&chunk, WORKBOOK_SEPARATOR);
        }
        pass.bytes += chunk.len() as u64;
        true
    })?;
    Ok(pass)
}

impl WorkbookText {
    fn new(mut workbook: Workbook, sheet: String, pass: &FirstPass) -> Self {
        let (sender, chunks) = sync_channel(CHUNKS_IN_FLIGHT);
        let mut other_sheets = workbook.sheet_names();
        other_sheets.retain(|name| *name != sheet);
        let name = sheet.clone();
        // The thread ends at the end of the sheet, or when the receiver of the chunks is dropped.
        thread::spawn(move || {
            let read = read_sheet(&mut workbook, &name, |chunk| sender.send(Ok(chunk)).is_ok());
            // An empty chunk marks the end of the sheet. If it is missing, the thread stopped early and rows are lost.
            let end = read.map(|_| Vec::new()).map_err(io::Error::other);
            sender.send(end).ok();
        });
        Self {
            chunks,
            current: Cursor::default(),
            is_complete: false,
            bytes: pass.bytes,
            sheet,
            other_sheets,
            formulas_without_value: pass.formulas_without_value,
        }
    }
}

impl Read for WorkbookText {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.current.read(buffer)?;
        if length > 0 || buffer.is_empty() || self.is_complete {
            return Ok(length);
        }
        let ended = |_| io::Error::other("the workbook was not read to its end");
        let chunk = self.chunks.recv().map_err(ended)??;
        self.is_complete = chunk.is_empty();
        self.current = Cursor::new(chunk);
        self.current.read(buffer)
    }
}

/// Refuses shared texts that are too large for memory. Also refuses a number of texts that cannot be true, because calamine
/// reserves memory for as many texts as the file announces.
fn check_shared_texts(path: &Path) -> Result<(), FileCheckError> {
    let refused = |text: String| Err(FileCheckError::NotATable(text));
    let Ok(mut archive) = ZipArchive::new(File::open(path).map_err(FileCheckError::Read)?) else {
        // The caller opens the file as a workbook and reports the error.
        return Ok(());
    };
    for index in 0..archive.len() {
        let Ok(part) = archive.by_index(index) else {
            continue;
        };
        let name = part.name().unwrap_or_default().to_ascii_lowercase();
        if !name.ends_with("sharedstrings.xml") {
            continue;
        }
        let mut part = part.take(MAX_SHARED_BYTES + 1);
        let mut head = Vec::new();
        let read = part.by_ref().take(MAX_HEAD_BYTES).read_to_end(&mut head);
        // Count the bytes, because the size in the archive's directory may be false.
        let rest = io::copy(&mut part, &mut io::sink());
        let size =
            read.map_err(FileCheckError::Read)? as u64 + rest.map_err(FileCheckError::Read)?;
        if size > MAX_SHARED_BYTES {
            return refused(format!(
                "the texts of the workbook take more than {MAX_SHARED_BYTES} bytes: save it as CSV"
            ));
        }
        let head = String::from_utf8_lossy(&head);
        let Some(tag) = first_tag(&head) else {
            return refused(format!(
                "the workbook is damaged: no element in the first {MAX_HEAD_BYTES} bytes of sharedStrings.xml"
            ));
        };
        if let Some(count) = unique_count(tag)
            && count > size / MIN_TEXT_BYTES
        {
            return refused(format!(
                "the workbook is damaged: {count} texts in {size} bytes (uniqueCount of sharedStrings.xml)"
            ));
        }
    }
    Ok(())
}

/// The first tag of an XML document, after declarations and comments.
fn first_tag(xml: &str) -> Option<&str> {
    let mut rest = xml;
    loop {
        let (_, after) = rest.split_once('<')?;
        rest = match after.as_bytes().first()? {
            b'?' => after.split_once("?>")?.1,
            b'!' if after.starts_with("!--") => after.split_once("-->")?.1,
            b'!' => after.split_once('>')?.1,
            _ => return Some(after.split_once('>')?.0),
        };
    }
}

/// The number of texts that a tag announces. `u64::MAX` if the announced number cannot be parsed; `None` if the tag announces no number.
fn unique_count(tag: &str) -> Option<u64> {
    let (_, value) = tag.split_once("uniqueCount")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let digits = value.split(['"', '\'']).nth(1)?;
    Some(digits.trim().parse().unwrap_or(u64::MAX))
}

/// Passes the text of a sheet to `pass_on` in chunks, from the first row that is not empty. Stops when `pass_on` returns `false`. Returns the
/// number of formulas without a value.
fn read_sheet(
    workbook: &mut Workbook,
    name: &str,
    mut pass_on: impl FnMut(Vec<u8>) -> bool,
) -> Result<u64, FileCheckError> {
    let mut reader = workbook
        .worksheet_cells_reader(name)
        .map_err(damaged_workbook)?;
    let mut text = Vec::new();
    let mut cells: Vec<String> = Vec::new();
    let mut current = None;
    let mut formulas_without_value = 0;
    let mut next_cell = || reader.next_cell_with_formula_metadata();
    while let Some(cell) = next_cell().map_err(damaged_workbook)? {
        let is_formula = cell.formula.is_some();
        formulas_without_value += u64::from(is_formula && cell.value == DataRef::Empty);
        let value = cell_text(&Data::from(cell.value));
        if value.is_empty() {
            continue;
        }
        let (row, column) = cell.pos;
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
        if text.len() >= CHUNK_BYTES && !pass_on(std::mem::take(&mut text)) {
            return Ok(formulas_without_value);
        }
        current = Some(row);
        cells.resize(cells.len().max(column + 1), String::new());
        cells[column] = value;
    }
    if current.is_some() {
        push_row(&mut text, &mut cells);
        pass_on(text);
    }
    Ok(formulas_without_value)
}

fn push_row(text: &mut Vec<u8>, cells: &mut Vec<String>) {
    push_cells(text, cells.iter().map(String::as_str), WORKBOOK_SEPARATOR);
    text.push(b'\n');
    cells.clear();
}

fn damaged_workbook(error: XlsxError) -> FileCheckError {
    FileCheckError::NotATable(format!("the workbook cannot be read: {error}"))
}

/// The text of a cell. A whole number has no decimals, although workbooks store every number as floating point.
fn cell_text(cell: &Data) -> String {
    match cell {
        Data::Float(number) if number.fract() == 0.0 && number.abs() < 1e15 => {
            format!("{number:.0}")
        }
        Data::DateTime(date) if date.is_datetime() && DATE_SERIALS.contains(&date.as_f64()) => {
            date_text(*date)
        }
        Data::DateTimeIso(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Formats a date as `2026-01-12`, followed by the time unless the time is midnight.
fn date_text(date: ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = date.to_ymd_hms_milli();
    match (hour, minute, second) {
        (0, 0, 0) => format!("{year:04}-{month:02}-{day:02}"),
        _ => format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[rustfmt::skip]
    fn the_announced_number_of_texts_is_found_after_declarations_and_comments() {
        #[track_caller]
        fn case(xml: &str, expected: Option<u64>) {
            assert_eq!(first_tag(xml).and_then(unique_count), expected, "{xml}");
        }
        case(r#"<?xml version="1.0"?><sst count="3" uniqueCount="2">"#, Some(2));
        case("<!-- <sst uniqueCount='1'> --><x:sst uniqueCount = '7'>", Some(7));
        case("<!DOCTYPE sst><sst uniqueCount=\"99999999999999999999\">", Some(u64::MAX));
        case("<sst><si/></sst>", None);
        case("<!-- never closed <sst uniqueCount='1'>", None);
        case("", None);
    }

    #[test]
    fn only_date_values_in_range_are_written_as_dates() {
        use calamine::ExcelDateTimeType::DateTime;
        let text = |value| cell_text(&Data::DateTime(ExcelDateTime::new(value, DateTime, false)));
        assert_eq!(text(45_669.0), "2025-01-12");
        for value in [0.5, -3.0, 1e300, f64::NAN] {
            assert!(!text(value).contains("1899-"), "{value}: {}", text(value));
        }
    }
}
