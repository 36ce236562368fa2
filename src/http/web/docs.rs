//! The description of the interface as a page to read: made from `openapi.json` when the service starts, with no script in it.

mod html;
mod operation;
mod types;

use std::fmt::Write as _;
use std::sync::LazyLock;

use serde_json::Value;

use super::{Asset, DESCRIPTION, HTML, own};
use crate::accounts::TRIAL_KEY;
use html::{escaped, inline, prose, table};

static PAGE: LazyLock<String> = LazyLock::new(|| {
    let description = serde_json::from_slice(DESCRIPTION.body);
    written(&description.expect("the frozen description is JSON"))
});

/// The page.
#[must_use]
pub fn docs() -> Asset {
    own(HTML, PAGE.as_bytes())
}

/// The parts of the page beside the groups: id and title.
const PARTS: [(&str, &str); 3] = [
    ("begin", "To begin with"),
    ("headers", "Response headers"),
    ("types", "Types"),
];

fn written(description: &Value) -> String {
    let [title, version, about] =
        ["title", "version", "description"].map(|name| text(&description["info"][name]));
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
    contents(description, &mut page);
    page.push_str("<main id=\"main\">\n");
    section(&mut page, PARTS[0], &(prose(about) + &begin(description)));
    for tag in list(&description["tags"]) {
        group(description, tag, &mut page);
    }
    section(&mut page, PARTS[1], &headers(description));
    section(&mut page, PARTS[2], &types::all(description));
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn section(page: &mut String, (id, title): (&str, &str), content: &str) {
    add(
        page,
        format_args!("<section id=\"{id}\">\n<h2>{title}</h2>\n{content}</section>\n"),
    );
}

fn contents(description: &Value, page: &mut String) {
    let part = |(id, title): (&str, &str)| format!("<li><a href=\"#{id}\">{title}</a></li>\n");
    page.push_str("<nav aria-label=\"Contents\">\n<ul>\n");
    page.push_str(&part(PARTS[0]));
    for tag in list(&description["tags"]) {
        let name = text(&tag["name"]);
        add(
            page,
            format_args!(
                "<li><a href=\"#{}\">{}</a>\n<ul>\n",
                anchor(name),
                escaped(name)
            ),
        );
        for operation in operations(description).filter(|operation| operation.tag() == name) {
            let (id, path) = (operation.id(), escaped(operation.path));
            add(
                page,
                format_args!("<li><a href=\"#{id}\">{path}</a></li>\n"),
            );
        }
        page.push_str("</ul></li>\n");
    }
    PARTS[1..].iter().for_each(|of| page.push_str(&part(*of)));
    page.push_str("</ul>\n</nav>\n");
}

/// Where the service is, and what the calls below take for granted.
fn begin(description: &Value) -> String {
    let servers = list(&description["servers"]).map(|server| {
        [
            code(text(&server["url"])),
            inline(text(&server["description"])),
        ]
    });
    let servers = table(["Where", "What"], servers);
    let known = html::call(&format!("BASE=http://127.0.0.1:8081\nKEY={TRIAL_KEY}"));
    let key = prose(text(
        &description["components"]["securitySchemes"]["apiKey"]["description"],
    ));
    format!(
        "{servers}{key}<p>The calls on this page are for a shell that knows where the sandbox is and holds a test key:</p>\n{known}"
    )
}

fn group(description: &Value, tag: &Value, page: &mut String) {
    let name = text(&tag["name"]);
    let of_tag = operations(description).filter(|operation| operation.tag() == name);
    let content: String = of_tag
        .map(|operation| operation.written(description))
        .collect();
    let about = prose(text(&tag["description"]));
    section(page, (&anchor(name), &escaped(name)), &(about + &content));
}

/// Each header with the statuses that carry it.
fn headers(description: &Value) -> String {
    let mut rows: Vec<[String; 3]> = Vec::new();
    let mut known: Vec<(&str, &str, Vec<&str>)> = Vec::new();
    for operation in operations(description) {
        for (status, response) in operation.responses(description) {
            for (name, header) in fields(&response["headers"]) {
                let about = text(&resolved(description, header)["description"]);
                let at = known
                    .iter()
                    .position(|(other, text, _)| (*other, *text) == (name, about));
                let at = at.unwrap_or_else(|| {
                    known.push((name, about, Vec::new()));
                    known.len() - 1
                });
                if !known[at].2.contains(&status) {
                    known[at].2.push(status);
                }
            }
        }
    }
    for (name, about, mut statuses) in known {
        statuses.sort_unstable();
        rows.push([code(name), inline(about), statuses.join(" ")]);
    }
    table(["Header", "What it tells", "On"], rows)
}

use operation::operations;

/// A text of the description; nothing where there is none.
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn fields(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let fields = value.as_object().into_iter().flatten();
    fields.map(|(name, value)| (name.as_str(), value))
}

/// A part of the description, or what it refers to.
fn resolved<'a>(description: &'a Value, part: &'a Value) -> &'a Value {
    let place = part["$ref"]
        .as_str()
        .and_then(|reference| description.pointer(&reference[1..]));
    place.unwrap_or(part)
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

/// A name as an address within the page.
fn anchor(name: &str) -> String {
    name.replace(' ', "-")
}

fn add(page: &mut String, part: std::fmt::Arguments<'_>) {
    page.write_fmt(part)
        .expect("a String takes all that is written");
}
