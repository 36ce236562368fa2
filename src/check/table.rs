//! The format of a text file: its encoding, its separator, its header, its columns, and how its lines end.

use std::io::{BufRead, BufReader, Cursor, Read};

use super::cells::split_cells;
use super::columns::describe_header;
use super::utf16::{Utf16Reader, utf16_encoding};
use super::{ColumnMap, ColumnRole, FileCheckError, RawRow, RowSplitter};

/// Bytes at the beginning of a file from which separator, width and line ends are detected.
const SAMPLE_BYTES: u64 = 1 << 16;

/// The most rows at the beginning of a file that are read to detect its format.
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

/// The format of a text file.
#[derive(Debug)]
pub struct Table {
    /// Separator of cells.
    pub separator: u8,
    /// The names of the columns; `None` without a header.
    pub header: Option<Vec<String>>,
    /// Which column has which part of an address.
    pub columns: ColumnMap,
    /// The most cells of a row at the beginning of the file. The added columns come after that many.
    pub width: usize,
    /// Lines end in CR LF.
    pub has_crlf: bool,
    /// The output begins with a byte-order mark, because the input does or is not UTF-8: then it comes from a spreadsheet.
    pub has_byte_order_mark: bool,
}

/// The rows of a table, without its header.
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
        let mut sample = read_sample(&mut input)?;
        let encoding = utf16_encoding(&sample);
        let mut input: Box<dyn Read + Send + 'a> = Box::new(input);
        if let Some(encoding) = encoding {
            input = Box::new(Utf16Reader::new(Cursor::new(sample).chain(input), encoding));
            sample = read_sample(&mut input)?;
        }
        refuse_other_formats(&sample)?;
        let is_utf8 = is_utf8(&sample);
        let has_mark = encoding.is_some() || sample.starts_with(BYTE_ORDER_MARK);
        if sample.starts_with(BYTE_ORDER_MARK) {
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

    /// The cells of one of its rows.
    #[must_use]
    pub fn cells(&self, row: &RawRow) -> Vec<String> {
        split_cells(row, self.separator)
    }
}

/// Skips the header and the blank lines before it.
fn skip_header(rows: &mut TableRows<'_>) -> Result<(), FileCheckError> {
    while let Some(row) = rows.next_row()? {
        if !row.bytes.is_empty() {
            break;
        }
    }
    Ok(())
}

fn read_sample(input: &mut impl Read) -> Result<Vec<u8>, FileCheckError> {
    let mut sample = Vec::new();
    let mut beginning = input.take(SAMPLE_BYTES);
    beginning
        .read_to_end(&mut sample)
        .map_err(FileCheckError::Read)?;
    Ok(sample)
}

fn refuse_other_formats(sample: &[u8]) -> Result<(), FileCheckError> {
    if sample.starts_with(b"PK\x03\x04") {
        return Err(FileCheckError::NotATable(
            "the input is an archive, not a table: a workbook must have a name that ends in .xlsx"
                .to_owned(),
        ));
    }
    let mut first_line = sample.iter().take_while(|&&byte| byte != b'\n');
    // Old workbooks (.xls), and UTF-16 without a byte-order mark.
    if first_line.any(|&byte| byte == 0) {
        return Err(FileCheckError::NotATable(
            "the input is not a text: its first line has zero bytes; save it as CSV in UTF-8, or as .xlsx"
                .to_owned(),
        ));
    }
    Ok(())
}

/// Whether a sample is UTF-8; it may end within a character.
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
    let is_line_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let whole = match sample.iter().rposition(is_line_end) {
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
            "no columns with addresses are recognised in the first row: {}. Remove rows above the header, or name the columns, \
             such as --columns postcode=B,number=C; the parts are {}",
            describe_header(first),
            ColumnRole::ALL.map(ColumnRole::name).join(", ")
        )));
    }
    // Addresses contain digits, and names of columns seldom do.
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
