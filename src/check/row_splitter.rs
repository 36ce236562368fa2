//! Splits a text file into rows. A line break in a quoted cell does not end the row. A quote that is never closed makes only its
//! line unreadable.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use super::FileCheckError;

/// Maximum number of bytes of the first line of a row. If the line is longer, the row is broken.
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
    /// Lines that were read to find the end of a quoted cell and are not yet part of a returned row.
    lines: VecDeque<Vec<u8>>,
    lines_read: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ScanState {
    CellStart,
    Plain,
    Quoted,
    QuoteEnd,
}

impl<R: BufRead> RowSplitter<R> {
    /// Reads rows from `input`, whose cells are separated by `separator`.
    pub fn new(input: R, separator: u8) -> Self {
        Self {
            input,
            separator,
            lines: VecDeque::new(),
            lines_read: 0,
        }
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
        let mut state = match is_too_long {
            true => ScanState::Plain,
            false => scan(&first, self.separator, ScanState::CellStart),
        };
        let mut lines = 1;
        while state == ScanState::Quoted && lines < MAX_LINES_PER_ROW {
            // The lines stay in the queue until the end of the quoted cell is found.
            if self.lines.len() < lines && !self.queue_line()? {
                break;
            }
            state = scan(&self.lines[lines - 1], self.separator, state);
            lines += 1;
        }
        let is_broken = is_too_long || state == ScanState::Quoted;
        let mut bytes = first;
        if !is_broken {
            for line in self.lines.drain(..lines - 1) {
                bytes.extend(line);
            }
        }
        let text = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        bytes.truncate(text.len());
        Ok(Some(RawRow { bytes, is_broken }))
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

/// The state at the end of a line, given the state before it. As in RFC 4180, a double quote opens a quoted cell only at the start
/// of the cell.
fn scan(line: &[u8], separator: u8, before: ScanState) -> ScanState {
    line.iter().fold(before, |state, &byte| match state {
        ScanState::Quoted if byte == b'"' => ScanState::QuoteEnd,
        ScanState::Quoted => ScanState::Quoted,
        ScanState::QuoteEnd | ScanState::CellStart if byte == b'"' => ScanState::Quoted,
        _ if byte == separator => ScanState::CellStart,
        _ => ScanState::Plain,
    })
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
