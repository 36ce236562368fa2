//! Removes telephone numbers and e-mail addresses at the end of an address: `Tel: 06-12345678`.

use crate::check::cell_text::{is_separator, trim_separators};

const MIN_PHONE_DIGITS: usize = 9;

/// Beginnings of the address of a web page.
const WEB_MARKS: [&str; 3] = ["www.", "http://", "https://"];

/// Words before a telephone number, an e-mail address or a web page.
const LABELS: [&str; 19] = [
    "tel", "telefoon", "telefoonnummer", "phone", "t", "m", "mob", "mobiel", "mobile", "gsm",
    "fax", "bel", "e", "email", "e-mail", "mail", "web", "website", "site",
];

/// The text without telephone numbers, e-mail addresses and web pages at its end, if a separator such as a line break comes before each.
pub(super) fn without_contact_lines(text: &str) -> &str {
    let mut rest = text;
    while let Some(at) = trim_separators(rest).rfind(is_separator) {
        let trimmed = trim_separators(rest);
        let (before, last) = trimmed.split_at(at);
        if !is_contact(trim_separators(last)) {
            break;
        }
        rest = before;
    }
    rest
}

/// Whether a text is only an e-mail address, a web page or a telephone number, with or without a label before it.
pub(in crate::check) fn is_contact(text: &str) -> bool {
    let text = without_contact_label(text);
    let is_one_word = !text.contains(char::is_whitespace);
    is_one_word && (is_web(text) || is_email(text)) || is_phone(text)
}

fn without_contact_label(text: &str) -> &str {
    let mut rest = text;
    loop {
        let end = rest.find(|c: char| c == ':' || c.is_whitespace());
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        let label = word.trim_end_matches('.').to_lowercase();
        if !LABELS.contains(&&*label) {
            return rest;
        }
        rest = after.trim_start_matches(|c: char| c == ':' || c.is_whitespace());
    }
}

fn is_web(text: &str) -> bool {
    let lower = text.to_lowercase();
    WEB_MARKS.iter().any(|mark| lower.starts_with(mark))
}

fn is_email(text: &str) -> bool {
    let (before, after) = text.split_once('@').unwrap_or_default();
    before.ends_with(char::is_alphanumeric) && after.contains('.')
}

/// Whether a text is a telephone number that begins with `0` or `+`.
fn is_phone(text: &str) -> bool {
    let is_mark = |c: char| matches!(c, ' ' | '-' | '+' | '.' | '/' | '(' | ')');
    let digits = text.chars().filter(char::is_ascii_digit).count();
    text.trim_start_matches('(').starts_with(['0', '+'])
        && digits >= MIN_PHONE_DIGITS
        && text.chars().all(|c| c.is_ascii_digit() || is_mark(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contact_lines_at_the_end_are_removed() {
        for (text, expected) in [
            ("Dijk 5\nWeesp\nTel: 06-12345678", "Dijk 5\nWeesp"),
            ("Dijk 5, Weesp, +31 (0)294 123 456", "Dijk 5, Weesp"),
            (
                "Dijk 5\nWeesp\nMob. 0612345678\ne-mail a@b.nl\n",
                "Dijk 5\nWeesp",
            ),
            ("Dijk 5, Weesp, www.example.org", "Dijk 5, Weesp"),
            ("Dijk 5 - 7, Weesp", "Dijk 5 - 7, Weesp"),
            ("Weesp\nDijk 1940-1945 103", "Weesp\nDijk 1940-1945 103"),
            ("Tel: 06-12345678", "Tel: 06-12345678"),
            ("Dijk 5\n1234AB Weesp a@b.nl", "Dijk 5\n1234AB Weesp a@b.nl"),
            (
                "Dijk 5, Weesp tel 0592-123456",
                "Dijk 5, Weesp tel 0592-123456",
            ),
            ("Dijk 5\nWeesp\nTel:0592 123456", "Dijk 5\nWeesp"),
            ("", ""),
        ] {
            assert_eq!(without_contact_lines(text), expected);
        }
    }
}
