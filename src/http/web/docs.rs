//! The documentation page: rendered from `openapi.json` at start, without scripts.

mod html;
mod operation;
mod types;

use std::fmt::Write as _;
use std::sync::LazyLock;

use serde_json::Value;

use super::{Asset, HTML, OPENAPI_JSON, same_origin_asset};
use crate::accounts::TRIAL_KEY;
use html::{escape, paragraphs, render_inline, table};

static PAGE: LazyLock<String> = LazyLock::new(|| {
    let description = serde_json::from_slice(OPENAPI_JSON.body);
    render(&description.expect("openapi.json is JSON"))
});

/// The page.
#[must_use]
pub fn docs() -> Asset {
    same_origin_asset(HTML, PAGE.as_bytes())
}

/// The sections of the page beside the groups: id and title.
const SECTIONS: [(&str, &str); 3] = [
    ("begin", "To begin with"),
    ("headers", "Response headers"),
    ("types", "Types"),
];

fn render(description: &Value) -> String {
    let [title, version, about] =
        ["title", "version", "description"].map(|name| as_text(&description["info"][name]));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title} {version}: the interface</title>\n\
         <link rel=\"icon\" href=\"icon.svg\">\n<link rel=\"stylesheet\" href=\"docs.css\">\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">To the text</a>\n\
         <header>\n<h1>{title} <small>{version}</small></h1>\n\
         <p>For programs: <a href=\"openapi.json\">openapi.json</a>. To try it: <a href=\"./\">the test page</a>.</p>\n\
         </header>\n"
    );
    push_contents(description, &mut page);
    page.push_str("<main id=\"main\">\n");
    push_section(
        &mut page,
        SECTIONS[0],
        &(paragraphs(about) + &render_introduction(description)),
    );
    for tag in items(&description["tags"]) {
        push_group(description, tag, &mut page);
    }
    push_section(&mut page, SECTIONS[1], &headers_table(description));
    push_section(&mut page, SECTIONS[2], &types::render_types(description));
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn push_section(page: &mut String, (id, title): (&str, &str), content: &str) {
    push_fmt(
        page,
        format_args!("<section id=\"{id}\">\n<h2>{title}</h2>\n{content}</section>\n"),
    );
}

fn push_contents(description: &Value, page: &mut String) {
    let item = |(id, title): (&str, &str)| format!("<li><a href=\"#{id}\">{title}</a></li>\n");
    page.push_str("<nav aria-label=\"Contents\">\n<ul>\n");
    page.push_str(&item(SECTIONS[0]));
    for tag in items(&description["tags"]) {
        let name = as_text(&tag["name"]);
        push_fmt(
            page,
            format_args!(
                "<li><a href=\"#{}\">{}</a>\n<ul>\n",
                anchor(name),
                escape(name)
            ),
        );
        for operation in operations(description).filter(|operation| operation.tag() == name) {
            let (id, path) = (operation.id(), escape(operation.path));
            push_fmt(
                page,
                format_args!("<li><a href=\"#{id}\">{path}</a></li>\n"),
            );
        }
        page.push_str("</ul></li>\n");
    }
    SECTIONS[1..]
        .iter()
        .for_each(|section| page.push_str(&item(*section)));
    page.push_str("</ul>\n</nav>\n");
}

/// The servers, and what holds for all calls.
fn render_introduction(description: &Value) -> String {
    let servers = items(&description["servers"]).map(|server| {
        [
            code(as_text(&server["url"])),
            render_inline(as_text(&server["description"])),
        ]
    });
    let servers = table(["Where", "What"], servers);
    let variables = html::shell_block(&format!("BASE=http://127.0.0.1:8081\nKEY={TRIAL_KEY}"));
    let key = paragraphs(as_text(
        &description["components"]["securitySchemes"]["apiKey"]["description"],
    ));
    format!(
        "{servers}{key}<p>The calls on this page are for a shell that knows where the sandbox is and holds a test key:</p>\n{variables}"
    )
}

fn push_group(description: &Value, tag: &Value, page: &mut String) {
    let name = as_text(&tag["name"]);
    let tagged_operations = operations(description).filter(|operation| operation.tag() == name);
    let content: String = tagged_operations
        .map(|operation| operation.render(description))
        .collect();
    let about = paragraphs(as_text(&tag["description"]));
    push_section(page, (&anchor(name), &escape(name)), &(about + &content));
}

/// Each response header with the statuses that have it.
fn headers_table(description: &Value) -> String {
    let mut rows: Vec<[String; 3]> = Vec::new();
    let mut seen: Vec<(&str, &str, Vec<&str>)> = Vec::new();
    for operation in operations(description) {
        for (status, response) in operation.responses(description) {
            for (name, header) in entries(&response["headers"]) {
                let about = as_text(&resolve(description, header)["description"]);
                let at = seen
                    .iter()
                    .position(|(other, text, _)| (*other, *text) == (name, about));
                let at = at.unwrap_or_else(|| {
                    seen.push((name, about, Vec::new()));
                    seen.len() - 1
                });
                if !seen[at].2.contains(&status) {
                    seen[at].2.push(status);
                }
            }
        }
    }
    for (name, about, mut statuses) in seen {
        statuses.sort_unstable();
        rows.push([code(name), render_inline(about), statuses.join(" ")]);
    }
    table(["Header", "Meaning", "On"], rows)
}

use operation::operations;

/// A text of the description; empty if it is missing.
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

/// A part of the description, with its reference resolved.
fn resolve<'a>(description: &'a Value, part: &'a Value) -> &'a Value {
    let target = part["$ref"]
        .as_str()
        .and_then(|reference| description.pointer(&reference[1..]));
    target.unwrap_or(part)
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escape(text))
}

/// A name as a fragment identifier.
fn anchor(name: &str) -> String {
    name.replace(' ', "-")
}

fn push_fmt(page: &mut String, part: std::fmt::Arguments<'_>) {
    page.write_fmt(part)
        .expect("a String takes all that is written");
}
