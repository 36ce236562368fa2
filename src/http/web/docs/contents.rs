//! Renders the frame of the documentation page: its head, the bar with the choice of languages, and the navigation.

use super::anchor;
use super::operation::operations;
use super::page::Page;
use super::samples::LANGUAGES;
use super::titles::{BEGIN, ERRORS, FIELD, HEADERS, TITLE, TYPES, operation_title, tag_title};
use crate::http::openapi::{INTERFACE_VERSION, PROGRAM_VERSION};
use crate::http::web::language::Language;

pub(super) fn render_head(page: &Page<'_>) -> String {
    let (name, title) = (page.name(), page.translate_and_escape(TITLE));
    // The script is neither a module nor deferred, because it may switch to the page in the other language before the browser draws
    // anything.
    format!(
        "<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{name}: {title}</title>\n\
         <link rel=\"icon\" href=\"icon.svg\" type=\"image/svg+xml\">\n\
         <link rel=\"stylesheet\" href=\"docs.css\">\n<script src=\"docs.js\"></script>\n</head>\n"
    )
}

/// The texts that the script of the documentation page shows, as `data-` attributes of the element `body`.
pub(super) fn script_texts(page: &Page<'_>) -> String {
    let texts = [
        ("copy", "Copy"),
        ("copied", "Copied"),
        ("selected", "Selected"),
    ];
    texts
        .map(|(name, text)| format!(" data-{name}=\"{}\"", page.translate_and_escape(text)))
        .concat()
}

/// Renders the bar above the documentation page: a link to the test page, the choice of a programming language for the samples, and the
/// choice of a language for the page.
pub(super) fn render_bar(page: &Page<'_>) -> String {
    format!(
        "<a class=\"skip\" href=\"#main\">{skip}</a>\n<header class=\"bar\">\n\
         <p class=\"brand\"><a href=\"./\"><img src=\"icon.svg\" alt=\"\" width=\"28\" height=\"28\"><b>{name}</b></a> \
         <span>{title} <small>{PROGRAM_VERSION}, {interface} {version}</small></span></p>\n{samples}{languages}{contents}</header>\n",
        skip = page.translate_and_escape("To the text"),
        name = page.name(),
        interface = page.translate_and_escape("interface"),
        version = *INTERFACE_VERSION,
        title = page.translate_and_escape(TITLE),
        samples = render_sample_languages(page),
        languages = render_languages(page),
        contents = render_phone_contents(page),
    )
}

/// Renders the choice of a programming language for all samples of the page. The choice is made with radio buttons, so it works without
/// scripts. The labels above each sample belong to the same radio buttons.
fn render_sample_languages(page: &Page<'_>) -> String {
    let mut choices = String::new();
    for (at, language) in LANGUAGES.iter().enumerate() {
        let checked = if at == 0 { " checked" } else { "" };
        let (id, title) = (language.id, language.title);
        choices += &format!(
            "<input type=\"radio\" name=\"sample\" id=\"in-{id}\" value=\"{id}\" aria-label=\"{title}\" \
                 autocomplete=\"off\"{checked}><label for=\"in-{id}\">{title}</label>\n"
        );
    }
    let legend = page.translate_and_escape("Samples in");
    format!("<fieldset class=\"in\"><legend>{legend}</legend>\n{choices}</fieldset>\n")
}

fn render_languages(page: &Page<'_>) -> String {
    let link = |language: Language, name: &str| {
        let tag = language.tag();
        let current = match page.language == language {
            true => " aria-current=\"true\"",
            false => "",
        };
        let short = tag.to_uppercase();
        format!(
            "<a href=\"docs?lang={tag}\" lang=\"{tag}\" hreflang=\"{tag}\" aria-label=\"{short}, {name}\"{current}>{short}</a>"
        )
    };
    let label = page.translate_and_escape("Language");
    let links = link(Language::Dutch, "Nederlands") + &link(Language::English, "English");
    format!("<nav class=\"languages\" aria-label=\"{label}\">{links}</nav>\n")
}

/// Renders the navigation for a narrow screen. It opens and closes without scripts.
fn render_phone_contents(page: &Page<'_>) -> String {
    let (label, list) = (page.translate_and_escape("Contents"), render_list(page));
    format!(
        "<details class=\"contents\"><summary>{label}</summary>\n<nav aria-label=\"{label}\">\n{list}</nav></details>\n"
    )
}

/// Renders the navigation for a wide screen.
pub(super) fn render_contents(page: &Page<'_>) -> String {
    let (label, list) = (page.translate_and_escape("Contents"), render_list(page));
    format!("<nav class=\"side\" aria-label=\"{label}\">\n{list}</nav>\n")
}

fn render_list(page: &Page<'_>) -> String {
    let item = |(id, title): (&str, &str)| {
        let title = page.translate_and_escape(title);
        format!("<li><a href=\"#{id}\">{title}</a></li>\n")
    };
    let mut list = item(BEGIN) + &item(FIELD);
    for tag in page.tags() {
        let (id, title) = (anchor(tag), page.translate_and_escape(tag_title(tag)));
        list += &format!("<li><a href=\"#{id}\">{title}</a>\n<ul>\n");
        for operation in operations(page.description).filter(|one| one.tag() == tag) {
            list.push_str(&item((
                operation.id(),
                operation_title(operation.id(), operation.summary()),
            )));
        }
        list.push_str("</ul></li>\n");
    }
    let (account, programs) = (
        page.translate_and_escape("Your account"),
        page.translate_and_escape("For programs"),
    );
    let ends = [ERRORS, HEADERS, TYPES].map(item).concat();
    format!(
        "<ul>\n{list}{ends}<li class=\"apart\"><a href=\"account\">{account}</a></li>\n\
         <li class=\"program\"><span>{programs}</span> <a href=\"openapi.json\">openapi.json</a></li>\n</ul>\n"
    )
}
