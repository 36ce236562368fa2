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
    list: false,
};

/// Asks one layer for a value.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<OsString>;

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
    pub list: bool,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
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
pub struct Value {
    /// Which setting.
    pub name: &'static str,
    pub(super) text: String,
    /// Where the text comes from.
    pub source: Source,
}

/// All that is wrong with the settings, one line each.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Mistakes(Vec<String>);

pub(super) struct Layers(Vec<Value>);

impl Setting {
    /// `--header-timeout-s` without the dashes in front.
    #[must_use]
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }

    /// Whether it may be a table in the file; elsewhere it is written as JSON.
    pub(super) fn takes_table(&self) -> bool {
        self.name == "plans"
    }

    /// `POSTDUIF_HEADER_TIMEOUT_S`.
    #[must_use]
    pub fn variable(&self) -> String {
        format!("POSTDUIF_{}", self.name.to_ascii_uppercase())
    }
}

impl Value {
    /// Whether two readings give a setting the same text.
    #[must_use]
    pub fn says_the_same(&self, other: &Self) -> bool {
        (self.name, &self.text) == (other.name, &other.text)
    }

    /// The text as it may be shown: without the password of a URL, be the URL written wrongly.
    #[must_use]
    pub fn shown(&self) -> String {
        let password = || {
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
        without_password_parameter(password().unwrap_or_else(|| self.text.clone()))
    }
}

/// Hides the value of `password=…` in the query of a URL, the other way in which a database takes one.
fn without_password_parameter(text: String) -> String {
    let Some((before, value)) = text.split_once("password=") else {
        return text;
    };
    let after = value.find('&').map_or("", |end| &value[end..]);
    format!("{before}password=…{after}")
}

impl Layers {
    /// Takes each setting from the first layer that has it.
    pub(super) fn gather(
        settings: &[Setting],
        flags: Lookup<'_>,
        environment: Lookup<'_>,
    ) -> (Self, Mistakes) {
        let mut mistakes = Mistakes::default();
        let mut given = |setting: &Setting| {
            let flag = flags(setting.name)
                .map(|text| (text, Source::Flag(format!("--{}", setting.flag()))));
            let variable = || {
                Some((
                    environment(&setting.variable())?,
                    Source::Environment(setting.variable()),
                ))
            };
            let (text, source) = flag.or_else(variable)?;
            let text = text
                .into_string()
                .map_err(|text| mistakes.add(setting.name, &source, &text, "UTF-8"));
            Some(Value {
                name: setting.name,
                text: text.ok()?,
                source,
            })
        };
        let file = given(&CONFIG_FILE);
        let given: Vec<Option<Value>> = settings.iter().map(given).collect();
        let in_file = file
            .map(|file| file::read(Path::new(&file.text), settings, &mut mistakes))
            .unwrap_or_default();
        let otherwise = |setting: &Setting| {
            let default = Value {
                name: setting.name,
                text: setting.default.to_owned(),
                source: Source::Default,
            };
            in_file
                .iter()
                .find(|value| value.name == setting.name)
                .cloned()
                .unwrap_or(default)
        };
        let values = given
            .into_iter()
            .zip(settings)
            .map(|(value, setting)| value.unwrap_or_else(|| otherwise(setting)));
        (Self(values.collect()), mistakes)
    }

    /// Parses one setting; a mistake is added to the list.
    pub(super) fn read<T, W: AsRef<str>>(
        &self,
        name: &str,
        parse: fn(&str) -> Result<T, W>,
        mistakes: &mut Mistakes,
    ) -> Option<T> {
        let value = self
            .0
            .iter()
            .find(|value| value.name == name)
            .expect("every setting has a value, its default at least");
        parse(&value.text)
            .map_err(|wanted| mistakes.add(name, &value.source, &value.shown(), wanted.as_ref()))
            .ok()
    }

    pub(super) fn into_values(self) -> Vec<Value> {
        self.0
    }
}

impl Mistakes {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A mistake that is not in one setting's text.
    pub(super) fn add_line(&mut self, line: String) {
        self.0.push(line);
    }

    /// A mistake in one setting's text.
    pub(super) fn add(
        &mut self,
        name: &str,
        source: &Source,
        text: &(impl fmt::Debug + ?Sized),
        wanted: &str,
    ) {
        self.0.push(format!(
            "{name} ({source}): {text:?} is not accepted; expected {wanted}"
        ));
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) | Self::Environment(name) => f.write_str(name),
            Self::File(path) => path.display().fmt(f),
            Self::Default => f.write_str("default"),
        }
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("settings are not accepted:")?;
        self.0
            .iter()
            .try_for_each(|mistake| write!(f, "\n  {mistake}"))
    }
}

impl std::error::Error for Mistakes {}
