//! Finds the text of each setting in the first source that has one: flag, environment variable, settings file or default.

use std::ffi::OsString;
use std::path::Path;

use super::file;
use super::setting::{ConfigErrors, Setting, SettingSource, SettingValue, TABLE_SETTING};

/// The setting that names the settings file: `--config` or `POSTDUIF_CONFIG`.
pub const CONFIG_FILE: Setting = Setting {
    name: "config",
    help: "TOML file with settings; a key is the environment variable in lower case, without POSTDUIF_",
    default: "",
    repeatable: false,
};

/// Looks up a value in one source.
pub type LayerLookup<'a> = &'a dyn Fn(&str) -> Option<OsString>;

pub(super) struct LayeredSettings(Vec<SettingValue>);

impl LayeredSettings {
    /// Reads each setting from the first source that has it.
    pub(super) fn resolve(
        settings: &[Setting],
        flags: LayerLookup<'_>,
        environment: LayerLookup<'_>,
    ) -> (Self, ConfigErrors) {
        let mut errors = ConfigErrors::default();
        let mut from_flag_or_env = |setting: &Setting| {
            let variable = setting.env_var();
            let (text, source) = match flags(setting.name) {
                Some(text) => {
                    let flag = format!("--{}", setting.flag_name());
                    (text, SettingSource::Flag(flag))
                }
                None => (
                    environment(&variable)?,
                    SettingSource::Environment(variable),
                ),
            };
            let text = text
                .into_string()
                .map_err(|text| errors.push_invalid_value(setting.name, &source, &text, "UTF-8"));
            Some(SettingValue {
                name: setting.name,
                text: text.ok()?,
                source,
            })
        };
        let file = from_flag_or_env(&CONFIG_FILE);
        let explicit_values: Vec<Option<SettingValue>> =
            settings.iter().map(from_flag_or_env).collect();
        let file_values = file
            .map(|file| file::read_settings(Path::new(&file.text), settings, &mut errors))
            .unwrap_or_default();
        let file_value_or_default = |setting: &Setting| {
            let default = SettingValue {
                name: setting.name,
                text: setting.default.to_owned(),
                source: SettingSource::Default,
            };
            let mut values = file_values.iter();
            let value = values.find(|value| value.name == setting.name);
            value.cloned().unwrap_or(default)
        };
        let values = explicit_values
            .into_iter()
            .zip(settings)
            .map(|(value, setting)| value.unwrap_or_else(|| file_value_or_default(setting)));
        (Self(values.collect()), errors)
    }

    /// Parses one setting. An error is added to `errors`.
    pub(super) fn parse<T, E: AsRef<str>>(
        &self,
        name: &str,
        parse: fn(&str) -> Result<T, E>,
        errors: &mut ConfigErrors,
    ) -> Option<T> {
        let value = self.0.iter().find(|value| value.name == name);
        let value = value.expect("every setting has a text, at least its default");
        let source = &value.source;
        parse(&value.text)
            .map_err(|expected| match (name, expected.as_ref()) {
                // The text of a table may be long. The error names the wrong part and the expected value.
                (TABLE_SETTING, mistake) => errors.push(format!("{name} ({source}): {mistake}")),
                (_, expected) => {
                    errors.push_invalid_value(name, source, &value.masked_text(), expected);
                }
            })
            .ok()
    }

    pub(super) fn into_values(self) -> Vec<SettingValue> {
        self.0
    }
}
