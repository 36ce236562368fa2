//! Generates the command-line flags from the table of settings in `config`.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::marker::PhantomData;
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::CommandError;
use super::config_reload::ConfigLoader;
use super::data_path::{self, DataFolderUse};
use crate::config::{CONFIG_FILE, Config, ConfigErrors, LoadedConfig, SETTINGS, Setting};

pub(super) type ServiceFlags = SettingFlags<AllSettings>;

pub(super) type AccountStoreFlags = SettingFlags<AccountStoreSettings>;

pub(super) type DataFolderFlags = SettingFlags<DataFolderSettings>;

pub(super) type DemoFlags = SettingFlags<DemoSettings>;

/// The settings that a command accepts as flags.
pub(super) trait SettingFilter {
    /// The names of the settings; `None` for all settings.
    const NAMES: Option<&'static [&'static str]> = None;
    /// Whether the command has the flag `--create-data`.
    const HAS_CREATE_DATA: bool = true;
    /// The default of `--data` in the help text, if it differs from the default of the setting.
    const DATA_DEFAULT: Option<&'static str> = None;
}

pub(super) enum AllSettings {}

pub(super) enum AccountStoreSettings {}

pub(super) enum DataFolderSettings {}

pub(super) enum DemoSettings {}

impl SettingFilter for AllSettings {}

impl SettingFilter for AccountStoreSettings {
    const NAMES: Option<&'static [&'static str]> = Some(&["data", "database_url", "plans"]);
}

impl SettingFilter for DataFolderSettings {
    const NAMES: Option<&'static [&'static str]> = Some(&["data"]);
}

impl SettingFilter for DemoSettings {
    const NAMES: Option<&'static [&'static str]> =
        Some(&["data", "listen", "sandbox_listen", "admin_listen"]);
    /// The demonstration always creates its data folder.
    const HAS_CREATE_DATA: bool = false;
    const DATA_DEFAULT: Option<&'static str> = Some("a temporary folder");
}

/// The heading above the settings in help texts. The settings come after the options of the command.
const SETTINGS_HEADING: &str = "Settings";

/// The name of the flag `--create-data`. The flag is not a setting: in a settings file, it would disable the check of the path for
/// every later start.
const CREATE_DATA: &str = "create_data";

/// The values of the flags on the command line, by the setting's name.
pub(super) struct SettingFlags<C> {
    values: HashMap<&'static str, OsString>,
    /// Whether `--create-data` is given, so that a missing data folder is created.
    pub(super) create_data: bool,
    filter: PhantomData<C>,
}

impl<C> SettingFlags<C> {
    /// Reads the settings.
    pub(super) fn load_config(&self) -> Result<Config, ConfigErrors> {
        Config::load(&|name| self.values.get(name).cloned(), &environment)
    }

    /// Checks that the data folder exists, or creates it with `--create-data`.
    pub(super) fn prepare_data_folder(
        &self,
        config: &Config,
        folder_use: DataFolderUse,
    ) -> Result<(), CommandError> {
        match folder_use {
            DataFolderUse::Required if self.create_data => data_path::create(&config.data),
            DataFolderUse::Unused if self.create_data || !self.values.contains_key("data") => {
                Ok(())
            }
            _ => data_path::check_exists(config.data.path()),
        }
    }

    /// Returns a function that reads the settings again. That function also returns the text of each setting.
    pub(super) fn config_loader(&self) -> ConfigLoader {
        new_config_loader(self.values.clone())
    }

    /// Like [`config_loader`](Self::config_loader), but `folder` is the default of the data folder, no bucket is set, and the
    /// public live key is enabled. These values override the environment and the settings file.
    pub(super) fn demo_config_loader(&self, folder: &Path) -> ConfigLoader {
        let mut values = self.values.clone();
        values.entry("data").or_insert_with(|| folder.into());
        values.insert("generations_from", OsString::new());
        values.insert("public_live_key", "on".into());
        new_config_loader(values)
    }

    /// Reads the settings even if some have mistakes. The result lists the mistakes. A setting with a mistake has its default.
    pub(super) fn read_config(&self) -> LoadedConfig {
        LoadedConfig::read(&|name| self.values.get(name).cloned(), &environment)
    }
}

fn new_config_loader(values: HashMap<&'static str, OsString>) -> ConfigLoader {
    Box::new(move || {
        LoadedConfig::read(&|name| values.get(name).cloned(), &environment).into_result()
    })
}

fn environment(variable: &str) -> Option<OsString> {
    std::env::var_os(variable)
}

fn included_settings<C: SettingFilter>() -> impl Iterator<Item = &'static Setting> {
    SETTINGS
        .iter()
        .filter(|setting| C::NAMES.is_none_or(|names| names.contains(&setting.name)))
        .chain([&CONFIG_FILE])
}

fn clap_arg<C: SettingFilter>(setting: &'static Setting) -> Arg {
    let default = match (setting.name, C::DATA_DEFAULT) {
        ("data", Some(default)) => default,
        _ => setting.default,
    };
    let default = if default.is_empty() {
        String::new()
    } else {
        format!(" [default: {default}]")
    };
    // The flags are global, so that they are also accepted after a subcommand, as in `accounts create --data DIR`.
    let argument = Arg::new(setting.name)
        .long(setting.flag_name())
        .help(format!(
            "{} [env: {}]{default}",
            setting.help,
            setting.env_var()
        ))
        .help_heading(SETTINGS_HEADING)
        .value_name("VALUE")
        .value_parser(clap::value_parser!(OsString))
        .action(if setting.repeatable {
            ArgAction::Append
        } else {
            ArgAction::Set
        })
        .global(true);
    // In `index publish` and `index prune`, the flag for this is called `--keep`, so that name is accepted here too.
    if setting.name == "generations_keep" {
        argument.visible_alias("keep")
    } else {
        argument
    }
}

impl<C: SettingFilter> Args for SettingFlags<C> {
    fn augment_args(command: Command) -> Command {
        let create_data = C::HAS_CREATE_DATA.then(|| {
            Arg::new(CREATE_DATA)
                .long("create-data")
                .help("Create the data folder if it does not exist")
                .action(ArgAction::SetTrue)
                .global(true)
        });
        command
            .args(included_settings::<C>().map(clap_arg::<C>))
            .args(create_data)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<C: SettingFilter> FromArgMatches for SettingFlags<C> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let parse_value = |setting: &Setting| {
            let parts: Vec<&OsStr> = matches
                .get_many::<OsString>(setting.name)?
                .map(OsString::as_os_str)
                .collect();
            Some((setting.name, parts.join(OsStr::new(" "))))
        };
        Ok(Self {
            values: included_settings::<C>().filter_map(parse_value).collect(),
            create_data: C::HAS_CREATE_DATA && matches.get_flag(CREATE_DATA),
            filter: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
