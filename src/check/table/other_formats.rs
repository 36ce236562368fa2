//! Recognises files that are not tables of text by their first bytes, and says what they seem to be.

use calamine::XlsxError;

use super::table_sample::BYTE_ORDER_MARK;
use crate::check::check_error::FileCheckError;

/// What to do with a document, a picture or a database.
const EXPORT: &str = "export the addresses as CSV in UTF-8 or as .xlsx";

/// What to do with packed files.
const UNPACK: &str = "unpack it, and check the table inside";

/// What to do with a file that spreadsheet programs read.
const SAVE: &str = "open it in a spreadsheet program, and save it as CSV in UTF-8 or as .xlsx";

/// The first bytes of files of other programs, what such a file seems to be, and what to do with it. Source of the first one: MS-CFB,
/// section 2.2. The input may be a pipe, so the sample cannot tell a workbook from another ZIP archive.
const BINARY_MARKS: [(&[u8], &str, &str); 14] = [
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "an old workbook (.xls) or another old Office file, such as .doc or .msg",
        "open it in its program, and export the addresses as CSV in UTF-8 or as .xlsx",
    ),
    (
        b"PK\x03\x04",
        "a ZIP archive, such as packed files, a document (.docx, .ods) or a workbook (.xlsx) on standard input",
        "unpack packed files; export a document as CSV in UTF-8 or as .xlsx; give the name of a workbook, because it cannot be read from a \
         pipe",
    ),
    (b"%PDF-", "a PDF document", EXPORT),
    (b"{\\rtf", "a text document (.rtf)", EXPORT),
    (b"\x89PNG", "an image", EXPORT),
    (b"\xff\xd8\xff", "an image", EXPORT),
    (b"GIF8", "an image", EXPORT),
    (b"II*\0", "an image", EXPORT),
    (b"MM\0*", "an image", EXPORT),
    (b"\x1f\x8b", "a packed file (.gz)", UNPACK),
    (b"7z\xbc\xaf", "a packed file (.7z)", UNPACK),
    (b"Rar!\x1a", "a packed file (.rar)", UNPACK),
    (b"SQLite format 3\0", "a database", EXPORT),
    (b"\0\x01\0\0Standard ", "a database", EXPORT),
];

/// The beginnings of web pages and XML. Many programs export such a file with the extension .xls.
const MARKUP_MARKS: [&str; 4] = ["<!doctype", "<html", "<table", "<?xml"];

/// Why a file cannot be opened as a workbook, and what to do.
pub(super) fn describe_workbook_error(error: &XlsxError) -> String {
    match error {
        XlsxError::Password => "the workbook has a password: save it without one".to_owned(),
        error => format!(
            "it is not an .xlsx workbook: open it in a spreadsheet program and save it as .xlsx or CSV ({error})"
        ),
    }
}

/// Refuses a file that begins like another format than a table of text. Accepts JSON if `allows_json`: if the
/// columns were named, the first row may be data, and a cell may hold JSON.
///
/// # Errors
/// When the file is of another format. The error says which, and what to do.
pub(super) fn refuse_other_formats(sample: &[u8], allows_json: bool) -> Result<(), FileCheckError> {
    let text = sample.strip_prefix(BYTE_ORDER_MARK).unwrap_or(sample);
    let text = text.trim_ascii_start();
    let begins_with = |mark: &&str| {
        let start = text.get(..mark.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(mark.as_bytes()))
    };
    let binary = BINARY_MARKS
        .iter()
        .find(|(mark, ..)| sample.starts_with(mark));
    let (kind, action) = match binary {
        Some((_, kind, action)) => (*kind, *action),
        None if MARKUP_MARKS.iter().any(begins_with) => ("a web page or XML", SAVE),
        None if !allows_json && begins_like_json(text) => {
            ("JSON", "convert it to CSV in UTF-8 or to .xlsx")
        }
        None if has_binary_first_line(sample) => (
            "UTF-16 without its mark or no text at all, because its first line has zero bytes",
            "save it as CSV in UTF-8 or as .xlsx",
        ),
        None => return Ok(()),
    };
    Err(FileCheckError::NotATable(format!(
        "the input seems to be {kind}; expected a table: {action}"
    )))
}

/// Whether a text begins with a JSON object, or with a list of objects, lists or strings. A header may begin with a name in brackets:
/// `[Postcode];[Nr]`.
fn begins_like_json(text: &[u8]) -> bool {
    let after = |text: &[u8], mark: u8| -> Option<u8> {
        let rest = text.strip_prefix(&[mark])?;
        rest.trim_ascii_start().first().copied()
    };
    matches!(after(text, b'{'), Some(b'"' | b'}'))
        || matches!(after(text, b'['), Some(b'{' | b'[' | b'"'))
}

/// Whether a zero byte comes directly before a letter or digit in the first line. Other zero bytes may fill a cell at its end.
fn has_binary_first_line(sample: &[u8]) -> bool {
    let mut lines = sample.split(|&byte| byte == b'\n');
    let line = lines.next().unwrap_or_default();
    let is_inside = |pair: &[u8]| pair[0] == 0 && pair[1].is_ascii_alphanumeric();
    line.windows(2).any(is_inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workbook_with_a_password_is_called_so() {
        let message = describe_workbook_error(&XlsxError::Password);
        assert!(message.contains("without"), "{message}");
        let message = describe_workbook_error(&XlsxError::XmlEof("row"));
        assert!(message.contains("not an .xlsx workbook"), "{message}");
    }
}
