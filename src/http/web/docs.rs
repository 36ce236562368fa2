//! Renders the documentation page in Dutch and in English, from `openapi.json`, at start. The page is readable without its script.

mod contents;
mod errors;
mod form_field;
mod highlight;
mod html;
mod introduction;
mod literal_syntax;
mod operation;
mod page;
mod samples;
mod titles;
mod types;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value;

use super::language::{Language, TranslatedAsset};
use super::{HTML, OPENAPI_JSON, same_origin_asset};
use page::Page;

/// The Dutch translation of every English text on the documentation page: the texts of `openapi.json`, and the texts of this module.
const DUTCH_TEXTS: &str = include_str!("docs/dutch.json");

/// The base URL in the samples. The script of the documentation page replaces it with the URL that the visitor used.
const PLACEHOLDER: &str = "https://HOST/api";

/// The URL of the widget's script in the samples. The script of the documentation page replaces it too.
const PLACEHOLDER_WIDGET: &str = "https://HOST/widget.js";

static DUTCH: LazyLock<String> = LazyLock::new(|| {
    let texts: BTreeMap<String, String> =
        serde_json::from_str(DUTCH_TEXTS).expect("dutch.json maps texts to texts");
    let translate = |english: &str| {
        let dutch = texts.get(english).map(String::as_str);
        dutch.unwrap_or(english).to_owned()
    };
    render(Language::Dutch, &translate)
});

static ENGLISH: LazyLock<String> = LazyLock::new(|| render(Language::English, &str::to_owned));

/// Renders the documentation page in both languages.
pub fn docs() -> TranslatedAsset {
    TranslatedAsset::new(|language| {
        let page = match language {
            Language::Dutch => &DUTCH,
            Language::English => &ENGLISH,
        };
        same_origin_asset(HTML, page.as_bytes())
    })
}

fn render(language: Language, translate: &dyn Fn(&str) -> String) -> String {
    let description: Value =
        serde_json::from_slice(OPENAPI_JSON.body).expect("openapi.json is JSON");
    let page = Page::new(&description, language, translate);
    let sections: String = items(&description["tags"])
        .map(|tag| render_group(&page, tag))
        .collect();
    format!(
        "<!doctype html>\n<html lang=\"{lang}\">\n{head}<body{script_texts}>\n{bar}<div class=\"layout\">\n{contents}\
         <main id=\"main\" tabindex=\"-1\">\n{begin}{field}{sections}{errors}{headers}{types}</main>\n</div>\n</body>\n</html>\n",
        lang = language.tag(),
        head = contents::render_head(&page),
        script_texts = contents::script_texts(&page),
        bar = contents::render_bar(&page),
        contents = contents::render_contents(&page),
        begin = introduction::render_introduction(&page),
        field = form_field::render_form_field(&page),
        errors = errors::render_error_codes(&page),
        headers = introduction::render_headers(&page),
        types = types::render_types(&page),
    )
}

fn render_group(page: &Page<'_>, tag: &Value) -> String {
    let name = as_text(&tag["name"]);
    let operations = operation::operations(page.description).filter(|one| one.tag() == name);
    let articles: String = operations.map(|one| one.render(page)).collect();
    let about = page.paragraphs(as_text(&tag["description"]));
    let title = page.translate_and_escape(titles::tag_title(name));
    let id = anchor(name);
    format!("<section id=\"{id}\">\n<h2>{title}</h2>\n{about}{articles}</section>\n")
}

/// A text of the OpenAPI description, or an empty text if it is missing.
fn as_text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn entries(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let fields = value.as_object().into_iter().flatten();
    fields.map(|(name, value)| (name.as_str(), value))
}

/// The examples of a body. `part` is a request body or a response of the OpenAPI description.
fn examples(part: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let contents = part["content"].as_object().into_iter().flatten();
    contents.flat_map(|(_, content)| entries(&content["examples"]))
}

fn code(text: &str) -> String {
    format!(
        "<code>{}</code>",
        html_escape::encode_double_quoted_attribute(text)
    )
}

/// Makes a fragment identifier from a name.
fn anchor(name: &str) -> String {
    name.replace(' ', "-")
}

#[cfg(test)]
mod tests;
