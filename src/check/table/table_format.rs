//! Detects the format of a text file: encoding, separator, header, columns and line ends.

use std::io::{BufRead, BufReader, Cursor, Read};

use postduif_schema::{Postcode, squashed};

use super::cells::split_cells;
use super::column_keys::ColumnKeys;
use super::other_formats::refuse_other_formats;
use super::row_names::lacks_first_name;
use super::row_splitter::{RawRow, RowSplitter};
use super::table_sample::{
    BYTE_ORDER_MARK, NUMBERED_NAMES, TableOptions, declared_separator, find_separator,
    is_numbered_name, read_sample, rows_above_header, sample_rows,
};
use super::utf16::{Utf16Reader, utf16_encoding};
use crate::check::check_error::FileCheckError;
use crate::check::column_role::ColumnRole;
use crate::check::columns::{
    ColumnContent, ColumnMap, column_letters, describe_header, find_ambiguous_pair,
    is_address_column, one_line, without_remark,
};
use crate::check::lines::{parse_number, split_address, split_postcode_and_city};
use crate::check::output::RESULT_PREFIX;
use crate::search::{has_digit, is_digits};
use crate::validation::EnteredNumber;

/// Maximum number of unused columns that a message names. Further columns are only counted.
const MAX_UNUSED_NAMES: usize = 12;
/// Maximum number of characters of each of these names. The rest of a name is cut.
const MAX_NAME_CHARS: usize = 30;

/// The format of a text file.
#[derive(Debug)]
pub struct TableFormat {
    /// Separator of cells.
    pub separator: u8,
    /// The names of the columns; `None` without a header.
    pub header: Option<Vec<String>>,
    pub(in crate::check) keys: ColumnKeys,
    /// Number of filled rows above the header, such as a title. These rows are not in the output.
    pub rows_above_header_count: usize,
    /// Number of rows before the first row that is checked: the header and all rows above it.
    pub skipped_rows: usize,
    /// The column of each part of an address.
    pub columns: ColumnMap,
    /// The columns that an earlier check added. The output has the new result in their place.
    pub(in crate::check) earlier_results: Vec<usize>,
    /// The number of cells of the longest row at the beginning of the file. The added columns come after this many cells.
    pub width: usize,
    /// Lines end in CR LF.
    pub has_crlf: bool,
    /// Whether the output begins with a byte-order mark. True if the input begins with a byte-order mark or is not UTF-8, because
    /// an input of either kind comes from a spreadsheet.
    pub has_byte_order_mark: bool,
}

/// The rows of a table, without its header.
pub type TableRows<'a> = RowSplitter<Box<dyn BufRead + Send + 'a>>;

