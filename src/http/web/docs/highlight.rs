//! Colours strings, numbers and literals in code. It knows no grammar, only the tokens that JSON and the languages of the samples have in
//! common.

use super::{PLACEHOLDER, PLACEHOLDER_WIDGET};
use html_escape::encode_double_quoted_attribute as escape;

/// Words that are literals.
const WORDS: [&str; 6] = ["true", "false", "null", "True", "False", "None"];

/// Renders code as HTML. A placeholder for a URL of the service becomes a separate element, which the script of the documentation page
/// fills.
pub(super) fn render(code: &str) -> String {
    let mut html = String::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '\'' => string_length(rest, first),
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        html.push_str(&match class_of(token, after) {
            Some(class) => format!("<span class=\"{class}\">{}</span>", escape(token)),
            None => escape(token).into_owned(),
        });
        rest = after;
    }
    for (placeholder, path) in [(PLACEHOLDER, "api"), (PLACEHOLDER_WIDGET, "widget.js")] {
        let address = format!("<span class=\"base\" data-path=\"{path}\">{placeholder}</span>");
        html = html.replace(placeholder, &address);
    }
    html
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

/// The length of a string with its quotes. If the string has no end, the length of the rest of the text.
fn string_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The CSS class of a token that is the name of a field, a string or another value; `None` for every other token.
fn class_of(token: &str, after: &str) -> Option<&'static str> {
    let first = token.chars().next()?;
    let is_name = after.starts_with(": ") || after.starts_with(" => ");
    match first {
        '"' | '\'' if is_name => Some("name"),
        '"' | '\'' => Some("string"),
        _ if first.is_ascii_digit() || WORDS.contains(&token) => Some("value"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_strings_and_values_get_their_css_classes() {
        assert_eq!(
            render("{\"a\": \"<\\\"b\", 'c' => [1.5, null, d2]}"),
            "{<span class=\"name\">&quot;a&quot;</span>: <span class=\"string\">&quot;&lt;\\&quot;b&quot;</span>, \
             <span class=\"name\">'c'</span> =&gt; [<span class=\"value\">1.5</span>, <span class=\"value\">null</span>, d2]}"
        );
    }

    #[test]
    fn the_base_address_is_an_element() {
        assert_eq!(
            render("curl 'https://HOST/api/v3'"),
            "curl <span class=\"string\">'<span class=\"base\" data-path=\"api\">https://HOST/api</span>/v3'</span>"
        );
        assert_eq!(render("'open"), "<span class=\"string\">'open</span>");
    }
}
