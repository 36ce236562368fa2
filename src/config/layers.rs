//! The layers that a setting's text may come from, and the list of all that is wrong with them.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use super::file;

/// The name of the settings file: `--config` or `POSTDUIF_CONFIG`.
pub const CONFIG_FILE: Setting = Setting {
    name: "config",
    help: "TOML file with settings, named as in the environment but in small letters",
    default: "",
    repeatable: false,
};

/// Asks one layer for a value.
pub type LayerLookup<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// One setting as people see it.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Its name in the file.
    pub name: &'static str,
    /// What it is for.
    pub help: &'static str,
    /// Its text when nobody says otherwise.
    pub default: &'static str,
    /// Whether it may be given in parts: a flag several times, an array in the file. They are joined by spaces.
    pub repeatable: bool,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingSource {
    /// The command line.
    Flag(String),
    /// An environment variable.
    Environment(String),
    /// The settings file.
    File(PathBuf),
    /// Nobody said otherwise.
    Default,
}

/// A setting's text and where it comes from.
#[derive(Debug, Clone)]
pub struct SettingValue {
    /// Which setting.
    pub name: &'static str,
    pub(super) text: String,
    /// Where the text comes from.
    pub source: SettingSource,
}

/// All that is wrong with the settings, one line each.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ConfigErrors(Vec<String>);

pub(super) struct LayeredSettings(Vec<SettingValue>);

impl Setting {
    /// `--header-timeout-s` without the dashes in front.
    #[must_use]
    pub fn flag_name(&self) -> String {
        self.name.replace('_', "-")
    }

    /// Whether it may be a table in the file; elsewhere it is written as JSON.
    pub(super) fn accepts_table(&self) -> bool {
        self.name == "plans"
    }

    /// `POSTDUIF_HEADER_TIMEOUT_S`.
    #[must_use]
    pub fn env_var(&self) -> String {
        format!("POSTDUIF_{}", self.name.to_ascii_uppercase())
    }
}

impl SettingValue {
    /// Whether two readings give a setting the same text.
    #[must_use]
    pub fn has_same_text(&self, other: &Self) -> bool {
        (self.name, &self.text) == (other.name, &other.text)
    }

    /// The text as it may be shown: without the password of a URL, be the URL written wrongly.
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

/// Hides the value of `password=…` in the query of a URL, the other way in which a database takes one.
fn mask_password_parameter(text: String) -> String {
    let Some((before, value)) = text.split_once("password=") else {
        return text;
    };
    let after = value.find('&').map_or("", |end| &value[end..]);
    format!("{before}password=…{after}")
}

impl LayeredSettings {
    /// Takes each setting from the first layer that has it.
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

    /// Parses one setting; a mistake is added to the list.
    pub(super) fn parse<T, W: AsRef<str>>(
        &self,
        name: &str,
        parse: fn(&str) -> Result<T, W>,
        errors: &mut ConfigErrors,
    ) -> Option<T> {
        let value = self
            .0
            .iter()
            .find(|value| value.name == name)
            .expect("every setting has a value, its default at least");
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

    /// A mistake that is not in one setting's text.
    pub(super) fn push(&mut self, line: String) {
        self.0.push(line);
    }

    /// A mistake in one setting's text.
    pub(super) fn push_invalid_value(
        &mut self,
        name: &str,
        source: &SettingSource,
        text: &(impl fmt::Debug + ?Sized),
        expected: &str,
    ) {
        self.0.push(format!(
            "{name} ({source}): {text:?} is not accepted; expected {expected}"
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
        f.write_str("settings are not accepted:")?;
        self.0.iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}

impl std::error::Error for ConfigErrors {}
