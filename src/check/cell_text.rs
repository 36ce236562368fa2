//! Removes the marks that spreadsheets add to text cells, and recognises placeholders for an empty cell such as `NULL`.

use super::column_role::ColumnRole;
use crate::search::begins_with_digit;
use crate::validation::{SuffixPart, is_empty_value, may_be_placeholder};

/// Whether the text of a cell means that the cell has no value: `NULL`, a dash, or `0` in a column of letters or additions.
pub(super) fn is_placeholder(text: &str, role: ColumnRole) -> bool {
    let part = match role {
        ColumnRole::Letter => Some(SuffixPart::Letter),
        ColumnRole::Addition => Some(SuffixPart::Addition),
        _ => None,
    };
    is_empty_value(text) || part.is_some_and(|part| may_be_placeholder(text, part))
}

/// Removes the marks with which a spreadsheet stores a number as text: `'12` and `="12"`. The apostrophe of `'t Hoekje` stays.
pub(super) fn without_text_mark(text: &str) -> &str {
    let formula = text.strip_prefix("=\"");
    if let Some(inner) = formula.and_then(|rest| rest.strip_suffix('"')) {
        return inner.trim();
    }
    let rest = text.strip_prefix('\'');
    rest.filter(|rest| begins_with_digit(rest)).unwrap_or(text)
}

/// Removes separators and spaces at both ends.
pub(super) fn trim_separators(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || is_separator(c))
}

/// Whether a character separates the parts of an address.
pub(super) fn is_separator(c: char) -> bool {
    matches!(c, ',' | ';' | '|' | '\n' | '\r' | '\t' | '·' | '•')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_count_as_empty_and_addresses_do_not() {
        for text in [
            "NULL", "None", "nan", "#N/A", "N/A", "n.v.t.", "geen", "Onbekend", "-", ".",
        ] {
            assert!(is_placeholder(text, ColumnRole::City), "{text}");
        }
        for text in ["0", "x", "nihil", "blank", "na"] {
            assert!(is_placeholder(text, ColumnRole::Addition), "{text}");
        }
        assert!(!is_placeholder("x", ColumnRole::Letter));
        assert!(!is_placeholder("Blank", ColumnRole::Street));
        assert!(!is_placeholder("0", ColumnRole::Number));
        assert!(!is_placeholder("'t Hoekje", ColumnRole::Street));
    }

    #[test]
    fn marks_of_spreadsheets_are_removed() {
        for (text, expected) in [("'12", "12"), ("=\"12\"", "12"), ("'t Hoekje", "'t Hoekje")] {
            assert_eq!(without_text_mark(text), expected);
        }
    }
}