impl TableFormat {
    /// Detects the format of a text. Returns the format and the rows after the header.
    ///
    /// # Errors
    /// When the text cannot be read, or no address can be read from its columns.
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
        refuse_other_formats(&sample, options.columns.is_some())?;
        let is_utf8 = is_utf8(&sample);
        let has_mark = encoding.is_some() || sample.starts_with(BYTE_ORDER_MARK);
        if sample.starts_with(BYTE_ORDER_MARK) {
            sample.drain(..BYTE_ORDER_MARK.len());
        }
        let declared = declared_separator(&sample);
        let separator = options.separator.or(declared);
        let separator = separator.unwrap_or_else(|| find_separator(&sample));
        let rows = sample_rows(&sample, separator, None);
        let mut filled = (0..rows.len()).filter(|&at| !rows[at].is_empty());
        let Some(first) = filled.nth(usize::from(declared.is_some())) else {
            return Err(FileCheckError::NotATable(
                "the input has no rows".to_owned(),
            ));
        };
        let at = first + rows_above_header(&rows[first..], options);
        let lacks_name = !options.no_header && lacks_first_name(&rows[at..]);
        let width = rows[at].len() + usize::from(lacks_name);
        let mut rows = sample_rows(&sample, separator, Some((at, width)));
        if lacks_name {
            rows[at].insert(0, String::new());
        }
        let (header, columns) = find_columns(&rows[at..], options)?;
        let skipped_rows = match header {
            Some(_) => at + 1,
            None if declared.is_some() => at,
            None => 0,
        };
        let names = header.iter().flatten().enumerate();
        let added = names.filter(|(_, name)| name.starts_with(RESULT_PREFIX));
        let table = Self {
            skipped_rows,
            separator,
            columns,
            earlier_results: added.map(|(at, _)| at).collect(),
            keys: ColumnKeys::new(header.as_deref().unwrap_or_default()),
            width: rows.iter().map(Vec::len).max().unwrap_or_default(),
            has_crlf: line_ends_in_crlf(&sample),
            has_byte_order_mark: has_mark || !is_utf8,
            header,
            rows_above_header_count: rows[first..at].iter().filter(|row| !row.is_empty()).count(),
        };
        let all = Cursor::new(sample).chain(BufReader::new(input));
        let mut rows = RowSplitter::new(Box::new(all) as Box<dyn BufRead + Send>, separator);
        for _ in 0..skipped_rows {
            rows.next_row()?;
        }
        rows.set_width(width);
        Ok((table, rows))
    }

    /// The used columns, each with the part of the address that it holds, such as `postcode=PC, number=Huisnr.`.
    pub fn describe_used_columns(&self) -> String {
        let roles = ColumnRole::ALL
            .iter()
            .map(|&role| (role.as_str(), self.columns.get(role)));
        let municipality = ("municipality", self.columns.municipality());
        let described = roles
            .chain([municipality])
            .filter_map(|(part, at)| Some(format!("{part}={}", self.column_text(at?, usize::MAX))));
        described.collect::<Vec<_>>().join(", ")
    }

    /// The name of a column, of which at most `max_chars` are shown. If another column has the same name, the letters of the column come
    /// after it, as in `Postcode (F)`.
    fn column_text(&self, at: usize, max_chars: usize) -> String {
        let header = self.header.as_deref().unwrap_or_default();
        let Some(name) = header.get(at).filter(|name| !name.is_empty()) else {
            return format!("column {}", at + 1);
        };
        let shown = one_line(name, max_chars);
        match header.iter().filter(|other| *other == name).count() {
            1 => shown,
            _ => format!("{shown} ({})", column_letters(at)),
        }
    }

    /// All columns with their letters, such as `A=naam, B=postcode`. Only the letters if there is no header.
    pub fn describe_columns(&self) -> String {
        let last = column_letters(self.width.saturating_sub(1));
        let header = self.header.as_ref();
        header.map_or_else(|| format!("A to {last}"), |header| describe_header(header))
    }

    /// The names of the unused columns; empty if there are none. Columns that may be part of an address come first.
    pub fn describe_unused_columns(&self) -> String {
        let header = self.header.as_deref().unwrap_or_default();
        let unused = header.iter().enumerate();
        let unused = unused.filter(|(at, name)| {
            !self.columns.contains(*at) && !self.earlier_results.contains(at) && !name.is_empty()
        });
        let mut unused: Vec<(usize, &String)> = unused.collect();
        unused.sort_by_key(|(_, name)| !is_address_column(name));
        let more = unused.len().saturating_sub(MAX_UNUSED_NAMES);
        let shown = unused.iter().take(MAX_UNUSED_NAMES);
        let shown = shown.map(|(at, _)| self.column_text(*at, MAX_NAME_CHARS));
        let mut text = shown.collect::<Vec<_>>().join(", ");
        if more > 0 {
            text.push_str(&format!(" and {more} more"));
        }
        text
    }

    /// Whether the unused columns hold another address. They do if one of them holds a street, a house number or an address line, and
    /// another of them holds one more part, or if the address used is in one column.
    pub fn has_second_address(&self) -> bool {
        let header = self.header.as_deref().unwrap_or_default();
        let is_unused = |at: &usize| !self.columns.contains(*at);
        let unused = (0..header.len()).filter(is_unused);
        let names: Vec<String> = unused.map(|at| header[at].clone()).collect();
        let other = ColumnMap::from_header(&names);
        let used = [ColumnRole::Postcode, ColumnRole::City, ColumnRole::Number];
        let is_whole = used.iter().all(|&role| self.columns.get(role).is_none());
        other.has_number() && (other.count() > 1 || is_whole)
    }

    /// The cells of a row of this table.
    pub fn cells(&self, row: &RawRow) -> Vec<String> {
        split_cells(row, self.separator)
    }
}

