//! The sources of a setting's text in order of precedence, and the list of errors.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use super::file;

/// The settings file: `--config` or `POSTDUIF_CONFIG`.
pub const CONFIG_FILE: Setting = Setting {
    name: "config",
    help: "TOML file with settings; a key is the environment variable in lower case, without POSTDUIF_",
    default: "",
    repeatable: false,
};

/// Looks up a value in one source.
pub type LayerLookup<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// A setting as the operator sees it.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The name in the file.
    pub name: &'static str,
    /// The help text.
    pub help: &'static str,
    /// The text if no source has it.
    pub default: &'static str,
    /// Whether it may have several values: a repeated flag, or an array in the file. They are joined by spaces.
    pub repeatable: bool,
}

/// The source of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingSource {
    /// The command line.
    Flag(String),
    /// An environment variable.
    Environment(String),
    /// The settings file.
    File(PathBuf),
    /// The default.
    Default,
}

/// A setting's text and its source.
#[derive(Debug, Clone)]
pub struct SettingValue {
    /// The setting's name.
    pub name: &'static str,
    pub(super) text: String,
    /// The source of the text.
    pub source: SettingSource,
}

/// The errors in the settings, one line each.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ConfigErrors(Vec<String>);

pub(super) struct LayeredSettings(Vec<SettingValue>);

impl Setting {
    /// The flag without its dashes, such as `header-timeout-s`.
    #[must_use]
    pub fn flag_name(&self) -> String {
        self.name.replace('_', "-")
    }

    /// Whether it may be a table in the file. In a flag or a variable it is JSON.
    pub(super) fn accepts_table(&self) -> bool {
        self.name == "plans"
    }

    /// The environment variable, such as `POSTDUIF_HEADER_TIMEOUT_S`.
    #[must_use]
    pub fn env_var(&self) -> String {
        format!("POSTDUIF_{}", self.name.to_ascii_uppercase())
    }
}

impl SettingValue {
    /// Whether both have the same name and text.
    #[must_use]
    pub fn has_same_text(&self, other: &Self) -> bool {
        (self.name, &self.text) == (other.name, &other.text)
    }

    /// The text with passwords of URLs masked, even if the URL is malformed.
    #[must_use]
    pub fn masked_text(&self) -> String {
        let masked_userinfo = || {
            let Some((scheme, rest)) = self.text.split_once("://") else {
                let (_, host) = self.text.rsplit_once('@')?;
                return self.name.ends_with("_url").then(|| format!("…@{host}"));
            };
            let (user, host) = rest.rsplit_once('@')?;
            Some(format!(
                "{scheme}://{}:…@{host}",
                user.split(':').next().unwrap_or_default()
            ))
        };
        mask_password_parameter(masked_userinfo().unwrap_or_else(|| self.text.clone()))
    }
}

/// Masks the value of `password=…` in the query of a URL: a database URL may have its password there.
fn mask_password_parameter(text: String) -> String {
    let Some((before, value)) = text.split_once("password=") else {
        return text;
    };
    let after = value.find('&').map_or("", |end| &value[end..]);
    format!("{before}password=…{after}")
}

impl LayeredSettings {
    /// Reads each setting from the first source that has it.
    pub(super) fn resolve(
        settings: &[Setting],
        flags: LayerLookup<'_>,
        environment: LayerLookup<'_>,
    ) -> (Self, ConfigErrors) {
        let mut errors = ConfigErrors::default();
        let mut from_flag_or_env = |setting: &Setting| {
            let flag = flags(setting.name).map(|text| {
                (
                    text,
                    SettingSource::Flag(format!("--{}", setting.flag_name())),
                )
            });
            let variable = || {
                Some((
                    environment(&setting.env_var())?,
                    SettingSource::Environment(setting.env_var()),
                ))
            };
            let (text, source) = flag.or_else(variable)?;
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
            file_values
                .iter()
                .find(|value| value.name == setting.name)
                .cloned()
                .unwrap_or(default)
        };
        let values = explicit_values
            .into_iter()
            .zip(settings)
            .map(|(value, setting)| value.unwrap_or_else(|| file_value_or_default(setting)));
        (Self(values.collect()), errors)
    }

    /// Parses one setting; an error is added to the list.
    pub(super) fn parse<T, E: AsRef<str>>(
        &self,
        name: &str,
        parse: fn(&str) -> Result<T, E>,
        errors: &mut ConfigErrors,
    ) -> Option<T> {
        let value = self
            .0
            .iter()
            .find(|value| value.name == name)
            .expect("every setting has a text, at least its default");
        parse(&value.text)
            .map_err(|expected| {
                errors.push_invalid_value(
                    name,
                    &value.source,
                    &value.masked_text(),
                    expected.as_ref(),
                )
            })
            .ok()
    }

    pub(super) fn into_values(self) -> Vec<SettingValue> {
        self.0
    }
}

impl ConfigErrors {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds an error that is not in one setting's text.
    pub(super) fn push(&mut self, line: String) {
        self.0.push(line);
    }

    /// Adds an error in one setting's text.
    pub(super) fn push_invalid_value(
        &mut self,
        name: &str,
        source: &SettingSource,
        text: &(impl fmt::Debug + ?Sized),
        expected: &str,
    ) {
        self.0.push(format!(
            "{name} ({source}): {text:?} is not valid; expected {expected}"
        ));
    }
}

impl fmt::Display for SettingSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) | Self::Environment(name) => f.write_str(name),
            Self::File(path) => path.display().fmt(f),
            Self::Default => f.write_str("default"),
        }
    }
}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("invalid settings:")?;
        self.0.iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}

impl std::error::Error for ConfigErrors {}
