//! Holds the data that all parts of the documentation page share: the OpenAPI description, the language, and the translation into it.

use serde_json::Value;

use super::html::render_inline;
use super::{as_text, items};
use crate::http::web::language::Language;
use html_escape::encode_double_quoted_attribute as escape;

/// The documentation page in one language.
pub(super) struct Page<'a> {
    pub(super) description: &'a Value,
    pub(super) language: Language,
    /// Translates an English text into the language of the page.
    translate: &'a dyn Fn(&str) -> String,
}

impl<'a> Page<'a> {
    pub(super) fn new(
        description: &'a Value,
        language: Language,
        translate: &'a dyn Fn(&str) -> String,
    ) -> Self {
        Self {
            description,
            language,
            translate,
        }
    }

    /// Translates a text without markup, and escapes it.
    pub(super) fn translate_and_escape(&self, english: &str) -> String {
        escape(&self.translated(english)).into_owned()
    }

    /// Translates a text, and renders its `code` and **emphasis**.
    pub(super) fn translate_inline(&self, english: &str) -> String {
        render_inline(&self.translated(english))
    }

    /// Translates a text, and renders paragraphs and lists, which empty lines separate. Each line of a list begins with a hyphen.
    pub(super) fn paragraphs(&self, english: &str) -> String {
        let parts = english.split("\n\n").map(str::trim);
        let parts = parts.filter(|part| !part.is_empty());
        let render = |part: &str| match part.starts_with("- ") {
            true => format!("<ul class=\"points\">\n{}</ul>\n", self.list_items(part)),
            false => format!("<p>{}</p>\n", self.translate_inline(part)),
        };
        parts.map(render).collect()
    }

    fn list_items(&self, list: &str) -> String {
        let lines = list.lines().map(|line| line.trim_start_matches("- "));
        lines
            .map(|line| format!("<li>{}</li>\n", self.translate_inline(line)))
            .collect()
    }

    /// Renders a mark that says whether a field is required.
    pub(super) fn required_mark(&self, is_required: bool) -> String {
        let word = match is_required {
            true => "required",
            false => "optional",
        };
        format!(
            " <span class=\"{word}\">{}</span>",
            self.translate_and_escape(word)
        )
    }

    fn translated(&self, english: &str) -> String {
        match english {
            "" => String::new(),
            english => (self.translate)(english),
        }
    }

    /// The name of the service.
    pub(super) fn name(&self) -> &'a str {
        as_text(&self.description["info"]["title"])
    }

    /// The names of all groups of operations.
    pub(super) fn tags(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        items(&self.description["tags"]).map(|tag| as_text(&tag["name"]))
    }

    /// A part of the description. If the part is a reference, returns its target.
    pub(super) fn resolve(&self, part: &'a Value) -> &'a Value {
        let target = part["$ref"]
            .as_str()
            .and_then(|reference| self.description.pointer(&reference[1..]));
        target.unwrap_or(part)
    }
}
