//! Renders the parts of the documentation page that are about all operations: the introduction, and the response headers.

use serde_json::Value;

use super::html::{Field, field_list};
use super::operation::operations;
use super::page::Page;
use super::samples::{render_call, render_copyable};
use super::titles::{BEGIN, HEADERS, TITLE};
use super::{PLACEHOLDER, as_text, code, entries, items};
use crate::accounts::TRIAL_KEY;
use html_escape::encode_double_quoted_attribute as escape;

/// A header with its description, and the statuses of the responses that have it.
struct HeaderUse<'a> {
    name: &'a str,
    about: &'a str,
    statuses: Vec<&'a str>,
}

/// Renders the title of the documentation page, what the service does, its base URLs and its keys.
pub(super) fn render_introduction(page: &Page<'_>) -> String {
    let servers = items(&page.description["servers"]).map(|server| Field {
        name: code(as_text(&server["url"])),
        about: page.translate_inline(as_text(&server["description"])),
        ..Field::default()
    });
    let key = &page.description["components"]["securitySchemes"]["apiKey"]["description"];
    format!(
        "<section id=\"{id}\">\n<h1>{title}</h1>\n<div class=\"split\">\n<div class=\"text\">\n{about}\
         <h2>{base}</h2>\n{servers}<h2>{keys}</h2>\n{key}</div>\n{samples}</div>\n</section>\n",
        id = BEGIN.0,
        title = page.translate_and_escape(TITLE),
        about = page.paragraphs(as_text(&page.description["info"]["description"])),
        base = page.translate_and_escape("Base address"),
        servers = field_list(servers),
        keys = page.translate_and_escape("Keys"),
        key = page.paragraphs(as_text(key)),
        samples = render_first_values(page),
    )
}

/// Renders the base URL and the key that all samples use, and a first call. Without scripts, the base URL is a placeholder: the page is
/// rendered at start, when the host name that visitors use is unknown.
fn render_first_values(page: &Page<'_>) -> String {
    let base = render_copyable(&page.translate_and_escape("Base address"), PLACEHOLDER);
    let key = render_copyable(&page.translate_and_escape("Trial key"), TRIAL_KEY);
    let first_call = operations(page.description)
        .next()
        .and_then(|one| one.first_call());
    let first_call = first_call
        .map(|call| render_call(&call))
        .unwrap_or_default();
    format!(
        "<div class=\"samples\">\n{base}<noscript><p>{}</p></noscript>\n{key}{first_call}<p>{}</p>\n</div>\n",
        page.translate_inline(
            "Replace `https://HOST` in the samples by the address of this page without `/docs`."
        ),
        page.translate_inline(
            "All samples use this address and this key. Paste one into a terminal, or save it as a file and run it: it answers at once."
        ),
    )
}

/// Renders each response header, with the statuses of the responses that have it.
pub(super) fn render_headers(page: &Page<'_>) -> String {
    let on = page.translate_and_escape("on");
    let fields = header_uses(page).into_iter().map(|header| Field {
        name: code(header.name),
        kind: format!("{on} {}", escape(&header.statuses.join(", "))),
        about: page.translate_inline(header.about),
        ..Field::default()
    });
    format!(
        "<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n",
        HEADERS.0,
        page.translate_and_escape(HEADERS.1),
        field_list(fields)
    )
}

fn header_uses<'a>(page: &Page<'a>) -> Vec<HeaderUse<'a>> {
    let mut uses: Vec<HeaderUse<'a>> = Vec::new();
    for operation in operations(page.description) {
        for (status, response) in operation.responses(page) {
            for (name, header) in entries(&response["headers"]) {
                add_use(&mut uses, (name, page.resolve(header)), status);
            }
        }
    }
    for header in &mut uses {
        header.statuses.sort_unstable();
    }
    uses
}

fn add_use<'a>(
    uses: &mut Vec<HeaderUse<'a>>,
    (name, header): (&'a str, &'a Value),
    status: &'a str,
) {
    let about = as_text(&header["description"]);
    let same = |one: &&mut HeaderUse<'a>| (one.name, one.about) == (name, about);
    match uses.iter_mut().find(same) {
        Some(known) if known.statuses.contains(&status) => {}
        Some(known) => known.statuses.push(status),
        None => uses.push(HeaderUse {
            name,
            about,
            statuses: vec![status],
        }),
    }
}
