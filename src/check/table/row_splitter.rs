//! Splits a text file into rows. A line break in a quoted cell does not end the row. A quote that opens no quoted cell, such as the one in
//! `"t Hoekje`, is text if its line has as many cells as the header; with another number of cells, a quote that is never closed makes that
//! line unreadable, but no other line.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use super::stray_quotes::{
    count_cells, is_cell_end, opens_with_article, quote_stray_quotes, unquote_row,
};
use crate::check::check_error::FileCheckError;

/// Maximum number of bytes of the first line of a row. If the line is longer, the row is returned as broken.
const MAX_ROW_BYTES: usize = 1 << 20;

/// Maximum number of bytes of a line. A file with a longer line is refused, because the whole line is held in memory.
const MAX_LINE_BYTES: usize = 1 << 26;

/// Maximum number of lines of one row. Without a limit, a quote that is never closed would make the rest of the file one row.
const MAX_LINES_PER_ROW: usize = 100;

/// The bytes of one row, without its line break.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawRow {
    /// The text, in the encoding of the input.
    pub bytes: Vec<u8>,
    /// The row has a quote that is never closed, or is longer than 1 MiB.
    pub is_broken: bool,
}

/// Reads the rows of a text one by one.
pub struct RowSplitter<R> {
    input: R,
    separator: u8,
    /// The number of cells of the header; `None` if it is unknown.
    width: Option<usize>,
    /// Lines that were read to find the end of a quoted cell and are not yet part of a returned row.
    lines: VecDeque<Vec<u8>>,
    lines_read: u64,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum ScanState {
    #[default]
    CellStart,
    Plain,
    Quoted,
    QuoteEnd,
}

/// What the lines read so far say about a row.
#[derive(Default)]
struct Scan {
    state: ScanState,
    /// Number of separators outside quoted cells.
    separators: usize,
    /// A closing quote has text after it, so it closes no cell as RFC 4180 defines it.
    has_text_after_quote: bool,
}

impl Scan {
    /// Reads one more line. As in RFC 4180, a double quote opens a quoted cell only at the start of the cell.
    fn read(&mut self, line: &[u8], separator: u8) {
        for (at, &byte) in line.iter().enumerate() {
            let before = self.state;
            self.state = match before {
                ScanState::Quoted if byte == b'"' => ScanState::QuoteEnd,
                ScanState::Quoted => ScanState::Quoted,
                ScanState::QuoteEnd | ScanState::CellStart if byte == b'"' => ScanState::Quoted,
                _ if byte == separator => ScanState::CellStart,
                _ => ScanState::Plain,
            };
            self.separators += usize::from(self.state == ScanState::CellStart);
            self.has_text_after_quote |= before == ScanState::QuoteEnd
                && self.state == ScanState::Plain
                && !is_cell_end(&line[at..], separator);
        }
    }
}

impl<R: BufRead> RowSplitter<R> {
    /// Reads rows from `input`, in which `separator` separates the cells.
    pub fn new(input: R, separator: u8) -> Self {
        Self {
            input,
            separator,
            width: None,
            lines: VecDeque::new(),
            lines_read: 0,
        }
    }

    /// Sets the number of cells of the header. With this number, the splitter recognises quotes that open no quoted cell in the rows that
    /// follow.
    pub(super) fn set_width(&mut self, width: usize) {
        self.width = Some(width);
    }

    /// The next row; `None` at the end of the input.
    ///
    /// # Errors
    /// When the input cannot be read, or a line is too long.
    pub fn next_row(&mut self) -> Result<Option<RawRow>, FileCheckError> {
        let Some(first) = self.next_line()? else {
            return Ok(None);
        };
        let is_too_long = first.len() > MAX_ROW_BYTES;
        let mut scan = Scan::default();
        if !is_too_long {
            scan.read(&first, self.separator);
        }
        let mut lines = 1;
        while scan.state == ScanState::Quoted && lines < MAX_LINES_PER_ROW {
            // The lines stay in the queue until the end of the quoted cell is found.
            if self.lines.len() < lines && !self.queue_line()? {
                break;
            }
            scan.read(&self.lines[lines - 1], self.separator);
            lines += 1;
        }
        if !is_too_long && self.has_stray_quote(&first, lines, &scan) {
            let bytes = quote_stray_quotes(&first, self.separator);
            let is_broken = false;
            return Ok(Some(RawRow { bytes, is_broken }));
        }
        let is_broken = is_too_long || scan.state == ScanState::Quoted;
        let mut bytes = first;
        if !is_broken {
            for line in self.lines.drain(..lines - 1) {
                bytes.extend(line);
            }
        }
        let text = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        bytes.truncate(text.len());
        let unquoted = self.width.filter(|_| !is_broken);
        let unquoted = unquoted.and_then(|width| unquote_row(&bytes, self.separator, width));
        Ok(Some(RawRow {
            bytes: unquoted.unwrap_or(bytes),
            is_broken,
        }))
    }

