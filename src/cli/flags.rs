//! The settings as flags, made from the one table in `config`.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::marker::PhantomData;
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::config_reload::ConfigLoader;
use crate::config::{CONFIG_FILE, Config, ConfigErrors, SETTINGS, Setting, SettingValue};

/// Every setting.
pub(super) type ServiceFlags = SettingFlags<AllSettings>;

/// The settings that say where the ledger is.
pub(super) type AccountStoreFlags = SettingFlags<AccountStoreSettings>;

/// The data folder alone.
pub(super) type DataFolderFlags = SettingFlags<DataFolderSettings>;

/// The settings of the demonstration.
pub(super) type DemoFlags = SettingFlags<DemoSettings>;

/// Which settings a command takes as flags.
pub(super) trait SettingFilter {
    fn includes(setting: &Setting) -> bool;
}

/// Takes all.
pub(super) enum AllSettings {}

/// Takes the data folder, the database and the plans.
pub(super) enum AccountStoreSettings {}

/// Takes the data folder.
pub(super) enum DataFolderSettings {}

/// Takes the data folder and the listeners.
pub(super) enum DemoSettings {}

impl SettingFilter for DataFolderSettings {
    fn includes(setting: &Setting) -> bool {
        setting.name == "data"
    }
}

impl SettingFilter for DemoSettings {
    fn includes(setting: &Setting) -> bool {
        ["data", "listen", "sandbox_listen", "admin_listen"].contains(&setting.name)
    }
}

impl SettingFilter for AllSettings {
    fn includes(_: &Setting) -> bool {
        true
    }
}

impl SettingFilter for AccountStoreSettings {
    fn includes(setting: &Setting) -> bool {
        ["data", "database_url", "plans"].contains(&setting.name)
    }
}

/// The flags that were given, by the setting's name.
pub(super) struct SettingFlags<C> {
    values: HashMap<&'static str, OsString>,
    filter: PhantomData<C>,
}

impl<C> SettingFlags<C> {
    /// The settings, with these flags before everything else.
    pub(super) fn load_config(&self) -> Result<Config, ConfigErrors> {
        Config::load(&|name| self.values.get(name).cloned(), &|name| {
            std::env::var_os(name)
        })
    }

    /// Reads the settings so, as often as is wanted, and tells what stands in each.
    pub(super) fn config_loader(&self) -> ConfigLoader {
        new_config_loader(self.values.clone())
    }

    /// The same, with another default for the data folder, and no bucket to fill it from; what the environment or a file says
    /// of them does not count.
    pub(super) fn config_loader_with_data(&self, folder: &Path) -> ConfigLoader {
        let mut values = self.values.clone();
        values.entry("data").or_insert_with(|| folder.into());
        values.insert("generations_from", OsString::new());
        new_config_loader(values)
    }

    /// The settings with their sources.
    pub(super) fn check(&self) -> Result<Vec<SettingValue>, ConfigErrors> {
        Config::effective_values(&|name| self.values.get(name).cloned(), &|name| {
            std::env::var_os(name)
        })
    }
}

fn new_config_loader(values: HashMap<&'static str, OsString>) -> ConfigLoader {
    Box::new(move || {
        Config::load_with_values(&|name| values.get(name).cloned(), &|name| {
            std::env::var_os(name)
        })
    })
}

fn included_settings<C: SettingFilter>() -> impl Iterator<Item = &'static Setting> {
    SETTINGS
        .iter()
        .filter(|setting| C::includes(setting))
        .chain([&CONFIG_FILE])
}

fn clap_arg(setting: &'static Setting) -> Arg {
    let default = if setting.default.is_empty() {
        String::new()
    } else {
        format!(" [default: {}]", setting.default)
    };
    // Settings may stand behind a nested command too: `accounts create --data DIR`.
    let argument = Arg::new(setting.name)
        .long(setting.flag_name())
        .help(format!(
            "{} [env: {}]{default}",
            setting.help,
            setting.env_var()
        ))
        .value_name("VALUE")
        .value_parser(clap::value_parser!(OsString))
        .action(if setting.repeatable {
            ArgAction::Append
        } else {
            ArgAction::Set
        })
        .global(true);
    // As `index publish` and `index prune` call what is kept where they work.
    if setting.name == "generations_keep" {
        argument.visible_alias("keep")
    } else {
        argument
    }
}

impl<C: SettingFilter> Args for SettingFlags<C> {
    fn augment_args(command: Command) -> Command {
        command.args(included_settings::<C>().map(clap_arg))
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
            filter: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
