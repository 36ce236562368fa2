//! Reads the settings file: TOML with one key per setting. Values are strings or integers. A setting with several values may be an
//! array of strings, and plans are tables.

use std::path::Path;

use postduif_schema::files::read_regular_to_string;

use super::nearest_name::nearest_name;
use super::setting::{ConfigErrors, Setting, SettingSource, SettingValue, TABLE_SETTING};

/// Reads the settings in the file. Problems are added to `errors`.
pub(super) fn read_settings(
    path: &Path,
    settings: &[Setting],
    errors: &mut ConfigErrors,
) -> Vec<SettingValue> {
    let text = read_regular_to_string(path).map_err(|error| error.to_string());
    match text.and_then(|text| {
        text.parse::<toml::Table>()
            .map_err(|error| describe_error(&error, &text))
    }) {
        Ok(table) => {
            let source = SettingSource::File(path.to_owned());
            table
                .into_iter()
                .filter_map(|entry| parse_entry(entry, &source, settings, errors))
                .collect()
        }
        Err(error) => {
            errors.push(format!("config: {}: {}", path.display(), error.trim_end()));
            Vec::new()
        }
    }
}

/// Describes an error by its line number, its key and the problem. Omits the text of the line, because the value in it may be a password.
fn describe_error(error: &toml::de::Error, text: &str) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    let before = before.unwrap_or_default();
    let line = 1 + before.matches('\n').count();
    let key = before.lines().last().and_then(|line| line.split_once('='));
    let key = key.map_or(String::new(), |(key, _)| format!(" ({})", key.trim()));
    // If a number does not fit, the message of the TOML library names the library's own types, so the message is replaced.
    let message = match error.message() {
        message if message.contains("as i128") || message.contains("as u128") => {
            "the number is too large; no setting accepts it"
        }
        message => message,
    };
    format!("line {line}{key}: {message}")
}

/// Parses one key. An unknown key is an error, because it is most likely a misspelt setting.
fn parse_entry(
    (key, value): (String, toml::Value),
    source: &SettingSource,
    settings: &[Setting],
    errors: &mut ConfigErrors,
) -> Option<SettingValue> {
    let Some(setting) = settings.iter().find(|setting| setting.name == key) else {
        let known: Vec<&str> = settings.iter().map(|setting| setting.name).collect();
        let nearest = nearest_name(&key, &known);
        let hint = nearest.map_or(String::new(), |name| format!(" (did you mean {name}?)"));
        errors.push(format!(
            "{key} ({source}): no such setting{hint}; expected one of {}",
            known.join(", ")
        ));
        return None;
    };
    let text = match value {
        toml::Value::String(text) => text,
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Boolean(flag) if setting.accepts_bool() => match flag {
            true => "on".to_owned(),
            false => "off".to_owned(),
        },
        table @ toml::Value::Table(_) if setting.name == TABLE_SETTING => {
            serde_json::to_string(&table).expect("TOML tables have string keys, as JSON objects do")
        }
        toml::Value::Array(parts)
            if setting.repeatable && parts.iter().all(toml::Value::is_str) =>
        {
            let parts: Vec<&str> = parts.iter().filter_map(toml::Value::as_str).collect();
            parts.join(" ")
        }
        other => {
            let expected = if setting.repeatable {
                "a string or an array of strings"
            } else {
                "a string or an integer"
            };
            errors.push_invalid_value(&key, source, other.type_str(), expected);
            return None;
        }
    };
    Some(SettingValue {
        name: setting.name,
        text,
        source: source.clone(),
    })
}
