//! Decodes what programs write in place of a character: `&#235;`, `\u00eb`, `_x000D_` and `<br>`.

use std::borrow::Cow;

use html_escape::decode_html_entities;

/// Line breaks that an export wrote as text.
const WRITTEN_LINE_BREAKS: [&str; 6] = ["<br>", "<br/>", "<br />", "\\r\\n", "\\n", "\\r"];

/// Marks before and after the four hexadecimal digits of a character: `\u00eb` in JSON, and `_x000D_` in the XML of workbooks.
const CODE_MARKS: [(&str, &str); 2] = [("\\u", ""), ("_x", "_")];

/// Number of hexadecimal digits of a character.
const CODE_DIGITS: usize = 4;

/// The text with its escapes as the characters that they mean.
pub(super) fn decode_escapes(text: &str) -> Cow<'_, str> {
    if !may_have_escape(text) {
        return Cow::Borrowed(text);
    }
    let mut decoded = decode_html_entities(text).into_owned();
    for written in WRITTEN_LINE_BREAKS {
        if decoded.contains(written) {
            decoded = decoded.replace(written, "\n");
        }
    }
    for (before, after) in CODE_MARKS {
        decoded = decode_codes(&decoded, before, after);
    }
    Cow::Owned(decoded)
}

pub(super) fn may_have_escape(text: &str) -> bool {
    text.contains(['&', '<', '\\', '_'])
}

/// The text with characters in place of their codes. `before` and `after` are the marks around a code.
fn decode_codes(text: &str, before: &str, after: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(before) {
        let code = &rest[at + before.len()..];
        let character = code.get(..CODE_DIGITS).and_then(|digits| {
            let is_closed = code[CODE_DIGITS..].starts_with(after);
            let is_code = is_closed && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            let code = u32::from_str_radix(digits, 16).ok();
            code.filter(|_| is_code).and_then(char::from_u32)
        });
        decoded.push_str(&rest[..at]);
        let length = match character {
            Some(character) => {
                decoded.push(character);
                before.len() + CODE_DIGITS + after.len()
            }
            None => {
                decoded.push_str(before);
                before.len()
            }
        };
        rest = &rest[at + length..];
    }
    decoded.push_str(rest);
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_become_characters() {
        for (text, expected) in [
            ("Itali&#235;straat 5", "Italiëstraat 5"),
            ("Itali&euml;straat &#xeb;", "Italiëstraat ë"),
            ("&#39;t Hoekje", "'t Hoekje"),
            ("Itali\\u00ebstraat", "Italiëstraat"),
            ("Dijk 5_x000D_\nWeesp", "Dijk 5\r\nWeesp"),
            ("Dijk 5<br />Weesp\\r\\nNL", "Dijk 5\nWeesp\nNL"),
            ("Bos & Zn", "Bos & Zn"),
            ("\\u12 _x00_ _xé", "\\u12 _x00_ _xé"),
            ("a_b", "a_b"),
        ] {
            assert_eq!(decode_escapes(text), expected, "{text}");
        }
    }
}
