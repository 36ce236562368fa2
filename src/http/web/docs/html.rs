//! Renders text as HTML. The only markup is emphasis and code.

use super::push_fmt;

/// Escaped text, for an element or an attribute.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A line with `code` and **emphasis**.
pub(super) fn render_inline(text: &str) -> String {
    wrap_between(&wrap_between(&escape(text), "`", "code"), "**", "strong")
}

/// Wraps every second piece between marks in an element.
fn wrap_between(text: &str, mark: &str, element: &str) -> String {
    let pieces = text.split(mark).enumerate();
    let pieces = pieces.map(|(at, piece)| match at % 2 {
        0 => piece.to_owned(),
        _ => format!("<{element}>{piece}</{element}>"),
    });
    pieces.collect()
}

/// Paragraphs, separated by empty lines.
pub(super) fn paragraphs(text: &str) -> String {
    let parts = text.split("\n\n").filter(|part| !part.trim().is_empty());
    parts
        .map(|part| format!("<p>{}</p>\n", render_inline(part.trim())))
        .collect()
}

/// Preformatted lines.
pub(super) fn code_block(text: &str) -> String {
    format!("<pre><code>{}</code></pre>\n", escape(text))
}

/// A shell command to copy.
pub(super) fn shell_block(text: &str) -> String {
    format!("<pre class=\"call\"><code>{}</code></pre>\n", escape(text))
}

/// A table of HTML cells; empty without rows. The first cell of a row is its header.
pub(super) fn table<const N: usize>(
    heads: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let mut body = String::new();
    for row in rows {
        body.push_str("<tr>");
        for (at, (cell, head)) in row.iter().zip(heads).enumerate() {
            match at {
                0 => push_fmt(&mut body, format_args!("<th scope=\"row\">{cell}</th>")),
                _ => push_fmt(
                    &mut body,
                    format_args!("<td data-head=\"{head}\">{cell}</td>"),
                ),
            }
        }
        body.push_str("</tr>\n");
    }
    if body.is_empty() {
        return body;
    }
    let heads = heads
        .map(|head| format!("<th scope=\"col\">{head}</th>"))
        .concat();
    format!("<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_markup_but_emphasis_and_code() {
        assert_eq!(
            paragraphs("a `<b>` & **\"c\"**\n\nd"),
            "<p>a <code>&lt;b&gt;</code> &amp; <strong>&quot;c&quot;</strong></p>\n<p>d</p>\n"
        );
        assert_eq!(code_block("<i>"), "<pre><code>&lt;i&gt;</code></pre>\n");
    }

    #[test]
    fn a_table_without_rows_is_not_there() {
        assert_eq!(table(["a"], []), "");
        let row = ["<b>x</b>".to_owned()];
        assert!(table(["a"], [row]).contains("<th scope=\"row\"><b>x</b></th>"));
    }
}
