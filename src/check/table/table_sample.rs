//! Reads the rows at the beginning of a text file, and finds its separator and the row of its header.

use std::io::Read;

use postduif_schema::squashed;

use super::cells::split_cells;
use super::row_splitter::RowSplitter;
use crate::check::check_error::FileCheckError;
use crate::check::columns::ColumnMap;

/// Bytes at the beginning of a file from which separator, width and line ends are detected.
const SAMPLE_BYTES: u64 = 1 << 16;

/// Maximum number of rows at the beginning of a file that are read to detect its format.
const SAMPLE_ROWS: usize = 50;

/// Maximum number of rows above a header, such as a title and a date.
const MAX_ROWS_ABOVE_HEADER: usize = 20;

/// Characters that separate cells, the likeliest in the Netherlands first.
const SEPARATORS: [u8; 4] = *b";,\t|";

pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Format options from the user. An option that is not given is detected from the file.
#[derive(Debug, Clone, Default)]
pub struct TableOptions {
    /// Separator of cells.
    pub separator: Option<u8>,
    /// The columns, as [`ColumnMap::parse`] reads them.
    pub columns: Option<String>,
    /// True if the first row is data. If false, its cells show whether it is a header.
    pub no_header: bool,
}

/// The separator that the first line names, as spreadsheets write it: `sep=;`.
pub(super) fn declared_separator(sample: &[u8]) -> Option<u8> {
    let line = sample.split(|&byte| matches!(byte, b'\n' | b'\r')).next()?;
    let (name, value) = line.split_at_checked("sep=".len())?;
    match value {
        &[separator] if name.eq_ignore_ascii_case(b"sep=") => {
            Some(separator).filter(|separator| SEPARATORS.contains(separator))
        }
        _ => None,
    }
}

/// How many rows are above the header. The header is the first row if at least two columns are recognised there, and otherwise the
/// row in which the most columns are recognised.
pub(super) fn rows_above_header(rows: &[Vec<String>], options: &TableOptions) -> usize {
    if options.columns.is_some() || options.no_header {
        return 0;
    }
    let recognised = |at: &usize| ColumnMap::from_header(&rows[*at]).count();
    // A row of data with a German street, such as `Hauptstraße 5`, is no header below `Regel 1;Regel 2`.
    let has_numbered_names =
        |row: &Vec<String>| row.len() > 1 && row.iter().all(|cell| is_numbered_name(cell));
    if rows.first().is_none_or(has_numbered_names) || recognised(&0) > 1 {
        return 0;
    }
    let candidates = 0..rows.len().min(MAX_ROWS_ABOVE_HEADER + 1);
    let is_header = |at: &usize| ColumnMap::from_header(&rows[*at]).has_number();
    // `max_by_key` returns the last of equal rows, so `rev` makes it return the first one.
    let best = candidates.rev().filter(is_header).max_by_key(recognised);
    let best = best.filter(|at| recognised(at) > 1);
    best.unwrap_or_default()
}

pub(super) fn read_sample(input: &mut impl Read) -> Result<Vec<u8>, FileCheckError> {
    let mut sample = Vec::new();
    let mut beginning = input.take(SAMPLE_BYTES);
    beginning
        .read_to_end(&mut sample)
        .map_err(FileCheckError::Read)?;
    Ok(sample)
}

/// The cells of the first rows. If the sample is full, leaves out its last line, because that line may be incomplete.
/// `header` is the index of the header and its number of cells, if they are known.
pub(super) fn sample_rows(
    sample: &[u8],
    separator: u8,
    header: Option<(usize, usize)>,
) -> Vec<Vec<String>> {
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
        if let Some((_, width)) = header.filter(|(at, _)| *at == rows.len()) {
            splitter.set_width(width);
        }
        rows.push(split_cells(&row, separator));
    }
    rows
}

/// Names of columns that may have a number after them, as in `Regel 2`. The number is left out here.
pub(super) const NUMBERED_NAMES: [&str; 9] = [
    "regel", "adresregel", "adres", "address", "naw", "veld", "lijn", "line", "kolom",
];

/// Whether a cell is the name of a column with a number, such as `Regel 2`.
pub(super) fn is_numbered_name(cell: &str) -> bool {
    let name = squashed(cell);
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit());
    plain.len() < name.len() && NUMBERED_NAMES.contains(&plain)
}

/// Whether the first rows of a text have a header in which columns of an address are recognised.
pub(super) fn has_address_columns(text: &[u8], separator: u8) -> bool {
    let rows = sample_rows(text, separator, None);
    let header = rows.get(rows_above_header(&rows, &TableOptions::default()));
    let recognised = header.map(|header| ColumnMap::from_header(header));
    recognised.is_some_and(|columns| columns.has_number() && columns.count() > 1)
}

/// Chooses the separator of cells. A separator fits if columns are recognised with it and most rows have as many cells as the header. Of
/// the separators that fit, or of all if none fits, takes the one with which the most columns are recognised, and then the one with which
/// the most rows have as many cells as the header. So commas in the names of columns (`Naam;Adres, straat`) do not count.
pub(super) fn find_separator(sample: &[u8]) -> u8 {
    let rate = |&separator: &u8| {
        let rows = sample_rows(sample, separator, None);
        let header = rows_above_header(&rows, &TableOptions::default());
        let first = rows.get(header).map_or(&[][..], Vec::as_slice);
        let same = rows.iter().filter(|row| row.len() == first.len()).count();
        let recognised = ColumnMap::from_header(first).count();
        let has_cells = usize::from(first.len() > 1);
        let data = rows.iter().skip(header + 1);
        let data = data.filter(|row| row.iter().any(|cell| !cell.trim().is_empty()));
        let (fitting, other): (Vec<_>, Vec<_>) = data.partition(|row| row.len() == first.len());
        let fits = recognised * has_cells > 0 && fitting.len() > other.len();
        (fits, recognised, same * has_cells, first.len())
    };
    let best = SEPARATORS.iter().rev().copied();
    best.max_by_key(rate).unwrap_or(SEPARATORS[0])
}
