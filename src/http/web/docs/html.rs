//! Renders text as HTML. The only markup is emphasis and code.

use html_escape::encode_double_quoted_attribute as escape;

/// Renders a line with `code` and **emphasis**.
pub(super) fn render_inline(text: &str) -> String {
    wrap_between(&wrap_between(&escape(text), "`", "code"), "**", "strong")
}

/// Splits `text` at each `mark`, and wraps every second piece in `element`, because marks come in pairs.
fn wrap_between(text: &str, mark: &str, element: &str) -> String {
    let pieces = text.split(mark).enumerate();
    let pieces = pieces.map(|(at, piece)| match at % 2 {
        0 => piece.to_owned(),
        _ => format!("<{element}>{piece}</{element}>"),
    });
    pieces.collect()
}

/// A field with its kind, a mark such as *required*, and its description. All of them are HTML. Empty parts are omitted.
#[derive(Default)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) mark: String,
    pub(super) kind: String,
    pub(super) about: String,
}

/// Renders a list of fields, or an empty text if there are no fields. A list is used because a table is hard to read in a narrow column.
pub(super) fn field_list(fields: impl IntoIterator<Item = Field>) -> String {
    let mut list = String::new();
    for field in fields {
        let Field {
            name, mark, about, ..
        } = field;
        let kind = match field.kind.is_empty() {
            true => String::new(),
            false => format!(" <span class=\"kind\">{}</span>", field.kind),
        };
        list += &format!("<div><dt>{name}{mark}{kind}</dt><dd>{about}</dd></div>\n");
    }
    match list.is_empty() {
        true => list,
        false => format!("<dl class=\"fields\">\n{list}</dl>\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_emphasis_and_code_become_markup() {
        assert_eq!(
            render_inline("a `<b>` & **\"c\"**"),
            "a <code>&lt;b&gt;</code> &amp; <strong>&quot;c&quot;</strong>"
        );
    }

    #[test]
    fn a_list_without_fields_is_empty() {
        assert_eq!(field_list([]), "");
        let [name, about] = ["<b>x</b>", "y"].map(str::to_owned);
        let field = Field {
            name,
            about,
            ..Field::default()
        };
        let list = field_list([field]);
        assert!(list.contains("<dt><b>x</b></dt><dd>y</dd>"), "{list}");
    }
}