    /// Whether a quote of the first line opens no quoted cell, so that the line is a row of its own. The following lines up to the end of
    /// the apparent cell are in the queue.
    fn has_stray_quote(&self, first: &[u8], lines: usize, scan: &Scan) -> bool {
        let Some(width) = self.width else {
            return false;
        };
        let is_never_closed = scan.state == ScanState::Quoted;
        if !is_never_closed && !scan.has_text_after_quote && lines == 1 {
            return false;
        }
        let is_row = |line: &[u8]| count_cells(line, self.separator) == width;
        let mut others = self.lines.range(..lines - 1);
        is_row(first)
            && match lines {
                _ if is_never_closed => true,
                1 => scan.separators + 1 != width,
                _ if scan.has_text_after_quote => {
                    width > 1 && others.next_back().is_some_and(|last| is_row(last))
                }
                _ => opens_with_article(first, self.separator) && others.all(|line| is_row(line)),
            }
    }

    fn next_line(&mut self) -> Result<Option<Vec<u8>>, FileCheckError> {
        if self.lines.is_empty() {
            self.queue_line()?;
        }
        Ok(self.lines.pop_front())
    }

    /// Reads one more line into the queue; `false` at the end of the input.
    fn queue_line(&mut self) -> Result<bool, FileCheckError> {
        let line = read_line(&mut self.input).map_err(FileCheckError::Read)?;
        if line.is_empty() {
            return Ok(false);
        }
        self.lines_read += 1;
        if line.len() > MAX_LINE_BYTES {
            return Err(FileCheckError::NotATable(format!(
                "line {} is longer than 64 MiB: expected a table with one address a row",
                self.lines_read
            )));
        }
        self.lines.push_back(line);
        Ok(true)
    }
}

/// Reads a line, including its LF, CR LF or CR. Does not read to the end of a line that is longer than [`MAX_LINE_BYTES`].
fn read_line(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        let is_after_cr = line.last() == Some(&b'\r');
        let end = match buffer.first() {
            Some(b'\n') if is_after_cr => Some(0),
            None | Some(_) if is_after_cr => return Ok(line),
            _ => buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r')),
        };
        let taken = end.map_or(buffer.len(), |end| end + 1);
        line.extend(&buffer[..taken]);
        input.consume(taken);
        if taken == 0 || line.last() == Some(&b'\n') || line.len() > MAX_LINE_BYTES {
            return Ok(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[track_caller]
    fn case(text: &str, expected: &[(&str, bool)]) {
        let expected: Vec<(String, bool)> = expected
            .iter()
            .map(|(text, broken)| ((*text).to_owned(), *broken))
            .collect();
        for buffer_bytes in [1, 2, 1_000] {
            let input = BufReader::with_capacity(buffer_bytes, text.as_bytes());
            let mut splitter = RowSplitter::new(input, b';');
            let mut found = Vec::new();
            while let Some(row) = splitter.next_row().expect("reads") {
                let text = String::from_utf8(row.bytes).expect("UTF-8");
                found.push((text, row.is_broken));
            }
            assert_eq!(found, expected, "{text:?}, {buffer_bytes}");
        }
    }

    #[test]
    fn rows_end_at_line_breaks_outside_quotes() {
        case("", &[]);
        case("a;b\nc;d", &[("a;b", false), ("c;d", false)]);
        case("a\r\n\r\nb\r\n", &[("a", false), ("", false), ("b", false)]);
        case(
            "a\nb\r\nc\rd",
            &["a", "b", "c", "d"].map(|row| (row, false)),
        );
        case("a\r\rb\r", &[("a", false), ("", false), ("b", false)]);
        case("\"a\rb\"\rc", &[("\"a\rb\"", false), ("c", false)]);
        case("\"a\nb\";c\nd", &[("\"a\nb\";c", false), ("d", false)]);
        case("\"a\"\"\nb\"\nc", &[("\"a\"\"\nb\"", false), ("c", false)]);
        case("5\" pipe\nb", &[("5\" pipe", false), ("b", false)]);
    }

    #[test]
    fn a_quote_that_is_never_closed_breaks_only_its_line() {
        case(
            "\"a;b\nc;d\ne\n",
            &[("\"a;b", true), ("c;d", false), ("e", false)],
        );
        let many = format!("\"a\n{}", "b\n".repeat(3 * MAX_LINES_PER_ROW));
        let mut splitter = RowSplitter::new(many.as_bytes(), b';');
        let mut rows = 0;
        while let Some(row) = splitter.next_row().expect("reads") {
            assert_eq!(row.is_broken, rows == 0);
            rows += 1;
        }
        assert_eq!(rows, 1 + 3 * MAX_LINES_PER_ROW);
    }

    #[track_caller]
    fn case_with_width(text: &str, expected: &[&str]) {
        let mut splitter = RowSplitter::new(text.as_bytes(), b';');
        splitter.set_width(expected[0].split(';').count());
        let mut found = Vec::new();
        while let Some(row) = splitter.next_row().expect("reads") {
            assert!(!row.is_broken, "{text}");
            found.push(String::from_utf8(row.bytes).expect("UTF-8"));
        }
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_quote_that_opens_no_cell_is_text() {
        let [a, b, c] = ["1;\"\"\"t H\";x;5", "2;b;x;6", "3;\"\"\"t Z\";x;7"];
        case_with_width("1;\"t H;x;5\n2;b;x;6\n3;\"t Z;x;7\n", &[a, b, c]);
        case_with_width("1;\"t H;x;5\n2;\"b\";x;6\n", &[a, "2;\"b\";x;6"]);
        case_with_width("1;\"t H;x;5\n2;tv 19\" b;x;6\n", &[a, "2;tv 19\" b;x;6"]);
        case_with_width("1;\"t H;x;5\n2;tv 19\";x;6\n", &[a, "2;tv 19\";x;6"]);
        case_with_width("1;\"t H;\"x\";5\n2;b;x;6", &["1;\"\"\"t H\";\"x\";5", b]);
    }

    #[test]
    fn a_row_in_quotes_is_split() {
        case_with_width(
            "1;a;b\n\"2;\"\"c;d\"\";e\"\n\"3;\"\"c\nd\"\";e\"\n",
            &["1;a;b", "2;\"c;d\";e", "3;\"c\nd\";e"],
        );
        for row in ["\"2;a\"", "\"2;a;b\";c", "\"2\";\"a\";\"b\"", "\"a\""] {
            case_with_width(&format!("1;a;b\n{row}\n"), &["1;a;b", row]);
        }
    }

    #[test]
    fn a_cell_with_lines_that_are_no_rows_stays_one_cell() {
        for row in [
            "1;\"a\nb\";x;5",
            "1;a;x;\"b;\nc;d\"",
            "1;a;x;\"b\nc\" d",
            "1;\"a\nb\" c;x;5",
            "\"a;b\nc;d\" ;x;5;6",
        ] {
            case_with_width(&format!("{row}\n2;b;x;6\n"), &[row, "2;b;x;6"]);
        }
    }

    #[test]
    fn a_long_line_breaks_only_its_row() {
        let text = format!("a;b\n\"{}\nc;d\n", "x".repeat(MAX_ROW_BYTES));
        let mut splitter = RowSplitter::new(text.as_bytes(), b';');
        for is_long in [false, true, false] {
            let row = splitter.next_row().expect("reads").expect("a row");
            assert_eq!((row.is_broken, row.bytes.len() > 3), (is_long, is_long));
        }
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let endless = BufReader::with_capacity(1 << 20, std::io::repeat(b'a'));
        let refused = RowSplitter::new(endless, b';').next_row();
        assert!(
            matches!(&refused, Err(FileCheckError::NotATable(text)) if text.starts_with("line 1 ")),
            "{refused:?}"
        );
    }
}
