//! What a text file is: its separator, its header, its columns, and how its lines end.

use std::io::{BufRead, BufReader, Cursor, Read};

use super::cells::split_cells;
use super::columns::describe_header;
use super::{ColumnMap, ColumnRole, FileCheckError, RowSplitter};

/// The beginning of a file, from which separator, width and line ends are found.
const SAMPLE_BYTES: u64 = 1 << 16;

/// Rows of the sample that are compared.
const SAMPLE_ROWS: usize = 50;

/// Characters that separate cells, the likeliest in the Netherlands first.
const SEPARATORS: [u8; 4] = *b";,\t|";

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Format options from the user; `None`: detect it.
#[derive(Debug, Clone, Default)]
pub struct TableOptions {
    /// Separator of cells.
    pub separator: Option<u8>,
    /// The columns, as [`ColumnMap::parse`] reads them.
    pub columns: Option<String>,
    /// Whether the first row is a header.
    pub has_header: Option<bool>,
}

/// What a text file is.
#[derive(Debug)]
pub struct Table {
    /// Separator of cells.
    pub separator: u8,
    /// The names of the columns; `None` without a header.
    pub header: Option<Vec<String>>,
    /// Which column has which part of an address.
    pub columns: ColumnMap,
    /// Cells of a row.
    pub width: usize,
    /// Lines end in CR LF.
    pub has_crlf: bool,
    /// The output begins with a byte-order mark: the input does, or it is not UTF-8, so it comes from a spreadsheet.
    pub has_byte_order_mark: bool,
}

/// The rows of a table, behind its header.
pub type TableRows<'a> = RowSplitter<Box<dyn BufRead + Send + 'a>>;

impl Table {
    /// Detects the format of a text. Returns its rows too; the header is read.
    ///
    /// # Errors
    /// When it cannot be read, or no address can be read from its columns.
    pub fn open<'a>(
        mut input: impl Read + Send + 'a,
        options: &TableOptions,
    ) -> Result<(Self, TableRows<'a>), FileCheckError> {
        let mut sample = Vec::new();
        let head = input.by_ref().take(SAMPLE_BYTES).read_to_end(&mut sample);
        head.map_err(FileCheckError::Read)?;
        refuse_utf16(&sample)?;
        let is_utf8 = is_utf8(&sample);
        let has_mark = sample.starts_with(BYTE_ORDER_MARK);
        if has_mark {
            sample.drain(..BYTE_ORDER_MARK.len());
        }
        let separator = options.separator.unwrap_or_else(|| find_separator(&sample));
        let rows = sample_rows(&sample, separator);
        let Some(first) = rows.iter().find(|row| !row.is_empty()) else {
            return Err(FileCheckError::NotATable(
                "the input has no rows".to_owned(),
            ));
        };
        let (header, columns) = find_columns(first, options)?;
        let table = Self {
            separator,
            columns,
            width: rows.iter().map(Vec::len).max().unwrap_or_default(),
            has_crlf: line_ends_in_crlf(&sample),
            has_byte_order_mark: has_mark || !is_utf8,
            header,
        };
        let all = Cursor::new(sample).chain(BufReader::new(input));
        let mut rows = RowSplitter::new(Box::new(all) as Box<dyn BufRead + Send>, separator);
        if table.header.is_some() {
            skip_header(&mut rows)?;
        }
        Ok((table, rows))
    }
}

/// Blank lines before the header go with it.
fn skip_header(rows: &mut TableRows<'_>) -> Result<(), FileCheckError> {
    while let Some(row) = rows.next_row()? {
        if !row.bytes.is_empty() {
            break;
        }
    }
    Ok(())
}

fn refuse_utf16(sample: &[u8]) -> Result<(), FileCheckError> {
    if sample.starts_with(b"\xff\xfe") || sample.starts_with(b"\xfe\xff") {
        return Err(FileCheckError::NotATable(
            "the input is UTF-16: save it as CSV in UTF-8, or as .xlsx".to_owned(),
        ));
    }
    if sample.starts_with(b"PK\x03\x04") {
        return Err(FileCheckError::NotATable(
            "the input is an archive, not a table: a workbook must have a name that ends in .xlsx"
                .to_owned(),
        ));
    }
    Ok(())
}

/// The sample may end within a character.
fn is_utf8(sample: &[u8]) -> bool {
    match std::str::from_utf8(sample) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    }
}

fn line_ends_in_crlf(sample: &[u8]) -> bool {
    let end = sample.iter().position(|&byte| byte == b'\n');
    end.is_some_and(|end| end > 0 && sample[end - 1] == b'\r')
}

/// The cells of the first rows. The last one of a full sample may be cut, so it is left out.
fn sample_rows(sample: &[u8], separator: u8) -> Vec<Vec<String>> {
    let is_cut = sample.len() as u64 >= SAMPLE_BYTES - BYTE_ORDER_MARK.len() as u64;
    let whole = match sample.iter().rposition(|&byte| byte == b'\n') {
        Some(end) if is_cut => &sample[..end],
        _ => sample,
    };
    let mut splitter = RowSplitter::new(whole, separator);
    let mut rows = Vec::new();
    while rows.len() < SAMPLE_ROWS
        && let Ok(Some(row)) = splitter.next_row()
    {
        rows.push(split_cells(&row, separator));
    }
    rows
}

/// The separator by which most columns are recognised; then the one that occurs equally often in most rows.
fn find_separator(sample: &[u8]) -> u8 {
    let rate = |&separator: &u8| {
        let rows = sample_rows(sample, separator);
        let first = rows.first().map_or(&[][..], Vec::as_slice);
        let same = rows.iter().filter(|row| row.len() == first.len()).count();
        let recognised = ColumnMap::from_header(first).count();
        let has_cells = usize::from(first.len() > 1);
        (recognised, same * has_cells, first.len())
    };
    let best = SEPARATORS.iter().rev().copied();
    best.max_by_key(rate).unwrap_or(SEPARATORS[0])
}

/// The header, if the first row is one, and the columns.
fn find_columns(
    first: &[String],
    options: &TableOptions,
) -> Result<(Option<Vec<String>>, ColumnMap), FileCheckError> {
    let recognised = ColumnMap::from_header(first);
    let columns = match &options.columns {
        Some(text) => ColumnMap::parse(text, first).map_err(FileCheckError::NotATable)?,
        None if options.has_header == Some(false) => ColumnMap::default(),
        None => recognised.clone(),
    };
    if !columns.has_number() {
        return Err(FileCheckError::NotATable(format!(
            "no columns with addresses are recognised in the first row: {}. Name them, such as --columns postcode=B,number=C; \
             the parts are {}",
            describe_header(first),
            ColumnRole::ALL.map(ColumnRole::name).join(", ")
        )));
    }
    // The cells of an address have digits somewhere, and the names of columns seldom have.
    let is_data = || {
        let chosen = ColumnRole::ALL.iter().filter_map(|&role| columns.get(role));
        let mut cells = chosen.filter_map(|at| first.get(at));
        cells.any(|cell| cell.contains(|c: char| c.is_ascii_digit()))
    };
    let has_header = options
        .has_header
        .unwrap_or_else(|| recognised.count() > 0 || !is_data());
    Ok((has_header.then(|| first.to_vec()), columns))
}
