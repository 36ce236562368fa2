//! Schemas in words: what a value may be, and the fields of an object.

use serde_json::Value;

use super::html::{inline, table};
use super::{add, code, fields, list, resolved, text};

/// Every named type, with its fields or its words.
pub(super) fn all(description: &Value) -> String {
    let mut page = String::new();
    for (name, schema) in fields(&description["components"]["schemas"]) {
        let about = inline(text(&schema["description"]));
        add(
            &mut page,
            format_args!("<h3 id=\"type-{name}\">{name}</h3>\n<p>{about}</p>\n"),
        );
        match schema["properties"].is_object() {
            true => page.push_str(&of_fields(schema)),
            false => add(&mut page, format_args!("<p>{}</p>\n", kind(schema))),
        }
    }
    page
}

fn of_fields(schema: &Value) -> String {
    let required: Vec<&Value> = list(&schema["required"]).collect();
    let rows = fields(&schema["properties"]).map(|(name, field)| {
        let optional = match required.contains(&&Value::from(name)) {
            true => "",
            false => ", optional",
        };
        [code(name), kind(field) + optional, about(field)]
    });
    table(["Field", "Kind", "What it is"], rows)
}

/// The description of a field, or of the one thing that it may be beside null.
fn about(schema: &Value) -> String {
    let mut texts = std::iter::once(schema)
        .chain(list(&schema["oneOf"]))
        .map(|part| text(&part["description"]));
    inline(texts.find(|text| !text.is_empty()).unwrap_or_default())
}

/// What a value may be, with its rules.
pub(super) fn kind(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return format!("<a href=\"#type-{name}\">{name}</a>");
    }
    let choices: Vec<String> = list(&schema["oneOf"]).map(kind).collect();
    if !choices.is_empty() {
        return choices.join(" or ");
    }
    let words = match schema["type"].as_array() {
        Some(types) => types.iter().map(text).collect::<Vec<_>>().join(" or "),
        None => text(&schema["type"]).to_owned(),
    };
    let words = match words.as_str() {
        "array" => format!("list of {}", kind(&schema["items"])),
        "object" if schema["properties"].is_object() => format!("object {}", inner(schema)),
        "object" => format!("object of {}", kind(&schema["additionalProperties"])),
        _ => words,
    };
    words + &rules(schema)
}

/// The fields of an object that has no name.
fn inner(schema: &Value) -> String {
    let inner: Vec<String> = fields(&schema["properties"])
        .map(|(name, field)| format!("{}: {}", code(name), kind(field)))
        .collect();
    format!("{{{}}}", inner.join(", "))
}

fn rules(schema: &Value) -> String {
    let words = list(&schema["enum"]).map(|word| code(text(word)));
    let words: Vec<String> = words.collect();
    let mut rules = Vec::new();
    match words.len() {
        0 => {}
        1 => rules.push(words[0].clone()),
        _ => rules.push(format!("one of {}", words.join(", "))),
    }
    for (rule, before) in [
        ("minimum", "at least"),
        ("maximum", "at most"),
        ("minLength", "length at least"),
        ("minItems", "items at least"),
        ("maxItems", "items at most"),
        ("pattern", "pattern"),
        ("default", "default"),
    ] {
        match &schema[rule] {
            Value::Null => {}
            Value::String(rule) => rules.push(format!("{before} {}", code(rule))),
            rule => rules.push(format!("{before} {rule}")),
        }
    }
    rules.iter().map(|rule| format!(", {rule}")).collect()
}

/// What a response or a request holds: the name of its type.
pub(super) fn of_content(description: &Value, part: &Value) -> String {
    let contents = fields(&resolved(description, part)["content"]);
    let contents: Vec<String> = contents
        .map(|(media_type, content)| {
            format!("{} as {}", kind(&content["schema"]), code(media_type))
        })
        .collect();
    contents.join(", ")
}
