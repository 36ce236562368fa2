//! Escapes characters that a terminal would obey, in texts from outside: file names, columns, paths of requests.
//!
//! The escapes have the form `\u001b`, which is also valid in a JSON string.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Escapes all control characters of a text that must stay on one line.
pub(crate) fn escape_controls(text: &str) -> Cow<'_, str> {
    escape(text, is_unsafe)
}

/// Escapes the control characters of a text of several lines, except line ends and tabs.
pub(crate) fn escape_lines(text: &str) -> Cow<'_, str> {
    escape(text, |c| is_unsafe(c) && !matches!(c, '\n' | '\t'))
}

fn escape(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match is_escaped(c) {
            true => write!(escaped, "\\u{:04x}", u32::from(c)).expect("a string grows"),
            false => escaped.push(c),
        }
    }
    escaped.into()
}

/// Whether a terminal may obey this character: control characters, line separators, and those that change the direction of the text.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_other_text_stays() {
        #[track_caller]
        fn case(text: &str, in_one_line: &str, in_lines: &str) {
            assert_eq!(escape_controls(text), in_one_line);
            assert_eq!(escape_lines(text), in_lines);
        }
        for text in ["", "day-08.zip", "Skûtsje 1/2 – ’s-Gravenhage 🏠"] {
            case(text, text, text);
        }
        case("\u{1b}[31mred", "\\u001b[31mred", "\\u001b[31mred");
        case(
            "a\u{9b}31m\u{7f}", "a\\u009b31m\\u007f", "a\\u009b31m\\u007f",
        );
        case("\u{202e}\u{2028}", "\\u202e\\u2028", "\\u202e\\u2028");
        case("a\n\tb\r", "a\\u000a\\u0009b\\u000d", "a\n\tb\\u000d");
    }
}
