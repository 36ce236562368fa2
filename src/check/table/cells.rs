//! Splits the text of a row into cells, and joins cells into a row.

use std::borrow::Cow;

use super::row_splitter::RawRow;
use super::stray_quotes::{push_quoted, quoted_cells};

/// Decodes a text as UTF-8. If it is not valid UTF-8, decodes it as Windows-1252, in which every byte is a character.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => {
            encoding_rs::WINDOWS_1252
                .decode_without_bom_handling(bytes)
                .0
        }
    }
}

/// Decodes a cell without the zero bytes at its end. Old databases fill a text with them to a fixed length.
fn decode_cell(bytes: &[u8]) -> String {
    let end = bytes.iter().rposition(|&byte| byte != 0);
    decode(&bytes[..end.map_or(0, |last| last + 1)]).into_owned()
}

/// Splits a row into cells. Each cell is decoded separately, because a file that was joined from several files may have several
/// encodings. A broken row becomes one cell.
pub(super) fn split_cells(row: &RawRow, separator: u8) -> Vec<String> {
    if row.is_broken {
        return vec![decode(&row.bytes).into_owned()];
    }
    // A row without quotes does not need the CSV reader, which is much slower.
    if !row.bytes.is_empty() && !row.bytes.contains(&b'"') {
        let cells = row.bytes.split(|&byte| byte == separator);
        return cells.map(decode_cell).collect();
    }
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .buffer_capacity(row.bytes.len().max(1))
        .from_reader(&*row.bytes);
    let mut cells = csv::ByteRecord::new();
    // Reading from memory does not fail. The reader is flexible, so it accepts a row with any number of cells.
    match reader.read_byte_record(&mut cells) {
        Ok(true) => cells.iter().map(decode_cell).collect(),
        _ => Vec::new(),
    }
}

/// Appends cells with separators, and quotes the cells that need quotes.
pub(in crate::check) fn push_cells<'a>(
    text: &mut Vec<u8>,
    cells: impl IntoIterator<Item = &'a str>,
    separator: u8,
) {
    for (index, cell) in cells.into_iter().enumerate() {
        if index > 0 {
            text.push(separator);
        }
        push_cell(text, cell, separator);
    }
}

/// Appends a row's cells, of which some may be changed, without the columns in `left_out`. The other cells keep the quotes that they
/// have in the text of the row. A broken row has only one cell, which is always appended.
pub(in crate::check) fn push_changed_cells(
    text: &mut Vec<u8>,
    row: &RawRow,
    cells: &[String],
    left_out: &[usize],
    separator: u8,
) {
    let mut written = quoted_cells(&row.bytes, separator);
    let mut is_first = true;
    for (index, cell) in cells.iter().enumerate() {
        let own = written.next().filter(|_| !row.is_broken);
        if left_out.contains(&index) && !row.is_broken {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            text.push(separator);
        }
        let is_unchanged = |own: &&[u8]| {
            let alone = RawRow {
                bytes: own.to_vec(),
                is_broken: false,
            };
            std::str::from_utf8(own).is_ok() && split_cells(&alone, separator) == [cell.as_str()]
        };
        match own.filter(is_unchanged) {
            Some(own) => text.extend(own),
            None => push_cell(text, cell, separator),
        }
    }
}

pub(in crate::check) fn push_cell(text: &mut Vec<u8>, cell: &str, separator: u8) {
    let needs_quotes = |byte: u8| byte == separator || matches!(byte, b'"' | b'\n' | b'\r');
    if !cell.bytes().any(needs_quotes) {
        text.extend(cell.as_bytes());
        return;
    }
    push_quoted(text, cell.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_cell_is_decoded_separately() {
        let bytes = b"Dani\xc3\xabl;Dani\xebl;\x80".to_vec();
        let row = RawRow {
            bytes,
            is_broken: false,
        };
        assert_eq!(split_cells(&row, b';'), ["Daniël", "Daniël", "€"]);
    }

    proptest! {
        #[test]
        fn written_cells_are_read_back(cells in prop::collection::vec("[a;\"\n\r,é ]{0,6}", 2..5)) {
            let mut bytes = Vec::new();
            push_cells(&mut bytes, cells.iter().map(String::as_str), b';');
            let row = RawRow { bytes, is_broken: false };
            prop_assert_eq!(split_cells(&row, b';'), cells);
        }
    }
}
