//! Splits a text file into rows. A line break in a quoted cell does not end the row. A quote that opens no quoted cell, such as the one in
//! `"t Hoekje`, is text if its line has as many cells as the header; with another number of cells, a quote that is never closed makes that
//! line unreadable, but no other line.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use super::row_scan::RowScan;
use super::stray_quotes::{count_cells, opens_with_article, quote_stray_quotes, unquote_row};
use crate::check::check_error::FileCheckError;

/// Maximum number of bytes of the first line of a row, and of a row of many lines. If the first line is longer, the row is returned as
/// broken.
const MAX_ROW_BYTES: usize = 1 << 20;

/// Maximum number of bytes of a line. A file with a longer line is refused, because the whole line is held in memory.
const MAX_LINE_BYTES: usize = 1 << 26;

/// Maximum number of lines of one row; [`RowSplitter::is_row_of_many_lines`] says which rows may have more. Without a limit, a quote that is
/// never closed would make the rest of the file one row.
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
    /// Number of the line at which the last unsuccessful scan for a row of many lines ended. Rows that begin before it are not scanned again,
    /// so the cost stays linear.
    failed_scan_end: u64,
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
            failed_scan_end: 0,
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
        let scan = match is_too_long {
            true => RowScan::default(),
            false => self.scan_row(&first)?,
        };
        if !is_too_long && self.has_stray_quote(&first, &scan) {
            let bytes = quote_stray_quotes(&first, self.separator);
            let is_broken = false;
            return Ok(Some(RawRow { bytes, is_broken }));
        }
        let is_broken = is_too_long || scan.is_in_quotes();
        let mut bytes = first;
        if !is_broken {
            for line in self.lines.drain(..scan.lines.saturating_sub(1)) {
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

    /// Reads the lines of the row that begins with `first`. They stay in the queue until the row is returned. If the quoted cell does not end
    /// within [`MAX_LINES_PER_ROW`], the scan is still in quotes.
    fn scan_row(&mut self, first: &[u8]) -> Result<RowScan, FileCheckError> {
        let mut scan = RowScan::default();
        scan.read(first, self.separator);
        let may_go_on = |scan: &RowScan| scan.is_in_quotes() && scan.bytes <= MAX_LINE_BYTES;
        while may_go_on(&scan) && scan.lines < MAX_LINES_PER_ROW && self.scan_line(&mut scan)? {}
        if scan.is_in_quotes() && scan.lines == MAX_LINES_PER_ROW {
            let mut longer = scan;
            if self.is_row_of_many_lines(&mut longer)? {
                return Ok(longer);
            }
        }
        Ok(scan)
    }

    /// Reads one more line into the scan; `false` at the end of the input.
    fn scan_line(&mut self, scan: &mut RowScan) -> Result<bool, FileCheckError> {
        if self.lines.len() < scan.lines && !self.queue_line()? {
            return Ok(false);
        }
        scan.read(&self.lines[scan.lines - 1], self.separator);
        Ok(true)
    }

    /// Continues the scan of a row to the end of its quoted cell. Returns whether the lines together are one well-formed row: it has as many
    /// cells as the header, no text after a closing quote, and at most [`MAX_ROW_BYTES`]. Fewer than half of its lines may look like complete
    /// rows. The scan ends early at the first line that makes this impossible.
    fn is_row_of_many_lines(&mut self, scan: &mut RowScan) -> Result<bool, FileCheckError> {
        let first_number = self.lines_read - self.lines.len() as u64;
        let Some(width) = self.width.filter(|_| first_number >= self.failed_scan_end) else {
            return Ok(false);
        };
        let may_be_row = |scan: &RowScan| {
            !scan.has_text_after_quote && scan.separators < width && scan.bytes <= MAX_ROW_BYTES
        };
        while scan.is_in_quotes() && may_be_row(scan) && self.scan_line(scan)? {}
        let others = self.lines.range(..scan.lines - 1);
        let is_row = |line: &&Vec<u8>| count_cells(line, self.separator) == width;
        let is_one_row = !scan.is_in_quotes()
            && may_be_row(scan)
            && scan.separators + 1 == width
            && 2 * others.filter(is_row).count() < scan.lines;
        if !is_one_row && scan.lines > MAX_LINES_PER_ROW {
            self.failed_scan_end = first_number + scan.lines as u64 - 1;
        }
        Ok(is_one_row)
    }

    /// Whether a quote of the first line opens no quoted cell, so that the line is a row of its own. The following lines up to the end of
    /// the apparent cell are in the queue.
    fn has_stray_quote(&self, first: &[u8], scan: &RowScan) -> bool {
        let Some(width) = self.width else {
            return false;
        };
        let is_never_closed = scan.is_in_quotes();
        if !is_never_closed && !scan.has_text_after_quote && scan.lines == 1 {
            return false;
        }
        let is_row = |line: &[u8]| count_cells(line, self.separator) == width;
        let mut others = self.lines.range(..scan.lines - 1);
        is_row(first)
            && match scan.lines {
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
    fn a_well_formed_row_may_have_many_lines() {
        let long = format!("1;\"a\";x;\"{}\"", "line;\n".repeat(10 * MAX_LINES_PER_ROW));
        case_with_width(
            &format!("1;a;b;c\n{long}\n{long}\n1;\"t H;x;5\n{long}\n"),
            &["1;a;b;c", &long, &long, "1;\"\"\"t H\";x;5", &long],
        );
    }

    #[test]
    fn only_a_well_formed_row_has_many_lines() {
        let rows = "2;b;x;6\n".repeat(2 * MAX_LINES_PER_ROW);
        let text = "plain\n".repeat(2 * MAX_LINES_PER_ROW);
        for (row, next) in [
            // The next quote belongs to another row.
            ("1;\"t H;x;5", format!("{rows}2;tv 19\";x;6\n")),
            ("1;\"t H;x", format!("{rows}2;19\";x;6\n")),
            ("1;\"t H;x", format!("{rows}\"b\";x;6\n")),
            ("1;\"a", format!("{text}b\";x\n")),
            ("1;\"a", format!("{text}b\";x;5;6\n")),
            ("1;\"a", format!("{text}b\" c;x;5\n")),
            // More than 1 MiB.
            ("1;\"a", format!("{}b\";x;5\n", text.repeat(1_000))),
        ] {
            let all = format!("1;a;b;c\n{row}\n{next}");
            let mut splitter = RowSplitter::new(all.as_bytes(), b';');
            splitter.set_width(4);
            let lines = std::iter::from_fn(|| splitter.next_row().expect("reads"));
            let found: Vec<RawRow> = lines.collect();
            assert_eq!(found.len(), all.lines().count(), "{row}");
            let has_stray_quote = found[1].bytes == b"1;\"\"\"t H\";x;5";
            assert!(found[1].is_broken || has_stray_quote, "{row}");
        }
    }

    #[test]
    fn quotes_that_are_never_closed_cost_little_time_and_memory() {
        // Each line ends inside a quoted cell, so each row could go on to the end of the file.
        let width = 20_000;
        let lines = "a\";\"\n".repeat(width);
        let mut splitter = RowSplitter::new(lines.as_bytes(), b';');
        splitter.set_width(width);
        let mut scanned = 0;
        while let Some(first) = splitter.next_line().expect("reads") {
            let mut scan = RowScan::default();
            scan.read(&first, b';');
            splitter.is_row_of_many_lines(&mut scan).expect("reads");
            scanned += scan.lines;
        }
        assert!(scanned < 4 * width, "{scanned}");
        let endless = format!("1;\"a\n{}", "x\n".repeat(2 * MAX_ROW_BYTES));
        let mut splitter = RowSplitter::new(endless.as_bytes(), b';');
        splitter.set_width(2);
        let row = splitter.next_row().expect("reads").expect("a row");
        assert!(!row.is_broken && splitter.lines.len() <= MAX_ROW_BYTES);
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
