//! Renders schemas: the values that a type allows, and the fields of an object.

use serde_json::Value;

use super::html::{render_inline, table};
use super::{as_text, code, entries, items, push_fmt, resolve};

/// Every named type, with its fields or its enum values.
pub(super) fn render_types(description: &Value) -> String {
    let mut page = String::new();
    for (name, schema) in entries(&description["components"]["schemas"]) {
        let about = render_inline(as_text(&schema["description"]));
        push_fmt(
            &mut page,
            format_args!("<h3 id=\"type-{name}\">{name}</h3>\n<p>{about}</p>\n"),
        );
        match schema["properties"].is_object() {
            true => page.push_str(&fields_table(schema)),
            false => push_fmt(&mut page, format_args!("<p>{}</p>\n", type_text(schema))),
        }
    }
    page
}

fn fields_table(schema: &Value) -> String {
    let required: Vec<&Value> = items(&schema["required"]).collect();
    let rows = entries(&schema["properties"]).map(|(name, field)| {
        let optional = match required.contains(&&Value::from(name)) {
            true => "",
            false => ", optional",
        };
        [
            code(name),
            type_text(field) + optional,
            description_of(field),
        ]
    });
    table(["Field", "Kind", "Description"], rows)
}

/// The description of a field, or of its only alternative to null.
fn description_of(schema: &Value) -> String {
    let mut texts = std::iter::once(schema)
        .chain(items(&schema["oneOf"]))
        .map(|part| as_text(&part["description"]));
    render_inline(texts.find(|text| !text.is_empty()).unwrap_or_default())
}

/// The values that a schema allows.
pub(super) fn type_text(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return format!("<a href=\"#type-{name}\">{name}</a>");
    }
    let choices: Vec<String> = items(&schema["oneOf"]).map(type_text).collect();
    if !choices.is_empty() {
        return choices.join(" or ");
    }
    let words = match schema["type"].as_array() {
        Some(types) => types.iter().map(as_text).collect::<Vec<_>>().join(" or "),
        None => as_text(&schema["type"]).to_owned(),
    };
    let words = match words.as_str() {
        "array" => format!("list of {}", type_text(&schema["items"])),
        "object" if schema["properties"].is_object() => format!("object {}", inline_object(schema)),
        "object" => format!("object of {}", type_text(&schema["additionalProperties"])),
        _ => words,
    };
    words + &constraints(schema)
}

/// The fields of an inline object.
fn inline_object(schema: &Value) -> String {
    let inner: Vec<String> = entries(&schema["properties"])
        .map(|(name, field)| format!("{}: {}", code(name), type_text(field)))
        .collect();
    format!("{{{}}}", inner.join(", "))
}

fn constraints(schema: &Value) -> String {
    let words = items(&schema["enum"]).map(|word| code(as_text(word)));
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

/// The type name of a request or response body.
pub(super) fn content_types(description: &Value, part: &Value) -> String {
    let contents = entries(&resolve(description, part)["content"]);
    let contents: Vec<String> = contents
        .map(|(media_type, content)| {
            format!("{} as {}", type_text(&content["schema"]), code(media_type))
        })
        .collect();
    contents.join(", ")
}