/// Whether a sample is UTF-8. The last character of the sample may be incomplete.
fn is_utf8(sample: &[u8]) -> bool {
    std::str::from_utf8(sample).map_or_else(|error| error.error_len().is_none(), |_| true)
}

fn line_ends_in_crlf(sample: &[u8]) -> bool {
    let end = sample.iter().position(|&byte| byte == b'\n');
    end.is_some_and(|end| end > 0 && sample[end - 1] == b'\r')
}

/// Finds the header and the columns. The header is `None` if the first row is not a header.
fn find_columns(
    rows: &[Vec<String>],
    options: &TableOptions,
) -> Result<(Option<Vec<String>>, ColumnMap), FileCheckError> {
    let (first, next) = (&rows[0], &rows[1..]);
    let named = options.columns.as_ref();
    let named = named.map(|text| ColumnMap::parse(text, first)).transpose();
    let named = named.map_err(FileCheckError::WrongColumns)?;
    let recognised = match options.no_header {
        true => ColumnMap::default(),
        false => ColumnMap::from_first_rows(first, next, &named.clone().unwrap_or_default()),
    };
    let looks_like_address = !options.no_header && is_address(first, &recognised);
    if looks_like_address && (named.is_none() || recognised.count() > 0) {
        return Err(FileCheckError::NotATable(format!(
            "the first row looks like an address: use --no-header and --columns, such as --columns postcode=B,number=C; the columns are {}",
            describe_header(first)
        )));
    }
    if named.is_none() {
        refuse_unclear_columns(rows, &recognised)?;
    }
    let columns = match named {
        Some(named) => named.filled_from(&recognised),
        None => recognised.clone(),
    };
    let is_found_by_content = !columns.has_number();
    let data = if options.no_header { rows } else { next };
    let columns = match is_found_by_content {
        true => columns.filled_from(&ColumnMap::from_content(data)),
        false => columns,
    };
    refuse_missing_columns(rows, &columns)?;
    // The cells of an address contain digits. Names of columns seldom do, but `Regel 2` does.
    let is_data = || {
        if is_found_by_content && are_mostly_with_postcode(next) {
            return has_postcode(first) || holds_house_number(first);
        }
        let cell = |role: ColumnRole| first.get(columns.get(role)?);
        let mut cells = ColumnRole::ALL.into_iter().filter_map(cell);
        match [ColumnRole::Postcode, ColumnRole::City]
            .into_iter()
            .find_map(cell)
        {
            Some(place) if is_found_by_content => holds_postcode(place),
            None if is_found_by_content && first.iter().any(|cell| is_numbered_name(cell)) => false,
            _ => looks_like_address || cells.any(|cell| has_digit(cell)),
        }
    };
    let has_header = !options.no_header && (recognised.count() > 0 || !is_data());
    Ok((has_header.then(|| first.to_vec()), columns))
}

/// Refuses columns that are aligned by spaces, and two addresses of which neither is complete.
fn refuse_unclear_columns(
    rows: &[Vec<String>],
    recognised: &ColumnMap,
) -> Result<(), FileCheckError> {
    if is_aligned_by_spaces(rows) {
        return Err(FileCheckError::NotATable(
            "the file has no separator: its columns are aligned by spaces. Open it in a spreadsheet program as text with columns of a fixed \
             width, and save it as .xlsx or CSV"
                .to_owned(),
        ));
    }
    let used = ColumnRole::ALL.into_iter();
    let used = used.filter_map(|role| Some((role, recognised.get(role)?)));
    let Some((role, [one, other])) = find_ambiguous_pair(&rows[0], used, &rows[1..]) else {
        return Ok(());
    };
    let name = role.as_str();
    Err(FileCheckError::NotATable(format!(
        "some rows have two different addresses, in columns such as {one} and {other}: name the columns of one address, such as \
         --columns {name}={one}"
    )))
}

