//! Defines a setting with its names and default, the text of a setting with its source, and the list of errors.

use std::fmt;
use std::path::PathBuf;

/// A setting with its name, help and default.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The name in the settings file.
    pub name: &'static str,
    /// The help text.
    pub help: &'static str,
    /// The text of the setting if no source has one.
    pub default: &'static str,
    /// True if the setting may have several values. They are given as a repeated flag or as an array in the file, and are joined by
    /// spaces.
    pub repeatable: bool,
}

/// The name of the setting that may be a table in the file. In a flag or an environment variable it is JSON.
pub(super) const TABLE_SETTING: &str = "plans";

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

impl Setting {
    /// The flag without its dashes, such as `header-timeout-s`.
    pub fn flag_name(&self) -> String {
        self.name.replace('_', "-")
    }

    /// True if the setting may be `true` or `false` in the file.
    pub(super) fn accepts_bool(&self) -> bool {
        matches!(self.default, "on" | "off")
    }

    /// The environment variable, such as `POSTDUIF_HEADER_TIMEOUT_S`.
    pub fn env_var(&self) -> String {
        format!("POSTDUIF_{}", self.name.to_ascii_uppercase())
    }
}

impl SettingValue {
    /// True if `self` and `other` have the same name and text.
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

/// Masks the value of `password=…` in the query of a URL, because a database URL may have its password there.
fn mask_password_parameter(text: String) -> String {
    let Some((before, value)) = text.split_once("password=") else {
        return text;
    };
    let after = value.find('&').map_or("", |end| &value[end..]);
    format!("{before}password=…{after}")
}

impl ConfigErrors {
    /// True if there are no errors.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds an error.
    pub fn push(&mut self, line: String) {
        self.0.push(line);
    }

    /// Adds an error about the text of a single setting.
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
