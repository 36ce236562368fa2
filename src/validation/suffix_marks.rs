//! Recognises the marks around and inside a letter or an addition.

/// Whether a character is white space or punctuation, which people put around a letter or an addition. A combining mark, such as an accent,
/// is not one of them, because it is part of its letter.
pub(super) fn is_mark(c: char) -> bool {
    is_separator(c) || c.is_ascii_punctuation() || matches!(c, '‘' | '’' | '“' | '”' | '´')
}

/// Whether a character is white space, a slash or a dash. Word processors replace a hyphen by a longer dash.
pub(super) fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '/' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}
