//! Follows the quotes of a row over its lines.

use super::stray_quotes::is_cell_end;

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum ScanState {
    #[default]
    CellStart,
    Plain,
    Quoted,
    QuoteEnd,
}

/// What the lines read so far say about a row.
#[derive(Default, Clone, Copy)]
pub(super) struct RowScan {
    state: ScanState,
    /// Number of separators outside quoted cells.
    pub(super) separators: usize,
    /// Whether text follows a closing quote, which RFC 4180 does not allow.
    pub(super) has_text_after_quote: bool,
    /// Number of lines.
    pub(super) lines: usize,
    /// Number of bytes of the lines.
    pub(super) bytes: usize,
}

impl RowScan {
    /// Reads one more line. As in RFC 4180, a double quote opens a quoted cell only at the start of the cell.
    pub(super) fn read(&mut self, line: &[u8], separator: u8) {
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
        self.lines += 1;
        self.bytes += line.len();
    }

    /// Whether the last line ends inside a quoted cell.
    pub(super) fn is_in_quotes(&self) -> bool {
        self.state == ScanState::Quoted
    }
}
