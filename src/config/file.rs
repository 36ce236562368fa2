//! The settings file: TOML, one line per setting, values as text or whole numbers; the plans alone are tables.

use std::path::Path;

use super::{Mistakes, Setting, Source, Value};

/// The settings in the file. What cannot be read is told in `mistakes`.
pub(super) fn read(path: &Path, settings: &[Setting], mistakes: &mut Mistakes) -> Vec<Value> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string());
    match text.and_then(|text| {
        text.parse::<toml::Table>()
            .map_err(|error| place_of(&error, &text))
    }) {
        Ok(table) => {
            let source = Source::File(path.to_owned());
            table
                .into_iter()
                .filter_map(|line| value(line, &source, settings, mistakes))
                .collect()
        }
        Err(error) => {
            mistakes.add_line(format!("config: {}: {}", path.display(), error.trim_end()));
            Vec::new()
        }
    }
}

/// What is wrong and where. Never the line itself, which may hold a password.
fn place_of(error: &toml::de::Error, text: &str) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = before.map_or(1, |before| 1 + before.matches('\n').count());
    format!("line {line}: {}", error.message())
}

/// One line. A key that is no setting is a mistake, most likely a setting misspelt.
fn value(
    (key, value): (String, toml::Value),
    source: &Source,
    settings: &[Setting],
    mistakes: &mut Mistakes,
) -> Option<Value> {
    let Some(setting) = settings.iter().find(|setting| setting.name == key) else {
        let known: Vec<&str> = settings.iter().map(|setting| setting.name).collect();
        mistakes.add_line(format!(
            "{key} ({source}): no such setting; expected one of {}",
            known.join(", ")
        ));
        return None;
    };
    let text = match value {
        toml::Value::String(text) => text,
        toml::Value::Integer(number) => number.to_string(),
        table @ toml::Value::Table(_) if setting.takes_table() => {
            serde_json::to_string(&table).expect("TOML has text keys, as JSON")
        }
        toml::Value::Array(parts) if setting.list && parts.iter().all(toml::Value::is_str) => {
            let parts: Vec<&str> = parts.iter().filter_map(toml::Value::as_str).collect();
            parts.join(" ")
        }
        other => {
            let wanted = if setting.list {
                "a text or an array of texts"
            } else {
                "a text or a whole number"
            };
            mistakes.add(&key, source, other.type_str(), wanted);
            return None;
        }
    };
    Some(Value {
        name: setting.name,
        text,
        source: source.clone(),
    })
}