/// Refuses a table without house numbers, or with nothing else of an address.
fn refuse_missing_columns(rows: &[Vec<String>], columns: &ColumnMap) -> Result<(), FileCheckError> {
    let missing = match columns.has_number() {
        false => "house numbers",
        true if holds_only_numbers(columns, &rows[1..]) => "a street, a postcode or a city",
        true => return Ok(()),
    };
    Err(FileCheckError::NotATable(format!(
        "no column with {missing} is recognised; the first row is: {}. Name the columns, \
         such as --columns postcode=B,number=C; the parts are {}",
        describe_header(&rows[0]),
        ColumnRole::ALL.map(ColumnRole::as_str).join(", ")
    )))
}

/// Whether the columns have house numbers, but no column has a street, a postcode or a city. Then no address can be found.
fn holds_only_numbers(columns: &ColumnMap, rows: &[Vec<String>]) -> bool {
    use ColumnRole::{City, Line, Line2, Number, Postcode, Street};
    let others = [Street, Line, Line2, Postcode, City].map(|role| columns.get(role));
    let content = ColumnContent::new(rows);
    let is_only_number =
        |at: usize| content.is_filled(at) && !content.holds_postcode_and_number(at);
    others.iter().all(Option::is_none) && columns.get(Number).is_some_and(is_only_number)
}

/// Whether the rows have one cell each, and the header and most rows have at least two gaps of several spaces.
fn is_aligned_by_spaces(rows: &[Vec<String>]) -> bool {
    let filled = rows.iter().filter(|row| !row.is_empty());
    let has_gaps = |row: &&Vec<String>| {
        let parts = row[0].split("  ").filter(|part| !part.trim().is_empty());
        row.len() == 1 && parts.count() > 2
    };
    filled.clone().take(1).all(|row| has_gaps(&row))
        && 2 * filled.clone().filter(has_gaps).count() > filled.count()
}

/// Whether more than half of the rows have a postcode. A first row without a postcode is then a header.
fn are_mostly_with_postcode(rows: &[Vec<String>]) -> bool {
    let filled = rows.iter().filter(|row| !row.is_empty());
    2 * filled.clone().filter(|row| has_postcode(row)).count() > filled.count()
}

/// Whether a cell of a row is a house number, or a street with a house number. Names of columns such as `Adres 1` do not count.
fn holds_house_number(row: &[String]) -> bool {
    row.iter().any(|cell| {
        let name = squashed(cell);
        let is_name = NUMBERED_NAMES.iter().any(|known| name.starts_with(known));
        !is_name && (parse_number(cell).is_some() || !split_address(cell).is_empty())
    })
}

/// Whether a cell of a row has a postcode, alone or with other parts of an address.
fn has_postcode(row: &[String]) -> bool {
    row.iter().any(|cell| {
        let mut readings = split_address(cell).into_iter();
        holds_postcode(cell)
            || readings.any(|reading| reading.postcode.is_some_and(|text| !text.is_empty()))
    })
}

/// Whether the first row is an address: it has a postcode that is not an example in the name of a column, or it has a house number
/// after a text and at most one known column name.
fn is_address(first: &[String], recognised: &ColumnMap) -> bool {
    let is_number = |cell: &String| {
        let cell = cell.trim();
        is_digits(cell) && EnteredNumber::parse(cell).is_some()
    };
    let is_text = |cell: &String| cell.chars().filter(|c| c.is_alphabetic()).count() > 2;
    let mut pairs = first.windows(2);
    let is_name_with_example = |cell: &str| {
        let name = without_remark(cell);
        name != cell && is_address_column(name)
    };
    let mut cells = first.iter().filter(|cell| holds_postcode(cell));
    cells.any(|cell| !is_name_with_example(cell))
        || recognised.count() < 2 && pairs.any(|pair| is_text(&pair[0]) && is_number(&pair[1]))
}

/// Whether a cell holds a postcode, with or without a city.
fn holds_postcode(cell: &str) -> bool {
    let cell = cell.trim();
    Postcode::from_input(cell).is_ok() || split_postcode_and_city(cell).is_some()
}
