//! Renders schemas: the values that a type allows, and the fields of an object.

use serde_json::Value;

use super::html::{Field, field_list};
use super::page::Page;
use super::titles::TYPES;
use super::{as_text, code, entries, items};

/// The rules that a schema can have, and the words before the value of each rule.
const RULES: [(&str, &str); 7] = [
    ("minimum", "at least"),
    ("maximum", "at most"),
    ("minLength", "length at least"),
    ("minItems", "items at least"),
    ("maxItems", "items at most"),
    ("pattern", "pattern"),
    ("default", "default"),
];

/// A longer pattern is for programs, which read it in `openapi.json`. The description gives examples.
const MAX_RULE_CHARS: usize = 100;

/// Renders every named type with its fields or its enum values.
pub(super) fn render_types(page: &Page<'_>) -> String {
    let mut types = String::new();
    for (name, schema) in entries(&page.description["components"]["schemas"]) {
        let about = page.translate_inline(as_text(&schema["description"]));
        let content = match schema["properties"].is_object() {
            true => fields_of(page, schema),
            false => format!("<p class=\"kind\">{}</p>\n", type_text(page, schema)),
        };
        types += &format!("<h3 id=\"type-{name}\">{name}</h3>\n<p>{about}</p>\n{content}");
    }
    let (id, title) = (TYPES.0, page.translate_and_escape(TYPES.1));
    format!("<section id=\"{id}\">\n<h2>{title}</h2>\n{types}</section>\n")
}

fn fields_of(page: &Page<'_>, schema: &Value) -> String {
    let required: Vec<&Value> = items(&schema["required"]).collect();
    let fields = entries(&schema["properties"]).map(|(name, field)| {
        let mark = match required.contains(&&Value::from(name)) {
            true => String::new(),
            false => page.required_mark(false),
        };
        Field {
            name: code(name),
            mark,
            kind: type_text(page, field),
            about: description_of(page, field),
        }
    });
    field_list(fields)
}

/// The description of a field. If the field has none, the first description among its `oneOf` and `allOf` parts.
fn description_of(page: &Page<'_>, schema: &Value) -> String {
    let mut texts = std::iter::once(schema)
        .chain(items(&schema["oneOf"]))
        .chain(items(&schema["allOf"]))
        .map(|part| as_text(&part["description"]));
    page.translate_inline(texts.find(|text| !text.is_empty()).unwrap_or_default())
}

/// Describes the values that a schema allows.
pub(super) fn type_text(page: &Page<'_>, schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return format!("<a href=\"#type-{name}\">{name}</a>");
    }
    let or = format!(" {} ", page.translate_and_escape("or"));
    let parts = |part| type_text(page, part);
    let choices: Vec<String> = items(&schema["oneOf"]).map(parts).collect();
    if !choices.is_empty() {
        return choices.join(&or);
    }
    // All parts of an `allOf` after the first only describe the first part.
    if let Some(first) = items(&schema["allOf"]).next() {
        return parts(first);
    }
    let words = match schema["type"].as_array() {
        Some(types) => types.iter().map(as_text).collect::<Vec<_>>().join(&or),
        None => as_text(&schema["type"]).to_owned(),
    };
    let words = match words.as_str() {
        "array" => format!(
            "{} {}",
            page.translate_and_escape("list of"),
            parts(&schema["items"])
        ),
        "object" if schema["properties"].is_object() => {
            format!("object {}", inline_object(page, schema))
        }
        "object" => format!(
            "{} {}",
            page.translate_and_escape("object of"),
            parts(&schema["additionalProperties"])
        ),
        _ => words,
    };
    words + &constraints(page, schema)
}

/// Renders the fields of an inline object.
fn inline_object(page: &Page<'_>, schema: &Value) -> String {
    let inner: Vec<String> = entries(&schema["properties"])
        .map(|(name, field)| format!("{}: {}", code(name), type_text(page, field)))
        .collect();
    format!("{{{}}}", inner.join(", "))
}

fn constraints(page: &Page<'_>, schema: &Value) -> String {
    let words = items(&schema["enum"]).map(|word| code(as_text(word)));
    let words: Vec<String> = words.collect();
    let mut rules = Vec::new();
    match words.len() {
        0 => {}
        1 => rules.push(words[0].clone()),
        _ => rules.push(format!(
            "{} {}",
            page.translate_and_escape("one of"),
            words.join(", ")
        )),
    }
    for (rule, before) in RULES {
        match &schema[rule] {
            Value::Null => {}
            Value::String(rule) if rule.chars().count() > MAX_RULE_CHARS => {}
            Value::String(rule) => rules.push(format!(
                "{} {}",
                page.translate_and_escape(before),
                code(rule)
            )),
            rule => rules.push(format!("{} {rule}", page.translate_and_escape(before))),
        }
    }
    rules.iter().map(|rule| format!(", {rule}")).collect()
}

/// The name of the type of a request body or response body.
pub(super) fn content_types<'a>(page: &Page<'a>, part: &'a Value) -> String {
    let contents = entries(&page.resolve(part)["content"]);
    let contents: Vec<String> = contents
        .map(|(media_type, content)| {
            let (kind, as_) = (
                type_text(page, &content["schema"]),
                page.translate_and_escape("as"),
            );
            format!("{kind} {as_} {}", code(media_type))
        })
        .collect();
    contents.join(", ")
}
