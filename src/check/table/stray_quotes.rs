//! Finds double quotes that open no quoted cell, such as the one in `"t Hoekje`. RFC 4180 allows no such quote, but people and programs
//! write it. If such a quote were read as an opening quote, it would join the rows up to the next quote.

/// A cell of a line.
struct Cell<'a> {
    text: &'a [u8],
    /// The cell begins with a quote that is text.
    has_stray_quote: bool,
}

/// How many cells a line has if each quote without a closing quote in this line is text.
pub(super) fn count_cells(line: &[u8], separator: u8) -> usize {
    split_line(line, separator).count()
}

/// The texts of the cells of a line, with their quotes.
pub(super) fn quoted_cells(line: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    split_line(line, separator).map(|cell| cell.text)
}

/// Whether a cell of `line` begins with a quote in place of an apostrophe: `"t Hoekje`, `"s-Gravenhage`.
pub(super) fn opens_with_article(line: &[u8], separator: u8) -> bool {
    let mut before = separator;
    line.windows(3).any(|text| {
        let is_article = matches!(text, [b'"', b't' | b's' | b'n', b' ' | b'-']);
        let is_first = std::mem::replace(&mut before, text[0]) == separator;
        is_first && is_article
    })
}

/// The line with its stray quotes in quoted cells, and without its line break: `"t Hoekje;1` becomes `"""t Hoekje";1`.
pub(super) fn quote_stray_quotes(line: &[u8], separator: u8) -> Vec<u8> {
    let mut quoted = Vec::with_capacity(line.len());
    for (index, cell) in split_line(line, separator).enumerate() {
        if index > 0 {
            quoted.push(separator);
        }
        match cell.has_stray_quote {
            true => push_quoted(&mut quoted, cell.text),
            false => quoted.extend(cell.text),
        }
    }
    quoted
}

/// Appends a cell in quotes. The quotes in it are doubled.
pub(super) fn push_quoted(text: &mut Vec<u8>, cell: &[u8]) {
    text.push(b'"');
    for &byte in cell {
        text.extend(std::iter::repeat_n(byte, 1 + usize::from(byte == b'"')));
    }
    text.push(b'"');
}

/// The row inside a line that is one quoted cell, in which all quotes are doubled: `"1;""a"";b"`. A spreadsheet writes this if the file has
/// another separator than it expects. `None` if the line is not such a cell, or if the row in it does not have `width` cells.
pub(super) fn unquote_row(line: &[u8], separator: u8, width: usize) -> Option<Vec<u8>> {
    let inner = line.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let has_quotes = inner.windows(2).any(|pair| pair == b"\"\"");
    if width < 2
        || !has_quotes
        || count_cells(line, separator) != 1
        || quoted_length(line, separator).is_none()
    {
        return None;
    }
    let mut is_first_of_pair = false;
    let unquoted = inner.iter().copied().filter(|&byte| {
        is_first_of_pair = byte == b'"' && !is_first_of_pair;
        byte != b'"' || is_first_of_pair
    });
    let unquoted: Vec<u8> = unquoted.collect();
    (count_cells(&unquoted, separator) == width).then_some(unquoted)
}

/// Whether a cell ends at the beginning of this text: only spaces come before the separator or the end of the line.
pub(super) fn is_cell_end(rest: &[u8], separator: u8) -> bool {
    let next = rest.iter().find(|&&byte| byte != b' ');
    next.is_none_or(|&byte| byte == separator || matches!(byte, b'\n' | b'\r'))
}

fn split_line(line: &[u8], separator: u8) -> impl Iterator<Item = Cell<'_>> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let text = rest?;
        let is_separator = |&byte: &u8| byte == separator;
        let closed = quoted_length(text, separator);
        let skipped = closed.unwrap_or_default();
        let end = text[skipped..].iter().position(is_separator);
        let (cell, after) = match end {
            Some(end) => (&text[..skipped + end], Some(&text[skipped + end + 1..])),
            None => (text, None),
        };
        rest = after;
        Some(Cell {
            text: cell,
            has_stray_quote: closed.is_none() && cell.starts_with(b"\""),
        })
    })
}

/// The length of the quoted cell at the beginning of a text; `None` if there is no opening quote, or its closing quote is missing or
/// has text after it.
fn quoted_length(text: &[u8], separator: u8) -> Option<usize> {
    let quoted = text.strip_prefix(b"\"")?;
    let mut at = 0;
    loop {
        at += quoted.get(at..)?.iter().position(|&byte| byte == b'"')? + 1;
        match quoted.get(at) {
            Some(b'"') => at += 1,
            _ => return is_cell_end(&quoted[at..], separator).then_some(at + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_stray_quotes_are_quoted() {
        for (line, expected, cells) in [
            ("a;\"b;c\";d\r\n", "a;\"b;c\";d", 3),
            ("\"t H;1\n", "\"\"\"t H\";1", 2),
            ("\"a\";\"t \"H\"\";1", "\"a\";\"\"\"t \"\"H\"\"\"\"\";1", 3),
            ("\"t H;\"a;b\" ;\"\"", "\"\"\"t H\";\"a;b\" ;\"\"", 3),
            ("\"a\"\"b;c\";", "\"a\"\"b;c\";", 2),
            ("5\" pipe;\"", "5\" pipe;\"\"\"\"", 2),
        ] {
            let quoted = quote_stray_quotes(line.as_bytes(), b';');
            assert_eq!(String::from_utf8_lossy(&quoted), expected, "{line}");
            assert_eq!(count_cells(line.as_bytes(), b';'), cells, "{line}");
        }
    }
}
