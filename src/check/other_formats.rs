//! Recognises files that are not tables of text by their first bytes, and says what they seem to be.

use super::FileCheckError;
use super::table_sample::BYTE_ORDER_MARK;

/// The first bytes of files of other programs, and what such a file seems to be. Source of the first one: MS-CFB, section 2.2.
const BINARY_MARKS: [(&[u8], &str); 14] = [
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "an old workbook (.xls) or another old Office file, such as .doc or .msg",
    ),
    (
        b"PK\x03\x04",
        "a ZIP archive that is no .xlsx workbook, such as .docx, .ods or packed files",
    ),
    (b"%PDF-", "a PDF document"),
    (b"{\\rtf", "a text document (.rtf)"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"II*\0", "an image"),
    (b"MM\0*", "an image"),
    (b"\x1f\x8b", "a packed file (.gz)"),
    (b"7z\xbc\xaf", "a packed file (.7z)"),
    (b"Rar!\x1a", "a packed file (.rar)"),
    (b"SQLite format 3\0", "a database"),
    (b"\0\x01\0\0Standard ", "a database"),
];

/// The beginnings of web pages and XML. Many programs export such a file with the extension .xls.
const MARKUP_MARKS: [&str; 4] = ["<!doctype", "<html", "<table", "<?xml"];

/// Refuses a file that begins like another format than a table of text.
///
/// # Errors
/// When the file is of another format. The error says which.
pub(super) fn refuse_other_formats(sample: &[u8]) -> Result<(), FileCheckError> {
    let text = sample.strip_prefix(BYTE_ORDER_MARK).unwrap_or(sample);
    let text = text.trim_ascii_start();
    let begins_with = |mark: &&str| {
        let start = text.get(..mark.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(mark.as_bytes()))
    };
    let binary = BINARY_MARKS
        .iter()
        .find(|(mark, _)| sample.starts_with(mark));
    let kind = match binary {
        Some((_, kind)) => kind,
        None if MARKUP_MARKS.iter().any(begins_with) => "a web page or XML",
        None if begins_like_json(text) => "JSON",
        None if has_binary_line(sample) => {
            "UTF-16 without its mark or no text at all, because its first line has zero bytes or control characters"
        }
        None => return Ok(()),
    };
    Err(FileCheckError::NotATable(format!(
        "the input seems to be {kind}; expected a table: open it in the program it belongs to, and save or export the addresses as CSV in \
         UTF-8 or as .xlsx"
    )))
}

/// Whether a text begins with a JSON object or a list. A header may begin with a name in brackets: `[Postcode];[Nr]`.
fn begins_like_json(text: &[u8]) -> bool {
    let after = |text: &[u8], mark: u8| -> Option<u8> {
        let rest = text.strip_prefix(&[mark])?;
        rest.trim_ascii_start().first().copied()
    };
    matches!(after(text, b'{'), Some(b'"' | b'}'))
        || matches!(after(text, b'['), Some(b'{' | b'[' | b'"'))
}

/// Whether the first line has control characters, or zero bytes that do not pad a cell at its end.
fn has_binary_line(sample: &[u8]) -> bool {
    let mut lines = sample.split(|&byte| byte == b'\n');
    let line = lines.next().unwrap_or_default();
    let is_control = |byte: &u8| matches!(byte, 0x01..=0x08 | 0x0e..=0x19);
    let is_inside = |pair: &[u8]| pair[0] == 0 && pair[1].is_ascii_alphanumeric();
    line.iter().any(is_control) || line.windows(2).any(is_inside)
}
